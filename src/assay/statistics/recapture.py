"""How many there are, from two lists that know nothing of each other: capture and recapture."""

import math
from statistics import NormalDist

from assay.core.estimates import Interval
from assay.errors import ParameterError


def chapman(first: int, second: int, both: int, level: float) -> tuple[float, float, Interval]:
    r"""Return the estimated total, its standard error and its interval.

    $$ \hat N = \frac{(n_1 + 1)(n_2 + 1)}{m + 1} - 1, \quad
       s^2 = \frac{(n_1 + 1)(n_2 + 1)(n_1 - m)(n_2 - m)}{(m + 1)^2 (m + 2)} $$

    The interval is lognormal in what neither list has, so it never falls below what was seen. Both hold where the
    lists are independent and each thing is as likely as any other to be on one; lists that copy each other make the
    total too low.

    Raises
    ------
    ParameterError
        More shared than one of the lists has.

    Sources: Chapman 1951; Seber 1970 (variance); Chao 1987 (interval).

    >>> total, error, found = chapman(200, 100, 50, 0.95)
    >>> round(total, 1), round(error, 1), round(found.low), round(found.high)
    (397.1, 33.6, 345, 479)
    """
    if not 0 <= both <= min(first, second):
        raise ParameterError(f"recapture: expected lists that share at most {min(first, second):,}, found {both:,}")
    total = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    seen = first + second - both
    if (unseen := total - seen) <= 0:
        return total, math.sqrt(variance), Interval(seen, seen, level, "lognormal", seen)
    reach = math.exp(NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(math.log1p(variance / unseen**2)))
    ends = seen + unseen / reach, seen + unseen * reach
    return total, math.sqrt(variance), Interval(*ends, level, "lognormal", seen)
