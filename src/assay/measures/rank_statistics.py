"""Rank statistics of link prediction: where the true answers stand, lower is better."""

import math
from collections.abc import Sequence
from statistics import geometric_mean, median

import numpy as np

from assay.core.judged import Floats, Hits, Judged
from assay.errors import UnsupportedError
from assay.measures.base import Measure, divide, measure, rel_field


def all_found(judged: Judged, rel: float) -> Hits:
    """Return the relevant items of the queries in which none is missing: only they all have a rank."""
    relevant = judged.relevant(rel)
    complete = relevant.count() == judged.ideal.relevant(rel).count()
    return relevant.where(complete[relevant.query])


def ranks(grades: Sequence[float], gold: Sequence[float], rel: float) -> list[int]:
    """Return the ranks of the relevant items of one query; none where one of them was not retrieved."""
    found = [place for place, grade in enumerate(grades, 1) if grade >= rel]
    return found if len(found) == sum(g >= rel for g in gold) else []


@measure("MR", aliases=("MeanRank",), bounds=(1, math.inf))
class MeanRank(Measure):
    r"""Mean rank of the relevant items.

    $$ MR = \frac{1}{R} \sum_{i :\, g_i \ge rel} i $$

    A relevant item that was not retrieved has no rank, and the query is then undefined, not best and not
    worst: rank every candidate, or read the number of undefined queries beside the mean.
    Source: Bordes et al. 2013, Translating Embeddings for Modeling Multi-relational Data, NIPS. Not in
    trec_eval.

    >>> MR().of([0, 1, 0, 1]), MR().of([0, 1], gold=[1, 1])
    (3.0, None)
    """

    worst = None
    higher_is_better = False
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found = all_found(judged, self.rel)
        return divide(found.sum(found.rank), found.count())

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found = ranks(grades, gold, self.rel)
        return sum(found) / len(found) if found else math.nan

    def expected(self, judged: Judged) -> Floats:
        found = all_found(judged, self.rel)
        return divide(found.sum(found.above + (found.tied + 1) / 2), found.count())


@measure("MedianRank", bounds=(1, math.inf))
class MedianRank(Measure):
    r"""Median rank of the relevant items; of a run, the median over its queries.

    $$ MedianRank = \operatorname{median}\{\, i : g_i \ge rel \,\} $$

    Half of an even number of ranks lies between two of them, and their mean is taken: ranks 2 and 100 give
    51. A relevant item that was not retrieved has no rank, and the query is then undefined.
    Source: Hoyt et al. 2022, A Unified Framework for Rank-based Evaluation Metrics for Link Prediction in
    Knowledge Graphs. Not in trec_eval.

    >>> MedianRank().of([1, 0, 1, 0, 1]), MedianRank().aggregate(np.array([1.0, 2.0, 90.0]))
    (3.0, 2.0)
    """

    worst = None
    higher_is_better = False
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found = all_found(judged, self.rel)
        position, many = found.position(), found.count()[found.query]
        middle = found.where((position >= many / 2) & (position <= many / 2 + 1))
        return divide(middle.sum(middle.rank), middle.count())

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found = ranks(grades, gold, self.rel)
        return float(median(found)) if found else math.nan

    def aggregate(self, values: Floats, weights: Floats | None = None) -> float | None:
        """Return the median over queries."""
        if weights is not None:
            msg = f"{self}: a median over queries has no weights."
            raise UnsupportedError(msg, hint="MR and GeometricMeanRank have.")
        return float(np.median(values)) if len(values) else None


@measure("GeometricMeanRank", aliases=("GMR",), bounds=(1, math.inf))
class GeometricMeanRank(Measure):
    r"""Geometric mean of the ranks of the relevant items; of a run, the geometric mean over its queries.

    $$ GMR = \Bigl( \prod_{i :\, g_i \ge rel} i \Bigr)^{1/R} $$

    One bad rank weighs less than in MR: ranks 1 and 100 give 10, where MR is 50.5. A relevant item that was
    not retrieved has no rank, and the query is then undefined.
    Source: Hoyt et al. 2022, A Unified Framework for Rank-based Evaluation Metrics for Link Prediction in
    Knowledge Graphs. Not in trec_eval.

    >>> GMR().of([1, 0, 0, 1])
    2.0
    """

    worst = None
    higher_is_better = False
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found = all_found(judged, self.rel)
        return np.exp(divide(found.sum(np.log(found.rank)), found.count()))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found = ranks(grades, gold, self.rel)
        return geometric_mean(found) if found else math.nan

    def aggregate(self, values: Floats, weights: Floats | None = None) -> float | None:
        """Return the geometric mean over queries."""
        logarithm = super().aggregate(np.log(values), weights)
        return None if logarithm is None else math.exp(logarithm)
