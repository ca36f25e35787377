"""Interpolated precision: the best precision that is still to come once a share of the relevant is found."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field
from assay.measures.parameters import cutoff_field

Rounding = Literal["ceil", "trunc", "round"]
LEVELS = tuple(tenth / 10 for tenth in range(11))
"""The eleven levels of recall: 0, 0.1 … 1."""


def needed(recall: float, relevant: int, rounding: Rounding) -> int:
    """Return how many relevant items must be found to reach a level of recall.

    The level is the decimal fraction that was typed, not its neighbour in binary: 0.1 of 30 is 3.

    >>> [needed(0.35, 3, rounding) for rounding in ("ceil", "trunc", "round")], needed(0.1, 30, "ceil")
    ([2, 1, 1], 3)
    """
    if rounding == "ceil":
        return math.ceil(Fraction(str(recall)) * relevant)
    return int(recall * relevant + 0.9) if rounding == "trunc" else round_half_up(recall * relevant)


def round_half_up(number: float) -> int:
    """Round to the nearest whole number, halves up, as C's lround does for numbers from 0.

    >>> round_half_up(2.5), round_half_up(0.49999999999999994)
    (3, 0)
    """
    whole = math.floor(number)
    return whole + (number - whole >= 0.5)


def interpolate(judged: Judged, rel: float, levels: Sequence[float], rounding: Rounding) -> Floats:
    """Return the mean of the interpolated precision at some levels of recall, shape (queries,)."""
    relevant, wanted = judged.relevant(rel), judged.ideal.relevant(rel).count()
    position = relevant.position()
    precision, start = position / relevant.rank, np.flatnonzero(position == 1)
    sizes, which = np.unique(wanted, return_inverse=True)
    total = np.zeros(judged.queries)
    for recall in levels if len(start) else ():
        need = np.array([needed(recall, int(size), rounding) for size in sizes], np.int64)[which]
        reached = np.where(position >= need[relevant.query], precision, 0.0)
        total[relevant.query[start]] += np.maximum.reduceat(reached, start)
    return np.where(wanted > 0, total / len(levels), np.nan)


@measure("IPrec", aliases=("IPrecision",), trec="iprec_at_recall_{recall}", bounds=(0, 1))
class InterpolatedPrecision(Measure):
    r"""Highest precision at any place from which on the recall is at least r.

    $$ IPrec@r = \max_{i :\, h_i \ge \lceil r R \rceil} \frac{h_i}{i},
       \quad h_i = \sum_{j=1}^{i} [\, g_j \ge rel \,] $$

    0 where that recall is never reached. r is a decimal fraction, so that 0.1 of 30 items is 3. trec_eval 9
    needs trunc(rR + 0.9) items (`rounding='trunc'`) and trec_eval 10 the nearest number (`rounding='round'`):
    for r = 0.35 and R = 3 both ask for 1 item, a recall of 0.33, where 2 are needed.
    Source: Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, sec. 8.4. Same value as
    trec_eval iprec_at_recall where the three agree.

    >>> IPrec(recall=0.5).of([0, 1, 1, 0, 0, 1])
    0.6666666666666666
    """

    at = "recall"
    needs_at = True
    instead = " 11pt is the mean over eleven levels of recall."
    recall: float = cutoff_field()
    rel: float = rel_field()
    rounding: Rounding = "ceil"

    def kernel(self, judged: Judged) -> Floats:
        return interpolate(judged, self.rel, [self.recall], self.rounding)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return best_from(grades, gold, self.rel, self.recall, self.rounding)


@measure("11pt", aliases=("IPrec11", "ElevenPoint"), trec="11pt_avg", bounds=(0, 1))
class ElevenPoint(Measure):
    r"""Mean of the interpolated precision at the recalls 0, 0.1 … 1.

    $$ 11pt = \frac{1}{11} \sum_{t=0}^{10} IPrec@\tfrac{t}{10} $$

    A level that is never reached counts 0: one item found, first of R = 2, reaches six levels and gives 6/11.
    Source: Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, sec. 8.4. Same value as
    trec_eval 11pt_avg with the `rounding` of its version (see IPrec).

    >>> parse("11pt").of([1], gold=[1, 1])
    0.5454545454545454
    """

    rel: float = rel_field()
    rounding: Rounding = "ceil"

    def kernel(self, judged: Judged) -> Floats:
        return interpolate(judged, self.rel, LEVELS, self.rounding)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        levels = [best_from(grades, gold, self.rel, recall, self.rounding) for recall in LEVELS]
        return sum(levels) / len(levels)


def best_from(grades: Sequence[float], gold: Sequence[float], rel: float, recall: float, rounding: Rounding) -> float:
    """Return the interpolated precision of one ranking, place by place."""
    need = needed(recall, sum(g >= rel for g in gold), rounding)
    found, best = 0, 0.0
    for place, grade in enumerate(grades, 1):
        found += grade >= rel
        if found >= need:
            best = max(best, found / place)
    return best
