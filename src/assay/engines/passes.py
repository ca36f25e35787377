"""One pass over the candidates of a batch: tiles of scores, and what is counted in them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from assay.core.hits import Floats, Ints
from assay.core.progress import Progress
from assay.engines.block_counts import NUMPY, Asked, Comparing, Tally, Tile, blocks
from assay.engines.blocks import Batch, Kind, Matrix
from assay.engines.compiled import COMPILED, COMPILED_WAYS, available
from assay.engines.exact import by_entity, quick_scores, shown
from assay.engines.shares import Across, Share, lists_for, spans_of
from assay.engines.tiles import WAYS, Vectors, Way, is_wide, margin
from assay.errors import ParameterError, RunError

TILE = 1 << 24
"""Scores in one tile, at most: 64 MiB."""
WIDTH = 1 << 14
"""Candidates at a time, at most."""

CROWD = 64
"""From so many doubtful candidates a target on, it is asked which of them have the same vector."""
WORTH = 1 << 31
"""Terms of distances, or comparisons, that take NumPy longer than numba takes to start."""


@dataclass(frozen=True, eq=False)
class Laid:
    """Some candidates, measured and laid out for tiles."""

    of: Matrix
    first: int
    vectors: Vectors
    laid: Matrix
    wide: bool

    @cached_property
    def twins(self) -> Ints:
        """For each candidate the number of one that has the same vector, shape (candidates,)."""
        rows = np.ascontiguousarray(self.vectors.matrix)
        words = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)
        _, first, number = np.unique(words, return_index=True, return_inverse=True)
        return first[number]


@dataclass(eq=False)
class Pass:
    """How batches are counted: against how many entities, how many queries at a time, what becomes of NaN.

    `scored` is the number of scores that are done; `across` has vectors counted elsewhere.
    """

    tally: Tally
    entities: int
    block: int
    nan: str
    compiled: bool | None = None
    progress: Progress | None = None
    across: Across | None = None
    scored: int = 0
    last: Laid | None = None
    buffer: Matrix = field(default_factory=lambda: np.empty(0, np.float32))
    ways: Mapping[str, Way] = field(default_factory=lambda: WAYS)
    comparing: Comparing = NUMPY

    def add(self, batch: Batch) -> None:
        """Count the targets of some queries."""
        if batch.kind == "scores":
            if batch.score is None:
                raise ParameterError("batch of kind 'scores': expected a function `score`, found none")
            if self.across is not None:
                spans_of(None)
            self._given(batch.rows, batch.score)
            return
        queries, candidates = both(batch)
        shapes = (len(batch.rows), candidates.shape[-1]), (self.entities, candidates.shape[-1])
        if (queries.shape, candidates.shape) != shapes:
            raise ParameterError(
                f"batch of kind {batch.kind!r}: expected queries of shape {shapes[0]} and candidates of {shapes[1]}, "
                f"found {queries.shape} and {candidates.shape}"
            )
        self._vectors(batch, queries, candidates)

    def _given(self, rows: Ints, score: Callable[[Ints], Matrix]) -> None:
        for part in blocks(len(rows), max(min(self.block, TILE // max(self.entities, 1)), 1)):
            scores = self._numbers(np.asarray(score(np.arange(part.start, part.stop))), rows[part])
            asked = Asked.of(self.tally.targets, rows[part])
            value = scores[asked.place, asked.entity]
            self.tally.score[asked.index] = value
            tile = Tile(scores, 0, self.entities)
            self.tally.add_alike("", asked, *NUMPY.all(tile, asked, value, value, None))
            for name, lists in self.tally.lists.items():
                self.tally.add_alike(name, asked, *NUMPY.lists(tile, asked, value, value, lists))
            self._done(scores.size)

    def _done(self, scores: int) -> None:
        """Say how far the work is."""
        self.scored += scores
        if self.progress is not None:
            self.progress(self.scored // self.entities, len(self.tally.targets.start) - 1)

    def _numbers(self, scores: Matrix, rows: Ints) -> Matrix:
        """Refuse scores that are no finite numbers, or make NaN the lowest."""
        if scores.shape != (len(rows), self.entities):
            wanted = (len(rows), self.entities)
            raise RunError(f"scores: expected the shape (queries, entities) = {wanted}, found {scores.shape}")
        if scores.dtype.kind != "f" or np.isfinite(scores).all():
            return scores
        bad = np.isnan(scores) if self.nan == "worst" else ~np.isfinite(scores)
        self._miss(int(bad.sum()), scores.size, rows[bad.any(axis=1)], np.flatnonzero(bad.any(axis=0)))
        return np.where(bad, scores.dtype.type(-np.inf), scores)

    def _vectors(self, batch: Batch, queries: Matrix, candidates: Matrix) -> None:
        self.choose(batch.kind, queries.shape[1])
        vectors, asked = Vectors.of(queries), Asked.of(self.tally.targets, batch.rows)
        values = by_entity(
            self.comparing.exact, batch.kind, (vectors.matrix, candidates), (asked.place, asked.entity)
        )  # fmt: skip
        values[vectors.bad[asked.place] | ~np.isfinite(values)] = -np.inf
        self.tally.score[asked.index] = shown(batch.kind, values)
        if self.across is None:
            bad = self.over(batch, values, slice(0, self.entities))
        else:
            bad = self._elsewhere(self.across, batch, asked, values)
        self._refuse(batch.rows, vectors, bad)

    def over(self, batch: Batch, values: Floats, span: slice) -> Ints:
        """Count the targets of a batch, whose exact `values` are known, against some candidates.

        The numbers of those that hold NaN or infinity are returned.
        """
        queries, candidates = both(batch)
        vectors, asked, bad = Vectors.of(queries), Asked.of(self.tally.targets, batch.rows), [np.zeros(0, np.int64)]
        for part in blocks(span.stop - span.start, max(min(WIDTH, TILE // self.block), 1)):
            some = self._laid(batch.kind, vectors, candidates, slice(span.start + part.start, span.start + part.stop))
            bad.append(some.first + np.flatnonzero(some.vectors.bad))
            for places in blocks(len(batch.rows), self.block):
                targets, where = asked.part(places)
                self._count(batch.kind, vectors.part(places), some, targets, values[where])
                self._done(len(targets.rows) * len(some.vectors.norm))
        return np.concatenate(bad)

    def _elsewhere(self, across: Across, batch: Batch, asked: Asked, values: Floats) -> Ints:
        """Have the same counted where the vectors lie."""
        spans = spans_of(batch.candidates)
        targets, lists = self.tally.targets, self.tally.lists
        share = Share(
            replace(batch, rows=np.arange(len(batch.rows))), lists_for(targets, batch.rows),
            {name: lists_for(one, batch.rows) for name, one in lists.items()},
            values, self.entities, self.block, self.compiled,
        )  # fmt: skip
        bad = []
        for part in across(share, spans):
            self.tally.add_part(asked, part.greater, part.equal)
            bad.append(part.bad)
        self._done(len(batch.rows) * self.entities)
        return np.sort(np.concatenate(bad))

    def choose(self, kind: Kind, dimensions: int) -> None:
        """Choose who computes tiles and who compares: NumPy or numba."""
        work = len(self.tally.targets.entity) * self.entities
        if kind in {"l1", "modulus"}:
            work = (len(self.tally.targets.start) - 1) * self.entities * dimensions
        self.ways, self.comparing = WAYS, NUMPY
        if self.compiled or (self.compiled is None and work > WORTH and available()):
            self.ways, self.comparing = WAYS | COMPILED_WAYS, COMPILED

    def _laid(self, kind: Kind, queries: Vectors, candidates: Matrix, part: slice) -> Laid:
        """Lay out some candidates, once for all batches where they are the same."""
        last = self.last
        again = last is not None and last.of is candidates and last.first == part.start
        vectors = last.vectors if last is not None and again else Vectors.of(candidates[part])
        wide = is_wide(kind, queries, vectors)
        if last is None or not again or last.wide != wide:
            laid = self.ways[kind].ready(vectors, np.float64 if wide else np.float32)
            self.last = last = Laid(candidates, part.start, vectors, laid, wide)
        return last

    def _count(self, kind: Kind, queries: Vectors, some: Laid, asked: Asked, values: Floats) -> None:
        length, dimensions = queries.norm[asked.place], queries.matrix.shape[1]
        off = margin(kind, length, some.vectors.longest, dimensions, values, wide=some.wide)
        middle = values + np.square(length) if kind == "l2" else values
        tile = self._tile(kind, queries, some)
        real = tile.scores.dtype.type
        low = np.nextafter((middle - off).astype(real), real(-np.inf))
        high = np.nextafter((middle + off).astype(real), real(np.inf))

        def settle(which: Ints, column: Ints) -> None:
            other = asked.entity[which] != column + some.first
            which, column = which[other], column[other]
            if not len(which):
                return
            place, limit = asked.place[which], values[which]
            near = margin(kind, length[which], some.vectors.longest, dimensions, limit, wide=True)
            if len(which) > CROWD * (which[-1] - which[0] + 1):
                found = self._crowd(kind, queries.matrix, some, place, column)
            else:
                found = self._settled(kind, queries.matrix, some, (place, column), (limit - near, limit + near))
            found[queries.bad[place] | some.vectors.bad[column]] = -np.inf
            self.tally.add_pairs(asked, which, column + some.first, found, values)

        self.tally.add_above("", asked, self.comparing.all(tile, asked, low, high, settle)[0])
        for name, lists in self.tally.lists.items():
            self.tally.add_above(name, asked, self.comparing.lists(tile, asked, low, high, lists)[0])

    def _crowd(self, kind: Kind, queries: Matrix, some: Laid, place: Ints, column: Ints) -> Floats:
        """Return exact values of pairs, each pair of the same two vectors computed once."""
        width = len(some.twins)
        different, number = np.unique(place * width + some.twins[column], return_inverse=True)
        return self.comparing.exact(kind, queries, some.vectors.matrix, different // width, different % width)[number]

    def _settled(
        self, kind: Kind, queries: Matrix, some: Laid, pairs: tuple[Ints, Ints], near: tuple[Floats, Floats]
    ) -> Floats:
        """Return values of pairs that are exact wherever they lie between what is `near`."""
        candidates = some.vectors.matrix
        if self.comparing.exact_throughout:
            return self.comparing.exact(kind, queries, candidates, *pairs)
        found = quick_scores(kind, queries, candidates, *pairs)
        close = np.flatnonzero((found >= near[0]) & (found <= near[1]))
        found[close] = self.comparing.exact(kind, queries, candidates, pairs[0][close], pairs[1][close])
        return found

    def _tile(self, kind: Kind, queries: Vectors, some: Laid) -> Tile:
        """Compute the scores of some queries in the memory of the last tile."""
        shape, real = (len(queries.norm), len(some.vectors.norm)), np.float64 if some.wide else np.float32
        if self.buffer.dtype != real or self.buffer.size < shape[0] * shape[1]:
            self.buffer = np.empty(shape[0] * shape[1], real)
        scores = self.buffer[: shape[0] * shape[1]].reshape(shape)
        self.ways[kind].fill(queries.matrix, some.laid, scores)
        scores[:, some.vectors.bad] = -np.inf
        scores[queries.bad] = -np.inf
        return Tile(scores, some.first, self.entities)

    def _refuse(self, rows: Ints, vectors: Vectors, bad: Ints) -> None:
        """Refuse vectors that hold no finite numbers: all their scores are none."""
        worse = int(vectors.bad.sum())
        missing = worse * self.entities + (len(rows) - worse) * len(bad)
        queries = rows if len(bad) else rows[vectors.bad]
        self._miss(missing, len(rows) * self.entities, queries, np.arange(self.entities) if worse else bad)

    def _miss(self, missing: int, of: int, queries: Ints, entities: Ints) -> None:
        self.tally.missing += missing
        if missing and self.nan == "error":
            raise RunError(
                f"scores: expected finite numbers, found {missing:,} of {of:,} that are NaN or infinite, for "
                f"{len(queries):,} queries (first: number {queries[0]}) and {len(entities):,} entities "
                f"(first: number {entities[0]})",
                hint="nan='worst' ranks NaN below every number.",
            )


def both(batch: Batch) -> tuple[Matrix, Matrix]:
    """Return the vectors of the queries and of the candidates."""
    if batch.queries is None or batch.candidates is None:
        raise ParameterError(f"batch of kind {batch.kind!r}: expected queries and candidates, found none")
    return batch.queries, batch.candidates
