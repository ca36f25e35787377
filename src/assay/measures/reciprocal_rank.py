"""Reciprocal rank: how soon the first right answer comes."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Hits, Ints, Judged
from assay.measures.base import Measure, measure, rel_field
from assay.measures.tie_groups import TieGroups, steps, sum_places

STEPS = 256
"""Tie groups that need more steps than this are summed one by one, the others all at once."""


@measure("RR", aliases=("MRR",), trec="recip_rank", bounds=(0, 1))
class ReciprocalRank(Measure):
    r"""One divided by the rank of the first relevant item; 0 where none is ranked.

    $$ RR@k = \max \Big( \{ 0 \} \cup \Big\{ \frac{1}{i} : i \le k,\ g_i \ge rel \Big\} \Big) $$

    The whole list is ranked before the cut: a relevant item at rank 11 gives 1/11 without a cutoff and 0 for
    RR@10, and such a query stays in the mean.
    Source: Voorhees 1999, The TREC-8 Question Answering Track Report, TREC-8. Same value as trec_eval
    recip_rank, which has no cutoff.

    >>> RR().of([0, 0, 1, 1]), RR(k=2).of([0, 0, 1, 1])
    (0.3333333333333333, 0.0)
    """

    at = "k"
    rises = True
    k: int | None = None
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        first = judged.top(self.k).relevant(self.rel).first()
        return first.sum(1 / first.rank)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        for rank, grade in enumerate(grades[: self.k], start=1):
            if grade >= self.rel:
                return 1 / rank
        return 0

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders: the first group with a relevant item decides, shape (queries,)."""
        groups = TieGroups.of(_first_group(judged.relevant(self.rel)), self.k)
        return groups.sum(expected_reciprocal(groups.above, groups.tied, groups.holds, groups.inside))


def _first_group(relevant: Hits) -> Hits:
    """Return the relevant rows that no other relevant row is ranked above for sure."""
    first = relevant.first()
    above = np.zeros(relevant.queries, np.int64)
    above[first.query] = first.above
    return relevant.where(relevant.above == above[relevant.query])


def expected_reciprocal(above: Ints, tied: Ints, holds: Ints, inside: Ints) -> Floats:
    r"""Return the mean of 1/rank of the first relevant item of each group, 0 beyond the cutoff, (groups,).

    $$ \sum_{x=1}^{\min(m,\, t-r+1)} \frac{p_x}{a+x}, \quad p_1 = \frac{r}{t},
       \quad p_{x+1} = p_x \frac{t-x-r+1}{t-x} $$
    """
    last = np.minimum(inside, tied - holds + 1)
    value = np.zeros(len(above))
    lone = np.flatnonzero(holds == 1)
    value[lone] = sum_places(above[lone], last[lone], lambda a, x: 1 / (a + x)) / tied[lone]
    many = np.flatnonzero((holds > 1) & (last > 0))
    short = many[last[many] <= STEPS]
    value[short] = _together(above[short], tied[short], holds[short], last[short])
    for group in many[last[many] > STEPS].tolist():
        x = np.arange(1, last[group] + 1)
        unseen = np.cumprod(np.r_[1.0, 1 - holds[group] / (tied[group] - x[:-1] + 1)])
        value[group] = np.sum(unseen * holds[group] / (tied[group] - x + 1) / (above[group] + x))
    return value


def _together(above: Ints, tied: Ints, holds: Ints, last: Ints) -> Floats:
    """Walk all groups place by place; `chance` is that of the first relevant item at the place."""
    value, chance = np.zeros(len(above)), holds / tied
    for i, on in steps(last):
        value[on] += chance[on] / (above[on] + i + 1)
        chance[on] *= (tied[on] - i - holds[on]) / np.maximum(tied[on] - i - 1, 1)
    return value
