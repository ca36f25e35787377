"""How complex vectors stand in arrays: real parts then imaginary parts, in turns, or as complex numbers."""

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from assay.engines.blocks import Matrix
from assay.errors import ParameterError
from assay.tasks.links.models.shapes import changed, even_width, numbers

Layout = Literal["halves", "interleaved"]
"""`halves`: re₁ … re_d im₁ … im_d (LibKGE, PyTorch-BigGraph, DGL-KE); `interleaved`: re₁ im₁ re₂ im₂ …"""

Complex = NDArray[np.complex128]


def complex_array(model: str, what: str, array: Any, layout: Layout | None) -> Matrix:
    """Return an array that holds complex vectors; raise ParameterError unless dtype or layout says how.

    >>> complex_array("complex", "entity vectors", np.ones((3, 4)), None)
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: model complex: expected entity vectors of complex numbers or a layout, found float64
    Hint: say layout="halves" (all real parts, then all imaginary ones) or layout="interleaved".
    """
    found = numbers(model, what, array, complex_too=True)
    if found.dtype.kind == "c":
        return changed(found, np.ascontiguousarray)
    if layout not in get_args(Layout):
        hint = 'say layout="halves" (all real parts, then all imaginary ones) or layout="interleaved".'
        given = str(found.dtype) if layout is None else f"layout {layout!r}"
        msg = f"model {model}: expected {what} of complex numbers or a layout, found {given}"
        raise ParameterError(msg, hint=hint)
    return even_width(model, what, found)


def width(array: Matrix) -> int:
    """Return how many complex numbers a row holds."""
    return int(array.shape[1] if array.dtype.kind == "c" else array.shape[1] // 2)


def complex_copy(array: Matrix, layout: Layout | None, kind: type[np.complexfloating] | None = None) -> Matrix:
    """Return rows as complex numbers, shape (rows, width), in the precision they have or in the `kind` given.

    >>> complex_copy(np.array([[1, 2, 3, 4]], np.float32), "halves")
    array([[1.+3.j, 2.+4.j]], dtype=complex64)
    """
    wanted = kind or np.result_type(array.dtype, np.complex64)
    return changed(array, lambda rows: _complex(rows, layout, wanted))


def _complex(array: Matrix, layout: Layout | None, wanted: Any) -> Matrix:
    if array.dtype.kind == "c":
        return array.astype(wanted, copy=False)
    half = width(array)
    made = np.empty((len(array), half), wanted)
    made.real = array[:, :half] if layout == "halves" else array[:, ::2]
    made.imag = array[:, half:] if layout == "halves" else array[:, 1::2]
    return made


def to_complex(rows: Matrix, layout: Layout | None) -> Complex:
    """Return rows as complex numbers of double precision, shape (rows, width).

    >>> to_complex(np.array([[1.0, 2.0, 3.0, 4.0]]), "interleaved")
    array([[1.+2.j, 3.+4.j]])
    """
    return complex_copy(rows, layout, np.complex128)


def to_real(rows: Complex, layout: Layout | None) -> Matrix:
    """Return complex numbers as rows of real ones; without a layout in turns, as memory holds complex numbers.

    >>> to_real(np.array([[1 + 3j, 2 + 4j]]), "halves"), to_real(np.array([[1 + 3j, 2 + 4j]]), None)
    (array([[1., 2., 3., 4.]]), array([[1., 3., 2., 4.]]))
    """
    if layout == "halves":
        return np.hstack([rows.real, rows.imag])
    return real_view(np.ascontiguousarray(rows))


def real_view(array: Matrix) -> Matrix:
    """Return the same memory as real numbers, real and imaginary in turns."""
    return changed(array, lambda rows: rows.view(rows.real.dtype)) if array.dtype.kind == "c" else array
