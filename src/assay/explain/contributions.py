"""Contributions: what the value gains when the ranking is extended by one place."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.core.judged import Floats, Ints
from assay.evaluate import Plan
from assay.explain.ranking import Ranking
from assay.explain.variants import Variant, measure


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """What some places of a ranking contribute, and what the value is after each of them, shapes (places,).

    The value of the ranking cut after a place minus the value of the ranking cut before it: whatever the
    measure is, these differences sum to its value. A cut for which the measure is undefined counts as 0.
    """

    shares: Floats
    so_far: Floats
    start: float
    undefined: bool
    """Whether the measure was undefined for one of the cuts."""

    @classmethod
    def of(cls, ranking: Ranking, plan: Plan, places: Ints) -> Self:
        """Cut the ranking before and after each of the places (from 0)."""
        begin, end = ranking.spans(places)
        cuts = np.unique(np.concatenate([[0], begin, end]))
        ideal = ranking.judged.ideal.grade
        values = measure(plan, ranking.judged, [Variant(ranking.cut(cut), ideal, cut) for cut in cuts.tolist()])
        undefined = np.isnan(values)
        values = np.where(undefined, 0.0, values)
        before, after = values[np.searchsorted(cuts, begin)], values[np.searchsorted(cuts, end)]
        shares = (after - before) / (end - begin)
        so_far = np.where(places + 1 == end, after, before + shares * (places + 1 - begin))
        return cls(shares, so_far, float(values[0]), bool(undefined.any()))

    @classmethod
    def none(cls, places: Ints) -> Self:
        """Return the contributions to a value that is undefined."""
        return cls(np.zeros(len(places)), np.zeros(len(places)), 0.0, undefined=False)
