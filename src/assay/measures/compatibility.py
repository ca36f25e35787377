"""Compatibility: how much a ranking agrees with the best ideal ranking."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Hits, Ints, Judged
from assay.measures.base import Measure, divide, measure
from assay.measures.tie_groups import total

DEPTH = 1000
"""How far down two rankings are compared."""


@measure("Compat", bounds=(0, 1))
class Compatibility(Measure):
    r"""Rank-biased overlap of the ranking with the ideal ranking that is most like it.

    $$ \frac{RBO(A, I)}{RBO(I, I)}, \quad
       RBO(A, I) = \sum_{d=1}^{1000} p^{\,d-1} \frac{|A_{1..d} \cap I_{1..d}|}{d} $$

    The ideal I holds all items with g_i > 0, highest grade first; within a grade they stand as the ranking A
    has them, those not retrieved last. A list that ends is compared on as it is: a single relevant item at
    rank 2 gives 0.28 with p = 0.5, whether nothing or a thousand items follow. Ties have no exact mean: the
    ideal depends on their order.
    Source: Clarke, Vtyurina & Smucker 2021, Assessing top-k preferences, TOIS 39(3), with its normalisation.

    >>> Compat().of([2, 1, 1]), Compat().of([0, 0])
    (1.0, None)
    >>> round(Compat(p=0.5).of([0, 1]), 4)
    0.2787
    """

    p: float = 0.95

    def kernel(self, judged: Judged) -> Floats:
        ideal = judged.ideal.relevant(np.nextafter(0, 1))
        found = judged.hits.relevant(np.nextafter(0, 1))
        overlap = self._overlap()
        rank, place, query = _ideal_places(found, ideal)
        together = np.minimum(np.ceil(np.maximum(rank, place)), DEPTH + 1).astype(np.int64)
        best = ideal.sum(overlap[np.minimum(ideal.rank, DEPTH + 1).astype(np.int64)])
        return divide(total(query, overlap[together], judged.queries), best)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        ranking = list(enumerate(grades))
        missing = sorted(gold)
        for grade in grades:
            if grade in missing:
                missing.remove(grade)
        items = ranking + list(enumerate(missing, start=len(ranking)))
        ideal = sorted((item for item in items if item[1] > 0), key=lambda item: (-item[1], item[0]))
        return self._rbo(ranking, ideal) / self._rbo(ideal, ideal) if ideal else math.nan

    def _rbo(self, one: list[tuple[int, float]], other: list[tuple[int, float]]) -> float:
        score = 0.0
        for depth in range(1, DEPTH + 1):
            score += self.p ** (depth - 1) * len(set(one[:depth]) & set(other[:depth])) / depth
        return score

    def _overlap(self) -> Floats:
        """Return what an item adds that both rankings hold from depth d on, for d = 0 … 1001."""
        depth = np.arange(1, DEPTH + 1)
        tail = np.cumsum((self.p ** (depth - 1.0) / depth)[::-1])[::-1]
        return np.concatenate([tail[:1], tail, [0.0]])


def _ideal_places(found: Hits, ideal: Hits) -> tuple[Floats, Floats, Ints]:
    """Return rank, ideal place and query of the items found, sorted by query, grade falling, rank."""
    order = np.lexsort((found.rank, -found.grade, found.query))
    found = found.where(order)
    levels = np.unique(ideal.grade)
    block = ideal.query * len(levels) - np.searchsorted(levels, ideal.grade)
    of = found.query * len(levels) - np.searchsorted(levels, found.grade)
    first = np.searchsorted(block, of)
    within = Hits.ranked(0, of, found.grade).rank
    return found.rank, ideal.rank[first] + within - 1, found.query
