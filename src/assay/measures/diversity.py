"""Diversity: how much of all that a query may mean is met early, and met once rather than often."""

import math

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.aspects import AspectMeasure, Coverage
from assay.measures.base import divide, measure, rel_field
from assay.measures.parameters import cutoff_field

GREEDY = (0.0, math.e / (math.e - 1))
"""The bounds of what is divided by a greedy ideal: a greedy choice is worth at least 1 - 1/e of the best one."""


def by_logarithm(rank: Floats) -> Floats:
    """Return the discount of nDCG, shape as given."""
    return 1 / np.log2(rank + 1)


def by_rank(rank: Floats) -> Floats:
    """Return the discount of ERR, shape as given."""
    return 1 / rank


def each_place_all(alpha: float, k: int) -> Floats:
    """Return what k places add, for each aspect, if each holds an item that meets all aspects, shape (k,)."""
    return np.asarray((1 - alpha) ** np.arange(k, dtype=np.float64))


@measure("alpha_DCG", aliases=("αDCG", "α_DCG"), bounds=(0, 1))
class AlphaDCG(AspectMeasure):
    r"""Gain of the first k places, where an aspect counts less each time it is met again.

    $$ \alpha DCG@k = \frac{\sum_{i=1}^{k} \frac{1}{\log_2(i+1)} \sum_a r_{ai} (1-\alpha)^{m_{ai}}}
       {A \sum_{i=1}^{k} \frac{(1-\alpha)^{i-1}}{\log_2(i+1)}} $$

    r is 1 where the item at place i is relevant to aspect a, m counts the items relevant to it above, A the
    aspects with a relevant item. The paper has the sum above the line; ndeval divides it by what items that
    meet all aspects would give, so that queries of many aspects do not outweigh others (but not at k = 1).
    Source: Clarke et al. 2008, Novelty and Diversity in Information Retrieval Evaluation, SIGIR; scaled as by
    ndeval 4.5. Not in trec_eval.

    >>> alpha_DCG(k=1).of_aspects([{"a"}, {"b"}]), alpha_DCG(alpha=1, k=2).of_aspects([{"a", "b"}])
    (0.5, 1.0)
    """

    at = "k"
    needs_at = True
    k: int = cutoff_field()
    alpha: float = 0.5
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        places = by_logarithm(np.arange(1.0, self.k + 1))
        best = float((each_place_all(self.alpha, self.k) * places).sum())
        return divide(met.gain(self.alpha, self.k, by_logarithm), met.aspects * best)


@measure("alpha_nDCG", aliases=("αnDCG", "α_nDCG"), bounds=GREEDY)
class AlphaNDCG(AspectMeasure):
    r"""Gain of the first k places over that of an ideal order, where an aspect counts less when met again.

    $$ \alpha nDCG@k = \frac{\alpha DCG@k}{\text{greedy ideal } \alpha DCG@k}, \quad
       \alpha DCG@k = \sum_{i=1}^{k} \frac{1}{\log_2(i+1)} \sum_a r_{ai} (1-\alpha)^{m_{ai}} $$

    r is 1 where the item at place i is relevant to aspect a, m counts the items relevant to it above. The best
    order is hard to find, so the ideal takes the item that adds most, place by place, ties by id descending:
    now and then a ranking beats it and has a value above 1. With alpha = 0 nothing is lost by repetition.
    Source: Clarke et al. 2008, Novelty and Diversity in Information Retrieval Evaluation, SIGIR. Same value
    as ndeval alpha-nDCG. Not in trec_eval.

    >>> alpha_nDCG(k=2).of_aspects([{"a"}, {"b"}], missed=[{"a"}])
    1.0
    >>> round(alpha_nDCG(k=2).of_aspects([{"a"}, {"a"}], missed=[{"b"}]), 4)
    0.8066
    """

    at = "k"
    k: int | None = None
    alpha: float = 0.5
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        return divide(met.gain(self.alpha, self.k, by_logarithm), met.ideal_gain(self.alpha, self.k, by_logarithm))


@measure("ERR_IA", bounds=(0, 1))
class ErrIA(AspectMeasure):
    r"""Expected reciprocal rank of the place where a user stops, a mean over what users may want.

    $$ ERR\text{-}IA@k = \frac{\sum_{i=1}^{k} \frac{1}{i} \sum_a r_{ai} (1-\alpha)^{m_{ai}}}
       {A \sum_{i=1}^{k} \frac{(1-\alpha)^{i-1}}{i}} $$

    r is 1 where the item at place i is relevant to aspect a, m counts the items relevant to it above, A the
    aspects with a relevant item; all aspects are equally likely. ERR by itself never reaches 1: as in ndeval
    the sum is divided by what items that meet all aspects would give (which ndeval leaves out at k = 1).
    Source: Chapelle et al. 2009, Expected reciprocal rank for graded relevance, CIKM; scaled as by ndeval 4.5.
    Not in trec_eval.

    >>> ERR_IA(k=1).of_aspects([{"a"}, {"b"}]), ERR_IA(k=2).of_aspects([{"a"}, {"b"}])
    (0.5, 0.6)
    """

    at = "k"
    needs_at = True
    k: int = cutoff_field()
    alpha: float = 0.5
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        best = float((each_place_all(self.alpha, self.k) * by_rank(np.arange(1.0, self.k + 1))).sum())
        return divide(met.gain(self.alpha, self.k, by_rank), met.aspects * best)


@measure("nERR_IA", bounds=GREEDY)
class NormalizedErrIA(AspectMeasure):
    r"""Expected reciprocal rank over what users may want, divided by that of an ideal order.

    $$ nERR\text{-}IA@k = \frac{\sum_{i=1}^{k} \frac{1}{i} \sum_a r_{ai} (1-\alpha)^{m_{ai}}}
       {\text{the same of the greedy ideal}} $$

    r is 1 where the item at place i is relevant to aspect a, m counts the items relevant to it above. The
    ideal is that of `alpha_nDCG`: greedy, so that a value above 1 can occur.
    Source: Chapelle et al. 2009, Expected reciprocal rank for graded relevance, CIKM. Same value as ndeval
    nERR-IA. Not in trec_eval.

    >>> nERR_IA(k=2).of_aspects([{"b"}, {"a"}], missed=[{"a"}])
    1.0
    """

    at = "k"
    k: int | None = None
    alpha: float = 0.5
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        return divide(met.gain(self.alpha, self.k, by_rank), met.ideal_gain(self.alpha, self.k, by_rank))


@measure("NRBP", bounds=(0, 1))
class NoveltyRBP(AspectMeasure):
    r"""Rank-biased precision of a user with one of several aims, who is satisfied step by step.

    $$ NRBP = \frac{1 - (1-\alpha) p}{A} \sum_i p^{\,i-1} \sum_a r_{ai} (1-\alpha)^{m_{ai}} $$

    r is 1 where the item at place i is relevant to aspect a, m counts the items relevant to it above, A the
    aspects with a relevant item. The paper and ndeval call p beta. 1 would need endless items that meet all
    aspects; `nNRBP` compares with what there is.
    Source: Clarke, Kolla & Vechtomova 2009, An Effectiveness Measure for Ambiguous and Underspecified Queries,
    ICTIR. Same value as ndeval NRBP. Not in trec_eval.

    >>> NRBP().of_aspects([{"a", "b"}, {"a"}])
    0.84375
    """

    p: float = 0.5
    alpha: float = 0.5
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        total = met.gain(self.alpha, None, lambda rank: self.p ** (rank - 1))
        return divide(total * (1 - (1 - self.alpha) * self.p), met.aspects)


@measure("nNRBP", bounds=GREEDY)
class NormalizedNoveltyRBP(AspectMeasure):
    r"""Novelty- and rank-biased precision over that of an ideal order.

    $$ nNRBP = \frac{NRBP}{\text{NRBP of the greedy ideal}} $$

    The ideal is that of `alpha_nDCG`: greedy, so that a value above 1 can occur.
    Source: Clarke, Kolla & Vechtomova 2009, An Effectiveness Measure for Ambiguous and Underspecified Queries,
    ICTIR. Same value as ndeval nNRBP. Not in trec_eval.

    >>> round(nNRBP().of_aspects([{"a"}, {"a", "b"}]), 4)
    0.7778
    """

    p: float = 0.5
    alpha: float = 0.5
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        ideal = met.ideal_gain(self.alpha, None, lambda rank: self.p ** (rank - 1))
        return divide(met.gain(self.alpha, None, lambda rank: self.p ** (rank - 1)), ideal)
