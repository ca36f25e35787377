"""Bpref: how often a relevant item stands before one that was judged not relevant."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, divide, measure, rel_field


@measure("Bpref", aliases=("BPref",), trec="bpref", bounds=(0, 1))
class Bpref(Measure):
    r"""Share of judged pairs in the right order, over the retrieved relevant items; the rest is skipped.

    $$ Bpref = \frac{1}{R} \sum_{i :\, g_i \ge rel} \left( 1 - \frac{\min(b_i, R)}{\min(N, R)} \right),
       \quad b_i = |\{\, j < i : 0 \le g_j < rel \,\}| $$

    N is the number of items judged not relevant. Items without a judgment or with a grade below 0 are
    skipped, and where no judged one stands above, the term is 1, also with N = 0. The paper first divided by
    R: the minimum keeps a term from staying positive when all N stand above.
    Source: Buckley & Voorhees 2004, Retrieval Evaluation with Incomplete Information, SIGIR; with min(N, R)
    in Soboroff 2006, Dynamic Test Collections, SIGIR. Same value as trec_eval bpref.

    >>> Bpref().of([None, 0, 1, -1, 0, None, 1, 0], gold=[1, 0, 1, 0, 0, 1, -1])
    0.3333333333333333
    """

    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        wanted, others = judged.wanted(self.rel), judged.ideal.nonrelevant(self.rel).count()
        hits, query = judged.hits, judged.hits.query
        above = hits.before((hits.grade >= 0) & (hits.grade < self.rel))
        share = divide(np.minimum(above, wanted[query]), np.minimum(others, wanted)[query])
        term = np.where(above > 0, 1 - share, 1.0)
        relevant = hits.grade >= self.rel
        return divide(hits.where(relevant).sum(term[relevant]), wanted)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        wanted, others = sum(g >= self.rel for g in gold), sum(0 <= g < self.rel for g in gold)
        above, total = 0, 0.0
        for grade in grades:
            if grade >= self.rel:
                total += 1 - min(above, wanted) / min(others, wanted) if above else 1.0
            elif grade >= 0:
                above += 1
        return total / wanted
