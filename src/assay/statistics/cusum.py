"""CUSUM: sums of what lies beyond an allowance; finds a small lasting change of level sooner than any single look."""

import math

import numpy as np

from assay.core.judged import Floats
from assay.errors import ParameterError
from assay.statistics.control_limits import Chart, Side, control_chart

ALLOWANCE = 1.0
"""The allowance by default: half of a change of two standard deviations, for which it is best."""


def cusum(
    values: Floats,
    baseline: Floats,
    *,
    side: Side = "fall",
    k: float = ALLOWANCE,
    alpha: float = 0.05,
    horizon: int = 90,
) -> Chart:
    r"""Return the CUSUM chart of a series of looks, such as daily means, shape (looks,).

    $$ S_t = \max\Bigl(0, S_{t-1} + \frac{\mu_0 - x_t}{\sigma} - k\Bigr), \quad \mathrm{alarm\ where\ } S_t > h $$

    is the sum of a fall; that of a rise has the other sign. μ0 and σ are the mean and the standard deviation of
    `baseline`, shape (points,); NaN is a look without a value. The allowance `k` is best for a change of 2k
    standard deviations. h is simulated (`control_limit`): at most a share `alpha` of stable series has an alarm
    within `horizon` looks, on the side watched (or on either of "both"), however far μ0 and σ are off by the
    chance of so few points. The k = .5 and h = 5 of textbooks, with 30 points, alarm in 20 % of stable quarters.

    It assumes independent, normally distributed looks. Where the same queries are asked of a system that answers the
    same each night, nothing varies: a paired test of two nights then says more. Several charts share an alpha.
    Source: Page 1954; for the estimated baseline Jones, Champ and Rigdon 2004.

    Raises
    ------
    ParameterError
        A k below 0, an alpha outside .001 to .5, a horizon below 1 or above 10,000.
    UnknownNameError
        A side that does not exist.

    >>> import numpy as np
    >>> days = np.random.default_rng(0).normal(0.55, 0.02, 40)
    >>> days[35:] -= 0.05
    >>> chart = cusum(days[30:], days[:30])
    >>> chart.first, chart.onset, round(chart.limit, 1)
    (6, 5, 3.9)
    """
    if not (k >= 0 and math.isfinite(k)):
        raise ParameterError(f"CUSUM: expected an allowance k of 0 or more, found {k!r}")
    return control_chart(values, baseline, sums, k, method="CUSUM", side=side, alpha=alpha, horizon=horizon)


def sums(points: Floats, k: float) -> Floats:
    """Return the sums towards a fall of standardised points; both of shape (looks, series).

    >>> sums(np.array([[-2.0], [-2.0], [3.0]]), 0.5).tolist()
    [[1.5], [3.0], [0.0]]
    """
    found = np.empty_like(points)
    above = np.zeros(points.shape[1])
    for look, row in enumerate(points):
        above = found[look] = np.maximum(0, above - row - k)
    return found
