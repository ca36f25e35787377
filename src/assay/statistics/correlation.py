"""Whether two figures of the same things rise together: Spearman's rho with its interval, Kendall's tau beside it."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.core.judged import Floats
from assay.statistics.agreement import kendall_tau
from assay.statistics.distributions import t_two_sided

FEWEST = 4
"""Fewer things than these say nothing."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """How two figures go together over `things`; None where one of them does not vary or there are fewer than 4.

    `low` and `high` are the ends of the interval of Spearman's rho, `p` the chance of a rho at least as far from 0
    where nothing goes together.
    """

    things: int
    spearman: float | None
    low: float | None
    high: float | None
    kendall: float | None
    p: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the correlation as plain data."""
        return asdict(self)


def correlation(a: ArrayLike, b: ArrayLike, *, level: float = 0.95) -> Correlation:
    r"""Return how the ranks of two figures go together, each of shape (things,), NaN where undefined.

    $$ \rho = \mathrm{corr}(\mathrm{rank}(a), \mathrm{rank}(b)), \quad
       \tanh\left(\mathrm{artanh}(\rho) \pm z \sqrt{\frac{1 + \rho^2 / 2}{n - 3}}\right) $$

    Tied values share the mean of their ranks. p is that of t = rho sqrt((n - 2) / (1 - rho^2)) with n - 2 degrees of
    freedom. Things without a value on one side take no part. Source: Spearman 1904; the interval Bonett and Wright
    2000, "Sample size requirements for estimating Pearson, Kendall and Spearman correlations"; Kendall 1945.

    >>> found = correlation([1, 2, 3, 4, 5], [2, 1, 3, 5, 4])
    >>> round(found.spearman, 2), round(found.kendall, 2), round(found.p, 4)
    (0.8, 0.6, 0.1041)
    """
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    both = ~(np.isnan(first) | np.isnan(second))
    x, y = _ranks(first[both]), _ranks(second[both])
    things = len(x)
    if things < FEWEST or not x.std() or not y.std():
        return Correlation(things, None, None, None, None, None)
    rho = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    reach = _z(level) * math.sqrt((1 + rho**2 / 2) / (things - 3))
    low, high = (math.tanh(_artanh(rho) + side * reach) for side in (-1, 1))
    rest = 1 - rho**2
    p = float(t_two_sided(np.array(rho * math.sqrt((things - 2) / rest)), things - 2)) if rest else 0.0
    return Correlation(things, rho, low, high, kendall_tau(x, y), p)


def _ranks(values: Floats) -> Floats:
    """Return ranks from 1, tied values sharing the mean of theirs."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[where]
    return ranks


def _artanh(rho: float) -> float:
    return math.copysign(math.inf, rho) if abs(rho) >= 1 else math.atanh(rho)


def _z(level: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)
