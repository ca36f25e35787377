"""Counting: how many items of a query score above, and equal to, each judged item. No sorting of the run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from assay.core.judged import Flags, Floats, Ints
from assay.engines.pieces import Piece

Places = NDArray[np.int32]

CHUNK = 1 << 16
"""Rows looked at together: small enough that the working arrays stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
    """The distinct scores of judged items, by query, then score rising.

    `low` and `high` bound each query's stretch, shape (queries,); `lowest` is its smallest score, infinity
    (and a NaN-free "nothing reaches it") where no judged item was retrieved.
    """

    score: Floats
    low: Ints
    high: Ints
    lowest: Floats
    of_judged: Ints

    @classmethod
    def of(cls, queries: int, code: Ints, score: Floats) -> Self:
        """Make the thresholds of judged rows; `of_judged` is each row's threshold."""
        order = np.lexsort((score, code))
        c, s = code[order], score[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (c[1:] != c[:-1]) | (s[1:] != s[:-1])
        number = np.cumsum(new) - 1
        of_judged = np.empty(len(order), np.int64)
        of_judged[order] = number
        counts = np.bincount(c[new], minlength=queries)
        high = np.cumsum(counts)
        low = high - counts
        lowest = np.full(queries, np.inf)
        has = counts > 0
        lowest[has] = s[new][low[has]]
        return cls(s[new], low, high, lowest, of_judged)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """For each threshold, how many items score above it and exactly on it; and which rows are on one.

    `on` holds for each piece the rows that lie on a threshold, and their threshold.
    """

    above: Ints
    tied: Ints
    on: list[tuple[Places, Places]]


def count(pieces: Sequence[Piece], thresholds: Thresholds) -> Counts:
    """Count over all pieces; the sums do not depend on how the rows are cut into pieces."""
    size = len(thresholds.score)
    below, tied = np.zeros(size, np.int64), np.zeros(size, np.int64)
    on: list[tuple[Places, Places]] = []
    for piece in pieces:
        rows, numbers = [], []
        for start in range(0, len(piece), CHUNK):
            row, last, equal = _last_reached(piece, thresholds, start)
            strictly = last - equal
            valid = strictly >= thresholds.low[piece.code[row]]
            below += np.bincount(strictly[valid], minlength=size)
            rows.append(row[equal].astype(np.int32))
            numbers.append(last[equal].astype(np.int32))
            tied += np.bincount(last[equal], minlength=size)
        on.append((np.concatenate(rows or [_EMPTY]), np.concatenate(numbers or [_EMPTY])))
    return Counts(_suffix_sums(below, thresholds), tied, on)


def is_sorted(piece: Piece) -> bool:
    """Tell whether the rows stand by query, and within it by score, falling, as in most files."""
    for start in range(0, len(piece), CHUNK):
        code, score = piece.code[start : start + CHUNK + 1], piece.score[start : start + CHUNK + 1]
        falls = (code[1:] == code[:-1]) & (score[1:] <= score[:-1])
        if not (falls | (code[1:] > code[:-1])).all():
            return False
    return True


def count_sorted(piece: Piece, judged: Ints) -> tuple[Counts, Ints]:
    """Count what `count` does over one sorted piece, from the places of its judged rows; return their thresholds too.

    Rows of one score stand together, so each stretch of them is a threshold, and its place says what stands above it.
    """
    change = piece.score[1:] != piece.score[:-1]
    change[piece.borders - 1] = True
    start = np.flatnonzero(np.concatenate([[True], change]))
    stretch = np.searchsorted(start, judged, "right") - 1
    new = np.diff(stretch, prepend=-1) > 0
    first = start[stretch[new]]
    tied = np.append(start, len(piece))[stretch[new] + 1] - first
    above = first - piece.starts[np.searchsorted(piece.starts, first, "right") - 1]
    row = np.repeat(first - np.cumsum(tied) + tied, tied) + np.arange(tied.sum())
    on = row.astype(np.int32), np.repeat(np.arange(len(tied), dtype=np.int32), tied)
    return Counts(above, tied, [on]), np.cumsum(new) - 1


_EMPTY = np.zeros(0, np.int32)


def _last_reached(piece: Piece, thresholds: Thresholds, start: int) -> tuple[Ints, Ints, Flags]:
    """Return the rows that reach a threshold, the last one reached, and whether the score lies on it."""
    code, score = piece.code[start : start + CHUNK], piece.score[start : start + CHUNK]
    kept = np.flatnonzero(score >= thresholds.lowest[code])
    code, score = code[kept], score[kept]
    low = thresholds.low[code]
    high = thresholds.high[code]
    reached = low < high  # an infinite score reaches the mark of a query without thresholds
    if not reached.all():
        kept, score, low, high = kept[reached], score[reached], low[reached], high[reached]
    steps = int((high - low).max(initial=1) - 1).bit_length()
    for _ in range(steps):
        middle = (low + high) >> 1
        right = thresholds.score[np.minimum(middle, len(thresholds.score) - 1)] <= score
        right &= middle < high
        low, high = np.where(right, middle, low), np.where(right, high, middle)
    return kept + start, low, thresholds.score[low] == score if len(low) else np.zeros(0, np.bool_)


def _suffix_sums(below: Ints, thresholds: Thresholds) -> Ints:
    """Sum from each threshold to the end of its query."""
    total: Ints = np.concatenate([[0], np.cumsum(below)])
    counts = thresholds.high - thresholds.low
    end = np.repeat(total[thresholds.high], counts)
    return end - total[:-1]
