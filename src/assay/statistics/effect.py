"""How large a difference is, as a number without unit, and on how many queries it goes which way."""

import numpy as np

from assay.core.judged import Floats, Ints
from assay.statistics.units import Units


def effect_size(differences: Floats, weights: Floats | None = None, clusters: Ints | None = None) -> float | None:
    r"""Mean difference over the standard deviation of the differences: Cohen's d of pairs.

    $$ d = \bar x / s, \quad s = \sqrt{n} \cdot \mathrm{standard\ error}(\bar x) $$

    `differences` has the shape (queries,); NaN is a query left out. With weights or clusters the standard
    deviation is that of the n units, so that always d = t / √n. Any real number; None below 2 units and where
    the differences do not vary.
    Source: Cohen 1988, ch. 2.

    >>> round(effect_size(np.array([0.1, 0.3, 0.2])), 6)
    2.0
    """
    kept = ~np.isnan(differences)
    weights = None if weights is None else weights[kept]
    units = Units.of(differences[kept], weights, None if clusters is None else clusters[kept])
    if len(units) < 2 or units.constant[0]:
        return None
    return float(units.mean[0] / (units.error[0] * np.sqrt(len(units))))


def wins_ties_losses(
    differences: Floats, *, higher_is_better: bool = True, tolerance: float = 1e-12
) -> tuple[int, int, int]:
    """Count the queries that got better, stayed the same (within the tolerance) and got worse; NaN is left out.

    >>> wins_ties_losses(np.array([0.1, 0.0, -0.2, 0.3, np.nan]))
    (2, 1, 1)
    """
    kept = differences[~np.isnan(differences)]
    up, down = int((kept > tolerance).sum()), int((kept < -tolerance).sum())
    ties = len(kept) - up - down
    return (up, ties, down) if higher_is_better else (down, ties, up)


def skewness(values: Floats) -> float | None:
    r"""How lopsided values of shape (queries,) are; 0 for symmetric ones, None where they do not vary.

    $$ g_1 = \frac{\frac1n \sum (x_i - \bar x)^3}{\bigl(\frac1n \sum (x_i - \bar x)^2\bigr)^{3/2}} $$

    Positive where few values lie far above the mean. NaN is left out. Source: Fisher 1930; the biased g₁.

    >>> skewness(np.array([0.0, 0.0, 0.0, 1.0]))
    1.154700538379...
    """
    kept = values[~np.isnan(values)]
    units = Units.of(kept)
    return None if not len(units) or units.constant[0] else float(skewnesses(units.residuals)[0])


def skewnesses(residuals: Floats) -> Floats:
    """Return the skewness of each column of deviations from the mean; 0 where there is no deviation."""
    second = np.mean(residuals**2, axis=0)
    third = np.mean(residuals**3, axis=0)
    return np.asarray(np.divide(third, second**1.5, out=np.zeros_like(third), where=second > 0))
