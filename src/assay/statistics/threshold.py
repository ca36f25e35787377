"""The score from which on labelled answers are right often enough, with a confidence that the search has paid for."""

import math
from dataclasses import dataclass

import numpy as np

from assay.core.judged import Flags, Floats
from assay.errors import ParameterError
from assay.statistics.distributions import beta_quantile

STEP = 1.5
"""Each set of labels that is tried is so many times smaller than the one before."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A score, and of the labels with it or a higher one how many there are and are right.

    `low` is the one-sided lower bound of the precision; after a search its confidence is shared by all `tried` cuts.
    """

    score: float
    labels: int
    right: int
    low: float
    tried: int = 1


def lower_bound(right: int, labels: int, confidence: float) -> float:
    """Return the exact lower bound of a share (Clopper and Pearson 1934, one-sided): 0 where nothing is right.

    >>> round(lower_bound(29, 29, 0.95), 4), lower_bound(0, 5, 0.95)
    (0.9019, 0.0)
    """
    return beta_quantile(1 - confidence, right, labels - right + 1) if right else 0.0


def cut_at(scores: Floats, right: Flags, score: float, confidence: float, tried: int = 1) -> Cut:
    """Return what labels say of a score that was fixed before they were looked at; shapes (labels,)."""
    above = scores >= score
    labels, hits = int(above.sum()), int(right[above].sum())
    low = lower_bound(hits, labels, 1 - (1 - confidence) / tried) if labels else 0.0
    return Cut(score, labels, hits, low, tried)


def threshold(scores: Floats, right: Flags, precision: float, confidence: float) -> Cut | None:
    """Return the lowest score above which the precision is at least the wanted one, or None.

    `scores` and `right` have the shape (labels,). The cuts that are tried follow from the number of labels alone: all
    of them, then 1.5 times fewer, and so on, as long as a set without an error could pass; ties are not cut. Their
    bounds share the error that is allowed (Bonferroni), so the one that is picked holds with the stated confidence.

    Raises
    ------
    ParameterError
        A precision or a confidence outside 0 to 1.

    >>> scores = np.arange(200.0)
    >>> found = threshold(scores, scores >= 100, 0.9, 0.95)
    >>> found.score, found.labels, found.right, found.tried
    (112.0, 88, 88, 5)
    """
    if not (0 < precision < 1 and 0 < confidence < 1):
        msg = f"threshold: expected a precision and a confidence between 0 and 1, found {precision} and {confidence}"
        raise ParameterError(msg)
    ranked = np.sort(scores)[::-1]
    sizes = _sizes(len(scores), precision, confidence)
    for size in sizes:
        found = cut_at(scores, right, float(ranked[size - 1]), confidence, len(sizes))
        if found.low >= precision:
            return found
    return None


def fewest(precision: float, confidence: float) -> int:
    """Return how many labels, all of them right, are needed to be sure of a precision.

    >>> fewest(0.9, 0.95)
    29
    """
    return math.ceil(math.log(1 - confidence) / math.log(precision) - 1e-9)


def _sizes(labels: int, precision: float, confidence: float) -> list[int]:
    """Return the numbers of labels to try, the largest first."""
    sizes: list[int] = []
    size = labels
    while size >= fewest(precision, confidence):
        sizes.append(size)
        size = min(int(size / STEP), size - 1)
    return sizes
