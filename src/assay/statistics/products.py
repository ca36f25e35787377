"""Matrix products in pieces that BLAS computes in the calling thread.

The threads of BLAS spin while they wait for each other: where other programs run, that can make a product of this
kind ten times as slow, and where none runs it gains little. Below a quarter of a million multiplications (and 9,216
for a vector) OpenBLAS starts none.
"""

import numpy as np

from assay.core.judged import Floats

_INNER, _ACROSS, _CELLS = 256, 32, 8_192
"""The most that a piece spans of the summed and of the right side, and the cells that it has of the left matrix."""


def product(left: Floats, right: Floats, out: Floats | None = None) -> Floats:
    """Return left @ right, of shapes (m, k) and (k, n)."""
    summed, across = right.shape
    out = np.empty((len(left), across)) if out is None else out
    rows = _CELLS // max(1, min(summed, _INNER))
    for row in range(0, len(left), rows):
        for column in range(0, across, _ACROSS):
            part = np.s_[row : row + rows, column : column + _ACROSS]
            np.matmul(left[part[0], :_INNER], right[:_INNER, part[1]], out=out[part])
            for inner in range(_INNER, summed, _INNER):
                some = slice(inner, inner + _INNER)
                out[part] += left[part[0], some] @ right[some, part[1]]
    return out
