"""Exact nearest neighbours in blocks: a float32 product finds who may be near, float64 decides who is."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.core.judged import Floats, Ints
from assay.core.progress import Progress
from assay.errors import InputError, ParameterError
from assay.tasks.neighbours.highest import highest
from assay.tasks.neighbours.metrics import Metric, Singles, Space

SPARE = 16
"""How many more than k are kept, so that a gap between the kept and the rest proves that no nearer one was dropped."""
KEPT_BYTES = 256 * 2**20
"""Up to this size the prepared candidates are kept from block to block; larger ones are prepared again."""


def exact_neighbours(
    vectors: Any,
    queries: Any = None,
    k: int = 10,
    metric: Metric = "cosine",
    *,
    block: int = 256,
    candidates: int = 65_536,
    progress: Progress | None = None,
) -> tuple[Ints, Floats]:
    r"""Return the k nearest vectors of each query, nearest first: ids and scores, both of shape (queries, k).

    Scores are cosines, products, or minus Euclidean distances (higher is nearer), in float64. Of equal scores the
    lower id comes first. A query that is a row is never its own neighbour; a copy of it at another row is. Where
    there are fewer than k others, ids end with -1 and scores with NaN. Under cosine a vector of zeros has no
    direction: its score with every other is 0.

    The result is that of float64 whatever the block and the number of threads: a float32 product keeps k + 16
    candidates, whose scores are computed again in float64. If the best that was dropped is so near that rounding
    may have hidden a neighbour, all that rounding may have hidden are computed again.

    Parameters
    ----------
    vectors
        Shape (rows, d), real or complex; a memory-mapped array is read in blocks.
    queries
        None: every row. Whole numbers of shape (queries,): these rows. Shape (queries, d): vectors of their own.
    k, metric
        How many neighbours; "cosine", "dot" or "l2".
    block, candidates
        How many queries and how many candidates are multiplied at a time: 4 × block × candidates bytes of memory.
    progress
        Called after each block with the number of queries that are done, and of all.

    Raises
    ------
    AssayError
        Numbers that are not finite, shapes that do not fit, k below 1, a metric that does not exist.

    >>> ids, scores = exact_neighbours([[0.0], [1.0], [1.0], [3.0]], k=2, metric="l2")
    >>> ids.tolist(), scores[0].tolist()
    ([[1, 2], [2, 0], [1, 0], [1, 2]], [-1.0, -1.0])
    """
    for name, value in {"k": k, "block": block, "candidates": candidates}.items():
        if value < 1:
            msg = f"{name}: expected a number of at least 1, found {value}"
            raise ParameterError(msg)
    space = Space.of(vectors, metric)
    return neighbours_in(space, queries, k, block=block, candidates=candidates, progress=progress)


def neighbours_in(
    space: Space,
    queries: Any = None,
    k: int = 10,
    *,
    block: int = 256,
    candidates: int = 65_536,
    progress: Progress | None = None,
) -> tuple[Ints, Floats]:
    """Return what `exact_neighbours` does, of vectors that were looked at before."""
    asked = asked_of(space, queries)
    ids, scores = np.full((len(asked), k), -1, np.int64), np.full((len(asked), k), np.nan)
    search = _Search(space, k, candidates)
    for start in range(0, len(asked), block):
        rows = slice(start, min(start + block, len(asked)))
        found = search.run(asked[rows])
        ids[rows, : found[0].shape[1]], scores[rows, : found[1].shape[1]] = found
        if progress is not None:
            progress(rows.stop, len(asked))
    return ids, scores


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Queries as vectors, and which row each of them is (-1: none)."""

    vectors: Any
    row: Ints
    own: bool

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, rows: slice) -> "Asked":
        row = self.row[rows]
        taken = self.vectors[row] if self.own else self.vectors[rows]
        return Asked(np.asarray(taken, np.float64), row, own=False)


def asked_of(space: Space, queries: Any) -> Asked:
    """Return queries, whatever they are given as.

    Raises
    ------
    InputError
        Rows that are not there, vectors of another dimension.
    """
    many, size = space.vectors.shape
    if queries is None:
        return Asked(space.vectors, np.arange(many), own=True)
    given = np.asarray(queries)
    if given.ndim == 1 and given.dtype.kind in "iu":
        if len(given) and not 0 <= given.min() <= given.max() < many:
            msg = f"queries: expected rows from 0 to {many - 1}, found {given.min()} to {given.max()}"
            raise InputError(msg)
        return Asked(space.vectors, given.astype(np.int64), own=True)
    if given.ndim != 2 or given.shape[1] != size or not np.isfinite(given).all():
        msg = f"queries: expected rows, or finite vectors of {size} dimensions, found shape {given.shape}"
        raise InputError(msg)
    return Asked(given, np.full(len(given), -1), own=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    space: Space
    k: int
    size: int
    kept: dict[int, Singles] = field(default_factory=dict)

    def run(self, asked: Asked) -> tuple[Ints, Floats]:
        """Return ids and scores of one block of queries; as many columns as there are neighbours, at most k."""
        queries = self.space.asked(asked.vectors)
        ids, products, dropped = self._nearest(queries, asked.row)
        width = min(self.k, ids.shape[1])
        ids, scores = self._ordered(asked.vectors, ids)
        ids, scores = ids[:, :width], scores[:, :width]
        last = np.sort(products, axis=1)[:, -width]
        unsure = (dropped > -np.inf) & (dropped + 2 * self.space.bound >= last)
        for row in np.flatnonzero(unsure).tolist():
            near = self._within(queries[row], int(asked.row[row]), last[row] - 2 * self.space.bound)
            one, those = self._ordered(asked.vectors[row : row + 1], near[None])
            ids[row], scores[row] = one[0, :width], those[0, :width]
        return ids, scores

    def _nearest(self, queries: Singles, own: Ints) -> tuple[Ints, Singles, Singles]:
        """Return the candidates with the highest products, -1 where there are no more, and the highest one dropped."""
        many = min(self.k + SPARE, len(self.space.vectors))
        ids, products = np.zeros((len(queries), 0), np.int64), np.zeros((len(queries), 0), np.float32)
        dropped = np.full(len(queries), -np.inf, np.float32)
        for start, scores in self._products(queries, own):
            places, best, left = highest(scores, many)
            ids, products = np.hstack([ids, places + start]), np.hstack([products, best])
            order, products, beyond = highest(products, many)
            ids = np.take_along_axis(ids, order, axis=1)
            dropped = np.maximum(dropped, np.maximum(left, beyond))
        return np.where(products == -np.inf, -1, ids), products, dropped

    def _products(self, queries: Singles, own: Ints) -> Iterator[tuple[int, Singles]]:
        """Yield the products of all queries with some candidates, -inf for the query itself, and the first's id."""
        rows = len(self.space.vectors)
        buffer = np.empty((len(queries), min(self.size, rows)), np.float32)
        for start in range(0, rows, self.size):
            part = self._candidates(start, min(start + self.size, rows))
            scores = buffer[:, : len(part)] if len(part) < buffer.shape[1] else buffer
            np.matmul(queries, part.T, out=scores)
            inside = np.flatnonzero((own >= start) & (own < start + len(part)))
            scores[inside, own[inside] - start] = -np.inf
            yield start, scores

    def _candidates(self, start: int, stop: int) -> Singles:
        if start not in self.kept:
            part = self.space.candidates(start, stop)
            if part.itemsize * part.shape[1] * len(self.space.vectors) > KEPT_BYTES:
                return part
            self.kept[start] = part
        return self.kept[start]

    def _within(self, query: Singles, own: int, least: float) -> Ints:
        """Return all candidates of one query whose product is at least so high."""
        found = [
            start + np.flatnonzero(scores[0] >= least) for start, scores in self._products(query[None], np.array([own]))
        ]
        return np.concatenate(found)

    def _ordered(self, queries: Floats, ids: Ints) -> tuple[Ints, Floats]:
        """Return candidates by their exact scores, of equal ones the lower id first."""
        scores = self.space.scores(queries, ids)
        order = np.lexsort((ids, -scores), axis=1)
        return np.take_along_axis(ids, order, axis=1), np.take_along_axis(scores, order, axis=1)
