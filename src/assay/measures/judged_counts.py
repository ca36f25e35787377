"""Counts of what was judged, besides those of relevant items."""

import math
from collections.abc import Sequence

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field


@measure("NumNonRelRet", trec="num_nonrel_judged_ret", bounds=(0, math.inf))
class NumNonRelRet(Measure):
    r"""Number of retrieved items that were judged and found not relevant.

    $$ NumNonRelRet = \sum_{i=1}^{n} [\, 0 \le g_i < rel \,] $$

    Items without a judgment and those with a grade below 0 are not counted: with NumRelRet it makes the
    judged part of the ranking, not the whole.
    Source: trec_eval (Buckley, NIST), measure num_nonrel_judged_ret. Same value.

    >>> NumNonRelRet().of([1, 0, None, -1, 0])
    2.0
    """

    summed = True
    counts_empty = True
    higher_is_better = False
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return judged.hits.nonrelevant(self.rel).count()

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return float(sum(0 <= g < self.rel for g in grades))

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)
