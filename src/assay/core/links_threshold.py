"""`LinkThresholds`: from which score on predicted triples are right often enough, and what that admits."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class LabelledCut:
    """Of the labels with at least the score of a threshold: how many, how many right, the lower bound of the share."""

    labels: int
    right: int
    low: float

    @property
    def precision(self) -> float | None:
        """The share that is right; None without labels."""
        return self.right / self.labels if self.labels else None

    def to_dict(self) -> dict[str, Any]:
        """Return the cut as plain data."""
        return {"labels": self.labels, "right": self.right, "precision": self.precision, "low": self.low}


@dataclass(frozen=True, slots=True)
class LinkThreshold:
    """The threshold of all triples, or of one relation.

    `score` is None where no score is known to reach the precision: then nothing is admitted. `positives` and
    `negatives` are the labels it was chosen by; `chosen` what they say above it, `checked` what other labels say.
    `admitted` new triples have at least this score, so do `held` ones of valid or test and `known` ones of train.
    """

    group: str
    positives: int
    negatives: int
    score: float | None
    chosen: LabelledCut | None
    checked: LabelledCut | None
    candidates: int
    admitted: int
    held: int
    known: int
    why: str = ""

    @property
    def floor(self) -> float | None:
        """The precision of what train does not hold if every new triple were wrong; None where nothing is admitted."""
        every = self.admitted + self.held
        return self.held / every if every else None

    def to_dict(self) -> dict[str, Any]:
        """Return the threshold as plain data."""
        return asdict(self) | {
            "floor": self.floor,
            "chosen": self.chosen.to_dict() if self.chosen else None,
            "checked": self.checked.to_dict() if self.checked else None,
        }


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Labels of neighbouring probability: what was stated, and the share that is right."""

    low: float
    high: float
    labels: int
    stated: float
    right: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """One way from scores to probabilities ("sigmoid", "platt", "isotonic"), measured on labels it was not fitted on.

    `error` is the expected calibration error over bins of equal mass, `brier` the mean squared error; both 0 is best.
    """

    method: str
    error: float
    brier: float
    labels: int
    bins: tuple[ReliabilityBin, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration as plain data."""
        return asdict(self) | {"bins": [asdict(one) for one in self.bins]}


@dataclass(frozen=True, eq=False)
class LinkThresholds(Shown):
    """Thresholds of a link predictor for a wanted precision: over all triples first, then by relation.

    `labels` says where right and wrong come from: "labelled" or "closed-world" (whatever no split holds counts as
    wrong). `triples` are the admitted triples with the highest scores that train does not hold: head, relation, tail,
    score, probability (null without labels that give one), split (valid or test where one holds it; null: new).
    """

    model: str
    graph: str
    precision: float
    confidence: float
    labels: str
    thresholds: tuple[LinkThreshold, ...]
    calibrations: tuple[Calibration, ...]
    triples: pl.DataFrame
    facts: Mapping[str, Any]
    notices: tuple[str, ...] = ()

    @property
    def overall(self) -> LinkThreshold:
        """The threshold over all triples."""
        return self.thresholds[0]

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "model": self.model,
            "graph": self.graph,
            "precision": self.precision,
            "confidence": self.confidence,
            "labels": self.labels,
            "thresholds": [one.to_dict() for one in self.thresholds],
            "calibration": [one.to_dict() for one in self.calibrations],
            "triples": self.triples.to_dicts(),
            "facts": dict(self.facts),
            "notices": list(self.notices),
        }
