"""Intervals of agreement: the bootstrap over what was judged, of coefficients that are made of sums."""

import numpy as np

from assay.core.estimates import Interval
from assay.core.judged import Floats
from assay.statistics.bootstrap import tails
from assay.statistics.interval import FEW
from assay.statistics.products import product

_CELLS = 1 << 20
"""How many counts are drawn at a time: 8 MiB of them."""
_UNDEFINED = 0.05
"""Up to this share of resamples may be without variation; the interval is that of the others."""


def resampled_sums(units: Floats, times: Floats, resamples: int, seed: int) -> Floats:
    """Return the sums of each resample, of shape (resamples, parts).

    Parameters
    ----------
    units
        What each unit adds, of shape (units, parts).
    times
        How many units there are of each kind, of shape (units,): units that add the same are drawn together, which
        gives what drawing them one by one gives, in less time.
    resamples, seed
        How many resamples are drawn, with replacement, each of as many units as there are; and from what seed.
    """
    random = np.random.default_rng(seed)
    rows = max(1, _CELLS // max(1, len(times)))
    sums = np.empty((resamples, units.shape[1]))
    for start in range(0, resamples, rows):
        part = sums[start : start + rows]
        product(_drawn(random, times, len(part)), units, part)
    return sums


def resampled_counts(times: Floats, resamples: int, seed: int) -> Floats:
    """Return how often each kind of unit is drawn, of shape (resamples, units): the sums where each adds itself."""
    return _drawn(np.random.default_rng(seed), times, resamples)


def _drawn(random: np.random.Generator, times: Floats, resamples: int) -> Floats:
    many = int(times.sum())
    return random.multinomial(many, times / many, resamples).astype(np.float64)


def percentile_interval(figures: Floats, units: int, level: float, seed: int) -> Interval:
    """Return the percentile interval of a figure from those of resamples, of shape (resamples,); NaN: undefined.

    It reaches a little further than the textbooks' where units are few (`tails`). There is none of fewer than two
    units, where all resamples have one figure, and where more than one in twenty is undefined.

    How often an interval of 95 % holds the true kappa, of 1,000 samples drawn from the 10,284 pairs of TREC RAG 2025
    that two annotators graded: .96 of 20 pairs, .94 of 50, .95 of 200; quadratic kappa .94, .93, .94. Where 93 % of
    grades are the same and kappa is .54, it takes 200 pairs: .95; of 50 it is .91, and one in six samples has none.

    Raises
    ------
    MissingExtraError
        SciPy is not installed.
    """
    known = figures[~np.isnan(figures)]
    warnings = ("few",) * (units < FEW)
    if units < 2 or len(known) < (1 - _UNDEFINED) * len(figures) or np.ptp(known) <= 1e-12:
        return Interval(None, None, level, "none", units, warnings)
    low, high = np.quantile(known, tails(level, units)).tolist()
    return Interval(low, high, level, "percentile", units, warnings, len(figures), seed)
