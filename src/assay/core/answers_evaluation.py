"""`AnswersEvaluation`: what systems answered to the questions of a suite, counted first and measured then."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from assay.core.estimates import Interval
from assay.core.evaluation import Evaluation
from assay.core.shown import framed, number, table

Outcome = Literal["answered", "error", "timeout", "absent"]
"""What became of a question; absent: the system's answers do not hold it."""

COUNTS = {
    "executed": "answered at all, with rows, without or by yes or no",
    "error": "the query is not executed",
    "timeout": "it takes longer than the limit",
    "absent": "the answers do not hold it",
    "empty": "executed, and nothing was found",
    "answerable": "executed, and something right was found (R > 0)",
    "fully answered": "all that is right was found (R = 1)",
    "exactly": "that and nothing else (R = 1 and P = 1)",
}
"""What is counted of a system, in the order shown."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many questions there are of a kind, of how many, with Wilson's interval of the share.

    `demand` is the share by the weights of questions, where they weigh differently.
    """

    name: str
    count: int
    of: int
    interval: Interval | None = None
    demand: float | None = None

    @property
    def share(self) -> float | None:
        """The count of all; None of none."""
        return self.count / self.of if self.of else None

    def to_dict(self) -> dict[str, Any]:
        """Return the count as plain data."""
        ends = _ends(self.interval)
        return {"count": self.count, "of": self.of, "share": self.share, **ends, "demand": self.demand}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and where its true value may lie; None where it is undefined."""

    value: float | None
    interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        interval = self.interval.to_dict() if self.interval else None
        return {"value": self.value, **_ends(self.interval), "interval": interval}


@dataclass(frozen=True, slots=True)
class ConventionFigures:
    """Precision, recall and F1 of a system under one convention, over how many questions."""

    convention: str
    questions: int
    precision: Estimate
    recall: Estimate
    f1: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        parts = {name: getattr(self, name).to_dict() for name in ("precision", "recall", "f1")}
        return {"questions": self.questions, **parts}


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """One question of one system.

    `empty` says that it was executed and found nothing. `found` and `gold` count rows, or values where the convention
    pools them, `hits` those that are right (a fraction where rows are partly right). `precision`, `recall` and `f1`
    are those of the convention, None where it has none; `f1_by` has F1 under each. `order` is Kendall's tau of the
    right rows found, where the gold has an order. `whole_rows` tells that rows were too many to be matched in part.
    """

    name: str
    text: str
    outcome: Outcome
    empty: bool
    found: int
    gold: int
    hits: float
    precision: float | None
    recall: float | None
    f1: float | None
    f1_by: Mapping[str, float | None] = field(default_factory=dict)
    order: float | None = None
    seconds: float | None = None
    message: str = ""
    truncated: bool = False
    whole_rows: bool = False
    weight: float = 1.0
    groups: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain data."""
        out = {one.name: getattr(self, one.name) for one in fields(self)}
        return {"question": out.pop("name")} | out | {"f1_by": dict(self.f1_by), "groups": dict(self.groups)}


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """The questions of one group, such as those of type "list": figures of each system under the convention."""

    key: str
    value: str
    figures: tuple[ConventionFigures, ...]

    def to_dict(self, names: Iterable[str]) -> dict[str, Any]:
        """Return the group as plain data, by the names of the systems."""
        systems = {name: one.to_dict() for name, one in zip(names, self.figures, strict=True)}
        return {"key": self.key, "value": self.value, "systems": systems}


@dataclass(frozen=True, slots=True, eq=False)
class SystemAnswers:
    """One system: counts, figures under each convention (the chosen one first), ranking measures, questions."""

    name: str
    counts: tuple[Count, ...]
    figures: tuple[ConventionFigures, ...]
    ranked: Evaluation | None
    questions: tuple[QuestionOutcome, ...]
    path: str | None = None

    def count(self, name: str) -> Count:
        """Return a count by its name.

        Raises
        ------
        KeyError
            Nothing of that name is counted.
        """
        return {one.name: one for one in self.counts}[name]

    def figure(self, convention: str) -> ConventionFigures:
        """Return the figures under a convention by its name.

        Raises
        ------
        KeyError
            There is no such convention.
        """
        return {one.convention: one for one in self.figures}[convention]

    def to_dict(self, *, per_question: bool = True) -> dict[str, Any]:
        """Return the system as plain data."""
        out: dict[str, Any] = {
            "name": self.name,
            "path": self.path,
            "counts": {one.name: one.to_dict() for one in self.counts},
            "figures": {one.convention: one.to_dict() for one in self.figures},
            "ranked": self.ranked.run_dict(per_query=per_question) if self.ranked else None,
        }
        return out | ({"questions": [one.to_dict() for one in self.questions]} if per_question else {})


@dataclass(frozen=True, eq=False)
class AnswersEvaluation:
    """Systems judged by the right answers of one suite.

    `says` tells what each convention does; `left_out` has the questions that leave every figure, with the reason.
    """

    suite: str
    path: str
    questions: int
    convention: str
    says: Mapping[str, str]
    matching: Mapping[str, str]
    systems: tuple[SystemAnswers, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    level: float | None = None
    seed: int = 0
    weighted: bool = False
    groups: tuple[GroupFigures, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def judged(self) -> int:
        """How many questions enter the counts."""
        return self.questions - len(self.left_out)

    def __getitem__(self, system: str) -> SystemAnswers:
        """Return a system by its name."""
        return {one.name: one for one in self.systems}[system]

    def to_dict(self, *, command: list[str] | None = None, per_question: bool = True) -> dict[str, Any]:
        """Return the evaluation as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "seed": self.seed,
            "suite": {"name": self.suite, "path": self.path, "questions": self.questions, "judged": self.judged},
            "convention": self.convention,
            "conventions": dict(self.says),
            "matching": dict(self.matching),
            "level": self.level,
            "weighted": self.weighted,
            "left_out": [{"question": name, "reason": why} for name, why in self.left_out.items()],
            "systems": [one.to_dict(per_question=per_question) for one in self.systems],
            "groups": [group.to_dict([one.name for one in self.systems]) for group in self.groups],
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        shown = ", ".join(f"{one.name} F1 {number(one.figures[0].f1.value)}" for one in self.systems)
        return f"AnswersEvaluation({self.judged} questions, {self.convention}: {shown})"

    def _repr_html_(self) -> str:
        """Return a table for a notebook; names from files are escaped."""
        caption = f"{self.judged} questions of {self.suite}, convention {self.convention}"
        return framed(table(("", *(one.name for one in self.systems)), self._cells(), caption))

    def _cells(self) -> Iterator[list[str]]:
        for name in COUNTS:
            yield [name, *(f"{(one := system.count(name)).count} of {one.of}" for system in self.systems)]
        for name in ("precision", "recall", "f1"):
            yield [name, *(number(getattr(system.figures[0], name).value) for system in self.systems)]


def _ends(interval: Interval | None) -> dict[str, float | None]:
    return {"low": interval.low if interval else None, "high": interval.high if interval else None}
