"""`Units`: what is independent of each other, a query or a cluster of queries, and what it adds to a mean."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from assay.core.judged import Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Units:
    r"""Sums over the queries of each independent unit, for one or several series of values.

    $$ a_u = \sum_{q \in u} w_q x_q, \quad b_u = \sum_{q \in u} w_q, \quad \bar x = \frac{\sum_u a_u}{\sum_u b_u} $$

    `above` is a, of shape (units, series); `below` is b, of shape (units,), always positive: a unit without
    weight says nothing and is left out. Clusters stand in the order of their numbers.
    Source: the ratio estimator of cluster sampling (Cochran 1977, ch. 9).

    >>> units = Units.of(np.array([1.0, 0.0, 0.5]), clusters=np.array([7, 7, 3]))
    >>> units.above.tolist(), units.below.tolist(), units.mean.tolist()
    ([[0.5], [1.0]], [1.0, 2.0], [0.5])
    """

    above: Floats
    below: Floats

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None, clusters: Ints | None = None) -> Self:
        """Gather queries into units; `values` (queries,) or (queries, series), no NaN; the others (queries,)."""
        table = np.asarray(values, np.float64)
        table = table[:, None] if table.ndim == 1 else table
        below = np.ones(len(table)) if weights is None else np.asarray(weights, np.float64)
        above = table if weights is None else table * below[:, None]
        if clusters is not None:
            above, below = _summed(above, below, clusters)
        kept = below > 0
        return cls(above, below) if kept.all() else cls(above[kept], below[kept])

    def __len__(self) -> int:
        return len(self.below)

    def select(self, series: Flags | Ints | slice) -> "Units":
        """Return the units with some of their series."""
        return Units(self.above[:, series], self.below)

    @cached_property
    def even(self) -> bool:
        """Whether all units weigh alike: the mean is then the plain mean of their ratios."""
        return len(self) == 0 or bool(np.ptp(self.below) <= 1e-12 * self.below.max())

    @cached_property
    def ratios(self) -> Floats:
        """The weighted mean of each unit, of shape (units, series)."""
        return self.above / self.below[:, None]

    @cached_property
    def mean(self) -> Floats:
        """The weighted mean over all queries, of shape (series,); NaN without units."""
        if not len(self):
            return np.full(self.above.shape[1], np.nan)
        return np.asarray(self.above.sum(axis=0) / self.below.sum())

    @cached_property
    def residuals(self) -> Floats:
        """How far each unit pulls the mean, a − mean × b, of shape (units, series); each series sums to 0."""
        return self.above - self.mean * self.below[:, None]

    @cached_property
    def error(self) -> Floats:
        r"""Standard error of the mean, of shape (series,), by the linearised variance of a ratio; NaN below 2 units.

        $$ s^2 = \frac{n}{n-1} \frac{\sum_u (a_u - \bar x b_u)^2}{(\sum_u b_u)^2} $$

        Of n unweighted queries this is their standard deviation over √n.
        """
        n = len(self)
        if n < 2:
            return np.full(self.above.shape[1], np.nan)
        squares = np.einsum("us,us->s", self.residuals, self.residuals)
        return np.asarray(np.sqrt(n / (n - 1) * squares) / self.below.sum())

    @cached_property
    def constant(self) -> Flags:
        """Whether all units have the same ratio, by series; true of one unit."""
        if not len(self):
            return np.ones(self.above.shape[1], np.bool_)
        scale = np.maximum(np.abs(self.ratios).max(axis=0), np.finfo(float).tiny)
        return np.asarray(np.ptp(self.ratios, axis=0) <= 1e-12 * scale)

    @cached_property
    def effective(self) -> float:
        """How many units of equal weight these are worth: (Σb)² / Σb² (Kish 1965)."""
        return float(self.below.sum() ** 2 / (self.below**2).sum()) if len(self) else 0.0


def _summed(above: Floats, below: Floats, clusters: Ints) -> tuple[Floats, Floats]:
    """Return the sums by cluster, added in an order of their own: no bit depends on the order of queries."""
    numbers, unit = np.unique(np.asarray(clusters), return_inverse=True)
    sums, weights = np.zeros((len(numbers), above.shape[1])), np.zeros(len(numbers))
    order = np.lexsort((*above.T, below))
    np.add.at(sums, unit[order], above[order])
    np.add.at(weights, unit[order], below[order])
    return sums, weights


def units_of_pairs(
    differences: Floats, weights: Floats | None = None, clusters: Ints | None = None
) -> list[tuple[Ints, Units]]:
    """Return which pairs have the same queries, and their units; `differences` (queries, pairs), NaN: left out."""
    present = ~np.isnan(differences)
    if present.all():
        return [(np.arange(present.shape[1]), Units.of(differences, weights, clusters))]
    groups: dict[bytes, list[int]] = {}
    for pair, packed in enumerate(np.packbits(present, axis=0).T):
        groups.setdefault(packed.tobytes(), []).append(pair)
    found = []
    for pairs in groups.values():
        kept = present[:, pairs[0]]
        weight = None if weights is None else weights[kept]
        cluster = None if clusters is None else clusters[kept]
        found.append((np.array(pairs), Units.of(differences[:, pairs][kept], weight, cluster)))
    return found
