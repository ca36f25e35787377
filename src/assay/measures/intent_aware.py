"""Intent-aware measures: the mean of a measure over the aspects of a query."""

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.aspects import AspectMeasure, Coverage
from assay.measures.base import divide, measure, rel_field
from assay.measures.parameters import cutoff_field


@measure("P_IA", bounds=(0, 1))
class PrecisionIA(AspectMeasure):
    r"""Mean over the aspects of the share of the first k places that are relevant to an aspect.

    $$ P\text{-}IA@k = \frac{1}{A \, k} \sum_{i=1}^{k} \sum_a r_{ai} $$

    r is 1 where the item at place i is relevant to aspect a, A counts the aspects with a relevant item: an
    aspect for which nothing was judged relevant is as if it had not been asked for.
    Source: Agrawal et al. 2009, Diversifying Search Results, WSDM. Same value as ndeval P-IA. Not in trec_eval.

    >>> P_IA(k=2).of_aspects([{"a", "b"}, {"b"}])
    0.75
    """

    at = "k"
    needs_at = True
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        return divide(met.sum(met.inside(self.k).astype(np.float64)), met.aspects * self.k)


@measure("AP_IA", aliases=("MAP_IA",), bounds=(0, 1))
class AveragePrecisionIA(AspectMeasure):
    r"""Mean over the aspects of the average precision for an aspect.

    $$ AP\text{-}IA = \frac{1}{A} \sum_a \frac{1}{R_a} \sum_i r_{ai} \frac{m_{ai} + 1}{i} $$

    r is 1 where the item at place i is relevant to aspect a, m counts the items relevant to it above, R those
    in the gold; A counts the aspects with a relevant item, all equally likely.
    Source: Agrawal et al. 2009, Diversifying Search Results, WSDM. Same value as ndeval MAP-IA. Not in
    trec_eval.

    >>> AP_IA().of_aspects([{"a"}, {"b"}, {"b"}], missed=[{"a"}])
    0.5416666666666666
    """

    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        return divide(met.sum((met.met + 1) / met.rank / met.relevant), met.aspects)


@measure("StRecall", aliases=("SRecall", "strec"), bounds=(0, 1))
class SubtopicRecall(AspectMeasure):
    r"""Share of the aspects that the first k places meet.

    $$ StRecall@k = \frac{1}{A} \, \bigl|\, \{\, a : r_{ai} = 1, \; i \le k \,\} \bigr| $$

    r is 1 where the item at place i is relevant to aspect a, A counts the aspects with a relevant item. One
    item may meet many aspects; how often one is met plays no part.
    Source: Zhai, Cohen & Lafferty 2003, Beyond Independent Relevance, SIGIR. Same value as ndeval strec. Not
    in trec_eval.

    >>> StRecall(k=2).of_aspects([{"a"}, {"a"}, {"b"}])
    0.5
    """

    at = "k"
    needs_at = True
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        met = Coverage.of(judged, self.rel)
        first = met.inside(self.k) & (met.met == 0)
        return divide(met.sum(first.astype(np.float64)), met.aspects)
