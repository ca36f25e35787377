"""What can the data tell at all: the smallest difference that would be found, and the queries that would find this."""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from assay.core.estimates import Power
from assay.core.judged import Flags, Floats, Ints
from assay.errors import ParameterError
from assay.statistics.distributions import t_quantile
from assay.statistics.units import Units

MOST = 10_000_000
"""Beyond so many queries the answer is: none could tell."""


def power(
    differences: Floats,
    *,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Power:
    r"""Return what a two-sided paired t test of these differences can tell, shape (queries,).

    `detectable` is the true mean difference that the test finds with a chance of `power` at the level `alpha`, with
    as many queries and differences as spread as here; `needed` the number of queries with which it would find the
    mean difference seen. Exact by the noncentral t: the chance to find a difference of $\delta$ is

    $$ P(|T_{n-1}(\delta \sqrt{n} / s)| > t_{1-\alpha/2,\,n-1}) $$

    (the square of that T is the noncentral F of 1 and n - 1 degrees, which is what is computed).

    Weighted and clustered queries count as independent units (`Units`). `detectable` is None where the differences
    do not vary or there is one unit; `needed` then too, and where the mean difference is 0 or more than ten million
    queries were needed. Source: Cohen 1988, ch. 2; Sakai 2016, "Topic set size design".

    Raises
    ------
    ParameterError
        Not 0.0001 <= alpha < power < 1.

    >>> import numpy as np
    >>> power(np.array([0.1, -0.2, 0.3, 0.0, 0.1, 0.2]))
    Power(power=0.8, detectable=0.247..., needed=36)
    """
    return powers(np.asarray(differences)[:, None], weights=weights, clusters=clusters, alpha=alpha, power=power)[0]


def powers(
    differences: Floats,
    *,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
) -> list[Power]:
    """Return what the differences of each pair of runs can tell, (queries, pairs), no NaN; see `power`.

    >>> import numpy as np
    >>> powers(np.array([[0.1, 0.0], [-0.2, 0.0], [0.3, 0.0]]))
    [Power(power=0.8, detectable=0.821..., needed=114), Power(power=0.8, detectable=None, needed=None)]
    """
    if not 0.0001 <= alpha < power < 1:
        msg = f"power: expected 0.0001 <= alpha < power < 1, found alpha {alpha:g} and power {power:g}"
        raise ParameterError(msg)
    units = Units.of(differences, weights, clusters)
    told, each = np.flatnonzero(~units.constant), len(differences) / max(1, len(units))
    found = [Power(power, None, None)] * differences.shape[1]
    if not len(told):
        return found
    error, mean = units.error[told], np.abs(units.mean[told])
    needed = np.ceil(_needed(mean / (error * math.sqrt(len(units))), alpha, power) * each)
    detectable = error * _shift(len(units), alpha, power)
    for place, least, count in zip(told.tolist(), detectable.tolist(), needed.tolist(), strict=True):
        found[place] = Power(power, least, int(count) if count <= MOST else None)
    return found


def chance(shift: Floats | float, units: Floats | float, alpha: float) -> Floats:
    """Return the chance of a two-sided t test to find a mean that is `shift` standard errors from 0; any shape.

    >>> chance(2.0, 50, 0.05).round(4).item()
    0.5004
    """
    t_quantile(0.5, 1)  # names the extra where SciPy is missing
    from scipy.special import ncfdtr, stdtrit

    edge = -stdtrit(np.asarray(units) - 1.0, alpha / 2)
    found = 1 - ncfdtr(1, np.asarray(units) - 1.0, np.square(shift), edge**2)
    return np.asarray(np.where(np.isnan(found), shift > edge, found))  # SciPy underflows far from the edge


@lru_cache(4096)
def _shift(units: int, alpha: float, wanted: float) -> float:
    """Return how many standard errors a mean must be from 0 to be found with the chance wanted."""
    low, high = 0.0, 1.0
    while chance(high, units, alpha) < wanted:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in {low, high}:
        low, high = (middle, high) if chance(middle, units, alpha) < wanted else (low, middle)
    return high


def _needed(effects: Floats, alpha: float, wanted: float) -> Floats:
    """Return the fewest units with which each effect (mean / standard deviation) is found with the chance wanted.

    Infinite where more than the most were needed. The search begins where the normal distribution says.
    """

    def enough(some: Ints, units: Floats) -> Flags:
        return chance(effects[some] * np.sqrt(units), units, alpha) >= wanted

    found = np.full(len(effects), np.inf)
    sought = np.flatnonzero(enough(np.arange(len(effects)), np.full(len(effects), float(MOST))))
    edge = NormalDist().inv_cdf(1 - alpha / 2)
    guess = ((edge + NormalDist().inv_cdf(wanted)) / effects[sought]) ** 2 + edge**2 / 2
    high = np.clip(np.ceil(guess), 2.0, MOST)
    low = high - 1
    while len(more := np.flatnonzero(~enough(sought, high))):
        low[more], high[more] = high[more], np.ceil(1.1 * high[more])
    while len(fewer := np.flatnonzero((low > 1) & enough(sought, np.maximum(low, 2)))):
        low[fewer], high[fewer] = np.floor(low[fewer] / 1.1), low[fewer]
    while len(apart := np.flatnonzero(high - low > 1)):
        middle = (low[apart] + high[apart]) // 2
        good = enough(sought[apart], middle)
        low[apart], high[apart] = np.where(good, low[apart], middle), np.where(good, middle, high[apart])
    found[sought] = high
    return found
