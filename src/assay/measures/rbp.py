"""Rank-biased precision, and how much of it the missing judgments leave open."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import UNJUDGED, Floats, Judged
from assay.measures.base import SMALLEST_GAIN, Measure, divide, measure, rel_field
from assay.measures.dcg import gain_of, worth
from assay.measures.graded import top_grade
from assay.measures.tie_groups import TieGroups


@measure("RBP", bounds=(0, 1))
class RankBiasedPrecision(Measure):
    r"""Share of right answers met by a user who goes on to the next place with probability p.

    $$ RBP = (1-p) \sum_i u_i \, p^{\,i-1}, \quad u_i = [\, g_i \ge rel \,] $$

    Binary unless `gain` is given: 'linear' counts u_i = g_i / g_max, 'exp' counts (2^g_i - 1) / (2^g_max - 1),
    where g_max is the highest grade of the whole gold or `max_rel`; `rel` then plays no part. 1 cannot be
    reached: ten relevant items and nothing else give 1 - 0.8^10 = 0.89. RBPResid says what is open.
    Source: Moffat & Zobel 2008, Rank-biased precision for measurement of retrieval effectiveness, TOIS.
    Not in trec_eval 9; rbp of trec_eval 10 is graded, with p = 0.9.

    >>> round(RBP(p=0.5).of([1, 0, 1]), 4), round(RBP(p=0.5, k=2).of([1, 0, 1]), 4)
    (0.625, 0.5)
    >>> RBP(p=0.5, gain="linear").of([2, 1])
    0.625
    """

    at = "k"
    rises = True
    k: int | None = None
    p: float = 0.8
    rel: float = rel_field()
    gain: str | None = None
    max_rel: float | None = None

    def kernel(self, judged: Judged) -> Floats:
        top = judged.top(self.k).relevant(self.least)
        return top.sum(self.p ** (top.rank - 1) * (1 - self.p) * self._use(top.grade, judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        total = 0.0
        for rank, grade in enumerate(grades[: self.k], start=1):
            if self.gain is None:
                use = float(grade >= self.rel)
            else:
                use = gain_of(grade, self.gain, None) / gain_of(self.max_rel or max(gold), self.gain, None)
            total += (1 - self.p) * use * self.p ** (rank - 1)
        return total

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        hits = judged.relevant(self.least)
        groups = TieGroups.of(hits, self.k)
        use = groups.gather(self._use(hits.grade, judged))
        return groups.sum(use / groups.tied * attention(groups, self.p))

    @property
    def least(self) -> float:
        """The lowest grade that is worth something: `rel`, or any above 0 where grades count."""
        return self.rel if self.gain is None else SMALLEST_GAIN

    def _use(self, grade: Floats, judged: Judged) -> Floats:
        if self.gain is None:
            return np.ones(len(grade))
        highest = worth(np.array([top_grade(self, judged, self.max_rel)]), self.gain, None)
        return divide(worth(grade, self.gain, None), highest)


@measure("RBPResid", bounds=(0, 1))
class RankBiasedResidual(Measure):
    r"""How much RBP could still rise if everything without a judgment were relevant.

    $$ 1 - (1-p) \sum_i [\, g_i \text{ is known} \,] \, p^{\,i-1} $$

    The places after the end of a ranking, or after k, are open too: three judged items and nothing else leave
    0.8^3 = 0.512. Less is better, since it says how much of the value is guesswork; a query without a relevant
    item has a residual like any other. Grades below 0 mean pooled but not judged.
    Source: Moffat & Zobel 2008, Rank-biased precision for measurement of retrieval effectiveness, TOIS.
    Not in trec_eval 9; rbp_resid of trec_eval 10 is 0 once all retrieved items are judged.

    >>> RBPResid(p=0.5).of([1, None, 0])
    0.375
    """

    at = "k"
    worst = 1.0
    higher_is_better = False
    counts_empty = True
    k: int | None = None
    p: float = 0.8

    def kernel(self, judged: Judged) -> Floats:
        known = judged.top(self.k).judged()
        return 1 - known.sum(self.p ** (known.rank - 1) * (1 - self.p))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        weights = [(1 - self.p) * self.p**place for place in range(len(grades))]
        return 1 - math.fsum(
            weight
            for weight, grade in zip(weights[: self.k], grades[: self.k], strict=True)
            if grade != UNJUDGED and grade >= 0
        )

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        groups = TieGroups.of(judged.hits.judged(), self.k)
        return 1 - groups.sum(groups.holds / groups.tied * attention(groups, self.p))


def attention(groups: TieGroups, p: float) -> Floats:
    r"""Return the share of a user's attention that the places inside of each group get, shape (groups,).

    $$ (1-p) \sum_{x=1}^{m} p^{\,a+x-1} = p^a (1 - p^m) $$
    """
    share: Floats = np.power(p, groups.above) * -np.expm1(groups.inside * math.log(p))
    return share
