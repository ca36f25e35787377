"""Counts: how many queries, answers and relevant items there are; runs are described by their sum."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field


@measure("NumQ", trec="num_q", bounds=(0, math.inf))
class NumQ(Measure):
    r"""Number of queries in the mean: 1 for each.

    $$ NumQ = |\{\, q : q \text{ is in the mean} \,\}| $$

    A query without a relevant item counts as `empty` says: with `empty=skip` 10 queries, 2 of them without,
    give 8, with `empty=zero` 10. Weights change nothing.
    Source: trec_eval (Buckley, NIST), measure num_q. Same value.

    >>> NumQ().of([1, 0]), NumQ().aggregate(np.array([1.0, 1.0, 0.0]))
    (1.0, 3.0)
    """

    summed = True

    def kernel(self, judged: Judged) -> Floats:
        return np.ones(judged.queries)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return 1.0

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)

    def aggregate(self, values: Floats, weights: Floats | None = None) -> float:
        """Return how many queries the mean has."""
        return float(len(values))


@measure("NumRet", trec="num_ret", bounds=(0, math.inf))
class NumRet(Measure):
    r"""Number of retrieved items, judged or not.

    $$ NumRet = n $$

    Counted after the policy: copies that are dropped, excluded pairs and, in condensed lists, items without a
    judgment are not there any more.
    Source: trec_eval (Buckley, NIST), measure num_ret. Same value.

    >>> NumRet().of([1, None, 0])
    3.0
    """

    summed = True
    counts_empty = True

    def kernel(self, judged: Judged) -> Floats:
        return judged.retrieved.astype(np.float64)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return float(len(grades))

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)


@measure("NumRel", trec="num_rel", bounds=(0, math.inf))
class NumRel(Measure):
    r"""Number of relevant items in the gold, R.

    $$ NumRel = R = |\{\, d : g_d \ge rel \,\}| $$

    A property of the gold alone: a query that the run left out still has its R items.
    Source: trec_eval (Buckley, NIST), measure num_rel. Same value.

    >>> NumRel().of([1, 0], gold=[1, 0, 2, -1])
    2.0
    """

    summed = True
    counts_empty = True
    rises = True
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return judged.wanted(self.rel)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return float(sum(g >= self.rel for g in gold))

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)


@measure("NumRelRet", trec="num_rel_ret", bounds=(0, math.inf))
class NumRelRet(Measure):
    r"""Number of relevant items that are retrieved, wherever they stand.

    $$ NumRelRet = \sum_{i=1}^{n} [\, g_i \ge rel \,] $$

    A query without a relevant item has 0, never an undefined value.
    Source: trec_eval (Buckley, NIST), measure num_rel_ret. Same value.

    >>> NumRelRet().of([1, 0, None, 2], gold=[1, 1, 2, 0])
    2.0
    """

    summed = True
    counts_empty = True
    rises = True
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return judged.relevant(self.rel).count()

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return float(sum(g >= self.rel for g in grades))

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)
