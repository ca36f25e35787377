"""The values of one measure before and now, query by query, joined by the id of the query."""

from dataclasses import dataclass

import numpy as np

from assay.core.history import Recorded
from assay.core.hits import Flags, Floats, Ints

DECIMALS = 12
"""How exactly the file of a baseline holds values."""
TIE = 1e-11
"""Values that differ by no more are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """One measure of the queries of now: `before` and `now` have the shape (queries,), NaN where there is no value.

    `weights` and `clusters` (queries,) are those of now, None where all queries count alike or stand for themselves.
    """

    queries: tuple[str, ...]
    before: Floats
    now: Floats
    weights: Floats | None
    clusters: Ints | None

    @classmethod
    def of(cls, before: Recorded | None, now: Recorded, measure: str) -> "Paired":
        """Join two evaluations by the ids of their queries; without one before, no query has a value there."""
        if before is None:
            old = np.full(len(now.queries), np.nan)
        else:
            old = aligned(before.values[measure], before.queries, now.queries)
        return cls(now.queries, old, now.values[measure], now.weights, now.clusters)

    @property
    def there(self) -> Flags:
        """Which queries have a value on both sides; shape (queries,)."""
        return ~(np.isnan(self.before) | np.isnan(self.now))

    @property
    def vanished(self) -> Flags:
        """Which queries had a value and have none now; shape (queries,)."""
        return ~np.isnan(self.before) & np.isnan(self.now)

    def shared(self) -> "Paired":
        """Return the queries with a value on both sides."""
        return self.only(self.there)

    def only(self, kept: Flags) -> "Paired":
        """Return the queries that are flagged."""
        return Paired(
            tuple(query for query, keep in zip(self.queries, kept.tolist(), strict=True) if keep),
            self.before[kept],
            self.now[kept],
            None if self.weights is None else self.weights[kept],
            None if self.clusters is None else self.clusters[kept],
        )

    @property
    def differences(self) -> Floats:
        """Now less before; what differs by rounding alone is 0."""
        found = self.now - self.before
        found[np.abs(found) <= TIE] = 0.0
        return found


def aligned(values: Floats, queries: tuple[str, ...], wanted: tuple[str, ...]) -> Floats:
    """Return the values of other queries, NaN for those that have none; the last axis is that of the queries."""
    place = {query: at for at, query in enumerate(queries)}
    at = np.array([place.get(query, -1) for query in wanted], np.int64)
    found = np.full((*values.shape[:-1], len(wanted)), np.nan)
    found[..., at >= 0] = values[..., at[at >= 0]]
    return found


def mean_of(values: Floats, weights: Floats | None) -> float | None:
    """Return the mean of the values that are there, weighted; None where there is none."""
    there = ~np.isnan(values)
    loads = np.ones(len(values)) if weights is None else weights
    total = float(loads[there].sum())
    return float((values[there] * loads[there]).sum() / total) if total > 0 else None
