"""A suspicion: the grades may run the wrong way, 1 for the best and higher numbers for worse (Cranfield)."""

import math

import numpy as np

from assay.core.gold import Gold
from assay.core.judged import Floats, Judged

FEWEST_GRADES = 3
"""With two grades above 0, counts say too little."""
FEWEST_FOUND = 20
CLEARLY = 2.0
"""How many standard errors the trend of ranks must lie above none."""


def looks_inverted(gold: Gold) -> bool:
    """Tell whether the gold alone looks as if 1 were the best grade.

    Three signs must agree: the scale leaves out 0 but has a grade below 0, so that its numbers read like
    codes; it has at least three grades above 0; and the lowest of them is the rarest, as the best one
    usually is.

    >>> grades = {"a": 1, "b": 2, "c": 2, "d": 3, "e": 3, "f": 4, "g": 4, "h": -1}
    >>> looks_inverted(Gold.from_mapping({"q": grades}))
    True
    """
    counts = gold.grades()
    positive = _positive(counts)
    codes = 0.0 not in counts and min(counts) < 0
    return codes and len(positive) >= FEWEST_GRADES and positive[min(positive)] == min(positive.values())


def suspect_inverted(judged: Judged, gold: Gold) -> bool:
    """Tell whether higher grades look worse, by the gold alone or by how a run ranks them.

    For the run two signs must agree, with at least three grades above 0: the lowest of them is rarer than
    the others on average, and the rank of retrieved items clearly rises with their grade.
    """
    if looks_inverted(gold):
        return True
    positive = _positive(gold.grades())
    if len(positive) < FEWEST_GRADES:
        return False
    lowest = min(positive)
    others = [count for grade, count in positive.items() if grade != lowest]
    found = judged.hits.relevant(lowest)
    if positive[lowest] >= np.mean(others) or len(found) < FEWEST_FOUND or np.ptp(found.grade) == 0:
        return False
    if np.ptp(found.rank) == 0:
        return False
    return _correlation(found.grade, np.log(found.rank)) * math.sqrt(len(found)) > CLEARLY


def _correlation(some: Floats, other: Floats) -> float:
    """Return Pearson's correlation; NumPy's own starts threads for so little."""
    x, y = some - some.mean(), other - other.mean()
    return float((x * y).sum() / math.sqrt((x * x).sum() * (y * y).sum()))


def _positive(counts: dict[float, int]) -> dict[float, int]:
    return {grade: count for grade, count in counts.items() if grade > 0}
