"""`SampledFigures` and `Churn`: all clusters judged by some true ones, and what changed between resolutions."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.core.entities import PairCounts, Regrouping
from assay.core.estimates import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure of the population as a sample says it, None where undefined; `error` is its standard error."""

    value: float | None
    error: float | None
    interval: Interval | None

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as plain data."""
        return {
            "value": self.value,
            "error": self.error,
            "low": self.interval.low if self.interval else None,
            "high": self.interval.high if self.interval else None,
            "interval": self.interval.to_dict() if self.interval else None,
        }


@dataclass(frozen=True, slots=True, eq=False)
class SampledFigures:
    """Figures of all proposed clusters, estimated from a sample of true ones.

    `clusters` and `records` were sampled, `missing` of the records are in no proposed cluster. There are `population`
    true clusters, or about so many where `population_given` is False; `share` of them was sampled. `estimates` hold
    pairwise, b_cubed, b_cubed_by_cluster and exact_cluster, each with precision, recall and f1.
    """

    design: str
    level: float
    clusters: int
    records: int
    missing: int
    population: float
    population_given: bool
    share: float
    estimates: Mapping[str, Mapping[str, Estimate]]
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as plain data."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name != "estimates"}
        made = {name: {part: one.to_dict() for part, one in figure.items()} for name, figure in self.estimates.items()}
        return plain | {"estimates": made, "notices": list(self.notices)}

    def __repr__(self) -> str:
        found = self.estimates["pairwise"]["f1"]
        shown = "undefined" if found.value is None else f"{found.value:.4f}"
        return f"SampledFigures({self.clusters:,} clusters, pairwise F1 about {shown})"


@dataclass(frozen=True, slots=True)
class Changes:
    """How many clusters of before met each fate, how many clusters of after came of it, and their records."""

    fate: str
    before: int
    after: int
    records: int

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SizeChanges:
    """The fates of the clusters of before that have `low` to `high` records (None: and more)."""

    low: int
    high: int | None
    clusters: int
    records: int
    kept: int
    split: int
    merged: int
    regrouped: int

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Churn:
    """What changed between two resolutions of the same records.

    Over the `records` that both have: `changes` by fate (kept, split, merged, regrouped: several clusters became
    several others), `moved` records that must change clusters at least (None where SciPy is missing), pairs that
    stayed together, came together (false positives of `pairs`) and were parted (false negatives).
    `rand` is the share of pairs on which both agree, `adjusted_rand` the same above chance. `removed` records are in
    before only, `added` ones in after only; `resized` clusters are kept but lost or won such records.
    """

    records: int
    removed: int
    added: int
    before_clusters: int
    after_clusters: int
    resized: int
    changes: tuple[Changes, ...]
    moved: int | None
    pairs: PairCounts
    rand: float | None
    adjusted_rand: float
    by_size: tuple[SizeChanges, ...] = ()
    splits: tuple[Regrouping, ...] = ()
    merges: tuple[Regrouping, ...] = ()
    notices: tuple[str, ...] = ()

    def __getitem__(self, fate: str) -> Changes:
        """Return the changes of one fate.

        Raises
        ------
        KeyError
            None of kept, split, merged and regrouped.
        """
        for one in self.changes:
            if one.fate == fate:
                return one
        raise KeyError(fate)

    def to_dict(self) -> dict[str, Any]:
        """Return what changed as plain data."""
        lists = ("changes", "by_size", "splits", "merges")
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in lists}
        pairs = {
            "kept": self.pairs.true_positives,
            "parted": self.pairs.false_negatives,
            "joined": self.pairs.false_positives,
            "possible": self.pairs.possible,
        }
        return (
            plain
            | {name: [one.to_dict() for one in getattr(self, name)] for name in lists}
            | {"pairs": pairs, "notices": list(self.notices)}
        )

    def __repr__(self) -> str:
        fates = ", ".join(f"{one.before:,} {one.fate}" for one in self.changes)
        return f"Churn({self.before_clusters:,} clusters: {fates})"
