"""Embeddings from files: a matrix of numbers, and the names of its rows where the file holds them."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import cast

import numpy as np
import polars as pl

from assay.engines.blocks import Matrix
from assay.errors import FormatError, InputError
from assay.tasks.links.embedding_files import NO_PICKLE, opened, reader
from assay.tasks.links.embedding_shards import read_shards, shard_files
from assay.tasks.links.models.layouts import Layout, complex_copy
from assay.tasks.links.models.shapes import changed

PICKLES = ("pkl", "pickle", "pt", "pth", "ckpt", "joblib")
CHUNK = 1 << 22
"""So many numbers are looked at at a time."""


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Vectors of entities or of relations, one row for each, as a file holds them.

    `matrix` has the shape (rows, width), or (rows, width, width) for matrices of relations; it may be
    memory-mapped, or `Shards` of several files. `names` are the names of the rows, if the file holds them.
    """

    matrix: Matrix
    names: pl.Series | None = None
    place: str = "embeddings"

    @cached_property
    def nan(self) -> int:
        """How many numbers are NaN."""
        return self._count(np.isnan)

    @cached_property
    def infinite(self) -> int:
        """How many numbers are infinite."""
        return self._count(np.isinf)

    @property
    def notice(self) -> str | None:
        """What is wrong with the numbers; None if all are finite."""
        if not self.nan and not self.infinite:
            return None
        return f"{self.place}: {self.nan:,} numbers are NaN, {self.infinite:,} are infinite, of {self.matrix.size:,}"

    def _count(self, which: Callable[[Matrix], Matrix]) -> int:
        step = max(CHUNK * len(self.matrix) // max(self.matrix.size, 1), 1)
        return sum(int(which(self.matrix[at : at + step]).sum()) for at in range(0, len(self.matrix), step))


def read_embeddings(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    layout: Layout | None = None,
    key: str | None = None,
) -> Embeddings:
    r"""Read a file of embeddings: npy, npz, safetensors, Parquet, HDF5 or the text of word2vec.

    npy and safetensors are memory-mapped: files of any size can be used. npz, safetensors and HDF5 hold arrays by
    name: `key` says which, unless there is one; PyTorch-BigGraph's names of entities are read from the file beside.
    Parquet has a column of lists or columns of numbers, and may have one of names. `layout` says that rows of real
    numbers are complex: "halves" (all real parts, then all imaginary ones) or "interleaved". Pickles are never read.

    A folder, a pattern such as "entities-*.npy" (files in natural order, 9 before 10) or a list of files (in its
    order) is one array in shards: `matrix` is then `Shards`, of which nothing is kept in memory. npy and safetensors
    are mapped when rows are asked for, Parquet is read some rows at a time, any other file as a whole.

    Raises
    ------
    InputError
        No such file, or no such array in it.
    FormatError
        A file that is no such thing, holds objects, or has rows of different widths.
    MissingExtraError
        safetensors or h5py is needed and not installed.

    >>> import tempfile
    >>> file = tempfile.NamedTemporaryFile(suffix=".vec")
    >>> file.write(b"2 3\nking 1 2 3\nqueen 4 5 6\n"), file.flush()
    (27, None)
    >>> read = read_embeddings(file.name)
    >>> read.matrix.shape, read.names.to_list()
    ((2, 3), ['king', 'queen'])
    """
    given = os.fspath(path) if isinstance(path, str | os.PathLike) else [os.fspath(one) for one in path]
    files = shard_files(given) if isinstance(given, str) else given
    if files is None:
        return _of(*_read(str(given), key), layout, str(given))
    if not files:
        raise InputError("embeddings: expected files, found none")
    shards, names = read_shards(files, key, _refuse)
    place = given if isinstance(given, str) else f"{files[0]} and others"
    return _of(_checked(cast("Matrix", shards), place), names, layout, place)


def _read(place: str, key: str | None) -> tuple[Matrix, pl.Series | None]:
    source = opened(place)
    if source.suffixes and source.suffixes[-1] in PICKLES:
        raise FormatError(f"{place}: expected embeddings, found a pickle", hint=NO_PICKLE)
    matrix, names = reader(source)(source, key)
    return _checked(matrix, place), names


def _of(checked: Matrix, names: pl.Series | None, layout: Layout | None, place: str) -> Embeddings:
    if layout is not None:
        if checked.dtype.kind == "c" or checked.ndim != 2 or checked.shape[1] % 2:
            expected = f"rows of an even number of real numbers for layout {layout!r}"
            raise FormatError(f"{place}: expected {expected}, found shape {checked.shape} of {checked.dtype}")
        checked = complex_copy(checked, layout)
    if names is not None and len(names) != len(checked):
        raise FormatError(f"{place}: expected a name for each of {len(checked):,} rows, found {len(names):,}")
    return Embeddings(checked, names, place)


def _checked(matrix: Matrix, place: str) -> Matrix:
    """Refuse what is no matrix of numbers; whole numbers (quantised vectors) become float32."""
    _refuse(matrix, place)
    return matrix if matrix.dtype.kind in "fc" else changed(matrix, partial(np.asarray, dtype=np.float32))


def _refuse(matrix: Matrix, place: str) -> None:
    if matrix.dtype.kind not in "iufc":
        hint = NO_PICKLE if matrix.dtype.kind == "O" else None
        raise FormatError(f"{place}: expected numbers, found {matrix.dtype}", hint=hint)
    if matrix.ndim not in {2, 3} or not matrix.size:
        hint = "one row for each entity or relation."
        raise FormatError(f"{place}: expected rows of numbers, found shape {matrix.shape}", hint=hint)
