"""The ideal ranking by gains, and its cumulated gain as a measure of the gold alone."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Hits, Judged
from assay.measures.base import measure
from assay.measures.dcg import DiscountedGain, Gains, gain_of, worth
from assay.measures.possible import Possible, rising
from assay.measures.possible_gain import never_falls


def ideal_gains(judged: Judged, gain: str, gains: Gains) -> tuple[Hits, Floats]:
    """Return all judged items with the highest gain first, and their gains, shape (rows,)."""
    ideal, value = judged.ideal, worth(judged.ideal.grade, gain, gains)
    if gains is None:
        return ideal, value
    order = np.lexsort((-value, ideal.query))
    return Hits.ranked(ideal.queries, ideal.query[order], ideal.grade[order]), value[order]


@measure("IDCG", trec="ideal_dcg", bounds=(0, math.inf))
class IdealDiscountedGain(DiscountedGain):
    r"""DCG of the best possible ranking: all judged items, best first.

    $$ IDCG@k = \sum_{i=1}^{k} \frac{gain(g^*_i)}{\log_b (i+1)}, \quad g^*_1 \ge g^*_2 \ge \dots $$

    A property of the gold alone, whatever is retrieved: what DCG is divided by to give nDCG. Grades and gains
    below 0 count 0.
    Source: Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, TOIS 20(4). Same
    value as ideal_dcg of trec_eval 10.

    >>> IDCG().of([0, 0, 3]), IDCG(k=1).of([], gold=[1, 2])
    (3.0, 2.0)
    """

    def kernel(self, judged: Judged) -> Floats:
        ideal, gain = ideal_gains(judged, self.gain, self.gains)
        if self.k is not None:
            gain = np.where(ideal.rank <= self.k, gain, 0.0)
        return ideal.sum(gain / np.log2(ideal.rank + 1)) * math.log2(self.base)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        best = sorted((gain_of(grade, self.gain, self.gains) for grade in gold), reverse=True)
        return sum(gain / math.log(rank + 1, self.base) for rank, gain in enumerate(best[: self.k], start=1))

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)

    def possible(self, judged: Judged) -> Possible:
        """Return the lowest and the highest value: an item without a judgment may be ideal wherever it stands."""
        highest = self.highest(judged)
        if never_falls(judged, self.worth, highest):
            return rising(judged, self.kernel, highest, None)
        return super().possible(judged)
