"""Counting in tiles: the certain from the tile, the doubtful by their exact scores, lists by what they hold of both."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.hits import Floats, Ints
from assay.engines.blocks import Counts, Kind, Lists, Matrix
from assay.engines.exact import exact_scores

Doubtful = Callable[[Ints, Ints], None]
"""What is called with doubtful pairs: places in `Asked.index` and columns of the tile."""
WAITING = 1 << 16
"""Doubtful pairs that wait to be handed over, about."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The targets of some queries, query after query.

    `rows` are the queries' numbers, `begin` for each its first target, shape (queries + 1,). For each target:
    `place` of its query among them, its number `index` among all targets, and its `entity`.
    """

    rows: Ints
    begin: Ints
    place: Ints
    index: Ints
    entity: Ints

    @classmethod
    def of(cls, targets: Lists, rows: Ints) -> "Asked":
        """Gather the targets of some queries."""
        sizes = targets.sizes(rows)
        begin = np.concatenate([[0], np.cumsum(sizes)])
        index = np.repeat(targets.start[targets.list_of(rows)] - begin[:-1], sizes) + np.arange(begin[-1])
        return cls(rows, begin, np.repeat(np.arange(len(rows)), sizes), index, targets.entity[index])

    def part(self, places: slice) -> tuple["Asked", slice]:
        """Return the targets of some of the queries, and where they stand among these."""
        first, last = int(self.begin[places.start]), int(self.begin[places.stop])
        some = slice(first, last)
        begin = self.begin[places.start : places.stop + 1] - first
        return Asked(
            self.rows[places], begin, self.place[some] - places.start, self.index[some], self.entity[some]
        ), some


class Tally:
    """The counts while they are made, over all candidates (name "") and over each set of lists."""

    def __init__(self, targets: Lists, lists: Mapping[str, Lists]) -> None:
        size = len(targets.entity)
        self.targets, self.lists = targets, lists
        self.score = np.full(size, -np.inf)
        self.missing = 0
        self.greater = {name: np.zeros(size, np.int64) for name in ("", *lists)}
        self.equal = {name: np.zeros(size, np.int64) for name in ("", *lists)}

    def counts(self) -> Counts:
        """Return what was counted."""
        within = {name: (self.greater[name], self.equal[name]) for name in self.lists}
        return Counts(self.greater[""], self.equal[""], within, self.score, self.missing)

    def add_above(self, name: str, asked: Asked, above: Ints) -> None:
        """Count as greater what certainly is."""
        self.greater[name][asked.index] += above

    def add_alike(self, name: str, asked: Asked, above: Ints, near: Ints) -> None:
        """Count as greater all that are above and as equal all others that are near, but not the target itself."""
        own = 1 if name == "" else self.lists[name].has(asked.rows[asked.place], asked.entity)
        self.greater[name][asked.index] += above
        self.equal[name][asked.index] += near - above - own

    def add_part(self, asked: Asked, greater: Ints, equal: Ints) -> None:
        """Add what was counted elsewhere, a row for all candidates and one for each set of lists."""
        for row, name in enumerate(self.greater):
            self.greater[name][asked.index] += greater[row]
            self.equal[name][asked.index] += equal[row]

    def add_pairs(self, asked: Asked, which: Ints, entity: Ints, found: Floats, values: Floats) -> None:
        """Count pairs of a target (its place in `asked`) and another candidate by their exact values."""
        index, query, limit = asked.index[which], asked.rows[asked.place[which]], values[which]
        alike, some = found == limit, found >= limit
        index, query, entity, alike = index[some], query[some], entity[some], alike[some]
        size = len(self.score)
        for name in self.greater:
            held = np.ones(len(index), np.bool_) if name == "" else self.lists[name].has(query, entity)
            self.greater[name] += np.bincount(index[held & ~alike], minlength=size)
            self.equal[name] += np.bincount(index[held & alike], minlength=size)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """Scores of some queries against the candidates from `first` on."""

    scores: Matrix
    first: int
    entities: int


def _compare(tile: Tile, asked: Asked, low: Matrix, high: Matrix, doubtful: Doubtful | None) -> tuple[Ints, Ints]:
    """Count for each target the scores above `high` and those from `low` on, shapes (targets,).

    What lies between is handed to `doubtful`.
    """
    above, near = np.zeros((2, len(asked.index)), np.int64)
    over, from_low = np.empty((2, tile.scores.shape[1]), np.bool_)
    waiting = Waiting(doubtful)
    for target, place in enumerate(asked.place.tolist()):
        scores = tile.scores[place]
        np.greater(scores, high[target], out=over)
        np.greater_equal(scores, low[target], out=from_low)
        above[target] = certain = np.count_nonzero(over)
        near[target] = possible = np.count_nonzero(from_low)
        if doubtful is not None and possible > certain:
            waiting.add(target, np.bitwise_xor(over, from_low, out=over).nonzero()[0])
    waiting.hand_over()
    return above, near


def _compare_lists(tile: Tile, asked: Asked, low: Matrix, high: Matrix, lists: Lists) -> tuple[Ints, Ints]:
    """Count the same within the list of each target's query, shapes (targets,)."""
    above, near = np.zeros((2, len(asked.index)), np.int64)
    query, width = asked.rows[asked.place], tile.scores.shape[1]
    scores = tile.scores.reshape(-1)
    for some in parts(lists.sizes(query), WAITING):
        which, entity = lists.pairs(query[some])
        column = entity - tile.first
        if tile.first or width < tile.entities:
            inside = (column >= 0) & (column < width)
            which, column = which[inside], column[inside]
        found = scores[asked.place[some][which] * width + column]
        above[some] = np.bincount(which[found > high[some][which]], minlength=some.stop - some.start)
        near[some] = np.bincount(which[found >= low[some][which]], minlength=some.stop - some.start)
    return above, near


class Waiting:
    """Doubtful pairs, gathered so that their exact scores are computed many at a time."""

    def __init__(self, doubtful: Doubtful | None) -> None:
        self.doubtful = doubtful
        self.targets: list[int] = []
        self.columns: list[Ints] = []
        self.size = 0

    def add(self, target: int, columns: Ints) -> None:
        """Add the doubtful columns of a target."""
        self.targets.append(target)
        self.columns.append(columns)
        self.size += len(columns)
        if self.size >= WAITING:
            self.hand_over()

    def hand_over(self) -> None:
        """Hand over what has been gathered."""
        if self.doubtful is not None and self.size:
            which = np.repeat(np.array(self.targets, np.int64), [len(columns) for columns in self.columns])
            self.doubtful(which, np.concatenate(self.columns))
        self.targets, self.columns, self.size = [], [], 0


@dataclass(frozen=True, slots=True)
class Comparing:
    """How a tile is compared with thresholds, `all` of it and the `lists` of its queries, and pairs scored exactly.

    `exact_throughout` says that the exact score costs no more than a quick one.
    """

    all: Callable[[Tile, Asked, Matrix, Matrix, Doubtful | None], tuple[Ints, Ints]]
    lists: Callable[[Tile, Asked, Matrix, Matrix, Lists], tuple[Ints, Ints]]
    exact: Callable[[Kind, Matrix, Matrix, Ints, Ints], Floats]
    exact_throughout: bool = False


NUMPY = Comparing(_compare, _compare_lists, exact_scores)


def parts(sizes: Ints, most: int) -> Iterator[slice]:
    """Divide what has these sizes into parts of about `most`, at least one in each."""
    number = (np.cumsum(sizes) - sizes) // most
    bounds = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(sizes)]
    for first, last in itertools.pairwise(bounds):
        yield slice(first, last)


def blocks(size: int, step: int) -> Iterator[slice]:
    """Divide a range into parts."""
    for first in range(0, size, step):
        yield slice(first, min(first + step, size))
