"""Intervals of many shares or rates at once: arrays of any one shape in, arrays of that shape out."""

from collections.abc import Callable, Mapping
from statistics import NormalDist

import numpy as np

from assay.core.judged import Floats
from assay.errors import ParameterError, UnknownNameError
from assay.statistics.distributions import beta_quantiles, gamma_quantiles

Ends = tuple[Floats, Floats]


def wilson_ends(shares: Floats, units: Floats, level: float) -> Ends:
    """Return the ends of Wilson's score interval of each share seen in so many units.

    >>> low, high = wilson_ends(np.array([0.5, 1.0]), np.array([10.0, 100.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.237, 0.963], [0.763, 1.0])
    """
    z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
    middle = shares + z2 / (2 * units)
    reach = np.sqrt(z2 * (shares * (1 - shares) / units + z2 / (4 * units**2)))
    whole = 1 + z2 / units
    return np.maximum(0.0, (middle - reach) / whole), np.minimum(1.0, (middle + reach) / whole)


def beta_ends(shares: Floats, units: Floats, level: float) -> Ends:
    """Return the middle of the beta distribution of each share, after Jeffreys' half a unit for and half against.

    >>> low, high = beta_ends(np.array([0.9]), np.array([10.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.619], [0.989])
    """
    for_, against, tail = shares * units + 0.5, (1 - shares) * units + 0.5, (1 - level) / 2
    return beta_quantiles(tail, for_, against), beta_quantiles(1 - tail, for_, against)


def score_ends(ratios: Floats, expected: Floats, level: float) -> Ends:
    r"""Return the ends of the score interval of each ratio of a count to what was expected of it (Poisson).

    $$ r + \frac{z^2}{2e} \pm z \sqrt{\frac{r}{e} + \frac{z^2}{4e^2}} $$

    >>> low, high = score_ends(np.array([1.0]), np.array([16.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.616], [1.625])
    """
    z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
    middle = ratios + z2 / (2 * expected)
    reach = np.sqrt(z2 * (ratios / expected + z2 / (4 * expected**2)))
    return np.maximum(0.0, middle - reach), middle + reach


def gamma_ends(ratios: Floats, expected: Floats, level: float) -> Ends:
    """Return the middle of the gamma distribution of each ratio of a count to what was expected of it (Jeffreys).

    >>> low, high = gamma_ends(np.array([1.0]), np.array([16.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.595], [1.585])
    """
    counts, tail = ratios * expected + 0.5, (1 - level) / 2
    return gamma_quantiles(tail, counts) / expected, gamma_quantiles(1 - tail, counts) / expected


SHARES: Mapping[str, Callable[[Floats, Floats, float], Ends]] = {"wilson": wilson_ends, "beta": beta_ends}
"""Intervals of a share between 0 and 1."""
RATIOS: Mapping[str, Callable[[Floats, Floats, float], Ends]] = {"wilson": score_ends, "beta": gamma_ends}
"""Their like for a ratio that has no upper end: the score interval and the gamma distribution."""


def ends_of(method: str, values: Floats, units: Floats, level: float, *, ratio: bool = False) -> Ends:
    """Return the ends of the interval of each value by the method of that name.

    Raises
    ------
    UnknownNameError
        A method that does not exist.
    ParameterError
        A level outside 0 to 1.
    """
    if method not in SHARES:
        raise UnknownNameError.of("interval", method, SHARES)
    if not 0 < level < 1:
        raise ParameterError(f"interval: expected a level between 0 and 1, found {level:g}", hint="0.95 is usual.")
    return (RATIOS if ratio else SHARES)[method](values, units, level)
