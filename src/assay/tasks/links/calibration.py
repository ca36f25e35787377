"""Scores of triples as probabilities: raw, by Platt and isotonic, measured on labels they were not fitted on."""

from collections.abc import Callable
from dataclasses import asdict

import numpy as np

from assay.core.judged import Flags, Floats
from assay.core.links_threshold import Calibration, ReliabilityBin
from assay.statistics.calibration import calibration_error, isotonic, platt, reliability, sigmoid

Labelled = tuple[Floats, Flags]
FITS: dict[str, Callable[[Floats, Flags], Callable[[Floats], Floats]]] = {
    "sigmoid": lambda _scores, _right: sigmoid,
    "platt": lambda scores, right: platt(scores, right).of,
    "isotonic": lambda scores, right: isotonic(scores, right).of,
}
BINS = 10


def calibrations_of(
    scores: Floats, right: Flags, check: Labelled | None = None, bins: int = BINS
) -> tuple[Calibration, ...]:  # fmt: skip
    """Measure each way from scores to probabilities; shapes (labels,).

    Fitted on the labels and measured on `check`. Without it, each half of the labels (every other one in the order of
    the scores) is measured by what the other half was fitted to. Empty where a half lacks right or wrong labels.

    >>> found = calibrations_of(np.array([-2.0, -1.0, 1.0, 2.0] * 9), np.array([False, False, True, True] * 9))
    >>> [(one.method, round(one.error, 3)) for one in found]
    [('sigmoid', 0.194), ('platt', 0.114), ('isotonic', 0.0)]
    """
    order = np.lexsort((right, scores))
    scores, right = scores[order], right[order]
    halves = [(scores[start::2], right[start::2]) for start in (0, 1)]
    parts = [((scores, right), check)] if check is not None else [(halves[0], halves[1]), (halves[1], halves[0])]
    if any(not len(labels) or labels.all() or not labels.any() for pair in parts for _, labels in pair):
        return ()
    return tuple(_measured(method, parts, bins) for method in FITS)


def _measured(method: str, parts: list[tuple[Labelled, Labelled]], bins: int) -> Calibration:
    stated = np.concatenate([FITS[method](*fitted)(asked[0]) for fitted, asked in parts])
    right = np.concatenate([asked[1] for _, asked in parts])
    found = reliability(stated, right, bins)
    return Calibration(
        method, calibration_error(found), float(np.square(stated - right).mean()), len(right),
        tuple(ReliabilityBin(**asdict(one)) for one in found),
    )  # fmt: skip
