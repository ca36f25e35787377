"""Discounted cumulative gain: grades count less the deeper they stand."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Flags, Floats, Hits, Judged
from assay.measures.base import Measure, divide, measure
from assay.measures.graded import top_grade
from assay.measures.parameters import cutoff_field
from assay.measures.possible import Possible, rising
from assay.measures.possible_gain import never_falls, possible_normalised_gain
from assay.measures.tie_groups import TieGroups, sum_places

Gains = tuple[tuple[float, float], ...] | None
"""Gains of single grades, as sorted pairs."""


class OfGains(Measure):
    """What measures share that turn grades into gains, by the parameter `gains` and some by `gain`."""

    def worth(self, grade: Floats) -> Floats:
        """Return the gain of each grade, shape (rows,)."""
        return worth(grade, getattr(self, "gain", "linear"), getattr(self, "gains", None))

    def defined(self, judged: Judged) -> Flags:
        """Flag the queries with a gain above 0, shape (queries,)."""
        return judged.ideal.sum(self.worth(judged.ideal.grade)) > 0

    def best_first(self, judged: Judged) -> Hits:
        """Return the judged items with a gain above 0, the highest gain first."""
        gain = self.worth(judged.ideal.grade)
        order = np.lexsort((-gain, judged.ideal.query))
        best = judged.ideal.where(order[gain[order] > 0])
        return Hits.ranked(best.queries, best.query, best.grade)


@measure("DCG", trec="dcg", bounds=(0, math.inf))
class DiscountedGain(OfGains):
    r"""Sum of the gains of the first k places, each divided by the logarithm of its rank plus one.

    $$ DCG@k = \sum_{i=1}^{k} \frac{gain(g_i)}{\log_b (i+1)}, \quad gain(g) = g \text{ or } 2^g - 1 $$

    Every rank from the second on is discounted (with b = 2), where the first form of the measure spared ranks
    below b: grades 1, 1 give 1.63, not 2. `gain='exp'` counts 2^g - 1: a 3 is worth 7. `gains` sets
    single grades, the others keep theirs. Grades and gains below 0 count 0.
    Source: Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, TOIS 20(4); discount
    and 2^g - 1: Burges et al. 2005, Learning to rank using gradient descent, ICML. Same value as dcg of
    trec_eval 10.

    >>> DCG().of([3, 0, 2])
    4.0
    >>> DCG(gain="exp", k=1).of([3, 0, 2]), DCG(gains={3: 10}).of([3, 0, 2])
    (7.0, 11.0)
    """

    at = "k"
    k: int | None = None
    gain: str = "linear"
    gains: Gains = None
    base: float = 2

    def kernel(self, judged: Judged) -> Floats:
        top = judged.top(self.k)
        return discounted(top, worth(top.grade, self.gain, self.gains)) * math.log2(self.base)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        total = 0.0
        for rank, grade in enumerate(grades[: self.k], start=1):
            total += gain_of(grade, self.gain, self.gains) / math.log(rank + 1, self.base)
        return total

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        gain = worth(judged.hits.grade, self.gain, self.gains)
        return expected_discounted(judged.hits, self.k, gain) * math.log2(self.base)

    def possible(self, judged: Judged) -> Possible:
        highest = self.highest(judged)
        if never_falls(judged, self.worth, highest):
            return rising(judged, self.kernel, highest, self.k)
        return super().possible(judged)


@measure("nDCG", aliases=("NDCG",), trec=("ndcg", "ndcg_cut_{k}"), bounds=(0, 1))
class NormalisedDiscountedGain(OfGains):
    r"""DCG divided by that of the ideal ranking: all judged items of the query, best first.

    $$ nDCG@k = \frac{DCG@k}{IDCG@k}, \quad DCG@k = \sum_{i=1}^{k} \frac{gain(g_i)}{\log_2 (i+1)} $$

    The ideal holds all judged items, cut at k, also those that were not retrieved: one of three relevant
    items found at the first place gives 0.47, not 1. The base of the logarithm cancels. `gain` and `gains` as
    for DCG; grades and gains below 0 count 0.
    Source: Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, TOIS 20(4). Same
    value as trec_eval ndcg and ndcg_cut_k.

    >>> nDCG().of([0, 0, 3]), nDCG(k=2).of([0, 0, 3])
    (0.5, 0.0)
    >>> round(nDCG(gain="exp", k=10).of([1, 0], gold=[1, 1, 1]), 2)
    0.47
    """

    at = "k"
    k: int | None = None
    gain: str = "linear"
    gains: Gains = None

    def kernel(self, judged: Judged) -> Floats:
        top = judged.top(self.k)
        return divide(discounted(top, worth(top.grade, self.gain, self.gains)), self._ideal(judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found = [gain_of(grade, self.gain, self.gains) for grade in grades]
        best = sorted((gain_of(grade, self.gain, self.gains) for grade in gold), reverse=True)
        got = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(found[: self.k], start=1))
        ideal = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(best[: self.k], start=1))
        return got / ideal if ideal else math.nan

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        gain = worth(judged.hits.grade, self.gain, self.gains)
        return divide(expected_discounted(judged.hits, self.k, gain), self._ideal(judged))

    def possible(self, judged: Judged) -> Possible:
        highest = self.highest(judged)
        if never_falls(judged, self.worth, highest):
            return possible_normalised_gain(judged, self.kernel(judged), self.k, self.worth, highest)
        return super().possible(judged)

    def _ideal(self, judged: Judged) -> Floats:
        ideal, gain = judged.ideal, worth(judged.ideal.grade, self.gain, self.gains)
        if self.gains is not None:
            order = np.lexsort((-gain, ideal.query))
            ideal, gain = Hits.ranked(ideal.queries, ideal.query[order], ideal.grade[order]), gain[order]
        if self.k is not None:
            gain = np.where(ideal.rank <= self.k, gain, 0.0)
        return discounted(ideal, gain)


@measure("SDCG", bounds=(0, 1))
class ScaledDiscountedGain(Measure):
    r"""DCG divided by that of k places filled with items of the top grade.

    $$ SDCG@k = \sum_{i=1}^{k} \frac{gain(g_i)}{\log_2 (i+1)} \Big/
       \sum_{i=1}^{k} \frac{gain(g_{max})}{\log_2 (i+1)} $$

    The best list need not exist: a query with a single relevant item has 0.61 at best for SDCG@2 where nDCG@2
    gives 1. The top grade is the highest of the whole gold unless `max_rel` says it.
    Source: Moffat 2013, Seven numeric properties of effectiveness metrics, AIRS (scaled DCG).

    >>> round(SDCG(k=2).of([1, 0]), 2)
    0.61
    >>> SDCG(k=2, max_rel=2).of([1, 1])
    0.5
    """

    at = "k"
    needs_at = True
    rises = True
    k: int = cutoff_field()
    gain: str = "linear"
    max_rel: float | None = None

    def kernel(self, judged: Judged) -> Floats:
        top = judged.top(self.k)
        return divide(discounted(top, worth(top.grade, self.gain, None)), self._best(judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        got = best = 0.0
        for rank in range(1, self.k + 1):
            grade = grades[rank - 1] if rank <= len(grades) else 0
            got += gain_of(grade, self.gain, None) / math.log2(rank + 1)
            best += gain_of(self.max_rel or max(gold), self.gain, None) / math.log2(rank + 1)
        return got / best if best else math.nan

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        gain = worth(judged.hits.grade, self.gain, None)
        return divide(expected_discounted(judged.hits, self.k, gain), self._best(judged))

    def _best(self, judged: Judged) -> float:
        gain = worth(np.array([top_grade(self, judged, self.max_rel)]), self.gain, None)
        return float(gain[0] * np.sum(1 / np.log2(np.arange(2, self.k + 2))))


def worth(grade: Floats, gain: str, gains: Gains) -> Floats:
    """Return the gain of each grade, at least 0, shape (rows,)."""
    positive = np.maximum(grade, 0.0)
    value = np.exp2(positive) - 1 if gain == "exp" else positive
    for named, set_to in gains or ():
        value = np.where(grade == named, max(set_to, 0), value)
    return value if gains is None else np.where(grade < 0, 0.0, value)


def gain_of(grade: float, gain: str, gains: Gains) -> float:
    """Return the gain of one grade, as it is defined."""
    if grade < 0:
        return 0
    if grade in dict(gains or ()):
        return max(dict(gains or ())[grade], 0)
    return 2**grade - 1 if gain == "exp" else grade


def discounted(hits: Hits, gain: Floats) -> Floats:
    """Return the sum of gain/log2(rank + 1) for each query, shape (queries,)."""
    return hits.sum(gain / np.log2(hits.rank + 1))


def expected_discounted(hits: Hits, k: int | None, gain: Floats) -> Floats:
    """Return the mean of that sum over the first k places over all orders, shape (queries,)."""
    groups = TieGroups.of(hits, k)
    discount = sum_places(groups.above, groups.inside, lambda a, x: 1 / np.log2(a + x + 1))
    return groups.sum(groups.gather(gain) / groups.tied * discount)
