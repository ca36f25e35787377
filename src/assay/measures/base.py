"""`Measure`: a function from judged ranks to one number per query, as a frozen record of its parameters."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np

from assay.core.judged import UNJUDGED, Flags, Floats, Hits, Judged
from assay.core.registry import Registry
from assay.errors import ParameterError, UnknownNameError, UnsupportedError
from assay.measures.parameters import Unsaid, check
from assay.measures.possible import Possible, outer, rising

MEASURES: Registry[type["Measure"]] = Registry("measure", see="assay measures")
"""Every measure by its name and aliases."""

SMALLEST_GAIN = math.ulp(0.0)
"""The lowest grade that is worth something to a measure of gains."""

AnyMeasure = TypeVar("AnyMeasure", bound="Measure")


def rel_field() -> Any:
    """Return the field `rel`: 1 unless said."""
    return field(default=Unsaid(1))


class MeasureType(type):
    """The type of measure classes: lets the class itself take a cutoff, as in `nDCG @ 10`."""

    def __matmul__(cls, at: float) -> "Measure":
        return cls() @ at  # type: ignore[no-any-return]

    def __repr__(cls) -> str:
        return getattr(cls, "name", "") or super().__repr__()


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[AnyMeasure]) -> type[AnyMeasure]:
    """Make a class a dataclass that takes its functions from `Measure`.

    By itself a dataclass writes and compiles six functions for each class; for forty measures that would cost
    every start more than all other imports of Assay.
    """
    return dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)


@record
class Measure(metaclass=MeasureType):
    """The base of all measures: a frozen record of its parameters.

    A measure gives one float64 per query by `kernel(judged)`, vectorised over all queries at once, and the
    same by `by_the_book(grades, gold)` for one query, its definition as a plain loop. `expected(judged)` is
    its exact mean over all orders of tied items, for measures that have one.
    """

    name: ClassVar[str] = ""
    trec: ClassVar[tuple[str, ...]] = ()
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    at: ClassVar[str | None] = None
    """The parameter that `@` fills: "k", "recall", or None where there is no cutoff."""
    needs_at: ClassVar[bool] = False
    """Whether the measure means nothing without that parameter."""
    instead: ClassVar[str] = ""
    """What to say where the cutoff is missing."""
    worst: ClassVar[float | None] = 0.0
    """The value of a query without any answer; None where no value is the worst."""
    higher_is_better: ClassVar[bool] = True
    counts_empty: ClassVar[bool] = False
    """Whether the value is defined for a query without a relevant item."""
    may_fall: ClassVar[str] = ""
    """Why the value may fall when a relevant item moves up, for a measure in which it can."""
    rises: ClassVar[bool] = False
    """Whether the value never falls when an item without a judgment is judged, or judged better."""
    needs_facets: ClassVar[bool] = False
    """Whether the measure reads judgments by aspect, group or sample (`judged.facets`), not one grade for an item."""
    needs_candidates: ClassVar[bool] = False
    """Whether the measure reads how many candidates each query has, unless its parameter `collection` says it."""
    summed: ClassVar[bool] = False
    """Whether runs are described by the sum over queries instead of the mean."""
    synonyms: ClassVar[dict[str, dict[Any, dict[str, Any]]]] = {"dcg": {"log2": {}, "exp-log2": {"gain": "exp"}}}
    """Parameters of other tools and what they mean here."""

    judged_only: bool = False

    def __init__(self, **given: Any) -> None:
        known = {part.name: part.default for part in fields(self)}
        for name in given.keys() - known:
            raise UnknownNameError.of(f"parameter of {self.name}", name, known)
        for name, default in known.items():
            value = plain(given.get(name, default))
            object.__setattr__(self, name, value)
            if value is not None or default is not None:
                check(self.name, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        msg = f"{self}: cannot set {name}, a measure does not change"
        raise AttributeError(msg)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.name, *sorted(vars(self).items(), key=lambda item: item[0])))

    def __matmul__(self, at: float) -> Self:
        if self.at is None:
            msg = f"{self.name} has no cutoff, found {self.name}@{at}"
            raise ParameterError(msg)
        changes: dict[str, Any] = {self.at: at}
        return replace(self, **changes)

    def __str__(self) -> str:
        shown = sorted((part for part in fields(self) if part.name != self.at), key=lambda p: p.name == "judged_only")
        said = [(part.name, getattr(self, part.name)) for part in shown if getattr(self, part.name) != part.default]
        inside = ",".join(f"{name}={show(value)}" for name, value in said)
        at = None if self.at is None else getattr(self, self.at)
        return self.name + (f"({inside})" if said else "") + ("" if at is None else f"@{show(at)}")

    __repr__ = __str__

    @abstractmethod
    def kernel(self, judged: Judged) -> Floats:
        """Return the value of each query, shape (queries,); NaN where the formula has none."""

    @abstractmethod
    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        """Return the value of one query from the grades of its ranking, best place first, as the definition says.

        `gold` holds the grades of all judged items; an unjudged item in the ranking has the grade -inf.
        """

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders of tied items, shape (queries,)."""
        msg = f"{self}: ties=expected has no exact form for {self.name}"
        raise UnsupportedError(msg, hint="use --ties range to see the lowest and the highest value.")

    def fraction(self, judged: Judged) -> tuple[Floats, Floats]:
        """Return what is above and below the line of each query, shapes (queries,), for a micro average."""
        msg = f"{self}: a micro average needs a fraction of counts, which {self.name} is not"
        raise UnsupportedError(msg, hint="P, R, F1, SetP and SetR have one.")

    def defined(self, judged: Judged) -> Flags:
        """Flag the queries that hold what the measure needs: at least one relevant item, shape (queries,)."""
        if self.counts_empty:
            return np.ones(judged.queries, np.bool_)
        return judged.wanted(self.least) > 0

    @property
    def least(self) -> float:
        """The lowest grade that is worth something to the measure."""
        return getattr(self, "rel", SMALLEST_GAIN)

    def highest(self, judged: Judged) -> float:
        """Return the highest grade that an item without a judgment could be given."""
        top = getattr(self, "max_rel", None) or judged.top_grade or 1.0
        return max(float(top), self.least)

    def possible(self, judged: Judged) -> Possible:
        """Return the lowest and the highest value that any judging of the unjudged retrieved items could give.

        Such an item may be given any grade from 0 to the highest of the gold (`max_rel` where it is said). The
        values are exact where a measure has a way to find them, and else the bounds of the measure, which no
        judging can leave. In a condensed list nothing is unjudged: lowest and highest are the value.

        Raises
        ------
        UnsupportedError
            Tied items share their mean rank.
        """
        if self.needs_facets:
            low, high = (np.full(judged.queries, float(bound)) for bound in self.bounds)
            return Possible(low, high, exact=False)
        if self.rises and self.least > 0:
            return rising(judged, self.kernel, self.highest(judged), getattr(self, "k", None))
        return outer(judged, self.kernel(judged), self.bounds)

    def ceiling(self, judged: Judged) -> Floats | None:
        """Return the best value that any ranking could reach by this gold, shape (queries,).

        It is the value of all relevant items of the gold, best first, and nothing else. None for counts, for
        measures of the judging itself and for those of aspects, groups and samples.
        """
        if self.needs_facets or self.counts_empty or self.summed:
            return None
        best = self.best_first(judged)
        retrieved = best.count().astype(np.int64)
        return self.kernel(replace(judged, hits=best, retrieved=retrieved, answered=retrieved > 0))

    def best_first(self, judged: Judged) -> Hits:
        """Return the judged items that are worth something to the measure, the best first."""
        return judged.ideal.relevant(self.least)

    def aggregate(self, values: Floats, weights: Floats | None = None) -> float | None:
        """Return the figure of a run from the values of its queries: their mean (or sum), None without any."""
        if not len(values):
            return 0.0 if self.summed else None
        total = math.fsum(values if weights is None else values * weights)
        if self.summed:
            return total
        load = len(values) if weights is None else math.fsum(weights)
        return total / load if load else None

    def require_complete(self) -> None:
        """Raise ParameterError where a cutoff is needed and was not given."""
        if self.needs_at and self.at is not None and getattr(self, self.at) is None:
            example = "10" if self.at == "k" else "0.1"
            msg = f"{self.name} needs a cutoff, for example {self.name}@{example}.{self.instead}"
            raise ParameterError(msg)

    def of(self, grades: Sequence[float | None], gold: Sequence[float] | None = None) -> float | None:
        """Return the value for one ranking given by its grades, best place first.

        None marks an item without a judgment; `gold` lists the grades of all judged items, by default
        those of the ranking. The result is None where the measure is undefined.
        """
        self.require_complete()
        ranked = [UNJUDGED if grade is None else float(grade) for grade in grades]
        judgments = [g for g in ranked if g != UNJUDGED] if gold is None else [float(g) for g in gold]
        judged = Judged.of_grades(ranked, judgments)
        if not self.defined(judged)[0]:
            return None
        value = float(self.kernel(judged)[0])
        return None if math.isnan(value) else value


@dataclass_transform(frozen_default=True, kw_only_default=True)
def measure(
    name: str, *, aliases: tuple[str, ...] = (), trec: str | tuple[str, ...] = (), bounds: tuple[float, float] = (0, 1),
) -> Callable[[type[AnyMeasure]], type[AnyMeasure]]:  # fmt: skip
    """Register a measure class under its name and aliases and freeze it.

    `trec` is the name in trec_eval, with `{k}` for the cutoff, or two names where it has one without a cutoff
    and one with; `bounds` are the lowest and highest value.
    """

    def register(cls: type[AnyMeasure]) -> type[AnyMeasure]:
        made = record(cls)
        made.name, made.bounds = name, bounds
        made.trec = (trec,) if isinstance(trec, str) else trec
        MEASURES.add(name, made, aliases=aliases)
        return made

    return register


def divide(above: Floats, below: Floats | float) -> Floats:
    """Divide; NaN, without a warning, where there is nothing to divide by."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.asarray(below) == 0, np.nan, above / below)


def plain(value: object) -> object:
    """Return a parameter in the form it is kept in: whole floats as integers, a map as sorted pairs."""
    if isinstance(value, Mapping):
        return tuple(sorted((plain(grade), plain(gain)) for grade, gain in value.items()))
    if isinstance(value, np.generic):
        return plain(value.item())
    return int(value) if isinstance(value, float) and value.is_integer() else value


def show(value: object) -> str:
    """Write a parameter as it is typed."""
    if isinstance(value, tuple):
        return "{" + ",".join(f"{show(grade)}:{show(gain)}" for grade, gain in value) + "}"
    return str(int(value)) if isinstance(value, Unsaid) else repr(value)
