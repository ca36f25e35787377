"""Graded precision and recall, and the top grade that graded measures are scaled by."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.errors import ParameterError
from assay.measures.base import Measure, divide, measure
from assay.measures.parameters import cutoff_field
from assay.measures.possible import Possible, open_places, share
from assay.measures.tie_groups import expected_sum


def top_grade(measure: Measure, judged: Judged, max_rel: float | None) -> float:
    """Return the highest grade there can be: `max_rel` if given, else the highest in the whole gold.

    Raises
    ------
    ParameterError
        The gold holds a grade above `max_rel`.
    """
    found = judged.top_grade
    if max_rel is not None and found > max_rel:
        msg = f"{measure}: expected max_rel of at least {found:g}, the top grade of the gold, found {max_rel:g}"
        raise ParameterError(msg)
    return found if max_rel is None else float(max_rel)


@measure("GP", bounds=(0, 1))
class GradedPrecision(Measure):
    r"""Sum of the grades in the first k places, divided by k times the top grade.

    $$ GP@k = \frac{1}{k \, g_{max}} \sum_{i=1}^{k} \max(g_i, 0) $$

    The top grade is the highest of the whole gold, not of the query, unless `max_rel` says it: grades 1, 0
    give 0.5 where 1 is the top, 0.125 where some other query has a 4. A short ranking is divided by k too.
    Source: Kekäläinen & Järvelin 2002, Using graded relevance assessments in IR evaluation, JASIST 53(13).
    Not in trec_eval.

    >>> GP(k=4).of([2, 0, 1])
    0.375
    >>> GP(k=2, max_rel=4).of([1, 0])
    0.125
    """

    at = "k"
    needs_at = True
    rises = True
    k: int = cutoff_field()
    max_rel: float | None = None

    def kernel(self, judged: Judged) -> Floats:
        top = judged.top(self.k)
        return divide(top.sum(np.maximum(top.grade, 0)), self._best(judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        highest = self.max_rel or max(gold)
        return sum(g for g in grades[: self.k] if g > 0) / (self.k * highest) if highest > 0 else math.nan

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        return divide(expected_sum(judged.hits, self.k, np.maximum(judged.hits.grade, 0)), self._best(judged))

    def _best(self, judged: Judged) -> float:
        return self.k * top_grade(self, judged, self.max_rel)


@measure("GR", bounds=(0, 1))
class GradedRecall(Measure):
    r"""Sum of the grades in the first k places, divided by the sum of all grades of the query.

    $$ GR@k = \sum_{i=1}^{k} \max(g_i, 0) \Big/ \sum_{g \in gold} \max(g, 0) $$

    Grades weigh as they are written: one item of grade 4 is worth four of grade 1, so finding it alone of
    five such items gives 0.5.
    Source: Kekäläinen & Järvelin 2002, Using graded relevance assessments in IR evaluation, JASIST 53(13).
    Not in trec_eval.

    >>> GR(k=2).of([4, 0], gold=[4, 1, 1, 1, 1])
    0.5
    """

    at = "k"
    needs_at = True
    k: int = cutoff_field()

    def kernel(self, judged: Judged) -> Floats:
        top, ideal = judged.top(self.k), judged.ideal
        return divide(top.sum(np.maximum(top.grade, 0)), ideal.sum(np.maximum(ideal.grade, 0)))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        total = sum(g for g in gold if g > 0)
        return sum(g for g in grades[: self.k] if g > 0) / total if total else math.nan

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        hits, ideal = judged.hits, judged.ideal
        return divide(expected_sum(hits, self.k, np.maximum(hits.grade, 0)), ideal.sum(np.maximum(ideal.grade, 0)))

    def possible(self, judged: Judged) -> Possible:
        """Return the lowest value, all new grades beyond k, and the highest, all within, shapes (queries,)."""
        inside, beyond = (self.highest(judged) * places for places in open_places(judged, self.k))
        top, ideal = judged.top(self.k), judged.ideal
        found, total = top.sum(np.maximum(top.grade, 0)), ideal.sum(np.maximum(ideal.grade, 0))
        low, high = share(found, total + beyond), share(found + inside, total + inside)
        return Possible.of(judged, self.kernel(judged), low, high)
