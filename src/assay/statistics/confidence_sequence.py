"""Fresh queries night after night: evidence of a fall, and an interval, that hold at every look."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.estimates import Interval, Significance
from assay.core.judged import Floats
from assay.errors import ParameterError

BETS = np.geomspace(0.01, 0.99, 32)
"""The shares of the most that can be lost which are bet, all of them at once."""
ROUNDING = 1e-9
"""So far beyond its bounds, as a share of their distance, a difference may lie by rounding."""


def fall_evidence(
    nights: Sequence[Floats],
    *,
    max_drop: float = 0.0,
    bounds: tuple[float, float] = (-1.0, 1.0),
    higher_is_better: bool = True,
) -> Significance:
    r"""Return the evidence, up to tonight, that the mean fell by more than `max_drop`; it may be looked at every night.

    `nights` are the differences (run minus baseline) of each night, each of shape (queries,), the last one
    tonight's; NaN is left out. All lie within `bounds`. Each of 32 players begins with 1 and bets the same share c of
    the most that it can lose on a fall, query after query; the evidence is what they own on average:

    $$ e = \frac{1}{32} \sum_c \prod_i \Bigl(1 - c \, \frac{d_i + m}{b + m}\Bigr) $$

    with the upper bound b and m = `max_drop`. If the mean is never below -m, nobody can expect to win, and the chance
    that e *ever* reaches 1 / alpha is at most alpha: p is 1 / e, at most 1, and holds at every night, however
    many there are. `statistic` is e, `floor` 0. The order of nights and queries does not matter.

    **What is assumed.** A night's differences are independent given the earlier nights, and their mean is expected to
    be at least -m whatever happened before. So it is with fresh queries each night (a sample of the traffic), both
    systems asked; and with the same queries where chance is in the answers (a language model) and the question is
    about these very queries, the baseline's scores taken as they are. It is *not* so where the same queries give
    nearly the same answers each night and are a sample of others: that counts one observation over and
    over; `repeated_test` is for it. Evidence is gathered over all nights given, so a fall that comes late is found
    late: begin anew with each month. No distribution is assumed; the price is that small differences within
    wide bounds need more queries than a t test. Source: Ville 1939; Waudby-Smith and Ramdas 2024, "Estimating means of
    bounded random variables by betting".

    p is None without a difference, and `why` says so.

    Raises
    ------
    ParameterError
        A difference outside the bounds, bounds that do not hold 0 inside, or a max_drop below 0.

    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> nights = [random.normal(-0.05, 0.14, 50).clip(-1, 1) for _ in range(4)]
    >>> [round(fall_evidence(nights[: night + 1]).p, 4) for night in range(4)]
    [0.692, 0.3072, 0.0894, 0.0083]
    """
    if not 0 <= max_drop < math.inf:
        raise ParameterError(f"evidence of a fall: expected a max_drop of 0 or more, found {max_drop:g}")
    values = _gathered(nights, bounds)
    low, high = bounds if higher_is_better else (-bounds[1], -bounds[0])
    name = f"betting, {len(nights)} looks"
    if not len(values):
        return Significance(None, name, 0, 0.0, why="no query has a difference")
    log = _wealth(values if higher_is_better else -values, -min(max_drop, -low), high)
    return Significance(min(1.0, math.exp(-log)), name, len(values), 0.0, math.exp(min(log, 700.0)))


def confidence_sequence(
    nights: Sequence[Floats], *, level: float = 0.95, bounds: tuple[float, float] = (-1.0, 1.0)
) -> Interval:
    """Return the interval of the mean difference up to tonight; the intervals of all nights hold it together.

    It holds all means that the players of `fall_evidence` have not won against by enough, half of the error on each
    side; assumptions and arguments are those. With a chance of at least `level` no night's interval misses the mean,
    where the mean stays the same. Both ends are None without a difference.

    Raises
    ------
    ParameterError
        A difference outside the bounds, bounds that do not hold 0 inside, or a level outside 0 to 1.

    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> nights = [random.normal(-0.05, 0.14, 50).clip(-1, 1) for _ in range(4)]
    >>> found = confidence_sequence(nights)
    >>> round(found.low, 3), round(found.high, 3)
    (-0.087, -0.007)
    """
    if not 0 < level < 1:
        raise ParameterError(f"confidence sequence: expected a level between 0 and 1, found {level:g}")
    values = _gathered(nights, bounds)
    if not len(values):
        return Interval(None, None, level, "none", 0)
    edge = math.log(2 / (1 - level))
    upper = _farthest(values, bounds, edge)
    lower = -_farthest(-values, (-bounds[1], -bounds[0]), edge)
    return Interval(lower, upper, level, "betting", len(values))


def _gathered(nights: Sequence[Floats], bounds: tuple[float, float]) -> Floats:
    """Return all differences, sorted, or refuse them."""
    low, high = bounds
    if not (low < 0 < high and math.isfinite(high - low)):
        raise ParameterError(f"differences: expected bounds below and above 0, found {low:g} and {high:g}")
    values = np.concatenate([np.empty(0), *(np.asarray(night, np.float64) for night in nights)])
    values = np.sort(values[~np.isnan(values)])
    slack = ROUNDING * (high - low)
    if len(values) and not (low - slack <= values[0] and values[-1] <= high + slack):
        wrong = values[0] if values[0] < low else values[-1]
        msg = f"differences: expected values from {low:g} to {high:g}, found {wrong:g}"
        raise ParameterError(msg, hint="Give the bounds of the measure's differences.")
    return np.asarray(np.clip(values, low, high))


def _wealth(values: Floats, mean: float, high: float) -> float:
    """Return the logarithm of what all players own who bet that values lie below a mean."""
    logs = np.array([np.log1p(-bet * ((values - mean) / (high - mean))).sum() for bet in BETS])
    return float(logs.max() + math.log(np.exp(logs - logs.max()).mean()))


def _farthest(values: Floats, bounds: tuple[float, float], edge: float) -> float:
    """Return the largest mean, within a millionth of the bounds, that the players have not won against."""
    low, high = bounds
    slack = 1e-6 * (high - low)
    while high - low > slack:
        middle = (low + high) / 2
        low, high = (low, middle) if _wealth(values, middle, bounds[1]) >= edge else (middle, high)
    return high
