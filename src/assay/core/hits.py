"""`Hits`: judged items with their ranks, and the words in which measures speak of them."""

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.core.policy import ENGINE_TIES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

UNJUDGED = -math.inf
"""The grade of an item without a judgment, where a ranking is given by its grades."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Rows of judged items, sorted by query, then rank.

    `queries` is the number of queries; the arrays have the shape (rows,): the query's number, the grade,
    the rank (from 1; not whole under `ties=realistic`), how many items of the query have a higher score
    (`above`) and how many have the same score, itself included (`tied`). `row` is the row of the gold, where
    an engine gave it: measures of facets look their judgments up by it.
    """

    queries: int
    query: Ints
    grade: Floats
    rank: Floats
    above: Ints
    tied: Ints
    row: Ints | None = None

    @classmethod
    def ranked(cls, queries: int, query: Ints, grade: Floats) -> Self:
        """Make rows that are ranked as they stand: 1, 2, 3 … within each query, without ties."""
        rank = _place_in_group(query)
        return cls(queries, query, grade, rank.astype(np.float64), rank - 1, np.ones_like(rank))

    def __len__(self) -> int:
        return len(self.query)

    def where(self, rows: Flags | Ints) -> Self:
        """Return the rows that are flagged, or the rows of these numbers in their order."""
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return type(self)(
            self.queries,
            self.query[rows],
            self.grade[rows],
            self.rank[rows],
            self.above[rows],
            self.tied[rows],
            None if self.row is None else self.row[rows],
        )

    def top(self, k: int | None) -> Self:
        """Return the rows within the first k places; all of them when k is None."""
        return self if k is None else self.where(self.rank <= k)

    def relevant(self, rel: float) -> Self:
        """Return the rows whose grade is at least rel."""
        return self.where(self.grade >= rel)

    def nonrelevant(self, rel: float) -> Self:
        """Return the rows judged not relevant: a grade from 0 up to, not including, rel."""
        return self.where((self.grade >= 0) & (self.grade < rel))

    def judged(self) -> Self:
        """Return the rows with a real judgment: grades below 0 mean pooled but not judged."""
        return self.where(self.grade >= 0)

    def count(self) -> Floats:
        """Return the number of rows of each query, shape (queries,)."""
        return np.bincount(self.query, minlength=self.queries).astype(np.float64)

    def sum(self, weights: Floats) -> Floats:
        """Return the sum of the rows' weights for each query, added in rank order, shape (queries,)."""
        return np.bincount(self.query, weights, minlength=self.queries).astype(np.float64, copy=False)

    def position(self) -> Ints:
        """Return each row's place among these rows of its query: 1, 2, 3 …, shape (rows,)."""
        return self._index() - self._start() + 1

    def before(self, flagged: Flags) -> Ints:
        """Return for each row how many flagged rows of its query stand before it, shape (rows,)."""
        if not len(self):
            return np.zeros(0, np.int64)
        so_far: Ints = np.cumsum(flagged) - flagged
        return so_far - so_far[self._start()]

    def first(self) -> Self:
        """Return the first row of each query."""
        return self.where(self.position() == 1)

    def _index(self) -> Ints:
        return np.arange(len(self), dtype=np.int64)

    def _start(self) -> Ints:
        """Return the number of the first row of each row's query, shape (rows,)."""
        many = np.bincount(self.query, minlength=self.queries)
        return np.repeat(np.cumsum(many) - many, many)

    def groups(self) -> Ints:
        """Number the tie groups of rows sorted by query and `above`: 0, 0, 1, 2, 2 …, shape (rows,)."""
        if not len(self):
            return np.zeros(0, np.int64)
        new = (np.diff(self.query) != 0) | (np.diff(self.above) != 0)
        return np.concatenate([[0], np.cumsum(new)])


def rank_ties(hits: Hits, ties: str) -> Hits:
    """Give tied rows their rank under a rule that needs no ids; id and input order come from the engine.

    Rows that share a mean rank stand best grade first, so that no measure sees the order of the gold.
    """
    if ties in ENGINE_TIES or ties == "expected" or not (hits.tied > 1).any():
        return hits
    if ties == "realistic":
        hits = hits.where(np.lexsort((-hits.grade, hits.above, hits.query)))
        return replace(hits, rank=hits.above + (hits.tied + 1) / 2)
    hits = hits.where(np.lexsort((hits.rank, hits.above, hits.query)))
    rank = _extreme_ranks(hits, best=ties == "optimistic")
    hits = replace(hits, rank=rank)
    return hits.where(np.lexsort((hits.rank, hits.query)))


def _extreme_ranks(hits: Hits, *, best: bool) -> Floats:
    """Rank tied rows so that relevant ones come first (best) or last, judged non-relevant at the other end."""
    order = np.lexsort((-hits.grade if best else hits.grade, hits.above, hits.query))
    ordered = hits.where(order)
    group = ordered.groups()
    front = _place_in_group(group)
    back = ordered.tied - np.bincount(group)[group] + front
    early = ordered.grade > 0 if best else ordered.grade <= 0
    rank = np.empty(len(hits), np.float64)
    rank[order] = ordered.above + np.where(early, front, back)
    return rank


def _place_in_group(group: NDArray[Any]) -> Ints:
    """Return 1, 2, 3 … within each stretch of equal neighbours, shape (rows,)."""
    index = np.arange(len(group), dtype=np.int64)
    if not len(group):
        return index
    starts = np.r_[True, group[1:] != group[:-1]]
    return index - np.maximum.accumulate(np.where(starts, index, 0)) + 1
