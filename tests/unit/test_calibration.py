"""Probabilities from scores: where the way to the best fit is steep, what is refused, and intervals at their border."""

import numpy as np
import pytest

from assay.errors import ParameterError
from assay.statistics.calibration import isotonic, platt, reliability
from assay.statistics.share_intervals import beta_quantile, highest_density

RIGHT = np.array([False, True, False, False, False, False, False])
SCORES = np.array([10_000, -0.28, 0.04, -0.48, -0.78, -0.18, 0.2])
"""One score lies so far out that a whole step of Newton's method goes beyond the best fit."""


def misfit(slope, shift):
    """How badly a sigmoid says the labels, one right and six wrong, each drawn towards the other as Platt does."""
    wanted = np.where(RIGHT, 2 / 3, 1 / 8)
    value = slope * SCORES + shift
    return float((np.logaddexp(0, value) - wanted * value).sum())


def test_no_other_sigmoid_fits_better_though_one_score_lies_far_out():
    fit = platt(SCORES, RIGHT)
    best = misfit(fit.slope, fit.shift)
    for change in (1e-3, 1e-2, 1e-1):
        for slope, shift in ((change, 0), (-change, 0), (0, change), (0, -change)):
            assert misfit(fit.slope * (1 + slope), fit.shift * (1 + shift)) > best


def test_a_bin_at_least():
    with pytest.raises(ParameterError, match="calibration: expected at least 1 bin, found 0"):
        reliability(np.array([0.1, 0.9]), np.array([False, True]), 0)


@pytest.mark.parametrize("fit", [platt, isotonic])
@pytest.mark.parametrize(
    ("scores", "right", "words"),
    [
        ([1.0, np.nan], [True, False], "expected a finite score for each of some labels"),
        ([1.0], [True, False], "expected a finite score for each of some labels"),
        ([], [], "expected a finite score for each of some labels"),
        ([1.0, 2.0], [True, True], "expected right and wrong labels, found only one of them"),
        ([1.0, 2.0], [False, False], "expected right and wrong labels, found only one of them"),
    ],
)
def test_what_cannot_be_calibrated(fit, scores, right, words):
    with pytest.raises(ParameterError, match=words):
        fit(np.array(scores), np.array(right, bool))


def test_a_posterior_that_is_highest_all_but_at_1_has_its_interval_there():
    """Of 10 units all but half a one are right: Beta(10, 1) rises to 1, and half a unit more would bend it down."""
    low, high = highest_density(0.95, 10, 0.95)
    assert low == pytest.approx(beta_quantile(0.05, 10, 1), rel=1e-9)
    assert high == pytest.approx(1, rel=1e-9)
