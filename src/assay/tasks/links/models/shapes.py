"""What arrays of embeddings a model takes: their shape and their kind of numbers."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from assay.engines.blocks import Matrix
from assay.engines.shards import Shards
from assay.errors import ParameterError


def as_array(given: Any) -> Matrix:
    """Return an array, or what a tensor holds; bfloat16, which NumPy lacks, becomes float32.

    Shards stay what they are: whoever asks for rows of them gets arrays.
    """
    if isinstance(given, Shards):
        return cast("Matrix", given)
    if hasattr(given, "detach"):
        tensor = given.detach().cpu()
        given = (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()
    return given if isinstance(given, np.ndarray) else np.asarray(given)


def numbers(model: str, what: str, array: Any, *, axes: int = 2, complex_too: bool = False) -> Matrix:
    """Return an array of numbers with so many axes, memory-mapped if it came so; else raise ParameterError.

    A tensor of PyTorch is read as an array.

    >>> numbers("transe", "entity vectors", [[1.0, 2.0]]).shape
    (1, 2)
    >>> numbers("transe", "entity vectors", [1.0, 2.0])
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: model transe: expected entity vectors with 2 axes, found shape (2,)
    """
    found = as_array(array)
    if found.dtype.kind not in "iufc" or (found.dtype.kind == "c" and not complex_too):
        hint = "complex numbers are for the models complex and rotate." if found.dtype.kind == "c" else None
        raise refused(model, f"{what} that are {'' if complex_too else 'real '}numbers", str(found.dtype), hint=hint)
    if found.ndim != axes or not found.size:
        raise refused(model, f"{what} with {axes} axes", f"shape {found.shape}")
    return changed(found, _to_float32) if found.dtype.kind in "iu" else found


def changed(array: Matrix, change: Callable[[Matrix], Matrix]) -> Matrix:
    """Return what a function makes of each row; of shards, when the row is read.

    >>> changed(np.array([[1.0]]), lambda rows: -rows)
    array([[-1.]])
    """
    given: Any = array
    return cast("Matrix", given.changed(change)) if isinstance(given, Shards) else change(array)


def _to_float32(rows: Matrix) -> Matrix:
    return rows.astype(np.float32)


def same_width(model: str, entity: Matrix, relation: Matrix, *, what: str = "relation vectors") -> None:
    """Raise ParameterError where vectors about relations are not as wide as entity vectors."""
    if relation.shape[-1] != entity.shape[-1]:
        wanted = f"{what} as wide as the entity vectors ({entity.shape[-1]})"
        raise refused(model, wanted, f"shape {relation.shape}")


def same_rows(model: str, relation: Matrix, other: Matrix, *, what: str) -> None:
    """Raise ParameterError where there is not one of something for each relation."""
    if len(other) != len(relation):
        raise refused(model, f"{what}, one for each of {len(relation)} relations", f"shape {other.shape}")


def even_width(model: str, what: str, array: Matrix) -> Matrix:
    """Return an array whose rows are two vectors side by side; raise ParameterError for an odd width."""
    if array.shape[1] % 2:
        raise refused(model, f"{what} with an even width, two halves", f"shape {array.shape}")
    return array


def one_of(model: str, what: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise ParameterError where a convention is none that the model knows."""
    if value not in allowed:
        raise refused(model, f"{what} {' or '.join(map(str, allowed))}", str(value))


TWO_ARRAYS = "give two arrays for the relations: the vectors first (on the command line --relations twice)."


def refused(model: str, expected: str, found: str, *, hint: str | None = None) -> ParameterError:
    """Make the error of an array that does not fit."""
    return ParameterError(f"model {model}: expected {expected}, found {found}", hint=hint)
