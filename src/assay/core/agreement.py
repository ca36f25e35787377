"""`Agreement`: how far judges agree, who differs and where, and what it does to the order of systems."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.core.estimates import Interval
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A figure of agreement; `value` is None where it is undefined, `interval` where none was asked for."""

    value: float | None
    interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return value, ends and interval as plain data."""
        interval = self.interval
        return {
            "value": self.value,
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "interval": interval.to_dict() if interval else None,
        }


def _plain(coefficients: Mapping[str, Coefficient]) -> dict[str, Any]:
    return {name: one.to_dict() for name, one in coefficients.items()}


@dataclass(frozen=True, slots=True)
class Between:
    """Two judges, by the pairs that both graded: percent, kappa, linear, quadratic, alpha, ac1."""

    first: str
    second: str
    pairs: int
    coefficients: Mapping[str, Coefficient]

    def to_dict(self) -> dict[str, Any]:
        """Return the two judges as plain data."""
        return {"first": self.first, "second": self.second, "pairs": self.pairs, **_plain(self.coefficients)}


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """One judge beside the others (or beside one judge that is held to be right).

    `judged` counts his grades, `cannot_tell` the pairs that he could not grade, `shared` the pairs that another judge
    graded too. `given` counts his grades by grade, `mean` is their mean, `leans` by how much he grades higher than
    others did the same pair. `confusion` counts for each grade of others (rows) which he gave (columns), one for each
    other judge of a pair; `percent` and `kappa` are made of it.
    """

    judge: str
    judged: int
    cannot_tell: int
    shared: int
    given: Mapping[float, int]
    mean: float | None
    leans: float | None
    percent: float | None
    kappa: float | None
    confusion: tuple[tuple[int, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the judge as plain data; grades are written as text."""
        return asdict(self) | {"given": _by_grade(self.given), "confusion": [list(row) for row in self.confusion]}


@dataclass(frozen=True, slots=True)
class Period:
    """How a judge agreed with others in one period: `shared` pairs, their mean agreement, how far he leans.

    `kind` is guideline (its version), month, week or day. `change` says in the last period how much the agreement is
    above that of the first, with its interval; else it is None.
    """

    judge: str
    kind: str
    period: str
    shared: int
    percent: Coefficient
    kappa: float | None
    leans: float | None
    change: Coefficient | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the period as plain data."""
        return {
            "judge": self.judge, "kind": self.kind, "period": self.period, "shared": self.shared,
            "percent": self.percent.to_dict(), "kappa": self.kappa, "leans": self.leans,
            "change": self.change.to_dict() if self.change else None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Disputed:
    """A pair and its grades by judge; `dispute` is how far apart they are, from 0 to 1 (the ends of the scale)."""

    query: str
    item: str
    dispute: float
    grades: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DisputedQuery:
    """A query by its pairs of two judges and more: their mean dispute and percent agreement."""

    query: str
    pairs: int
    dispute: float
    percent: float

    def to_dict(self) -> dict[str, Any]:
        """Return the query as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Rescored:
    """The systems under one judge: the mean of each, the best, and how alike their order is to the standard's.

    `tau` is Kendall's, None where one of both ties all systems; `swapped` counts pairs of systems in opposite order.
    """

    judge: str
    figures: Mapping[str, float | None]
    best: str | None
    tau: float | None
    swapped: int

    def to_dict(self) -> dict[str, Any]:
        """Return the systems under the judge as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Effect:
    """What disagreement does to one measure of several systems.

    `standard` are the systems by the grades that are held to be right: those of one judge (`by`), or for each pair the
    middle grade of its judges. `judges` are the same systems where each judge's own grades stand in for the standard's.
    """

    measure: str
    by: str
    standard: Rescored
    judges: tuple[Rescored, ...]

    @property
    def tau(self) -> float | None:
        """The lowest tau of a judge; None of none."""
        return min((one.tau for one in self.judges if one.tau is not None), default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the effect as plain data."""
        return {
            "measure": self.measure,
            "by": self.by,
            "tau": self.tau,
            "standard": self.standard.to_dict(),
            "judges": [one.to_dict() for one in self.judges],
        }


@dataclass(frozen=True, slots=True, eq=False)
class Agreement(Shown):
    """How far judges agree.

    `pairs` counts the pairs with a grade, `shared` those with two or more. `overall` holds percent, fleiss, ac1 and
    alpha by its level of measurement (`level` is the one that was asked for); `between` each two judges with shared
    pairs. `prevalence` is the share of each grade among all grades. `unit` says what the bootstrap draws: pairs or
    queries. With a `reference`, judges stand beside that judge instead of beside all others.
    """

    name: str
    judges: tuple[str, ...]
    pairs: int
    shared: int
    queries: int
    prevalence: Mapping[float, float]
    level: str
    unit: str
    seed: int
    reference: str | None
    overall: Mapping[str, Coefficient]
    between: tuple[Between, ...]
    by_judge: tuple[JudgeAgreement, ...]
    drift: tuple[Period, ...]
    disputed: tuple[Disputed, ...]
    disputed_queries: tuple[DisputedQuery, ...]
    effect: tuple[Effect, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def alpha(self) -> Coefficient:
        """Krippendorff's alpha at the level of measurement that was asked for."""
        return self.overall[f"alpha_{self.level}"]

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        parts = ("between", "by_judge", "drift", "disputed", "disputed_queries", "effect")
        return {
            "assay": __version__,
            "command": command or [],
            **{name: getattr(self, name) for name in ("name", "pairs", "shared", "queries", "level", "unit", "seed")},
            "judges": list(self.judges),
            "reference": self.reference,
            "prevalence": _by_grade(self.prevalence),
            "overall": _plain(self.overall),
            **{part: [one.to_dict() for one in getattr(self, part)] for part in parts},
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        value = self.alpha.value
        shown = "undefined" if value is None else f"{value:.3f}"
        return f"Agreement({len(self.judges)} judges, {self.shared} shared pairs, {self.level} alpha {shown})"


def _by_grade(counts: Mapping[float, Any]) -> dict[str, Any]:
    return {f"{grade:g}": value for grade, value in counts.items()}
