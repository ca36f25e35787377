"""Average precision on a scale whose mean over queries does not flatten the extremes."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field


@measure("YAAP", trec="yaap", bounds=(-math.inf, math.inf))
class SmoothedLogitAP(Measure):
    r"""Smoothed log odds of average precision.

    $$ YAAP = \ln \frac{1 + S}{1 + R - S}, \quad S = R \cdot AP = \sum_i [\, g_i \ge rel \,] \, P@i $$

    Below 0 where AP is below a half. Its end points depend on R: everything right gives ln(1 + R), nothing
    -ln(1 + R), so that a query with more relevant items weighs more in the mean.
    Source: Robertson 2012, On Smoothing Average Precision, ECIR. Same value as trec_eval yaap.

    >>> round(YAAP().of([1, 1, 1]), 4), round(YAAP().of([0, 0, 0], gold=[1, 1, 1]), 4)
    (1.3863, -1.3863)
    """

    worst = None
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        relevant = judged.relevant(self.rel)
        found = relevant.sum(relevant.position() / relevant.rank)
        value: Floats = np.log((1 + found) / (1 + np.maximum(judged.wanted(self.rel) - found, 0)))
        return value

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        precisions = [
            sum(g >= self.rel for g in grades[:rank]) / rank
            for rank, grade in enumerate(grades, start=1)
            if grade >= self.rel
        ]
        return math.log((1 + sum(precisions)) / (1 + sum(g >= self.rel for g in gold) - sum(precisions)))
