"""The loops that numba compiles. As plain Python they are the definition of what `compiled` counts.

Each handles the targets or queries from `start` to `stop`.
"""

# ruff: noqa: PLR0917 - compiled functions take arguments by place

import numpy as np

from assay.core.hits import Floats, Ints
from assay.engines.blocks import Matrix

STRIP = 32
"""Candidates that stay in the processor's nearest cache while queries pass."""
PIECE = 256
"""Scores that are looked through at a time."""


def count_all(
    scores: Matrix, place: Ints, low: Matrix, high: Matrix, above: Ints, near: Ints, start: int, stop: int
) -> None:
    """Count for each target the scores of its query above `high` and from `low` on; float32 counts to 2²⁴."""
    none, one = np.float32(0), np.float32(1)
    for target in range(start, stop):
        row = scores[place[target]]
        upper, lower = high[target], low[target]
        more, least = none, none
        for column in range(row.size):
            more += one if row[column] > upper else none
            least += one if row[column] >= lower else none
        above[target] = np.int64(more)
        near[target] = np.int64(least)


def find_between(
    scores: Matrix, place: Ints, low: Matrix, high: Matrix, begin: Ints, sizes: Ints, found: Ints, start: int, stop: int
) -> None:
    """Write for each target, from `begin` on, the columns whose scores are neither above `high` nor below `low`."""
    none, one = np.float32(0), np.float32(1)
    for target in range(start, stop):
        row = scores[place[target]]
        upper, lower = high[target], low[target]
        at, end = begin[target], begin[target] + sizes[target]
        for first in range(0, row.size, PIECE):
            if at == end:
                break
            piece = row[first : first + PIECE]
            between = none
            for column in range(piece.size):
                between += one if (piece[column] >= lower) & (piece[column] <= upper) else none
            if between == none:
                continue
            for column in range(piece.size):
                if (piece[column] >= lower) & (piece[column] <= upper):
                    found[at] = first + column
                    at += 1


def count_lists(
    scores: Matrix, place: Ints, low: Matrix, high: Matrix, first: Ints, last: Ints, entity: Ints, offset: int,
    above: Ints, near: Ints, start: int, stop: int,
) -> None:  # fmt: skip
    """Count the same within the list of each target, `entity[first:last]`."""
    for target in range(start, stop):
        row = scores[place[target]]
        more = least = 0
        for one in range(first[target], last[target]):
            column = entity[one] - offset
            if 0 <= column < row.size:
                more += row[column] > high[target]
                least += row[column] >= low[target]
        above[target] = more
        near[target] = least


def sum_distances(queries: Matrix, candidates: Matrix, scores: Matrix, start: int, stop: int) -> None:
    """Write -Σ|qᵢ - eᵢ|, four queries at a time."""
    whole = start + (stop - start) // 4 * 4
    zero = scores.dtype.type(0)
    for strip in range(0, len(candidates), STRIP):
        end = min(strip + STRIP, len(candidates))
        for row in range(start, whole, 4):
            one, two, three, four = queries[row], queries[row + 1], queries[row + 2], queries[row + 3]
            for other in range(strip, end):
                candidate = candidates[other]
                a, b, c, d = zero, zero, zero, zero
                for place in range(candidate.size):
                    value = candidate[place]
                    a -= abs(one[place] - value)
                    b -= abs(two[place] - value)
                    c -= abs(three[place] - value)
                    d -= abs(four[place] - value)
                scores[row, other], scores[row + 1, other] = a, b
                scores[row + 2, other], scores[row + 3, other] = c, d
        for row in range(whole, stop):
            for other in range(strip, end):
                a = zero
                for place in range(queries.shape[1]):
                    a -= abs(queries[row, place] - candidates[other, place])
                scores[row, other] = a


def sum_moduli(queries: Matrix, candidates: Matrix, scores: Matrix, start: int, stop: int) -> None:
    """Write -Σ|qᵢ - eᵢ| over complex numbers; real parts come first, imaginary parts second."""
    zero = scores.dtype.type(0)
    for strip in range(0, candidates.shape[1], STRIP):
        end = min(strip + STRIP, candidates.shape[1])
        for row in range(start, stop):
            for other in range(strip, end):
                total = zero
                for place in range(queries.shape[2]):
                    real = queries[0, row, place] - candidates[0, other, place]
                    imaginary = queries[1, row, place] - candidates[1, other, place]
                    total -= np.sqrt(real * real + imaginary * imaginary)
                scores[row, other] = total


def add_products(
    queries: Matrix, candidates: Matrix, place: Ints, entity: Ints, found: Floats, start: int, stop: int
) -> None:
    """Write Σ qᵢ·eᵢ of pairs, one term after the other."""
    for pair in range(start, stop):
        query, candidate = queries[place[pair]], candidates[entity[pair]]
        total = 0.0
        for one in range(query.size):
            total += np.float64(query[one]) * np.float64(candidate[one])
        found[pair] = total


def add_squares(
    queries: Matrix, candidates: Matrix, place: Ints, entity: Ints, found: Floats, start: int, stop: int
) -> None:
    """Write -Σ (qᵢ - eᵢ)² of pairs, one term after the other."""
    for pair in range(start, stop):
        query, candidate = queries[place[pair]], candidates[entity[pair]]
        total = 0.0
        for one in range(query.size):
            apart = np.float64(query[one]) - np.float64(candidate[one])
            total += apart * apart
        found[pair] = -total


def add_distances(
    queries: Matrix, candidates: Matrix, place: Ints, entity: Ints, found: Floats, start: int, stop: int
) -> None:
    """Write -Σ |qᵢ - eᵢ| of pairs, one term after the other."""
    for pair in range(start, stop):
        query, candidate = queries[place[pair]], candidates[entity[pair]]
        total = 0.0
        for one in range(query.size):
            total += abs(np.float64(query[one]) - np.float64(candidate[one]))
        found[pair] = -total


def add_moduli(
    queries: Matrix, candidates: Matrix, place: Ints, entity: Ints, found: Floats, start: int, stop: int
) -> None:
    """Write -Σ |qᵢ - eᵢ| of pairs of complex vectors, one term after the other."""
    for pair in range(start, stop):
        query, candidate = queries[place[pair]], candidates[entity[pair]]
        total = 0.0
        for one in range(query.size):
            real = np.float64(query[one].real) - np.float64(candidate[one].real)
            imaginary = np.float64(query[one].imag) - np.float64(candidate[one].imag)
            total += np.sqrt(real * real + imaginary * imaginary)
        found[pair] = -total
