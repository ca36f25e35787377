"""`Metric`: how alike two vectors are, as a fast float32 product that ranks and an exact float64 score that decides."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from assay.core.judged import Floats, Ints
from assay.errors import InputError, UnknownNameError

Metric = Literal["cosine", "dot", "l2"]
Matrix = NDArray[Any]
Singles = NDArray[np.float32]

ROWS = 16_384
"""How many rows are read at a time where all of a matrix is looked at once."""
DECIMALS = 12
"""Cosines that agree to so many decimals are equal: the rest is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Vectors of shape (rows, d) under a metric, with what every comparison needs: lengths, centre and scale.

    `lengths` (rows,) are Euclidean lengths. For "l2" vectors are moved by `centre`, which changes no distance and
    keeps the digits of vectors far from the origin. `scale` makes the longest vector 1 long.
    """

    vectors: Matrix
    metric: Metric
    lengths: Floats
    centre: Floats
    scale: float

    @classmethod
    def of(cls, vectors: Any, metric: Metric = "cosine") -> Self:
        """Look at all vectors once.

        Raises
        ------
        InputError
            No table of numbers, or a number in it that is not finite.
        UnknownNameError
            A metric that does not exist.
        """
        if metric not in get_args(Metric):
            raise UnknownNameError.of("metric", str(metric), get_args(Metric))
        table = as_table(vectors)
        lengths = np.concatenate([np.sqrt(np.einsum("rd,rd->r", part, part)) for part in parts(table)])
        _require_finite(table, lengths)
        centre = np.zeros(table.shape[1])
        reach = lengths
        if metric == "l2":
            centre = sum((part.sum(axis=0) for part in parts(table)), centre) / len(table)
            reach = np.concatenate([np.linalg.norm(part - centre, axis=1) for part in parts(table)])
        return cls(table, metric, lengths, centre, float(reach.max()) or 1.0)

    @property
    def bound(self) -> float:
        """How far a float32 product of `candidates` and `asked` may be from the exact one."""
        return float((self.vectors.shape[1] + 8) * np.finfo(np.float32).eps)

    def candidates(self, start: int, stop: int) -> Singles:
        """Return some vectors so that their product with `asked` ranks them, none longer than 1; (stop - start, d')."""
        table = np.asarray(self.vectors[start:stop])
        scale = _nonzero(self.lengths[start:stop])[:, None] if self.metric == "cosine" else self.scale
        moved = (table - self.centre) / scale
        if self.metric == "l2":
            moved = np.column_stack([moved, -0.5 * np.einsum("rd,rd->r", moved, moved)]) / np.sqrt(1.25)
        return np.asarray(moved, np.float32)

    def asked(self, queries: Floats) -> Singles:
        """Return queries of shape (n, d) as unit vectors whose products with `candidates` rank them; (n, d')."""
        moved = queries
        if self.metric == "l2":
            moved = np.column_stack([(queries - self.centre) / self.scale, np.ones(len(queries))])
        return np.asarray(moved / _nonzero(np.linalg.norm(moved, axis=1))[:, None], np.float32)

    def scores(self, queries: Floats, ids: Ints) -> Floats:
        """Return the exact scores of some candidates of each query, higher is nearer: (n, d) and (n, m) give (n, m).

        "cosine": 0 where either vector is zero; "dot": the product; "l2": minus the Euclidean distance. The score
        of a place without a candidate (-1) is NaN.
        """
        found = np.asarray(self.vectors[np.maximum(ids, 0)], np.float64)
        if self.metric == "l2":
            apart = found - queries[:, None]
            scores = -np.sqrt(np.einsum("nmd,nmd->nm", apart, apart))
        else:
            scores = np.einsum("nd,nmd->nm", queries, found)
        if self.metric == "cosine":
            both = np.linalg.norm(queries, axis=1)[:, None] * self.lengths[np.maximum(ids, 0)]
            scores = np.round(scores / _nonzero(both), DECIMALS)
        return np.where(ids < 0, np.nan, scores + 0.0)


def as_table(vectors: Any) -> Matrix:
    """Return vectors as a real table of shape (rows, d); complex numbers become pairs of real and imaginary part.

    Raises
    ------
    InputError
        Another shape, or no numbers.
    """
    table = vectors if isinstance(vectors, np.ndarray) else np.asarray(vectors)
    if table.ndim != 2 or 0 in table.shape or table.dtype.kind not in "iufcb":
        msg = f"vectors: expected numbers of shape (rows, dimensions), found {table.dtype} of shape {table.shape}"
        raise InputError(msg)
    if table.dtype.kind == "c":
        table = np.ascontiguousarray(table)
        return table.view(table.real.dtype)
    return table.astype(np.float32) if table.dtype.kind == "b" else table


def parts(table: Matrix) -> Iterator[Floats]:
    """Yield all rows as float64, some at a time."""
    for start in range(0, len(table), ROWS):
        yield np.asarray(table[start : start + ROWS], np.float64)


def _nonzero(lengths: Floats) -> Floats:
    return np.where(lengths > 0, lengths, 1.0)


def _require_finite(table: Matrix, lengths: Floats) -> None:
    wrong = np.flatnonzero(~np.isfinite(lengths))
    if len(wrong):
        msg = (
            f"vectors: expected finite numbers, found NaN or infinity in {len(wrong):,} of {len(table):,} rows, "
            f"the first is row {wrong[0]}"
        )
        raise InputError(msg)
