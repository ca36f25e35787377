"""`RagEvaluation`: retrieval systems judged by what answers need, in a stated unit and under a stated rule."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from assay.core.beside import Beside
from assay.core.evaluation import Evaluation, Figure, evaluations_to_dict
from assay.core.shown import framed, number, table
from assay.core.slices import Slicing


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """What was counted of one system: its questions, and the items that it ranks for them.

    `retrieved` counts ranked items, `duplicates` those left out because they stand higher up as well, `found` those
    that are needed; `without` are questions for which nothing was retrieved, `absent` questions of the gold that the
    file does not hold; `longest` is the length of the longest list, `scored` says whether scores rank the items.
    `ignored` names the keys that hold lists or objects and were not read.
    """

    name: str
    path: str | None
    questions: int
    retrieved: int
    duplicates: int
    scored: bool
    without: int
    absent: int
    longest: int
    found: int
    ignored: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        return asdict(self) | {"ignored": list(self.ignored)}


@dataclass(frozen=True, eq=False)
class RagEvaluation:
    """Systems judged by the same needed items.

    `evaluations` are ordinary ones, a system each, for `compare_evaluations`, explanations and reports; `unit` says
    what counts as one item, `matching` (rule and threshold) when a retrieved item is a needed one. `notices` speak
    of all systems; those of one stand in its evaluation.
    """

    evaluations: tuple[Evaluation, ...]
    unit: str
    matching: Mapping[str, Any]
    systems: tuple[SystemFacts, ...]
    slices: tuple[Slicing, ...] = ()
    notices: tuple[str, ...] = ()
    beside: Mapping[str, Any] = field(default_factory=dict)
    """Further parts of the JSON by their key, each with `to_dict()`."""

    @property
    def mean(self) -> dict[str, dict[str, float | None]]:
        """The figures of each system by its name."""
        return {one.name: one.mean for one in self.evaluations}

    def __getitem__(self, system: str) -> Evaluation:
        """Return the evaluation of a system by its name."""
        for one in self.evaluations:
            if one.name == system:
                return one
        raise KeyError(system)

    def figures(self, measure: object) -> dict[str, Figure]:
        """Return the figure of a measure for each system.

        Raises
        ------
        KeyError
            A measure that was not asked for.
        """
        return {one.name: one.figure(measure) for one in self.evaluations}

    def to_dict(self, *, command: list[str] | None = None, per_query: bool = True) -> dict[str, Any]:
        """Return the evaluation as plain data: as any evaluation, and beside it what is special here."""
        slices = Beside(slices=self.slices)
        out = evaluations_to_dict(list(self.evaluations), command=command, per_query=per_query, beside=slices)
        return out | {
            "unit": self.unit,
            "matching": dict(self.matching),
            "systems": [one.to_dict() for one in self.systems],
            "notices": list(self.notices),
            **{name: part.to_dict() for name, part in self.beside.items()},
        }

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.evaluations)
        return f"RagEvaluation({names}; unit {self.unit}, matched by {self.matching['rule']})"

    def _repr_html_(self) -> str:
        """Return a table for a notebook; names from files are escaped."""
        heads = ("measure", *(one.name for one in self.evaluations))
        return framed(table(heads, self._cells(), f"unit {self.unit}, matched by {self.matching['rule']}"))

    def _cells(self) -> Iterator[list[str]]:
        for row in zip(*(one.figures for one in self.evaluations), strict=True):
            yield [row[0].name, *(number(figure.mean) for figure in row)]
