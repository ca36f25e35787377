"""Precision: how much of what is shown is right."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field
from assay.measures.parameters import cutoff_field
from assay.measures.recall import CappedRecall
from assay.measures.tie_groups import expected_hits


@measure("P", aliases=("Precision",), trec="P_{k}", bounds=(0, 1))
class Precision(Measure):
    r"""Share of the first k places that hold a relevant item.

    $$ P@k = \frac{1}{k} \sum_{i=1}^{k} [\, g_i \ge rel \,] $$

    Places past the end of a short ranking count as not relevant.
    Source: van Rijsbergen 1979, Information Retrieval, ch. 7. Same value as trec_eval P_k.

    >>> P(k=4).of([1, 0, 2])
    0.5
    """

    at = "k"
    needs_at = True
    instead = " SetP is the precision of everything retrieved."
    rises = True
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return judged.top(self.k).relevant(self.rel).count() / self.k

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return sum(g >= self.rel for g in grades[: self.k]) / self.k

    def expected(self, judged: Judged) -> Floats:
        return expected_hits(judged, self.k, self.rel) / self.k

    def fraction(self, judged: Judged) -> tuple[Floats, Floats]:
        return judged.top(self.k).relevant(self.rel).count(), np.full(judged.queries, float(self.k))


@measure("RelP", aliases=("RelativePrecision",), trec="relative_P_{k}", bounds=(0, 1))
class RelativePrecision(CappedRecall):
    r"""Precision at k over the highest that k places can reach.

    $$ RelP@k = \frac{P@k}{\min(k, R)/k} = \frac{1}{\min(k, R)} \sum_{i=1}^{k} [\, g_i \ge rel \,] $$

    With one relevant item P@10 is at most 0.1; RelP@10 is then 1 when it is found. Same number as `RCap@k`.
    Source: trec_eval (Buckley, NIST), measure relative_P. Same value as its relative_P_k.

    >>> RelP(k=4).of([0, 1, 0, 0], gold=[1, 1, 0, 0])
    0.5
    """

    instead = " SetRelP is the relative precision of everything retrieved."

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        precision = sum(g >= self.rel for g in grades[: self.k]) / self.k
        return precision / (min(self.k, sum(g >= self.rel for g in gold)) / self.k)
