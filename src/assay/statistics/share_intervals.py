"""The interval of a share by each of the methods in use: which hold their level, and which only a belief.

How often an interval of 95 % holds the share, and how many units it takes to reach ± .05 (1,000 samples, looked at
after every unit from the 30th on):

| share | wald        | wilson      | exact       | ahpd        |
|-------|-------------|-------------|-------------|-------------|
| .9921 | .222 of 31  | .939 of 40  | .997 of 42  | .999 of 32  |
| .9134 | .926 of 96  | .978 of 117 | .986 of 131 | .923 of 100 |
| .8507 | .884 of 180 | .943 of 189 | .959 of 208 | .904 of 180 |
"""

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist

from assay.errors import ParameterError, UnknownNameError
from assay.statistics.distributions import beta_quantile
from assay.statistics.proportion import clopper_pearson, wilson

Ends = tuple[float, float]

PRIORS = (1 / 3, 0.5, 1.0)
"""Beta priors without knowledge: Kerman's, Jeffreys', and the uniform one."""


def wald(share: float, units: float, level: float) -> Ends:
    """Return the share less and plus z standard errors, within 0 and 1: of no width where all units agree.

    >>> wald(1.0, 30, 0.95)
    (1.0, 1.0)
    """
    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(share * (1 - share) / units)
    return max(0.0, share - reach), min(1.0, share + reach)


def agresti_coull(share: float, units: float, level: float) -> Ends:
    """Return Wald's interval after z²/2 right and z²/2 wrong units more, within 0 and 1.

    Source: Agresti and Coull 1998.

    >>> low, high = agresti_coull(0.9, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.574, 1.0)
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    return wald((share * units + z * z / 2) / (units + z * z), units + z * z, level)


def jeffreys(share: float, units: float, level: float) -> Ends:
    """Return the middle of Jeffreys' posterior, Beta(x + ½, n - x + ½); up to 0 or 1 where all units agree.

    Source: Brown, Cai and DasGupta 2001.

    >>> low, high = jeffreys(0.9, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.619, 0.989)
    """
    a, b, tail = share * units + 0.5, (1 - share) * units + 0.5, (1 - level) / 2
    low = 0.0 if share <= 0 else beta_quantile(tail, a, b)
    return low, 1.0 if share >= 1 else beta_quantile(1 - tail, a, b)


def highest_density(share: float, units: float, level: float, prior: float = 0.5) -> Ends:
    """Return the shortest interval that holds so much of the posterior Beta(x + prior, n - x + prior).

    >>> low, high = highest_density(0.9, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.669, 1.0)
    """
    a, b = share * units + prior, (1 - share) * units + prior
    if a <= 1:
        return 0.0, beta_quantile(level, a, b)
    if b <= 1:
        return beta_quantile(1 - level, a, b), 1.0
    below, above = 0.0, 1 - level
    for _ in range(60):
        tail = (below + above) / 2
        low, high = beta_quantile(tail, a, b), beta_quantile(tail + level, a, b)
        below, above = (tail, above) if _density(low, a, b) < _density(high, a, b) else (below, tail)
    return beta_quantile(below, a, b), beta_quantile(below + level, a, b)


def shortest(share: float, units: float, level: float) -> Ends:
    """Return the shortest of the intervals of highest density under three priors: "adaptive", and so too short.

    Source: Marchesin and Silvello 2025, "Credible intervals for knowledge graph accuracy estimation".

    >>> low, high = shortest(0.9, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.683, 1.0)
    """
    found = (highest_density(share, units, level, prior) for prior in PRIORS)
    return min(found, key=lambda ends: ends[1] - ends[0])


METHODS: Mapping[str, Callable[[float, float, float], Ends]] = {
    "wilson": wilson,
    "exact": clopper_pearson,
    "agresti-coull": agresti_coull,
    "jeffreys": jeffreys,
    "hpd": highest_density,
    "ahpd": shortest,
    "wald": wald,
}
"""Intervals of a share by name: functions of the share, the units and the level."""


def share_ends(method: str, share: float, units: float, level: float) -> Ends:
    """Return the ends of the interval of a share seen in so many units; a census (infinite) has no doubt.

    Raises
    ------
    UnknownNameError
        A method that does not exist.
    ParameterError
        A level outside 0 to 1.

    >>> share_ends("wilson", 0.5, math.inf, 0.95)
    (0.5, 0.5)
    """
    if method not in METHODS:
        raise UnknownNameError.of("interval of a share", method, METHODS)
    if not 0 < level < 1:
        raise ParameterError(f"interval: expected a level between 0 and 1, found {level:g}", hint="0.95 is usual.")
    return (share, share) if math.isinf(units) else METHODS[method](share, units, level)


def margin_of(method: str, share: float, units: float, level: float) -> float:
    """Return half the width of the interval of a share.

    >>> round(margin_of("wilson", 0.9, 141, 0.95), 4)
    0.05
    """
    low, high = share_ends(method, share, units, level)
    return (high - low) / 2


def _density(point: float, a: float, b: float) -> float:
    """Return the logarithm of the density of a beta distribution at a point, up to a constant."""
    if not 0 < point < 1:
        return -math.inf
    return (a - 1) * math.log(point) + (b - 1) * math.log1p(-point)
