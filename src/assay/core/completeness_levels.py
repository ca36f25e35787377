"""The levels of completeness that need something to hold the graph against: a reference, relations, a demand."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from assay.core.estimates import Interval


@dataclass(frozen=True, slots=True)
class Recaptured:
    """How many there are in the world, from two lists that know nothing of each other (Chapman's estimator).

    `first` and `second` are the sizes of the lists, `both` is what they share, `total` the estimate with its interval,
    `unseen` how many of them neither list has.
    """

    first: int
    second: int
    both: int
    total: float
    error: float
    interval: Interval

    @property
    def unseen(self) -> float:
        """How many neither list has, as far as the estimate goes."""
        return max(0.0, self.total - (self.first + self.second - self.both))

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as plain data."""
        return asdict(self) | {"interval": self.interval.to_dict(), "unseen": self.unseen}


@dataclass(frozen=True, slots=True)
class DomainLevel:
    """How much of a reference list is in the graph.

    `unit` is facts or entities; `found` of `of` are there. `drawn_from` is the size of the list that the reference is
    a sample of: None where the reference is all of it, 0 where its size is not known; a sample has an interval.
    `missing` are examples of what is not there, each as text.
    """

    unit: str
    found: int
    of: int
    drawn_from: int | None = None
    interval: Interval | None = None
    recaptured: Recaptured | None = None
    missing: tuple[str, ...] = ()

    @property
    def ratio(self) -> float | None:
        """The share that is there; None where the reference is empty."""
        return self.found / self.of if self.of else None

    def to_dict(self) -> dict[str, Any]:
        """Return the level as plain data."""
        return {
            "unit": self.unit, "found": self.found, "of": self.of, "ratio": self.ratio, "drawn_from": self.drawn_from,
            "interval": self.interval and self.interval.to_dict(),
            "recaptured": self.recaptured and self.recaptured.to_dict(), "missing": list(self.missing),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Oracle:
    """What a rule of thumb calls complete: `complete` of `of` subjects; and, where the truth is known, how rightly.

    `rule` is cwa (what is not there is not), pca (with one value, all are there) or least-N (with N values).
    `right` of the `judged` subjects that the rule calls complete and the reference knows are; `truly` subjects of the
    reference are complete at all.
    """

    rule: str
    complete: int
    of: int
    right: int | None = None
    judged: int | None = None
    truly: int | None = None

    @property
    def ratio(self) -> float | None:
        """The share of subjects that are called complete."""
        return self.complete / self.of if self.of else None

    @property
    def precision(self) -> float | None:
        """The share of those called complete that are; None where the reference has none of them."""
        return self.right / self.judged if self.judged and self.right is not None else None

    @property
    def recall(self) -> float | None:
        """The share of the complete ones that are called so."""
        return self.right / self.truly if self.truly and self.right is not None else None

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self) | {"ratio": self.ratio, "precision": self.precision, "recall": self.recall}


@dataclass(frozen=True, slots=True)
class RelationLevel:
    """How many of its values each subject of a property has.

    Parameters
    ----------
    predicate
        The IRI of the property.
    subjects, values
        Subjects with a value, and values in all.
    of
        Subjects that should have one: the entities of the classes that expect or use the property, or those of the
        reference; 0 where there are none.
    oracles
        What rules of thumb call complete.
    found, reference
        Values of the reference that are there, of how many; None without a reference.
    interval
        That of their share, where the reference is a sample: drawn by subject.
    """

    predicate: str
    subjects: int
    values: int
    of: int
    oracles: tuple[Oracle, ...] = ()
    found: int | None = None
    reference: int | None = None
    interval: Interval | None = None

    @property
    def functionality(self) -> float | None:
        """Subjects for each value, from 0 to 1: at 1 every subject has one value."""
        return self.subjects / self.values if self.values else None

    @property
    def ratio(self) -> float | None:
        """The share of the reference's values that are there; None without a reference."""
        return self.found / self.reference if self.reference and self.found is not None else None

    def to_dict(self) -> dict[str, Any]:
        """Return the level as plain data."""
        plain = {name: getattr(self, name) for name in ("subjects", "values", "of", "functionality")}
        return {"property": self.predicate} | plain | {
            "oracles": [one.to_dict() for one in self.oracles], "found": self.found, "reference": self.reference,
            "ratio": self.ratio, "interval": self.interval and self.interval.to_dict(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """A property with the share of the demand that needs it, and how complete it is (None: not evaluated).

    `used` tells whether the graph uses it at all; a property that questions name and the graph never uses has ratio 0.
    """

    predicate: str
    weight: float
    ratio: float | None
    used: bool = True

    @property
    def gap(self) -> float | None:
        """Demand that meets nothing: weight × (1 - ratio)."""
        return None if self.ratio is None else self.weight * (1 - self.ratio)

    def to_dict(self) -> dict[str, Any]:
        """Return the property as plain data."""
        return {"property": self.predicate} | {name: getattr(self, name) for name in ("weight", "ratio", "used", "gap")}


@dataclass(frozen=True, slots=True)
class Demand:
    """What questions ask for, held against what is there: `weighted` is the completeness that they meet.

    `queries` were read, `unread` of them could not be taken apart, `variable` of them have a pattern whose property is
    not named, so that they need anything.
    """

    wanted: tuple[Wanted, ...]
    queries: int
    unread: int
    variable: int = 0
    classes: Mapping[str, float] = field(default_factory=dict)

    @property
    def weighted(self) -> float | None:
        """The mean of the ratios, weighed by demand, over properties that have one."""
        known = [(one.ratio, one.weight) for one in self.wanted if one.ratio is not None]
        total = sum(weight for _, weight in known)
        return sum(value * weight for value, weight in known) / total if total else None

    @property
    def unweighted(self) -> float | None:
        """The plain mean of the same ratios."""
        known = [one.ratio for one in self.wanted if one.ratio is not None]
        return sum(known) / len(known) if known else None

    def to_dict(self) -> dict[str, Any]:
        """Return the demand as plain data."""
        total = sum(one.gap or 0.0 for one in self.wanted)
        rows = [
            one.to_dict() | {"gap_share": one.gap / total if one.gap is not None and total else None}
            for one in self.wanted
        ]
        return {
            "weighted": self.weighted, "unweighted": self.unweighted, "queries": self.queries, "unread": self.unread,
            "variable": self.variable, "classes": dict(self.classes), "properties": rows,
        }  # fmt: skip
