"""Intervals of a share: how often something happens that happened x times of n."""

import math
from statistics import NormalDist

from assay.statistics.distributions import beta_quantile


def wilson(share: float, units: float, level: float) -> tuple[float, float]:
    r"""Return the ends of Wilson's score interval for a share that was seen in n units.

    $$ \frac{p + z^2/2n \pm z \sqrt{p(1-p)/n + z^2/4n^2}}{1 + z^2/n} $$

    Source: Wilson 1927; recommended by Brown, Cai and DasGupta 2001.

    >>> low, high = wilson(0.5, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.237, 0.763)
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = share + z * z / (2 * units)
    reach = z * math.sqrt(share * (1 - share) / units + z * z / (4 * units * units))
    whole = 1 + z * z / units
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def clopper_pearson(share: float, units: float, level: float) -> tuple[float, float]:
    """Return the ends of the exact interval of a share: never covers less than its level.

    Units may be a fraction: what a sample of another design is worth. Source: Clopper and Pearson 1934; for such
    designs Korn and Graubard 1998.

    >>> low, high = clopper_pearson(0.9, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.555, 0.997)
    """
    found, tail = share * units, (1 - level) / 2
    hits = round(found) if math.isclose(found, round(found), rel_tol=1e-9, abs_tol=1e-9) else found
    low = beta_quantile(tail, hits, units - hits + 1) if hits else 0.0
    high = beta_quantile(1 - tail, hits + 1, units - hits) if hits < units else 1.0
    return low, high


def unseen(value: float, units: float, level: float, bounds: tuple[float, float]) -> tuple[float, float]:
    r"""Return how far the mean may lie from a value that all n units have.

    Whatever share of units has another value, it was not seen among n; if it were larger than
    $$ p = 1 - (\alpha/2)^{1/n} $$ it would have been, but for a chance of α/2. At worst those units lie at an end
    of the range of the values. For n times 1 within 0 and 1 this is the interval of Clopper and Pearson.

    >>> low, high = unseen(1.0, 5, 0.95, (0, 1))
    >>> round(low, 3), high
    (0.478, 1.0)
    """
    share = 1 - ((1 - level) / 2) ** (1 / units)
    return value - share * (value - bounds[0]), value + share * (bounds[1] - value)
