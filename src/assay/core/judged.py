"""`Judged`: gold joined to one run, sparse: each judged item that was retrieved, with its rank.

A run of seven million rows has perhaps seven thousand judged items in it; only their ranks are needed.
Measures read them with the words of `Hits`: `top(k)`, `relevant(rel)`, `count()`, `sum(weights)`,
`position()`, `first()`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.policy import Policy

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
    (`above`) and how many have the same score, itself included (`tied`).
    """

    queries: int
    query: Ints
    grade: Floats
    rank: Floats
    above: Ints
    tied: Ints

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
            self.queries, self.query[rows], self.grade[rows], self.rank[rows], self.above[rows], self.tied[rows]
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


@dataclass(frozen=True, slots=True)
class Notes:
    """What the engine noticed on its way, for the audit: ids are named, counts are whole."""

    rows: int = 0
    run_queries: int = 0
    extra_queries: tuple[str, ...] = ()
    duplicates: int = 0
    nan: int = 0
    excluded: int = 0
    self_matches: int = 0


@dataclass(frozen=True)
class Judged:
    """What an engine makes of a gold standard and one run: the only input of a measure.

    `names` are the gold's queries; `hits` the judged items that were retrieved; `ideal` all judged items,
    best first; `retrieved` the number of ranked items of each query, `candidates` how many there were to
    rank, both of shape (queries,); `answered` flags queries for which the run holds any row. `whole_top` is
    the highest grade of the whole gold, where these queries are a part of it.
    """

    names: pl.Series
    hits: Hits
    ideal: Hits
    retrieved: Ints
    answered: Flags
    candidates: Ints | None = None
    whole_top: float | None = None
    notes: Notes = field(default_factory=Notes)

    @classmethod
    def of_grades(cls, ranked: Sequence[float], gold: Sequence[float]) -> Self:
        """Make the judged ranks of one query from the grades of its ranking, best place first, and of its gold."""
        grades = np.array(ranked, np.float64)
        hits = Hits.ranked(1, np.zeros(len(grades), np.int64), grades).where(grades > UNJUDGED)
        best = np.sort(np.array(gold, np.float64))[::-1]
        ideal = Hits.ranked(1, np.zeros(len(best), np.int64), best)
        retrieved = np.array([len(grades)], np.int64)
        return cls(pl.Series(["1"]), hits, ideal, retrieved, retrieved > 0)

    @property
    def queries(self) -> int:
        """The number of queries in the gold."""
        return len(self.names)

    def top(self, k: int | None) -> Hits:
        """Return the judged items within the first k places."""
        return self.hits.top(k)

    def relevant(self, rel: float) -> Hits:
        """Return the retrieved items whose grade is at least rel."""
        return self.hits.relevant(rel)

    @cached_property
    def top_grade(self) -> float:
        """The highest grade of the whole gold, at least 0."""
        if self.whole_top is not None:
            return self.whole_top
        return float(max(self.ideal.grade.max(initial=0.0), 0.0))

    def under(self, policy: Policy) -> "Judged":
        """Apply the fields of the policy that need grades: ties, negative, unjudged."""
        judged = self
        if policy.negative == "nonrelevant":
            judged = replace(
                judged,
                hits=replace(judged.hits, grade=np.maximum(judged.hits.grade, 0.0)),
                ideal=replace(judged.ideal, grade=np.maximum(judged.ideal.grade, 0.0)),
            )
        if policy.unjudged == "drop":
            judged = judged.condensed()
        return replace(judged, hits=rank_ties(judged.hits, policy.ties))

    def select(self, kept: Flags) -> "Judged":
        """Return only the queries that are flagged."""
        number = np.cumsum(kept) - 1

        def some(hits: Hits) -> Hits:
            rows = hits.where(kept[hits.query])
            return replace(rows, queries=int(kept.sum()), query=number[rows.query])

        return replace(
            self,
            names=self.names.filter(pl.Series(kept)),
            hits=some(self.hits),
            ideal=some(self.ideal),
            retrieved=self.retrieved[kept],
            answered=self.answered[kept],
            candidates=None if self.candidates is None else self.candidates[kept],
            whole_top=self.top_grade,
        )

    def tied_across(self, k: int | None) -> Flags:
        """Flag the queries in which a tie decides: its group has unequal gains and crosses place k.

        Without k, any tie with unequal gains counts. Items without a judgment have gain 0.
        """
        hits = self.hits.where(self.hits.tied > 1)
        if k is not None:
            hits = hits.where((hits.above < k) & (k < hits.above + hits.tied))
        hits = hits.where(np.lexsort((hits.above, hits.query)))
        flags = np.zeros(self.queries, np.bool_)
        if len(hits):
            start = np.flatnonzero(np.diff(hits.groups(), prepend=-1))
            gain = np.maximum(hits.grade, 0)
            lowest, highest = np.minimum.reduceat(gain, start), np.maximum.reduceat(gain, start)
            whole = np.bincount(hits.groups()) == hits.tied[start]
            flags[hits.query[start][np.where(whole, lowest, 0.0) < highest]] = True
        return flags

    def condensed(self) -> "Judged":
        """Take the items without a judgment out of every ranking, so that the judged ones move up."""
        hits = self.hits.judged()
        hits = hits.where(np.lexsort((hits.rank, hits.above, hits.query)))
        rank = hits.position()
        group = hits.groups()
        start = np.flatnonzero(np.diff(group, prepend=-1))
        hits = replace(
            hits, rank=rank.astype(np.float64), above=(rank[start] - 1)[group], tied=np.bincount(group)[group]
        )
        return replace(self, hits=hits, retrieved=hits.count().astype(np.int64))


def rank_ties(hits: Hits, ties: str) -> Hits:
    """Give tied rows their rank under a rule that needs no ids; id and input order come from the engine."""
    if ties in {"id-desc", "id-asc", "order", "expected"} or not (hits.tied > 1).any():
        return hits
    hits = hits.where(np.lexsort((hits.rank, hits.above, hits.query)))
    if ties == "realistic":
        return replace(hits, rank=hits.above + (hits.tied + 1) / 2)
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
