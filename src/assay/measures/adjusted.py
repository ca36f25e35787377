"""Rank statistics of link prediction, held against what a random order of the candidates would give."""

import math
from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Ints, Judged
from assay.errors import ParameterError, UnsupportedError
from assay.measures.base import Measure, divide, measure, record, rel_field
from assay.measures.hit_rate import HitRate
from assay.measures.parameters import cutoff_field
from assay.measures.rank_statistics import MeanRank
from assay.measures.reciprocal_rank import ReciprocalRank, expected_reciprocal
from assay.measures.tie_groups import chance_of_none


@record
class Adjusted(Measure):
    """A measure that is held against its mean over all orders of the candidates.

    The number of candidates of each query comes with the ranks (`Judged.candidates`), or is said with `collection`.
    The figure of link prediction is a ratio of sums over queries (`fraction`): the micro average.
    """

    needs_candidates = True
    worst = None
    collection: int = 0
    rel: float = rel_field()

    @abstractmethod
    def plain(self) -> Measure:
        """Return the measure that is adjusted."""

    @abstractmethod
    def against_chance(self, value: Floats, candidates: Ints, relevant: Ints) -> tuple[Floats, Floats]:
        """Return what stands above and below the line, from the value of the plain measure, (queries,) both."""

    def kernel(self, judged: Judged) -> Floats:
        return divide(*self.fraction(judged))

    def expected(self, judged: Judged) -> Floats:
        return divide(*self.against_chance(self.plain().expected(judged), *self._sizes(judged)))

    def fraction(self, judged: Judged) -> tuple[Floats, Floats]:
        return self.against_chance(self.plain().kernel(judged), *self._sizes(judged))

    def _sizes(self, judged: Judged) -> tuple[Ints, Ints]:
        """Return how many candidates each query has, and how many of them are relevant, shapes (queries,)."""
        relevant = judged.wanted(self.rel).astype(np.int64)
        candidates = np.full(judged.queries, self.collection) if self.collection else judged.candidates
        if candidates is None:
            msg = f"{self}: expected the number of candidates of each query, found ranks that do not say it"
            raise UnsupportedError(msg, hint=f"link prediction counts them; {self.name}(collection=1000) says it.")
        hits = judged.hits
        lowest = (hits.above + hits.tied) > candidates[hits.query]
        if lowest.any() or (relevant > candidates).any():
            msg = f"{self}: expected as many candidates as ranks, found a query with {candidates.min()} candidates"
            raise ParameterError(msg)
        return candidates.astype(np.int64), relevant


@measure("AMR", aliases=("AdjustedMeanRank",), bounds=(0, 2))
class AdjustedMeanRank(Adjusted):
    r"""Mean rank as a share of the mean rank that a random order of the n candidates would give.

    $$ AMR = MR \Big/ \frac{n + 1}{2} $$

    A random order has 1, lower is better. Over several queries it is the sum of mean ranks divided by the sum of
    expected ones. A relevant item without a rank leaves the query undefined, as in MR. Link prediction counts n;
    elsewhere `collection` says it.
    Source: Berrendorf et al. 2020, On the Ambiguity of Rank-Based Evaluation of Entity Alignment or Link
    Prediction Methods. Not in trec_eval.

    >>> AMR(collection=9).of([0, 1, 0])
    0.4
    """

    higher_is_better = False

    def plain(self) -> Measure:
        return MeanRank(rel=self.rel)

    def against_chance(self, value: Floats, candidates: Ints, relevant: Ints) -> tuple[Floats, Floats]:
        return value, (candidates + 1) / 2

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return self.plain().by_the_book(grades, gold) / ((self.collection + 1) / 2)


@measure("AMRI", aliases=("AdjustedMeanRankIndex",), bounds=(-1, 1))
class AdjustedMeanRankIndex(Adjusted):
    r"""How far the mean rank is from that of a random order of the n candidates to the best one.

    $$ AMRI = 1 - \frac{MR - (R + 1)/2}{(n + 1)/2 - (R + 1)/2} $$

    With one relevant item, R = 1, this is 1 - (MR - 1)/(E - 1) with the expected rank E = (n + 1)/2. The best order
    has 1, a random one 0, the worst -1. Undefined where every candidate is relevant. Link prediction counts n;
    elsewhere `collection` says it.
    Source: Berrendorf et al. 2020, On the Ambiguity of Rank-Based Evaluation of Entity Alignment or Link
    Prediction Methods. Not in trec_eval.

    >>> AMRI(collection=9).of([0, 1, 0])
    0.75
    """

    def plain(self) -> Measure:
        return MeanRank(rel=self.rel)

    def against_chance(self, value: Floats, candidates: Ints, relevant: Ints) -> tuple[Floats, Floats]:
        return (candidates + 1) / 2 - value, (candidates - relevant) / 2

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        wanted = sum(g >= self.rel for g in gold)
        if wanted == self.collection:
            return math.nan
        best, chance = (wanted + 1) / 2, (self.collection + 1) / 2
        return 1 - (self.plain().by_the_book(grades, gold) - best) / (chance - best)


@measure("AdjustedMRR", aliases=("AdjustedRR", "AMRR"), bounds=(-math.inf, 1))
class AdjustedReciprocalRank(Adjusted):
    r"""Reciprocal rank, shifted and scaled so that a random order of the n candidates has 0 and the best order 1.

    $$ AdjustedMRR = \frac{RR - E}{1 - E}, \quad E = \sum_{i=1}^{n-R+1} \frac{1}{i}
       \binom{n-i}{R-1} \Big/ \binom{n}{R} $$

    With one relevant item E is H(n)/n, the harmonic number over n. Below 0 is worse than chance. Undefined where
    every order has 1. Link prediction counts n; elsewhere `collection` says it.
    Source: Hoyt et al. 2022, A Unified Framework for Rank-based Evaluation Metrics for Link Prediction in
    Knowledge Graphs. Not in trec_eval.

    >>> AdjustedMRR(collection=4).of([1, 0]), round(AdjustedMRR(collection=4).of([0, 1]), 4)
    (1.0, -0.0435)
    """

    def plain(self) -> Measure:
        return ReciprocalRank(rel=self.rel)

    def against_chance(self, value: Floats, candidates: Ints, relevant: Ints) -> tuple[Floats, Floats]:
        width = int(relevant.max(initial=0)) + 1
        pairs, which = np.unique(candidates * width + relevant, return_inverse=True)
        tied, holds = pairs // width, pairs % width
        some = holds > 0
        chance = np.full(len(pairs), np.nan)
        chance[some] = expected_reciprocal(np.zeros_like(tied[some]), tied[some], holds[some], tied[some])
        return value - chance[which], 1 - chance[which]

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        wanted, many = sum(g >= self.rel for g in gold), self.collection
        if wanted == many:
            return math.nan
        first = [math.comb(many - i, wanted - 1) / math.comb(many, wanted) for i in range(1, many - wanted + 2)]
        chance = sum(likely / i for i, likely in enumerate(first, start=1))
        return (self.plain().by_the_book(grades, gold) - chance) / (1 - chance)


@measure("AdjustedHits", aliases=("AdjustedHR", "AHits"), bounds=(-math.inf, 1))
class AdjustedHitRate(Adjusted):
    r"""Hit rate, shifted and scaled so that a random order of the n candidates has 0 and the best order 1.

    $$ AdjustedHits@k = \frac{HR@k - E}{1 - E}, \quad E = 1 - \binom{n-R}{k} \Big/ \binom{n}{k} $$

    With one relevant item E is min(k, n)/n. Undefined where every order has a hit, as with no more than k
    candidates. Link prediction counts n; elsewhere `collection` says it.
    Source: Hoyt et al. 2022, A Unified Framework for Rank-based Evaluation Metrics for Link Prediction in
    Knowledge Graphs. Not in trec_eval.

    >>> AdjustedHits(k=1, collection=2).of([1, 0]), AdjustedHits(k=1, collection=2).of([0, 1])
    (1.0, -1.0)
    """

    at = "k"
    needs_at = True
    instead = " AdjustedHits@1 asks for the first place alone."
    k: int = cutoff_field()

    def plain(self) -> Measure:
        return HitRate(k=self.k, rel=self.rel)

    def against_chance(self, value: Floats, candidates: Ints, relevant: Ints) -> tuple[Floats, Floats]:
        none = chance_of_none(candidates, relevant, np.minimum(self.k, candidates))
        return value - (1 - none), none

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        wanted, many = sum(g >= self.rel for g in gold), self.collection
        none = math.comb(many - wanted, self.k) / math.comb(many, self.k) if self.k <= many else 0.0
        return (self.plain().by_the_book(grades, gold) - (1 - none)) / none if none else math.nan
