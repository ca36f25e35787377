"""Rank-biased precision as trec_eval 10 has it: scaled by each query's own top grade."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure
from assay.measures.dcg import Gains, OfGains, gain_of, worth
from assay.measures.rbp import RankBiasedResidual, attention
from assay.measures.tie_groups import TieGroups


@measure("TopicRBP", trec="rbp", bounds=(0, 1))
class TopicRankBiasedPrecision(OfGains):
    r"""Rank-biased precision by grades, divided by the query's own top grade where that is above 1.

    $$ (1-p) \sum_i \frac{\max(g_i, 0)}{\max(1, g_{max})} \, p^{\,i-1} $$

    The top grade is that of the query's own judgments, so that a grade of 2 is worth 1 for one query and a
    half for another: means over queries mix scales. RBP(gain='linear') divides by the top grade of the whole
    gold. `gains` sets single grades.
    Source: trec_eval 10 (NIST 2026), measure rbp, after Moffat & Zobel 2008, Rank-biased precision for
    measurement of retrieval effectiveness, TOIS. Same value, as long as its unset limits happen to be 0.

    >>> TopicRBP(p=0.5).of([1, 0, 1]), TopicRBP(p=0.5).of([1, 2])
    (0.625, 0.5)
    """

    p: float = 0.9
    gains: Gains = None

    def kernel(self, judged: Judged) -> Floats:
        use = worth(judged.hits.grade, "linear", self.gains)
        total = judged.hits.sum(use * self.p ** (judged.hits.rank - 1))
        return (1 - self.p) * total / self._top(judged)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        named = [gain for _, gain in self.gains or ()]
        top = max([1, *named, *(gain_of(grade, "linear", self.gains) for grade in gold)])
        terms = [gain_of(grade, "linear", self.gains) / top * self.p**place for place, grade in enumerate(grades)]
        return (1 - self.p) * math.fsum(terms)

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        groups = TieGroups.of(judged.hits)
        use = groups.gather(worth(judged.hits.grade, "linear", self.gains))
        return groups.sum(use / groups.tied * attention(groups, self.p)) / self._top(judged)

    def _top(self, judged: Judged) -> Floats:
        top = np.full(judged.queries, max(1.0, *(float(gain) for _, gain in self.gains or ((0, 1),))))
        np.maximum.at(top, judged.ideal.query, worth(judged.ideal.grade, "linear", self.gains))
        return top


@measure("TopicRBPResid", trec="rbp_resid", bounds=(0, 1))
class TopicRankBiasedResidual(Measure):
    r"""How much RBP is left open by a ranking that holds an item without a judgment, else 0.

    $$ [\, u > 0 \,] \Big( 1 - (1-p) \sum_i [\, g_i \ge 0 \,] \, p^{\,i-1} \Big),
       \quad u = |\{\, i : g_i \text{ unknown} \,\}| $$

    With p = 0.9 three judged items leave 0.729 open, the places after them, but have 0 here; one item without
    a judgment below them makes it 0.729. RBPResid has no such step.
    Source: trec_eval 10 (NIST 2026), measure rbp_resid, after Moffat & Zobel 2008, TOIS. Same value.

    >>> TopicRBPResid(p=0.5).of([1, None, 0]), TopicRBPResid(p=0.5).of([1, 0, 0])
    (0.375, 0.0)
    """

    counts_empty = True
    higher_is_better = False
    p: float = 0.9

    def kernel(self, judged: Judged) -> Floats:
        return self._where_open(judged, RankBiasedResidual(p=self.p).kernel(judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        unknown = [self.p**place for place, grade in enumerate(grades) if grade < 0]
        return self.p ** len(grades) + (1 - self.p) * math.fsum(unknown) if unknown else 0.0

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        return self._where_open(judged, RankBiasedResidual(p=self.p).expected(judged))

    def _where_open(self, judged: Judged, values: Floats) -> Floats:
        return np.where(judged.hits.judged().count() < judged.retrieved, values, 0.0)
