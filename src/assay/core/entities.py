"""`ClusterFigures`: proposed clusters held against true ones, every figure with the counts it is made of."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

AGREEMENTS = ("pairwise", "b_cubed", "b_cubed_by_cluster", "exact_cluster", "muc", "ceaf_m", "ceaf_e", "lea")
"""The figures that have a precision, a recall and an F1."""
SINGLE = ("homogeneity", "completeness", "v_measure", "adjusted_rand")
"""The figures that are one number."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A precision, a recall and their F1, None where undefined, and the counts they are made of."""

    precision: float | None
    recall: float | None
    f1: float | None
    counts: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of_counts(cls, hits: float, proposed: float, true: float, counts: Mapping[str, float]) -> "Agreement":
        """Make it of hits among what was proposed and what is true: F1 = 2 hits / (proposed + true).

        >>> Agreement.of_counts(0, 0, 4, {}).precision, Agreement.of_counts(0, 0, 4, {}).f1
        (None, 0.0)
        """
        return cls(
            precision=hits / proposed if proposed else None,
            recall=hits / true if true else None,
            f1=2 * hits / (proposed + true) if proposed + true else None,
            counts=counts,
        )

    @classmethod
    def of_shares(cls, precision: float, recall: float, counts: Mapping[str, float]) -> "Agreement":
        """Make it of two shares: F1 is their harmonic mean."""
        both = precision + recall
        return cls(precision, recall, 2 * precision * recall / both if both else 0.0, counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as plain data."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1, "counts": dict(self.counts)}


UNDEFINED = Agreement(None, None, None)
"""An agreement that was not computed; a notice says why."""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Pairs of records: right, wrong, missed, rightly left apart, and how many there could be.

    `possible` and `true_negatives` are None where the number of records is not known.
    """

    true_positives: int
    false_positives: int
    false_negatives: int
    possible: int | None = None

    @property
    def proposed(self) -> int:
        """The pairs that were proposed."""
        return self.true_positives + self.false_positives

    @property
    def true(self) -> int:
        """The pairs that are true."""
        return self.true_positives + self.false_negatives

    @property
    def true_negatives(self) -> int | None:
        """The pairs that are neither true nor proposed."""
        return None if self.possible is None else self.possible - self.proposed - self.false_negatives

    @property
    def agreement(self) -> Agreement:
        """Precision, recall and F1 of the pairs."""
        counts = {"shared": self.true_positives, "proposed": self.proposed, "true": self.true}
        return Agreement.of_counts(self.true_positives, self.proposed, self.true, counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self) | {"true_negatives": self.true_negatives}


@dataclass(frozen=True, slots=True)
class Part:
    """The records that a cluster shares with one of the other side; `members` names the first of them.

    `cluster` is None for a record that the other side has in no cluster.
    """

    cluster: str | None
    records: int
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Regrouping:
    """A cluster that the other side has in several: a true one that was split, or a proposed one that merges.

    It has `pieces` parts; `parts` are the largest of them.
    """

    cluster: str
    records: int
    pieces: int
    parts: tuple[Part, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the cluster and its parts as plain data."""
        parts = [asdict(part) | {"members": list(part.members)} for part in self.parts]
        return {"cluster": self.cluster, "records": self.records, "pieces": self.pieces, "parts": parts}


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """True clusters of `low` to `high` records (None: and more), and how they were found.

    `exact` of them are proposed as they are, `split` lie in several proposed clusters, `merged` share one with others.
    `pairwise_recall` is None for single records.
    """

    low: int
    high: int | None
    clusters: int
    records: int
    exact: int
    split: int
    merged: int
    pairwise_recall: float | None
    b_cubed_precision: float
    b_cubed_recall: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Bound:
    """Between what a figure would lie if every record had a label; `exact` if some labels reach both ends."""

    figure: str
    low: float | None
    high: float | None
    exact: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the bound as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SourceFigures:
    """The pairs of records of two sources (or of one, where both names are the same)."""

    left: str
    right: str
    counts: PairCounts

    def to_dict(self) -> dict[str, Any]:
        """Return the pairs and their figures as plain data."""
        names = {"left": self.left, "right": self.right}
        return names | self.counts.to_dict() | self.counts.agreement.to_dict()


@dataclass(frozen=True, slots=True, eq=False)
class ClusterFigures:
    """Proposed clusters held against true ones: every figure from one table of how they share records.

    `records` have a label and make the figures; `unlabelled` ones have none and are kept out (`bounds` say what
    labels for them could do); `missing` ones have a label but no proposed cluster and count as clusters of their own.
    `splits` are the largest true clusters that lie in several proposed ones, `merges` the largest proposed ones that
    hold several true ones; `split` and `merged` say how many there are.
    """

    records: int
    unlabelled: int
    missing: int
    true_clusters: int
    proposed_clusters: int
    pairs: PairCounts
    pairwise: Agreement
    b_cubed: Agreement
    b_cubed_by_cluster: Agreement
    exact_cluster: Agreement
    muc: Agreement
    ceaf_m: Agreement
    ceaf_e: Agreement
    lea: Agreement
    homogeneity: float
    completeness: float
    v_measure: float
    adjusted_rand: float
    split: int = 0
    merged: int = 0
    splits: tuple[Regrouping, ...] = ()
    merges: tuple[Regrouping, ...] = ()
    by_size: tuple[SizeFigures, ...] = ()
    by_sources: tuple[SourceFigures, ...] = ()
    bounds: tuple[Bound, ...] = ()
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        counts = ("records", "unlabelled", "missing", "true_clusters", "proposed_clusters", "split", "merged")
        lists = ("splits", "merges", "by_size", "by_sources", "bounds")
        return (
            {name: getattr(self, name) for name in counts}
            | {"pairs": self.pairs.to_dict()}
            | {name: getattr(self, name).to_dict() for name in AGREEMENTS}
            | {name: getattr(self, name) for name in SINGLE}
            | {name: [one.to_dict() for one in getattr(self, name)] for name in lists}
            | {"notices": list(self.notices)}
        )

    def __repr__(self) -> str:
        shown = ((name, getattr(self, name).f1) for name in ("pairwise", "b_cubed", "exact_cluster"))
        figures = ", ".join(f"{name} F1 {'undefined' if f1 is None else f'{f1:.4f}'}" for name, f1 in shown)
        return f"ClusterFigures({self.records:,} records, {figures})"
