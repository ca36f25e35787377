"""Distributions that numpy has not: Student's t and beta, from SciPy, which the extra `stats` brings."""

from types import ModuleType

import numpy as np

from assay.core.judged import Floats
from assay.errors import MissingExtraError


def t_two_sided(statistic: Floats, freedom: Floats | float) -> Floats:
    """Return the probability of a t at least as far from 0, to both sides; any shape."""
    return np.asarray(2 * _special("a t test").stdtr(freedom, -np.abs(statistic)))


def t_quantile(share: float, freedom: float) -> float:
    """Return the t that a share of the distribution lies below."""
    return float(_special("an interval").stdtrit(freedom, share))


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the point that a share of the beta distribution lies below."""
    return float(_special("an exact interval").betaincinv(a, b, share))


def beta_share(point: float, a: float, b: float) -> float:
    """Return the share of the beta distribution that lies below a point."""
    return float(_special("an exact test").betainc(a, b, point))


def beta_quantiles(share: float, a: Floats, b: Floats) -> Floats:
    """Return the point of each beta distribution that a share of it lies below; the shape of a and b."""
    return np.asarray(_special("an interval by beta").betaincinv(a, b, share))


def gamma_quantiles(share: float, shape: Floats) -> Floats:
    """Return the point of each gamma distribution of scale 1 that a share of it lies below."""
    return np.asarray(_special("an interval by gamma").gammaincinv(shape, share))


def _special(what: str) -> ModuleType:
    """Return scipy.special, or say that it is missing."""
    try:
        from scipy import special
    except ImportError as error:
        raise MissingExtraError.of(what, "scipy", "stats") from error
    module: ModuleType = special
    return module
