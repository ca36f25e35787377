"""`SampledLinks`: a link predictor judged by a few drawn candidates; never to be read as ranks among all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.estimates import Interval
from assay.core.predicted import PredictedMean
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class SampledFigure:
    """One measure from drawn candidates.

    `sampled` is the measure among the drawn candidates alone: too good, and no estimate of anything. `corrected`
    estimates the measure among all candidates (None where no correction is known); `interval` says how far other
    triples and other draws could move it, not how far it is off. `exact` is the measure among all candidates for some
    triples, drawn at random, and `corrected_there` the corrected one for the same triples: their difference is the
    check. `anchored` joins both, without bias. `needed` is how many triples must be ranked among all for an
    interval of the wanted width.
    """

    name: str
    sampled: float
    corrected: float | None
    interval: Interval | None
    exact: float | None = None
    exact_interval: Interval | None = None
    corrected_there: float | None = None
    anchored: PredictedMean | None = None
    needed: int | None = None
    higher_is_better: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return {
            "sampled": self.sampled,
            "corrected": self.corrected,
            "interval": self.interval.to_dict() if self.interval else None,
            "exact": self.exact,
            "exact_interval": self.exact_interval.to_dict() if self.exact_interval else None,
            "corrected_there": self.corrected_there,
            "anchored": self.anchored.to_dict() if self.anchored else None,
            "needed": self.needed,
            "higher_is_better": self.higher_is_better,
        }


@dataclass(frozen=True, eq=False)
class SampledLinks(Shown):
    """A link predictor judged by drawn candidates.

    `negatives` is how many were drawn for each triple and side, `kind` from where: "uniform" (all entities), "relation"
    (entities that train holds at that side of the relation) or "hard". `estimates` says what `corrected` is an
    estimate of. `triples` were asked, `exact_triples` of them among all candidates as well. `outside` true entities
    are none of the candidates that their relation allows; they are ranked with them. `table` has a row for each triple
    and side, with what was counted in the sample.
    """

    model: str
    kind: str
    negatives: int
    estimates: str
    figures: tuple[SampledFigure, ...]
    triples: int
    of: int
    exact_triples: int
    protocol: Mapping[str, Any]
    seed: int
    width: float
    table: pl.DataFrame
    outside: int = 0
    notices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of this protocol: it is shared with no other."""
        return f"sampled-{self.kind}-{self.negatives}"

    def figure(self, measure: str) -> SampledFigure:
        """Return the figure of a measure.

        Raises
        ------
        KeyError
            A measure that was not computed.
        """
        for one in self.figures:
            if one.name == measure:
                return one
        raise KeyError(measure)

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "model": self.model,
            "sampled": True,
            "protocol_name": self.name,
            "candidates": self.kind,
            "negatives": self.negatives,
            "estimates": self.estimates,
            "measures": {one.name: one.to_dict() for one in self.figures},
            "triples": self.triples,
            "of": self.of,
            "exact_triples": self.exact_triples,
            "outside": self.outside,
            "protocol": dict(self.protocol),
            "seed": self.seed,
            "width": self.width,
            "notices": list(self.notices),
        }
