"""What a value could be: its lowest and highest over all judgings of the retrieved items without a judgment.

Such an item may be given any grade from 0 up to the highest there is. The letters of the formulas: of R
relevant items in the gold h stand within the first k places; u items without a judgment stand within them
and v beyond.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np

from assay.core.judged import Flags, Floats, Hits, Ints, Judged
from assay.errors import UnsupportedError

PLACES = 1 << 20
"""How many places are graded at once."""
CELLS = 1 << 17
"""How many cells a board has: few enough for the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """The lowest and the highest value of each query, both of shape (queries,).

    Where `exact` is False they are outer bounds: no judging leads out of them, and perhaps none reaches them.
    A query whose gold holds nothing relevant has a value only if a judging finds something: the bounds are
    then of the values of such judgings, and `low` may be below all of them.
    """

    low: Floats
    high: Floats
    exact: bool

    @classmethod
    def of(cls, judged: Judged, value: Floats, low: Floats, high: Floats, *, exact: bool = True) -> Self:
        """Keep the value itself for the queries in which every retrieved item is judged."""
        is_open = has_open(judged)
        return cls(np.where(is_open, low, value), np.where(is_open, high, value), exact)


def open_places(judged: Judged, k: int | None = None) -> tuple[Floats, Floats]:
    """Return how many items without a judgment stand within the first k places and beyond, (queries,) both.

    Raises
    ------
    UnsupportedError
        Items share a rank: without a place of its own for each item, none can be said to be free.
    """
    known = judged.hits.judged()
    if (known.rank % 1).any():
        msg = "possible values need a place of its own for each item, found tied items that share their mean rank"
        raise UnsupportedError(msg, hint="the tie rules id-desc, id-asc and order give each item a place.")
    inside = _depth(judged, k) - known.top(k).count()
    return inside, judged.retrieved - known.count() - inside


def share(above: Floats, below: Floats) -> Floats:
    """Divide; 0 where there is nothing to divide by, shape (queries,)."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def has_open(judged: Judged) -> Flags:
    """Flag the queries with a retrieved item without a judgment, shape (queries,)."""
    flags: Flags = judged.hits.judged().count() < judged.retrieved
    return flags


def outer(judged: Judged, value: Floats, bounds: tuple[float, float]) -> Possible:
    """Return the bounds of the measure itself for every query that is not wholly judged."""
    low, high = (np.full(judged.queries, float(bound)) for bound in bounds)
    return Possible.of(judged, value, low, high, exact=False)


def rising(judged: Judged, kernel: Callable[[Judged], Floats], highest: float, k: int | None) -> Possible:
    """Return the bounds of a measure that never falls when a grade rises: all lowest grade, all highest."""
    value = kernel(judged)
    high = value.copy()
    for part in parts(_depth(judged, k) * has_open(judged), PLACES):
        flags = np.zeros(judged.queries, np.bool_)
        flags[part] = True
        high[flags] = kernel(filled(judged.select(flags), highest, k))
    low = np.where(np.isnan(value), 0.0, value)
    return Possible.of(judged, value, low, np.where(np.isnan(high), low, high))


def filled(judged: Judged, grade: float, k: int | None = None) -> Judged:
    """Return only the first k places, each item without a judgment given the grade, in ranking and gold.

    >>> from assay.core.judged import Judged
    >>> judged = Judged.of_grades([1, -np.inf, 0], [2, 1, 0])
    >>> filled(judged, 2, k=2).hits.grade, filled(judged, 2, k=2).ideal.grade
    (array([1., 2.]), array([2., 2., 1., 0.]))
    """
    known, depth = judged.hits.judged().top(k), _depth(judged, k).astype(np.int64)
    query = np.repeat(np.arange(judged.queries), depth)
    grades = np.full(len(query), np.nan)
    grades[(np.cumsum(depth) - depth)[known.query] + known.rank.astype(np.int64) - 1] = known.grade
    new = np.isnan(grades)
    grades[new] = grade
    ideal_query = np.concatenate([query[new], judged.ideal.query])
    ideal_grade = np.concatenate([grades[new], judged.ideal.grade])
    order = np.lexsort((-ideal_grade, ideal_query))
    return replace(
        judged,
        hits=Hits.ranked(judged.queries, query, grades),
        ideal=Hits.ranked(judged.queries, ideal_query[order], ideal_grade[order]),
        whole_top=max(judged.top_grade, grade),
        judgments=None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The first places of some queries, laid out: a row for each of `queries`, a column for each place.

    `is_open` flags the places of items without a judgment, shape (rows, places); `hits` are the judged items,
    their `query` the number of the row.
    """

    queries: Ints
    is_open: Flags
    hits: Hits

    @property
    def rank(self) -> Floats:
        """The rank of each column, shape (places,)."""
        return np.arange(1.0, self.is_open.shape[1] + 1)

    def lay(self, hits: Hits) -> Floats:
        """Return 1 at the place of each of these judged items, else 0, shape (rows, places)."""
        table = np.zeros(self.is_open.shape)
        table[hits.query, hits.rank.astype(np.int64) - 1] = 1.0
        return table


def boards(judged: Judged, k: int | None = None) -> Iterator[Board]:
    """Lay out the first k places of all queries, some queries at a time."""
    known, depth = judged.hits.judged().top(k), _depth(judged, k).astype(np.int64)
    order = np.argsort(depth, kind="stable")
    slot, board_of = np.empty((2, judged.queries), np.int64)
    parts = list(_rows(depth[order]))
    for number, part in enumerate(parts):
        board_of[order[part]] = number
        slot[order[part]] = np.arange(part.stop - part.start)
    rows = np.argsort(board_of[known.query], kind="stable")
    edges = np.searchsorted(board_of[known.query][rows], np.arange(len(parts) + 1))
    for number, part in enumerate(parts):
        queries = order[part]
        hits = known.where(rows[edges[number] : edges[number + 1]])
        hits = replace(hits, queries=len(queries), query=slot[hits.query])
        hits = hits.where(np.lexsort((hits.rank, hits.query)))
        is_open = np.arange(depth[queries].max()) < depth[queries, None]
        is_open[hits.query, hits.rank.astype(np.int64) - 1] = False
        yield Board(queries, is_open, hits)


def parts(sizes: Floats, most: int) -> Iterator[slice]:
    """Cut neighbours into parts that have about `most` together; parts of nothing are left out."""
    part = np.cumsum(sizes) // most
    edges = np.r_[0, np.flatnonzero(np.diff(part)) + 1, len(sizes)].tolist()
    yield from (slice(start, end) for start, end in pairwise(edges) if sizes[start:end].any())


def _depth(judged: Judged, k: int | None) -> Floats:
    """Return how many of the first k places are filled, shape (queries,)."""
    return (judged.retrieved if k is None else np.minimum(judged.retrieved, k)).astype(np.float64)


def _rows(depth: Ints) -> Iterator[slice]:
    """Cut queries, sorted by depth, into boards of at most `CELLS` cells, at least a query each."""
    start = 0
    while start < len(depth):
        cells = np.arange(1, min(len(depth) - start, CELLS) + 1) * depth[start : start + CELLS]
        rows = max(1, int(np.searchsorted(cells, CELLS, side="right")))
        yield slice(start, start + rows)
        start += rows
