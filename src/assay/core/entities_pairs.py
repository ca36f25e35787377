"""`PairFigures`: proposed pairs of records held against true ones, at a threshold and at every threshold."""

from dataclasses import asdict, dataclass
from typing import Any

from assay.core.entities import Bound, PairCounts, SourceFigures


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """What proposing every pair with at least this score comes to.

    `false_positive_rate` is of all pairs that are not true, None where their number is not known.
    """

    threshold: float
    true_positives: int
    false_positives: int
    precision: float
    recall: float | None
    f1: float
    false_positive_rate: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the point as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Curve:
    """How precision and recall change with the threshold.

    `points` are some of the thresholds, highest first, `best` the one of all with the highest F1.
    `average_precision` is the area under precision over recall, true pairs that were never proposed counted as missed.
    `roc_area` is the chance that a true pair scores above another, a tie counting half: among all pairs there can be
    (those that were not proposed tie below all others), and among the proposed ones (`roc_area_proposed`).
    """

    points: tuple[ThresholdPoint, ...]
    thresholds: int
    best: ThresholdPoint
    average_precision: float | None
    roc_area: float | None
    roc_area_proposed: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        return {
            "thresholds": self.thresholds,
            "best": self.best.to_dict(),
            "average_precision": self.average_precision,
            "roc_area": self.roc_area,
            "roc_area_proposed": self.roc_area_proposed,
            "points": [point.to_dict() for point in self.points],
        }


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Rows that make no figure: pairs of a record with itself, repeats of a pair, pairs within one source.

    Repeats count once, the other way round or not, with the highest score.
    """

    true_self: int = 0
    true_repeats: int = 0
    true_within: int = 0
    proposed_self: int = 0
    proposed_repeats: int = 0
    proposed_within: int = 0
    unlabelled: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the counts as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class PairFigures:
    """Proposed pairs held against true ones.

    `counts` are at `threshold` (None: all proposed pairs count); `curve` is None where pairs have no score.
    `left_out` says what makes no figure; `unlabelled` pairs there have a record without a label.
    """

    counts: PairCounts
    threshold: float | None = None
    curve: Curve | None = None
    left_out: LeftOut = LeftOut()
    by_sources: tuple[SourceFigures, ...] = ()
    bounds: tuple[Bound, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def precision(self) -> float | None:
        """The share of proposed pairs that is true; None where none was proposed."""
        return self.counts.agreement.precision

    @property
    def recall(self) -> float | None:
        """The share of true pairs that was proposed; None where there is none."""
        return self.counts.agreement.recall

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both, from the counts; None where no pair is true or proposed."""
        return self.counts.agreement.f1

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "pairs": self.counts.to_dict(),
            "pairwise": self.counts.agreement.to_dict(),
            "threshold": self.threshold,
            "curve": None if self.curve is None else self.curve.to_dict(),
            "left_out": self.left_out.to_dict(),
            "by_sources": [one.to_dict() for one in self.by_sources],
            "bounds": [one.to_dict() for one in self.bounds],
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        figures = (("precision", self.precision), ("recall", self.recall), ("F1", self.f1))
        shown = ", ".join(f"{name} {'undefined' if value is None else f'{value:.4f}'}" for name, value in figures)
        return f"PairFigures({self.counts.proposed:,} proposed, {self.counts.true:,} true, {shown})"
