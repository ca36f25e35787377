"""A sample of statements for people to judge, what their labels say of the whole graph, and what more would cost."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

from assay.core.estimates import Interval
from assay.core.shown import Shown
from assay.errors import ParameterError

Statement = tuple[str, str, str]
"""Subject, predicate and object: terms as N-Triples writes them, or names as a table has them."""
Kind = Literal["simple", "cluster", "stratified"]
"""How statements are drawn: each alike; subjects by how many statements they have, and some of each; by predicate."""


@dataclass(frozen=True, slots=True)
class Design:
    """How a sample is drawn, and from what. Its text stands in every row of a label file.

    Parameters
    ----------
    kind, seed
        How statements are drawn, and where chance starts.
    statements, subjects
        How many there are in the graph.
    population
        The beginning of the SHA-256 of all statements: the same graph, or not.
    per_subject
        The most statements judged of one drawn subject; 1 but for clusters.

    >>> design = Design("cluster", 0, 1860, 817, "ab12", 3)
    >>> design.text
    'design=cluster seed=0 statements=1860 subjects=817 population=ab12 per_subject=3'
    >>> Design.of(design.text) == design
    True
    """

    kind: Kind
    seed: int
    statements: int
    subjects: int
    population: str
    per_subject: int = 1

    @property
    def text(self) -> str:
        """The design in one line."""
        return " ".join(f"{'design' if name == 'kind' else name}={value}" for name, value in asdict(self).items())

    @classmethod
    def of(cls, text: str) -> Self:
        """Read the text of a design.

        Raises
        ------
        ParameterError
            Text that is none.
        """
        found = dict(part.split("=", 1) for part in text.split() if "=" in part)
        kinds: dict[str, Kind] = {"simple": "simple", "cluster": "cluster", "stratified": "stratified"}
        try:
            counts = {name: int(found[name]) for name in ("seed", "statements", "subjects", "per_subject")}
            return cls(kind=kinds[found["design"]], population=found["population"], **counts)
        except (KeyError, ValueError):
            raise ParameterError(f"design: expected text as `assay graph sample` writes it, found {text!r}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return the design as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One statement to judge.

    `draw` counts from 1; the statements of a drawn subject share it, and their weights sum to 1. Of strata, the weight
    is the share of all statements that are in the `stratum`.
    """

    draw: int
    stratum: str
    weight: float
    statement: Statement

    def to_dict(self) -> dict[str, Any]:
        """Return the statement as plain data."""
        named = dict(zip(("subject", "predicate", "object"), self.statement, strict=True))
        return {"draw": self.draw, "stratum": self.stratum, "weight": self.weight} | named


@dataclass(frozen=True, slots=True)
class PartAccuracy:
    """How many judged statements of one predicate or stratum are right; None and no interval where too few tell."""

    name: str
    judged: int
    right: int
    value: float | None
    interval: Interval | None

    def to_dict(self) -> dict[str, Any]:
        """Return the part as plain data."""
        low, high = (None, None) if self.interval is None else (self.interval.low, self.interval.high)
        return {
            "name": self.name,
            "judged": self.judged,
            "right": self.right,
            "value": self.value,
            "low": low,
            "high": high,
            "interval": self.interval.to_dict() if self.interval else None,
        }


@dataclass(frozen=True, slots=True)
class Agreement:
    """How alike several people judge the same statements.

    `statements` have labels of two people or more; of them `unanimous` have equal ones. `alpha` is Krippendorff's:
    1 for full agreement, 0 for that of chance; None where nothing or only one label was seen.
    """

    judges: tuple[str, ...]
    statements: int
    unanimous: int
    alpha: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as plain data."""
        return asdict(self) | {"judges": list(self.judges)}


@dataclass(frozen=True, slots=True)
class Stop:
    """Whether enough was judged: the interval reaches at most `margin` to either side, after `least` draws or more.

    `reached` is half its width now (None: it has none), `more` about how many further statements are needed.
    """

    margin: float
    reached: float | None
    least: int
    enough: bool
    more: int

    def to_dict(self) -> dict[str, Any]:
        """Return the rule and where it stands as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Accuracy(Shown):
    """The share of a graph's statements that are right, estimated from those that people judged.

    Parameters
    ----------
    value, error
        The estimate and its standard error (None of a single draw).
    interval, others
        The interval chosen, and by other methods.
    draws, judged, right, distinct
        Draws with a label, labels in them, those that say right, and how many different statements that are.
    undecided
        Statements up to the last label without a clear one; `at_worst` and `at_best` are the estimates if all of them
        were wrong, and right.
    open
        Statements after the last label: not yet judged.
    worth, design_effect
        How many statements drawn one by one say as much (None of a census), and how many of these say as much as one.
    parts
        By predicate; `strata` by stratum.
    """

    design: Design
    paths: tuple[str, ...]
    value: float
    error: float | None
    interval: Interval
    others: Mapping[str, Interval]
    draws: int
    judged: int
    right: int
    distinct: int
    undecided: int
    open: int
    at_worst: float
    at_best: float
    worth: float | None
    design_effect: float
    stop: Stop
    strata: tuple[PartAccuracy, ...] = ()
    parts: tuple[PartAccuracy, ...] = ()
    agreement: Agreement | None = None
    notices: tuple[str, ...] = ()

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the estimate as plain data."""
        from assay._version import __version__

        made = ("design", "interval", "others", "stop", "strata", "parts", "agreement", "paths", "notices")
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in made}
        return {
            "assay": __version__,
            "command": command or [],
            "paths": list(self.paths),
            "design": self.design.to_dict(),
            **plain,
            "low": self.interval.low,
            "high": self.interval.high,
            "interval": self.interval.to_dict(),
            "others": {name: one.to_dict() for name, one in self.others.items()},
            "stop": self.stop.to_dict(),
            "strata": [one.to_dict() for one in self.strata],
            "by_predicate": [one.to_dict() for one in self.parts],
            "agreement": self.agreement.to_dict() if self.agreement else None,
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        ends = "no interval" if self.interval.low is None else f"[{self.interval.low:.4f}, {self.interval.high:.4f}]"
        return f"Accuracy({self.value:.4f} {ends}, {self.judged:,} of {self.design.statements:,} statements judged)"
