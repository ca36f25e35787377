"""Ends of bootstrap intervals: where they lie among the sorted figures of resamples."""

import math
from statistics import NormalDist

import numpy as np

from assay.core.judged import Flags, Floats
from assay.statistics.distributions import t_quantile
from assay.statistics.effect import skewnesses
from assay.statistics.resampling import resampled_means
from assay.statistics.units import Units

_NORMAL = NormalDist()


def bootstrap_ends(
    units: Units, level: float, resamples: int, seed: int, *, corrected: bool
) -> tuple[Floats, Floats, Flags]:
    r"""Return the low ends, the high ends and whether each is BCa; all of shape (series,).

    The percentile interval lies between two shares of the sorted means of resamples. BCa, bias-corrected and
    accelerated, moves these shares:

    $$ \Phi(z) \to \Phi\Bigl(z_0 + \frac{z_0 + z}{1 - a (z_0 + z)}\Bigr), \quad z = \pm \sqrt{n/(n-1)} \; t_{n-1} $$

    z0 comes from the share of resampled means below the mean (half of those equal to it), a from the jackknife
    over units. Where all resamples lie on one side, or a is too large, the percentile interval is what is left.
    Resamples of n units vary less than n units do; so z is not the quantile of the normal distribution but what
    makes up for that (`wide`). Source: Efron 1987; Hesterberg 2015 for z.
    """
    series = units.above.shape[1]
    low, high, bca = np.empty(series), np.empty(series), np.zeros(series, np.bool_)
    for block, means in resampled_means(units, resamples, seed):
        means.sort(axis=1)
        shares, bca[block] = _shares(units.select(block), means, level, corrected=corrected)
        low[block], high[block] = _at(means, shares[:, 0]), _at(means, shares[:, 1])
    return low, high, bca


def wide(level: float, units: int) -> float:
    """Return how many standard deviations of resampled means the ends lie from the middle; 1.96 for many units.

    >>> round(wide(0.95, 10_000), 3), round(wide(0.95, 50), 3)
    (1.96, 2.03)
    """
    return t_quantile((1 + level) / 2, units - 1) * math.sqrt(units / (units - 1))


def tails(level: float, units: int) -> tuple[float, float]:
    """Return the shares of sorted figures of resamples that the ends of a percentile interval lie at."""
    reach = wide(level, units)
    return _NORMAL.cdf(-reach), _NORMAL.cdf(reach)


def _shares(units: Units, means: Floats, level: float, *, corrected: bool) -> tuple[Floats, Flags]:
    """Return which shares of the sorted means lie below the ends, of shape (series, 2), and which are BCa."""
    plain = np.tile(tails(level, len(units)), (len(means), 1))
    if not corrected:
        return plain, np.zeros(len(means), np.bool_)
    reach = wide(level, len(units))
    below = _share_below(means, units.mean)
    inside = (below > 0) & (below < 1)
    bias = np.array([_NORMAL.inv_cdf(share) if fine else 0.0 for share, fine in zip(below, inside, strict=True)])
    moved = bias[:, None] + np.array([-reach, reach])
    room = 1 - _acceleration(units)[:, None] * moved
    bca = inside & (room > 0).all(axis=1)
    ends = bias[:, None] + np.divide(moved, room, out=np.zeros_like(moved), where=room > 0)
    shares = np.array([[_NORMAL.cdf(end) for end in pair] for pair in ends.tolist()])
    return np.where(bca[:, None], shares, plain), bca


def _share_below(means: Floats, mean: Floats) -> Floats:
    """Return the share of each row of sorted means below the mean, half of what equals it counted in."""
    slack = 1e-12 * np.maximum(np.abs(mean), np.ptp(means, axis=1))
    lower = [np.searchsorted(row, edge, "left") for row, edge in zip(means, mean - slack, strict=True)]
    upper = [np.searchsorted(row, edge, "right") for row, edge in zip(means, mean + slack, strict=True)]
    return np.asarray((np.array(lower) + np.array(upper)) / (2 * means.shape[1]))


def _acceleration(units: Units) -> Floats:
    """Return a: a sixth of the skewness of the means without one unit each, over the root of their number."""
    above, below = units.above.sum(axis=0), units.below.sum()
    without = (above - units.above) / (below - units.below)[:, None]
    return np.asarray(skewnesses(without.mean(axis=0) - without) / (6 * np.sqrt(len(units))))


def _at(rows: Floats, shares: Floats) -> Floats:
    """Return of each sorted row the point that a share of it lies below, between two neighbours in proportion."""
    place = shares * (rows.shape[1] - 1)
    left = np.floor(place).astype(np.intp)
    right = np.minimum(left + 1, rows.shape[1] - 1)
    part = place - left
    every = np.arange(len(rows))
    return np.asarray(rows[every, left] * (1 - part) + rows[every, right] * part)
