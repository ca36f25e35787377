"""Is a difference irrelevant: not worse by a margin (non-inferiority), or within it on both sides (equivalence)."""

import math

import numpy as np

from assay.core.estimates import Margin
from assay.core.judged import Floats, Ints
from assay.errors import ParameterError
from assay.statistics.distributions import t_two_sided
from assay.statistics.units import Units


def margin(
    differences: Floats,
    margin: float,
    *,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    higher_is_better: bool = True,
) -> Margin:
    r"""Hold differences (run minus baseline), shape (queries,), against a margin that is called irrelevant.

    `not_worse` is the p value of the one-sided paired t test of "worse by the margin or more", `equal` the larger p of
    the two one-sided tests of "differs by the margin or more", with $t = (\bar d \pm margin) / se$ and units - 1
    degrees of freedom. Weighted and clustered queries count as independent units (`Units`).
    Differences that do not vary have no t; signs alone then speak: $2^{-n}$ inside the margin, 1 at it or beyond.
    Both are None for fewer than two units. Source: Schuirmann 1987; Wellek 2010, ch. 5.

    Raises
    ------
    ParameterError
        A margin that is not above 0.

    >>> import numpy as np
    >>> margin(np.array([0.01, -0.02, 0.03, 0.0, 0.01, -0.01]), 0.02)
    Margin(margin=0.02, not_worse=0.0111..., equal=0.0335...)
    """
    table = np.asarray(differences)[:, None]
    return margins(table, margin, weights=weights, clusters=clusters, higher_is_better=higher_is_better)[0]


def margins(
    differences: Floats,
    margin: float,
    *,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    higher_is_better: bool = True,
) -> list[Margin]:
    """Hold the differences of each pair of runs against a margin, (queries, pairs), no NaN; see `margin`.

    >>> import numpy as np
    >>> margins(np.array([[0.0, 0.2], [0.0, 0.2], [0.0, 0.2]]), 0.1)
    [Margin(margin=0.1, not_worse=0.125, equal=0.125), Margin(margin=0.1, not_worse=0.125, equal=1.0)]
    """
    if not (margin > 0 and math.isfinite(margin)):
        msg = f"margin: expected a difference above 0, found {margin!r}"
        raise ParameterError(msg)
    units = Units.of(differences, weights, clusters)
    if len(units) < 2:
        return [Margin(margin, None, None)] * differences.shape[1]
    mean = units.mean if higher_is_better else -units.mean
    below, above = _beyond(margin + mean, units), _beyond(margin - mean, units)
    rows = zip(below.tolist(), np.maximum(below, above).tolist(), strict=True)
    return [Margin(margin, not_worse, equal) for not_worse, equal in rows]


def _beyond(distance: Floats, units: Units) -> Floats:
    """Return the p value of each mean that lies so far inside an edge, if the truth were at the edge."""
    varied = ~units.constant
    t = np.divide(distance, units.error, out=np.zeros_like(distance), where=varied)
    outside = t_two_sided(t, len(units) - 1) / 2
    signs = np.where(distance > 0, 0.5 ** len(units), 1.0)
    return np.where(varied, np.where(t > 0, outside, 1 - outside), signs)
