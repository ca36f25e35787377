"""Recall: how much of what is right is shown."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, divide, measure, rel_field
from assay.measures.parameters import cutoff_field
from assay.measures.possible import Possible, open_places, share
from assay.measures.tie_groups import chance_all, expected_hits


@measure("R", aliases=("Recall",), trec="recall_{k}", bounds=(0, 1))
class Recall(Measure):
    r"""Share of all relevant items that stand within the first k places.

    $$ R@k = \frac{1}{R} \sum_{i=1}^{k} [\, g_i \ge rel \,] $$

    It cannot pass min(k, R)/R: with 5 relevant items R@3 is at most 0.6, which `RCap` puts right.
    Source: van Rijsbergen 1979, Information Retrieval, ch. 7. Same value as trec_eval recall_k.

    >>> R(k=2).of([1, 0, 2], gold=[1, 2, 1, 1, 0])
    0.25
    """

    at = "k"
    needs_at = True
    instead = " SetR is the recall of everything retrieved."
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return divide(*self.fraction(judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return sum(g >= self.rel for g in grades[: self.k]) / sum(g >= self.rel for g in gold)

    def expected(self, judged: Judged) -> Floats:
        found = expected_hits(judged, self.k, self.rel)
        return divide(found, judged.wanted(self.rel))

    def possible(self, judged: Judged) -> Possible:
        r"""Return the lowest value, h/(R + v), and the highest, (h + u)/(R + u), shapes (queries,)."""
        (found, wanted), (inside, beyond) = self.fraction(judged), open_places(judged, self.k)
        low, high = share(found, wanted + beyond), share(found + inside, wanted + inside)
        return Possible.of(judged, self.kernel(judged), low, high, exact=self.rel > 0)

    def fraction(self, judged: Judged) -> tuple[Floats, Floats]:
        return judged.top(self.k).relevant(self.rel).count(), judged.wanted(self.rel)


@measure("RCap", aliases=("R_cap", "CappedRecall"), bounds=(0, 1))
class CappedRecall(Measure):
    r"""Relevant items within the first k places, as a share of as many as can be there.

    $$ RCap@k = \frac{1}{\min(k, R)} \sum_{i=1}^{k} [\, g_i \ge rel \,] $$

    With 200 relevant items and all of the first 100 places right, R@100 is 0.5 and RCap@100 is 1. It is the
    same number as `RelP@k`, which reaches it from precision.
    Source: Thakur et al. 2021, BEIR, NeurIPS Datasets and Benchmarks (R_cap@k). Same value as trec_eval
    relative_P_k.

    >>> RCap(k=2).of([1, 0, 1], gold=[1, 1, 1])
    0.5
    """

    at = "k"
    needs_at = True
    instead = " SetR is the recall of everything retrieved."
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found = judged.top(self.k).relevant(self.rel).count()
        return divide(found, np.minimum(self.k, judged.wanted(self.rel)))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return sum(g >= self.rel for g in grades[: self.k]) / min(self.k, sum(g >= self.rel for g in gold))

    def expected(self, judged: Judged) -> Floats:
        found = expected_hits(judged, self.k, self.rel)
        return divide(found, np.minimum(self.k, judged.wanted(self.rel)))

    def possible(self, judged: Judged) -> Possible:
        """Return the lowest value, h/min(k, R + v), and the highest, (h + u)/min(k, R + u), shapes (queries,)."""
        inside, beyond = open_places(judged, self.k)
        found, wanted = judged.top(self.k).relevant(self.rel).count(), judged.wanted(self.rel)
        low = share(found, np.minimum(self.k, wanted + beyond))
        high = share(found + inside, np.minimum(self.k, wanted + inside))
        return Possible.of(judged, self.kernel(judged), low, high, exact=self.rel > 0)


@measure("Complete", aliases=("Completeness",), bounds=(0, 1))
class Complete(Measure):
    r"""Whether all relevant items stand within the first k places: 1 or 0.

    $$ Complete@k = [\, \textstyle\sum_{i=1}^{k} [\, g_i \ge rel \,] = R \,] $$

    The mean is the share of queries with nothing missing, which recall does not tell: ten queries with 49 of
    50 found have R 0.98 and Complete 0. A query with R > k is 0 here; MRecall@k would ask of it only k items.
    Source: Min et al. 2021, Joint Passage Ranking for Diverse Multi-Answer Retrieval, EMNLP (MRecall@k). Not
    in trec_eval.

    >>> Complete(k=3).of([1, 0, 2]), Complete(k=2).of([1, 0, 2])
    (1.0, 0.0)
    """

    at = "k"
    needs_at = True
    instead = " SetR is 1 where everything retrieved is complete."
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found = judged.top(self.k).relevant(self.rel).count()
        return np.where(found == judged.wanted(self.rel), 1.0, 0.0)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return float(sum(g >= self.rel for g in grades[: self.k]) == sum(g >= self.rel for g in gold))

    def expected(self, judged: Judged) -> Floats:
        return chance_all(judged, self.k, self.rel)

    def possible(self, judged: Judged) -> Possible:
        """Return the lowest value, 1 only if h = R and v = 0, and the highest, 1 if h = R, shapes (queries,)."""
        inside, beyond = open_places(judged, self.k)
        found, wanted = judged.top(self.k).relevant(self.rel).count(), judged.wanted(self.rel)
        high = np.where((found == wanted) & (wanted + inside > 0), 1.0, 0.0)
        return Possible.of(judged, self.kernel(judged), np.where(beyond > 0, 0.0, high), high, exact=self.rel > 0)


@measure("Rprec", aliases=("RPrec",), trec="Rprec", bounds=(0, 1))
class RPrecision(Measure):
    r"""Precision at the place R, where precision and recall are equal.

    $$ Rprec = \frac{1}{R} \sum_{i=1}^{R} [\, g_i \ge rel \,] $$

    A ranking shorter than R is divided by R all the same: 1 item, relevant, of R = 4 gives 0.25.
    Source: Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, sec. 8.4. Same value as
    trec_eval Rprec.

    >>> Rprec().of([1, 0, 1, 0], gold=[1, 1, 1, 0])
    0.6666666666666666
    """

    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        relevant, wanted = judged.relevant(self.rel), judged.wanted(self.rel)
        return divide(relevant.where(relevant.rank <= wanted[relevant.query]).count(), wanted)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        wanted = sum(g >= self.rel for g in gold)
        return sum(g >= self.rel for g in grades[:wanted]) / wanted

    def expected(self, judged: Judged) -> Floats:
        wanted = judged.wanted(self.rel)
        return divide(expected_hits(judged, wanted, self.rel), wanted)
