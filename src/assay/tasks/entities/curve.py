"""Precision, recall and the ROC of scored pairs at every threshold."""

import numpy as np

from assay.core.entities_pairs import Curve, ThresholdPoint
from assay.core.judged import Flags, Floats, Ints


def threshold_curve(scores: Floats, match: Flags, true: int, possible: int | None, points: int = 200) -> Curve | None:
    r"""Return what each threshold comes to; `scores` and `match` have the shape (pairs,). None without pairs.

    Pairs with the same score are proposed together. With P_i and R_i at the i-th highest score:

    $$ AP = \sum_i (R_i - R_{i-1}) P_i, \quad
    ROC = \frac{\sum_{g} p_g (n_{<g} + n_g / 2)}{p \, n} $$

    p_g of the p true pairs and n_g of the n others have the score g, n_{<g} of them a lower one.

    >>> found = threshold_curve(np.array([0.9, 0.8, 0.7]), np.array([True, False, True]), true=3, possible=10)
    >>> found.best.threshold, found.best.f1, round(found.average_precision, 4), found.roc_area_proposed
    (0.7, 0.6666666666666666, 0.5556, 0.5)
    """
    if not len(scores):
        return None
    order = np.argsort(-scores, kind="stable")
    ranked, hit = scores[order], match[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    hits = np.cumsum(hit, dtype=np.int64)[last]
    wrong = last + 1 - hits
    others = None if possible is None else possible - true
    f1 = 2 * hits / (hits + wrong + true)
    best = int(np.argmax(f1))
    shown = np.unique(np.append(_spread(last, points), best))
    made = [_point(float(ranked[last[at]]), int(hits[at]), int(wrong[at]), true, others) for at in [best, *shown]]
    precision, gained = hits / (last + 1), np.diff(hits, prepend=0)
    return Curve(
        points=tuple(made[1:]),
        thresholds=len(last),
        best=made[0],
        average_precision=float((gained * precision).sum()) / true if true else None,
        roc_area=None if others is None else _roc(np.append(hits, true), np.append(wrong, others)),
        roc_area_proposed=_roc(hits, wrong),
    )


def _spread(last: Ints, points: int) -> Ints:
    """Return the places of so many thresholds, spread evenly over the pairs; first and last are among them."""
    if len(last) <= points:
        return np.arange(len(last))
    places = np.searchsorted(last, np.linspace(last[0], last[-1], max(points, 2)))
    return np.unique(np.append(places, [0, len(last) - 1]))


def _point(threshold: float, hits: int, wrong: int, true: int, others: int | None) -> ThresholdPoint:
    return ThresholdPoint(
        threshold=threshold,
        true_positives=hits,
        false_positives=wrong,
        precision=hits / (hits + wrong),
        recall=hits / true if true else None,
        f1=2 * hits / (hits + wrong + true),
        false_positive_rate=wrong / others if others else None,
    )


def _roc(hits: Ints, wrong: Ints) -> float | None:
    """Return the area under the ROC from how many right and wrong pairs have at least each score."""
    right, others = int(hits[-1]), int(wrong[-1])
    if not (right and others):
        return None
    gained, lost = np.diff(hits, prepend=0), np.diff(wrong, prepend=0)
    above = others - wrong + lost / 2
    return float((gained * above).sum()) / (right * others)
