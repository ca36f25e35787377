"""Utility: what a user gains and loses by a set of answers."""

import math
from collections.abc import Sequence

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field


@measure("Utility", trec="utility", bounds=(-math.inf, math.inf))
class Utility(Measure):
    r"""Weighted sum of what is retrieved and left out, relevant and not.

    $$ Utility = hit \cdot h + noise \, (n - h) + miss \, (R - h) + rest \, (N - n - (R - h)),
       \quad h = \sum_{i=1}^{n} [\, g_i \ge rel \,] $$

    Not scaled: one right and two wrong items give -1, whether R is 1 or 100. N, the size of the collection, is
    needed only where `rest` is not 0 and has to be said with `collection`; a query that retrieves nothing is
    worth 0, whatever it misses.
    Source: Lewis 1995, The TREC-4 Filtering Track, TREC-4; trec_eval (Buckley, NIST), measure utility, which
    has these defaults. Same value.

    >>> Utility().of([1, 0, 0]), Utility(hit=2, noise=0, miss=-1).of([1, 0], gold=[1, 1, 1])
    (-1.0, 0.0)
    """

    counts_empty = True
    rel: float = rel_field()
    hit: float = 1
    noise: float = -1
    miss: float = 0
    rest: float = 0
    collection: int = 0

    def kernel(self, judged: Judged) -> Floats:
        found, wanted = judged.relevant(self.rel).count(), judged.wanted(self.rel)
        shown = judged.retrieved
        left = self.collection - shown - (wanted - found)
        return self.hit * found + self.noise * (shown - found) + self.miss * (wanted - found) + self.rest * left

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found, wanted = sum(g >= self.rel for g in grades), sum(g >= self.rel for g in gold)
        table = {
            "hit": found,
            "noise": len(grades) - found,
            "miss": wanted - found,
            "rest": self.collection - len(grades) - (wanted - found),
        }
        return float(sum(getattr(self, cell) * count for cell, count in table.items()))

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)
