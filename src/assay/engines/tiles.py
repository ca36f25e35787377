"""Tiles of scores: some queries against some candidates, fast, with a bound on how far each may be off."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.hits import Flags, Floats
from assay.engines.blocks import Kind, Matrix
from assay.engines.exact import widened

RANGE = (1e-25, 1e30)
"""Magnitudes of scores that float32 holds with all its digits; others are computed in float64."""


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors ready for tiles: those that hold NaN or infinity are flagged and replaced by zeros."""

    matrix: Matrix
    norm: Floats
    bad: Flags

    @classmethod
    def of(cls, stored: Matrix) -> "Vectors":
        """Measure the vectors, shape (vectors, d)."""
        norm = _norms(stored)
        bad = ~np.isfinite(norm)
        if bad.any():
            stored = np.where(bad[:, None], stored.dtype.type(0), stored)
            norm = np.where(bad, 0.0, norm)
        return cls(stored, norm, bad)

    @property
    def longest(self) -> float:
        """The largest norm."""
        return float(self.norm.max(initial=0.0))

    def part(self, places: slice) -> "Vectors":
        """Return some of them."""
        return Vectors(self.matrix[places], self.norm[places], self.bad[places])


def _norms(stored: Matrix) -> Floats:
    """Return the length of each vector in float64, not finite where the vector is not, shape (vectors,)."""
    length = np.empty(len(stored))
    step = max((1 << 16) // max(stored.shape[1], 1), 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for first in range(0, len(stored), step):
            part = widened(stored[first : first + step])
            length[first : first + step] = np.sqrt(np.vecdot(part, part).real)
    return length


def margin(kind: Kind, queries: Floats, longest: float, dimensions: int, value: Floats, *, wide: bool) -> Floats:
    """Return how far a tile's score may lie from the exact value near `value`, for queries of these lengths.

    A sum of d terms in any order is off by at most d·u times the sum of their absolute values, u the unit of
    rounding (2⁻²⁴ in float32); rounding the stored numbers to float32 adds one u for each factor.
    """
    unit, least = 2.0 ** (-53 if wide else -24), 2.0 ** (-1000 if wide else -120)
    terms = (2 * dimensions + 16 if wide else dimensions + 8) * unit
    floor = least * dimensions * (1 + queries + longest)
    if kind == "dot":
        return terms * queries * longest + floor
    if kind == "l2":
        return terms * (2 * queries * longest + longest**2 + (queries**2 if wide else 0.0)) + floor
    size = np.where(np.isfinite(value), np.abs(value), 0.0)
    return terms * size + 2 * unit * math.sqrt(dimensions) * (queries + longest) + floor


def is_wide(kind: Kind, queries: Vectors, candidates: Vectors) -> bool:
    """Tell whether float32 cannot hold the scores."""
    size = queries.longest * candidates.longest if kind == "dot" else max(queries.longest, candidates.longest) ** 2
    return size != 0 and not RANGE[0] < size < RANGE[1]


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """How tiles of one kind are made: `ready` lays candidates out once, `fill` writes the scores of some queries."""

    ready: Callable[[Vectors, Any], Matrix]
    fill: Callable[[Matrix, Matrix, Matrix], None]


def _as_they_are(candidates: Vectors, real: Any) -> Matrix:
    return np.asarray(candidates.matrix, real)


def _with_squares(candidates: Vectors, real: Any) -> Matrix:
    return _wider(candidates.matrix, np.square(candidates.norm), real)


def _by_dimension(candidates: Vectors, real: Any) -> Matrix:
    return np.ascontiguousarray(candidates.matrix.T, real)


def _both_by_dimension(candidates: Vectors, real: Any) -> Matrix:
    return np.stack([np.ascontiguousarray(part.T, real) for part in (candidates.matrix.real, candidates.matrix.imag)])


def _products(queries: Matrix, candidates: Matrix, tile: Matrix) -> None:
    np.matmul(np.asarray(queries, tile.dtype), candidates.T, out=tile)


def _squares(queries: Matrix, candidates: Matrix, tile: Matrix) -> None:
    """Write 2q·e - |e|², which is |q|² more than -|q - e|²."""
    double = 2 * np.asarray(queries, tile.dtype)
    np.matmul(_wider(double, np.full(len(queries), -1.0), tile.dtype), candidates.T, out=tile)


def _wider(matrix: Matrix, last: Floats, real: Any) -> Matrix:
    wider = np.empty((len(matrix), matrix.shape[1] + 1), real)
    wider[:, :-1] = matrix
    wider[:, -1] = last
    return wider


def _distances(queries: Matrix, candidates: Matrix, tile: Matrix) -> None:
    apart = np.empty(tile.shape[1], tile.dtype)
    tile[:] = 0
    for row, query in enumerate(np.asarray(queries, tile.dtype)):
        for value, column in zip(query, candidates, strict=True):
            np.subtract(column, value, out=apart)
            tile[row] -= np.abs(apart, out=apart)


def _moduli(queries: Matrix, candidates: Matrix, tile: Matrix) -> None:
    apart, other = np.empty((2, tile.shape[1]), tile.dtype)
    real, imaginary = (np.asarray(part, tile.dtype) for part in (queries.real, queries.imag))
    tile[:] = 0
    for row in range(len(tile)):
        for dimension in range(queries.shape[1]):
            np.subtract(candidates[0, dimension], real[row, dimension], out=apart)
            np.subtract(candidates[1, dimension], imaginary[row, dimension], out=other)
            apart *= apart
            apart += np.multiply(other, other, out=other)
            tile[row] -= np.sqrt(apart, out=apart)


WAYS: dict[str, Way] = {
    "dot": Way(_as_they_are, _products),
    "l2": Way(_with_squares, _squares),
    "l1": Way(_by_dimension, _distances),
    "modulus": Way(_both_by_dimension, _moduli),
}
