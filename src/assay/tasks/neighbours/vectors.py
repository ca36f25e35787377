"""`Vectors`: a matrix of vectors and the names of its rows, from a file or from memory."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from assay.core.judged import Ints
from assay.core.neighbours import VectorFacts
from assay.errors import InputError
from assay.tasks.neighbours.metrics import Matrix, as_table, parts


@dataclass(frozen=True, eq=False)
class Vectors:
    """Vectors of shape (rows, d), and a name for each row.

    Raises
    ------
    InputError
        A name twice, or another number of names than of rows.

    >>> Vectors.of([[1.0, 0.0], [0.0, 1.0]], ["a", "b"]).place
    {'a': 0, 'b': 1}
    """

    matrix: Matrix
    names: pl.Series
    name: str = "vectors"

    def __post_init__(self) -> None:
        if len(self.names) != len(self.matrix):
            msg = f"{self.name}: expected a name for each of {len(self.matrix):,} rows, found {len(self.names):,} names"
            raise InputError(msg)
        twice = self.names.filter(self.names.is_duplicated())
        if len(twice):
            msg = f"{self.name}: expected each name once, found {twice[0]!r} twice"
            raise InputError(msg)

    def __len__(self) -> int:
        return len(self.matrix)

    @classmethod
    def of(cls, given: Any, names: Any = None, *, key: str | None = None, name: str = "vectors") -> Self:
        """Return vectors, whatever they are given as: a path, an array, or vectors; without names rows are numbered."""
        if isinstance(given, cls):
            return given
        if isinstance(given, str | os.PathLike):
            return cls.read(given, names, key=key)
        table = as_table(given)
        return cls(table, _numbered(len(table)) if names is None else _texts(names), name)

    @classmethod
    def read(cls, path: str | os.PathLike[str], names: Any = None, *, key: str | None = None) -> Self:
        """Read vectors from npy, npz, safetensors, Parquet, HDF5 or word2vec text; `key` names one of several arrays.

        `names` is a file with a name for each row, or the names themselves; else they are those that the file of
        vectors holds, or the numbers of the rows. npy is mapped, not loaded.
        """
        from assay.formats.name_files import read_names
        from assay.tasks.links.embeddings import read_embeddings

        found = read_embeddings(path, key=key)
        table = as_table(found.matrix)
        if isinstance(names, str | os.PathLike):
            names = read_names(names)
        own = _numbered(len(table)) if found.names is None else found.names
        return cls(table, _texts(own if names is None else names), Path(path).name)

    @cached_property
    def place(self) -> dict[str, int]:
        """The row of each name."""
        return {name: row for row, name in enumerate(self.names.to_list())}

    def rows(self, wanted: Ints) -> "Vectors":
        """Return some of the vectors."""
        return Vectors(np.asarray(self.matrix[wanted]), self.names[wanted], self.name)

    def facts(self) -> VectorFacts:
        """Return what the vectors are: how many, how long, how many of zeros, how many copies of an earlier one."""
        zeros, prints = 0, []
        for part in parts(self.matrix):
            zeros += int((~part.any(axis=1)).sum())
            prints.append(pl.DataFrame(part + 0.0).hash_rows(seed=0).to_numpy())
        copies = len(self) - len(np.unique(np.concatenate(prints)))
        return VectorFacts(self.name, len(self), self.matrix.shape[1], zeros, copies)


def _numbered(rows: int) -> pl.Series:
    return pl.int_range(rows, eager=True).cast(pl.String).alias("name")


def _texts(names: Any) -> pl.Series:
    return pl.Series("name", [str(name) for name in names], dtype=pl.String)
