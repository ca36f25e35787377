"""G: each relevant item counts by how much that should have come before it did not."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, divide, measure, rel_field
from assay.measures.dcg import Gains, OfGains, gain_of, worth
from assay.measures.ideal_gain import ideal_gains


@measure("BinG", trec="binG", bounds=(0, 1))
class BinaryGain(Measure):
    r"""Mean over the relevant items of one over the logarithm of two plus the wrong items above.

    $$ BinG = \frac{1}{R} \sum_{i :\, g_i \ge rel} \frac{1}{\log_2 (2 + i - h_i)},
       \quad h_i = \sum_{j=1}^{i} [\, g_j \ge rel \,] $$

    Relevant items above do not push an item down, unlike in nDCG: relevant items that come first all count 1.
    Items without a judgment are wrong ones.
    Source: trec_eval (Buckley, NIST), measure binG, called experimental; documented in trec_eval 9 (2008).
    Same value.

    >>> BinG().of([1, 1, 0, 0, 1])
    0.8333333333333334
    """

    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        relevant = judged.relevant(self.rel)
        terms = 1 / np.log2(np.maximum(2 + relevant.rank - relevant.position(), 2))
        return divide(relevant.sum(terms), judged.wanted(self.rel))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        wrong, total = 0, 0.0
        for grade in grades:
            if grade >= self.rel:
                total += 1 / math.log2(2 + wrong)
            else:
                wrong += 1
        return total / sum(g >= self.rel for g in gold)


@measure("G", trec="G", bounds=(0, 1))
class GradedGain(OfGains):
    r"""Sum of gains, each over the logarithm of two plus what the ranking lacks so far, scaled by all gains.

    $$ G = \sum_i \frac{gain(g_i)}{\log_2 \big( 2 + \sum_{j \le i} \max(1, gain(g^*_j)) - \sum_{j \le i} gain(g_j)
       \big)} \Big/ \sum_j gain(g^*_j) $$

    g* is the ideal ranking, best first. Every place costs at least 1, so that wrong items go on costing where
    the ideal has ended; with grades of 0 and 1 it is BinG. `gains` as for nDCG; gains below 0 count 0.
    Source: trec_eval (Buckley, NIST), measure G, called experimental; documented in trec_eval 9 (2008). Same
    value.

    >>> G().of([2, 1, 0]), round(G().of([1, 0, 2]), 4)
    (1.0, 0.6309)
    """

    gains: Gains = None

    def kernel(self, judged: Judged) -> Floats:
        hits = judged.hits.where(worth(judged.hits.grade, "linear", self.gains) > 0)
        gain = worth(hits.grade, "linear", self.gains)
        ideal, best = ideal_gains(judged, "linear", self.gains)
        many = np.bincount(ideal.query, minlength=judged.queries)
        start = np.cumsum(many) - many
        costs = np.concatenate([[0.0], np.cumsum(np.maximum(best, 1))])
        inside = np.minimum(hits.rank.astype(np.int64), many[hits.query])
        cost = costs[start[hits.query] + inside] - costs[start[hits.query]] + (hits.rank - inside)
        found = np.concatenate([[0.0], np.cumsum(gain)])
        so_far = found[1:] - found[np.searchsorted(hits.query, hits.query)]
        terms = gain / np.log2(np.maximum(2 + cost - so_far, 2))
        return divide(hits.sum(terms), ideal.sum(best))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        best = sorted((gain_of(grade, "linear", self.gains) for grade in gold), reverse=True)
        total = lacking = 0.0
        for place, grade in enumerate(grades):
            gain = gain_of(grade, "linear", self.gains)
            lacking += max(1, best[place] if place < len(best) else 0) - gain
            total += gain / math.log2(2 + lacking) if gain else 0
        return total / sum(best)
