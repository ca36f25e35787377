"""Coverage: how much of what is shown has been judged at all."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, divide, measure
from assay.measures.parameters import cutoff_field
from assay.measures.tie_groups import expected_count


@measure("Judged", bounds=(0, 1))
class JudgedShare(Measure):
    r"""Share of the first k places, of those that are filled, whose item has been judged.

    $$ Judged@k = \frac{1}{\min(k, n)} \sum_{i=1}^{\min(k, n)} [\, g_i \ge 0 \,] $$

    A grade below 0 means pooled but not judged: with grades 1, -1 and none, Judged@3 is 1/3. A query that
    retrieves nothing has no such share.
    Source: MacAvaney, Macdonald & Ounis 2022, Streamlining Evaluation with ir-measures, ECIR (where grades
    below 0 count as judged). Not in trec_eval, whose unj_k divides by k.

    >>> Judged(k=10).of([1, None, 0, -1])
    0.5
    """

    at = "k"
    needs_at = True
    counts_empty = True
    k: int = cutoff_field()

    def kernel(self, judged: Judged) -> Floats:
        return divide(judged.top(self.k).judged().count(), np.minimum(self.k, judged.retrieved))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        shown = grades[: self.k]
        return sum(g >= 0 for g in shown) / len(shown) if shown else float("nan")

    def expected(self, judged: Judged) -> Floats:
        return divide(expected_count(judged.hits.judged(), self.k), np.minimum(self.k, judged.retrieved))


@measure("Unj", aliases=("Unjudged",), trec="unj_{k}", bounds=(0, 1))
class Unjudged(Measure):
    r"""Share of k places that hold an item without a judgment.

    $$ Unj@k = \frac{1}{k} \sum_{i=1}^{\min(k, n)} [\, g_i < 0 \text{ or none} \,] $$

    Divided by k even where fewer are retrieved: 2 unjudged items and nothing else give Unj@5 0.4, not 1. A
    grade below 0 means pooled but not judged.
    Source: trec_eval 10 (NIST), measure unj. Same value as its unj_k.

    >>> Unj(k=5).of([None, 0, 1, -1, 0])
    0.4
    """

    at = "k"
    needs_at = True
    counts_empty = True
    higher_is_better = False
    k: int = cutoff_field()

    def kernel(self, judged: Judged) -> Floats:
        return (np.minimum(self.k, judged.retrieved) - judged.top(self.k).judged().count()) / self.k

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return sum(g < 0 for g in grades[: self.k]) / self.k

    def expected(self, judged: Judged) -> Floats:
        return (np.minimum(self.k, judged.retrieved) - expected_count(judged.hits.judged(), self.k)) / self.k
