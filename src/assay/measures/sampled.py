"""Sampled pools: average precision, estimated from judgments that were drawn by chance."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.core.judged import Facets, Flags, Floats, Hits, Ints, Judged
from assay.measures.base import divide, measure, rel_field
from assay.measures.facets import FacetMeasure
from assay.measures.inferred import EPSILON
from assay.measures.tie_groups import total


def by_rank(facets: Facets) -> Facets:
    """Sort by query, then rank."""
    return facets.where(np.lexsort((facets.row, facets.rank, facets.query)))


def before(query: Ints, weights: Floats | Flags) -> Floats:
    """Return for each row the sum of the weights of its query's rows above it; rows stand by query, (rows,)."""
    numbers = weights.astype(np.float64)
    so_far = np.cumsum(numbers) - numbers
    new = np.diff(query, prepend=-1) != 0
    return np.asarray(so_far - so_far[new][np.cumsum(new) - 1])


@measure("statAP", aliases=("statMAP",), bounds=(0, math.inf))
class StatAP(FacetMeasure):
    r"""Average precision, estimated from judgments that were each drawn into the pool with a known probability.

    $$ statAP = \frac{1}{\hat R} \sum_{i \in S} \frac{1}{\pi_i} \cdot \frac{1}{rank_i}
       \Bigl( 1 + \sum_{j \in S,\, rank_j < rank_i} \frac{1}{\pi_j} \Bigr), \quad
       \hat R = \sum_{i \in S} \frac{1}{\pi_i} $$

    S are the relevant items that were drawn, pi their probabilities. The sum and the number of relevant items
    are unbiased where items are drawn independently; their ratio is so only for large samples, and may exceed
    1. The item itself counts 1 in the precision at its rank: it is there for certain once it is looked at.
    A probability of 0 marks an item that was judged outside the sample; it plays no part. With all
    probabilities 1 this is AP.
    Source: Aslam & Pavlu 2007, A Practical Sampling Strategy for Efficient Retrieval Evaluation, technical
    report; Horvitz & Thompson 1952. Not in trec_eval.

    >>> from assay import Gold, evaluate
    >>> import polars as pl
    >>> sample = {"query": ["1", "1"], "item": ["a", "b"], "grade": [1, 1], "probability": [0.5, 1.0]}
    >>> evaluate(Gold.from_frame(pl.DataFrame(sample)), {"1": {"c": 3, "b": 2, "a": 1}}, "statAP").mean
    {'statAP': 0.611111111111111}
    """

    rel: float = rel_field()

    def defined(self, judged: Judged) -> Flags:
        """Flag the queries for which a relevant item was drawn, shape (queries,)."""
        return np.bincount(self._drawn(judged).query, minlength=judged.queries) > 0

    def _drawn(self, judged: Judged) -> Facets:
        rows = judged.facets
        return by_rank(rows.where((rows.grade >= self.rel) & (rows.probability > 0)))

    def kernel(self, judged: Judged) -> Floats:
        drawn = self._drawn(judged)
        weight = 1 / drawn.probability
        precision = (1 + before(drawn.query, weight)) / drawn.rank
        right = total(drawn.query, weight, judged.queries)
        return divide(total(drawn.query, weight * precision, judged.queries), right)


@measure("xinfAP", aliases=("XinfAP",), bounds=(0, 1))
class ExtendedInferredAP(FacetMeasure):
    r"""Average precision, estimated where each stratum of the pool was judged by its own share.

    $$ xinfAP = \sum_s \frac{\hat R_s}{\hat R} \cdot \frac{1}{r_s} \sum_{i \in s :\, g_i \ge rel} \frac{1}{i}
       \Bigl( 1 + \sum_t N_{ti} \frac{r_{ti} + \varepsilon}{n_{ti} + 2 \varepsilon} \Bigr), \quad
       \hat R_s = N_s \frac{r_s}{n_s} $$

    Stratum s holds N pooled items, of which n were judged and r are relevant; those with the index i stand
    above place i, and epsilon is 0.00001. A grade below 0 marks an item as pooled and not judged; an item
    outside all strata is not relevant. With one stratum this is infAP, with all of the pool judged AP, up to
    epsilon.
    Source: Yilmaz, Kanoulas & Aslam 2008, A Simple and Efficient Sampling Method for Estimating AP and NDCG,
    SIGIR. Not in trec_eval.

    >>> from assay import Gold, evaluate
    >>> import polars as pl
    >>> pool = {"query": ["1"] * 4, "item": list("abcd"), "grade": [1, 0, -1, 1], "stratum": list("xyyy")}
    >>> values = evaluate(Gold.from_frame(pl.DataFrame(pool)), {"1": {"a": 3, "c": 2, "d": 1}}, "xinfAP").mean
    >>> round(values["xinfAP"], 4)
    0.9
    """

    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        pool = by_rank(judged.facets)
        strata = _Strata.of(pool, self.rel)
        relevant = pool.grade >= self.rel
        term = strata.precision(pool.query, pool.rank)[relevant] * strata.weight[strata.number[relevant]]
        right = total(strata.query, strata.weight * strata.relevant, judged.queries)
        return divide(total(pool.query[relevant], term, judged.queries), right)


@dataclass(frozen=True, slots=True)
class _Strata:
    """The strata of all queries: whose they are and what they hold.

    `number` is each row's stratum, shape (rows,); `query`, `relevant` and `weight`, the number of pooled items
    for each judged one, have the shape (strata,). `good` and `judged` flag rows.
    """

    number: Ints
    query: Ints
    relevant: Floats
    weight: Floats
    good: Flags
    judged: Flags

    @classmethod
    def of(cls, pool: Facets, rel: float) -> Self:
        """Count what the strata of rows hold."""
        pair = pool.query * (pool.group.max(initial=0) + 1) + pool.group
        _, first, number = np.unique(pair, return_index=True, return_inverse=True)
        good, judged = pool.grade >= rel, pool.grade >= min(0, rel)

        def count(weights: Flags | None) -> Floats:
            return np.bincount(number, weights, minlength=len(first)).astype(np.float64)

        weight = count(None) / np.maximum(count(judged), 1)
        return cls(number, pool.query[first], count(good), weight, good, judged)

    def precision(self, query: Ints, rank: Floats) -> Floats:
        """Return the precision that is expected at each row's rank, 0 where it was not retrieved, shape (rows,)."""
        likely = np.zeros(len(rank))
        turn = Hits.ranked(0, self.query, np.zeros(0)).above[self.number]
        for one in range(int(turn.max(initial=-1)) + 1):
            own = turn == one
            held, known, right = (before(query, rows) for rows in (own, own & self.judged, own & self.good))
            likely += held * (right + EPSILON) / (known + 2 * EPSILON)
        return (1 + likely) / rank
