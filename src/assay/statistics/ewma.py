"""EWMA: a smoothed series with limits; each look counts less the older it is."""

import dataclasses
import math

import numpy as np

from assay.core.judged import Floats
from assay.errors import ParameterError
from assay.statistics.control_limits import Chart, Side, begins, control_chart

WEIGHT = 0.3
"""What the last look counts by default."""


def ewma(
    values: Floats,
    baseline: Floats,
    *,
    side: Side = "fall",
    weight: float = WEIGHT,
    alpha: float = 0.05,
    horizon: int = 90,
) -> Chart:
    r"""Return the chart of exponentially weighted moving averages of a series of looks, shape (looks,).

    $$ z_t = \lambda x_t + (1-\lambda) z_{t-1}, \quad z_0 = \mu_0, \quad \mathrm{alarm\ where\ }
    |z_t - \mu_0| > L \sigma \sqrt{\tfrac{\lambda}{2-\lambda} (1 - (1-\lambda)^{2t})} $$

    λ is the `weight` of the last look. The width of the limits is exact from the first look on. μ0 and σ come from
    `baseline`, shape (points,), and L is simulated as the limit of `cusum`, with the same promise under the same
    assumptions. `smoothed` is z, `low` and `high` are its limits, of which only that on the side watched alarms. A
    NaN is a look without a value: z stays. Source: Roberts 1959; Steiner 1999 for the exact width; Jones, Champ and
    Rigdon 2001 for the estimated baseline.

    Raises
    ------
    ParameterError
        A weight outside 0 to 1, an alpha outside .001 to .5, a horizon below 1 or above 10,000.
    UnknownNameError
        A side that does not exist.

    >>> import numpy as np
    >>> days = np.random.default_rng(0).normal(0.55, 0.02, 40)
    >>> days[35:] -= 0.05
    >>> chart = ewma(days[30:], days[:30])
    >>> chart.first, chart.onset, round(chart.limit, 1)
    (7, 5, 3.7)
    """
    if not 0 < weight <= 1:
        raise ParameterError(f"EWMA: expected a weight above 0 and up to 1, found {weight!r}")
    chart = control_chart(values, baseline, distances, weight, method="EWMA", side=side, alpha=alpha, horizon=horizon)
    if chart.mean is None or chart.sd is None or chart.limit is None:
        return chart
    width = np.full(len(values), np.nan)
    seen = np.flatnonzero(~np.isnan(values))
    for start in begins(len(seen), horizon):
        some = seen[start : start + horizon]
        width[some] = chart.sd * widths(len(some), weight)
    reach = chart.limit * width
    return dataclasses.replace(
        chart, smoothed=chart.mean - chart.fall * width, low=chart.mean - reach, high=chart.mean + reach
    )


def distances(points: Floats, weight: float) -> Floats:
    """Return how far smoothed points lie below 0, in their standard deviations; both of shape (looks, series).

    >>> distances(np.array([[-2.0], [0.0]]), 0.5).round(3).tolist()
    [[2.0], [0.894]]
    """
    found = np.empty_like(points)
    smoothed = np.zeros(points.shape[1])
    for look, row in enumerate(points):
        smoothed = found[look] = smoothed - weight * (smoothed + row)
    return np.asarray(found / widths(len(points), weight)[:, None])


def widths(looks: int, weight: float) -> Floats:
    """Return the standard deviation of the smoothed value at each look, in that of a point."""
    faded = (1 - weight) ** (2.0 * np.arange(1, looks + 1))
    return np.asarray(math.sqrt(weight / (2 - weight)) * np.sqrt(1 - faded))
