"""k-means, for the question whether vectors fall into the types that are known."""

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from assay.core.judged import Floats, Ints
from assay.errors import ParameterError
from assay.tasks.neighbours.metrics import Metric, Singles, as_table

RESTARTS = 4
MOST_ROUNDS = 100


def kmeans(vectors: Any, clusters: int, *, metric: Metric = "cosine", seed: int = 0, restarts: int = RESTARTS) -> Ints:
    """Return the cluster of each vector, shape (rows,), by Lloyd's algorithm, the tightest of several starts.

    Starts are drawn far from each other (k-means++, the best of several draws). Under "cosine" vectors and centres are
    on the unit sphere; "dot" and "l2" cluster by Euclidean distance. Rows are put in the order of their values first,
    so that the clusters do not depend on the order of the rows; equal rows share a cluster. Clusters are numbered by
    their first row.
    Source: Lloyd 1982; Arthur and Vassilvitskii 2007.

    Raises
    ------
    ParameterError
        Fewer clusters than 1, or more than rows.

    >>> kmeans([[0.0, 1.0], [9.0, 1.0], [0.1, 1.0]], 2, metric="l2").tolist()
    [0, 1, 0]
    """
    table = np.asarray(as_table(vectors), np.float64)
    if not 1 <= clusters <= len(table):
        msg = f"clusters: expected a number from 1 to {len(table)}, found {clusters}"
        raise ParameterError(msg)
    table = _unit(table) if metric == "cosine" else table - table.mean(axis=0)
    table = table + 0.0  # so that -0 is 0
    order = np.lexsort(table.T[::-1])
    points = _Points.of(table[order].astype(np.float32))
    random = np.random.default_rng(seed)
    starts = (points.far_apart(clusters, random) for _ in range(restarts))
    tried = [points.lloyd(centres, unit=metric == "cosine") for centres in starts]
    found = np.empty(len(table), np.int64)
    found[order] = min(tried, key=lambda one: one[1])[0]
    _, first, code = np.unique(found, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[code])


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """Points of shape (points, d), and their squared lengths."""

    table: Singles
    lengths: Singles

    @classmethod
    def of(cls, table: Singles) -> Self:
        return cls(table, np.einsum("pd,pd->p", table, table))

    def squares(self, centres: Singles) -> Singles:
        """Return squared distances, shape (points, centres)."""
        found = self.table @ (-2 * centres.T)
        found += np.einsum("cd,cd->c", centres, centres)
        found += self.lengths[:, None]
        return np.asarray(np.maximum(found, 0, out=found))

    def far_apart(self, many: int, random: np.random.Generator) -> Singles:
        """Return starts: of several drawn by their squared distance to the nearest before, the best."""
        chosen = [int(random.integers(len(self.table)))]
        apart = self.squares(self.table[chosen])[:, 0]
        tries = 2 + int(math.log(many))
        while len(chosen) < many:
            total = apart.sum(dtype=np.float64)
            drawn = random.choice(len(self.table), tries, p=apart.astype(np.float64) / total if total > 0 else None)
            left = np.minimum(apart[:, None], self.squares(self.table[drawn]))
            best = int(left.sum(axis=0, dtype=np.float64).argmin())
            chosen.append(int(drawn[best]))
            apart = left[:, best]
        return self.table[chosen]

    def lloyd(self, centres: Singles, *, unit: bool) -> tuple[Ints, float]:
        """Return clusters, and the sum of squared distances to their centres."""
        cluster = np.full(len(self.table), -1, np.int64)
        total = math.inf
        for _ in range(MOST_ROUNDS):
            distances = self.squares(centres)
            nearest = distances.argmin(axis=1)
            own = distances[np.arange(len(nearest)), nearest]
            total = float(own.sum(dtype=np.float64))
            if np.array_equal(nearest, cluster):
                break
            cluster = nearest
            centres = self._means(cluster, centres, own)
            centres = _unit(centres).astype(np.float32) if unit else centres
        return cluster, total

    def _means(self, cluster: Ints, centres: Singles, own: Singles) -> Singles:
        """Return the mean of each cluster; one without points moves to the point farthest from its own centre."""
        order = np.argsort(cluster, kind="stable")
        members = self.table[order]
        start = np.searchsorted(cluster[order], np.arange(len(centres) + 1))
        means = np.zeros_like(centres)
        for one in np.flatnonzero(np.diff(start)).tolist():
            means[one] = members[start[one] : start[one + 1]].mean(axis=0, dtype=np.float64)
        empty = np.flatnonzero(np.diff(start) == 0)
        means[empty] = self.table[np.argsort(-own, kind="stable")[: len(empty)]]
        return means


def _unit(points: Any) -> Floats:
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / np.where(lengths > 0, lengths, 1.0))
