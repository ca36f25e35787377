"""A share in a population, estimated from a sample: drawn one by one, by clusters, or stratum by stratum."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from assay.core.estimates import Interval
from assay.core.judged import Floats, Ints
from assay.statistics.distributions import t_quantile
from assay.statistics.finite import finite_share
from assay.statistics.ratio import Ratio
from assay.statistics.share_intervals import share_ends

FEW = 20
"""Below this many draws every interval is flagged."""


@dataclass(frozen=True, slots=True)
class SampledShare:
    """A share as a sample says it.

    Parameters
    ----------
    value
        The share of all units of the population that have what was looked for, from 0 to 1.
    error
        Its standard error; None of a single draw, 0 of a census.
    draws, units
        How many draws, which are independent of each other, and how many units were looked at in them.
    worth
        How many units drawn one by one, with replacement, say as much (the effective sample size).
    freedom
        Degrees of freedom of the error; None where the share of units itself gives the error.
    population
        Of how many the units were drawn one by one, without replacement; None where that is not so, or not known.
    """

    value: float
    error: float | None
    draws: int
    units: int
    worth: float
    freedom: int | None = None
    population: int | None = None

    @property
    def design_effect(self) -> float:
        """How many units of this sample say as much as one drawn by itself; 0 of a census."""
        return self.units / self.worth

    def interval(self, level: float = 0.95, method: str = "wilson") -> Interval:
        r"""Return the interval of the share, as if it had been seen in so many units as the sample is worth.

        Where the error itself is an estimate, of f degrees of freedom, the worth is cut by the square of
        $$ z_{1-\alpha/2} / t_{1-\alpha/2, f} $$ Source: Korn and Graubard 1998. "exact" of units that were drawn one
        by one from a known number of them is that of the hypergeometric distribution.

        Raises
        ------
        UnknownNameError
            A method that does not exist.
        ParameterError
            A level outside 0 to 1.

        >>> found = simple_share(np.ones(30)).interval()
        >>> round(found.low, 4), found.high
        (0.8865, 1.0)
        """
        warnings = ("few",) if self.draws < FEW and math.isfinite(self.worth) else ()
        if self.error is None or self.freedom == 0:
            share_ends(method, self.value, 1, level)
            return Interval(None, None, level, "none", self.draws, warnings)
        low, high = share_ends(method, self.value, self.worth * self._trust(level), level)
        if method == "exact" and self.population is not None:
            low, high = finite_share(round(self.value * self.units), self.units, self.population, level)
        return Interval(low, high, level, method, self.draws, warnings)

    def _trust(self, level: float) -> float:
        if self.freedom is None or math.isinf(self.worth):
            return 1.0
        tail = (1 + level) / 2
        return float((NormalDist().inv_cdf(tail) / t_quantile(tail, self.freedom)) ** 2)


def simple_share(values: Floats, population: int | None = None) -> SampledShare:
    r"""Estimate a share from units drawn one by one without replacement; `values` of 0 and 1, shape (units,).

    $$ \hat\mu = \bar x, \quad s^2 = (1 - n/N) \frac{\hat\mu (1 - \hat\mu)}{n - 1} $$

    and n units of N are worth $n (N-1)/(N-n)$. Source: Cochran 1977, ch. 3.

    >>> found = simple_share(np.array([1.0, 0.0, 1.0, 1.0]), population=4)
    >>> found.value, found.error, found.worth
    (0.75, 0.0, inf)
    """
    units, value = len(values), float(np.mean(values))
    left = 1.0 if population is None else 1 - units / population
    worth = units if population is None else _over(units * (population - 1), population - units)
    error = math.sqrt(left * value * (1 - value) / (units - 1)) if units > 1 else None
    return SampledShare(value, error if left else 0.0, units, units, worth, population=population)


def cluster_share(values: Floats, draw: Ints) -> SampledShare:
    r"""Estimate a share from clusters drawn in proportion to their size, with replacement (two-stage, weighted).

    `values` of 0 and 1 and the number of the `draw` that each unit was looked at in have the shape (units,). Of each
    cluster drawn some units are drawn without replacement; with the mean $\mu_k$ of each of n draws

    $$ \hat\mu = \frac 1 n \sum_k \mu_k, \quad s^2 = \frac{\sum_k (\mu_k - \hat\mu)^2}{n (n - 1)} $$

    It is worth $\hat\mu (1 - \hat\mu) / s^2$ units, at most as many as were looked at. Where all values are equal,
    nothing says how alike the units of a cluster are: a draw is then worth one. Source: Gao et al. 2019, "Efficient
    knowledge graph accuracy evaluation"; Cochran 1977, ch. 11.

    >>> found = cluster_share(np.array([1.0, 1.0, 0.0, 1.0]), np.array([1, 1, 2, 2]))
    >>> found.value, found.error, found.worth
    (0.75, 0.25, 3.0)
    """
    _, numbers = np.unique(draw, return_inverse=True)
    means = np.bincount(numbers, values) / np.bincount(numbers)
    draws, value = len(means), float(means.mean())
    if draws < 2:
        return SampledShare(value, None, draws, len(values), 1.0, 0)
    variance = float(((means - value) ** 2).sum()) / (draws * (draws - 1))
    spread = value * (1 - value)
    worth = min(spread / variance, len(values)) if variance else len(values) if spread else draws
    return SampledShare(value, math.sqrt(variance), draws, len(values), float(worth), draws - 1)


def part_share(values: Floats, weights: Floats, draw: Ints) -> SampledShare:
    r"""Estimate the share among units of one kind, which are some of those looked at in clusters.

    `values` of 0 and 1, the `weights` and the `draw` of the units of this kind have the shape (units,). With the draws
    that hold any, the estimate is the ratio $\sum w x / \sum w$ and its error that of the delta method; worth and equal
    values as for `cluster_share`. Source: Cochran 1977, ch. 6.

    >>> found = part_share(np.array([1.0, 0.0, 1.0]), np.array([0.5, 0.5, 1.0]), np.array([1, 1, 4]))
    >>> found.value, found.draws
    (0.75, 2)
    """
    _, numbers = np.unique(draw, return_inverse=True)
    above, below = (np.bincount(numbers, one).astype(np.float64) for one in (weights * values, weights))
    ratio = Ratio.of(above, below, np.ones(len(below)))
    if ratio is None or len(below) < 2:
        return SampledShare(float(weights @ values / weights.sum()), None, len(below), len(values), 1.0, 0)
    spread, error = ratio.value * (1 - ratio.value), ratio.error() or 0.0
    worth = min(spread / error**2, len(values)) if error else len(values) if spread else len(below)
    return SampledShare(ratio.value, error, len(below), len(values), float(worth), len(below) - 1)


def stratified_share(values: Floats, stratum: Ints, sizes: Floats) -> SampledShare:
    r"""Estimate a share from units drawn one by one, without replacement, in each stratum.

    `values` of 0 and 1 and the `stratum` of each unit have the shape (units,), the `sizes` of the strata (strata,).
    With $W_h = N_h / N$ and the share $\mu_h$ of the $n_h$ units of a stratum

    $$ \hat\mu = \sum_h W_h \mu_h, \quad s^2 = \sum_h W_h^2 (1 - n_h/N_h) \frac{\mu_h (1 - \mu_h)}{n_h - 1} $$

    A stratum with a single unit, of several, is taken to be as spread as all. Source: Cochran 1977, ch. 5.

    Raises
    ------
    ValueError
        A stratum of which no unit was looked at.

    >>> found = stratified_share(np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1]), np.array([50.0, 150.0]))
    >>> found.value, round(found.error, 4)
    (0.875, 0.1225)
    """
    seen = np.bincount(stratum, minlength=len(sizes))
    if not seen.all():
        raise ValueError(f"expected units of every stratum, found none of number {int(np.argmin(seen))}")
    means, weights = np.bincount(stratum, values, minlength=len(sizes)) / seen, sizes / sizes.sum()
    value = float(weights @ means)
    spread = value * (1 - value)
    each = np.where(seen > 1, means * (1 - means) / np.maximum(seen - 1, 1), spread)
    left = np.maximum(0.0, 1 - seen / sizes)
    variance = float((weights**2 * left * each).sum())
    alone = _over(len(values), float(weights @ left))
    worth = min(spread / variance, alone) if variance else alone
    return SampledShare(value, math.sqrt(variance), len(values), len(values), worth, max(1, len(values) - len(sizes)))


def _over(above: float, below: float) -> float:
    return above / below if below > 0 else math.inf
