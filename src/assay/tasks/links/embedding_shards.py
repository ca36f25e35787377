"""Embeddings in several files, one array together: which files they are, and rows of them as they are asked for."""

import glob
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from assay.engines.blocks import Matrix
from assay.engines.shards import Rows, Shards
from assay.errors import FormatError, InputError
from assay.tasks.links.embedding_files import PARQUET, Parquet, opened, reader

SUFFIXES = (".npy", ".npz", ".safetensors", ".parquet", ".pq", ".h5", ".hdf5")
"""The files that are taken from a folder."""
NUMBERS = 1 << 23
"""So many numbers of a Parquet file are read at a time, about."""

Check = Callable[[Matrix, str], None]
"""What refuses an array that holds no vectors, given with its place."""


def shard_files(path: str) -> list[str] | None:
    """Return the files of a folder or of a pattern such as "entities-*.npy", in natural order; None for a file.

    Raises
    ------
    InputError
        A folder without such files, or a pattern that fits none.

    >>> sorted(["e-10.npy", "e-9.npy"], key=natural)
    ['e-9.npy', 'e-10.npy']
    """
    place = Path(path)
    if place.is_dir():
        found = [str(one) for one in place.iterdir() if one.name.lower().endswith(SUFFIXES) and one.name[0] not in "._"]
        expected = f"files of embeddings ({', '.join(SUFFIXES)})"
    elif place.exists() or not glob.has_magic(path):
        return None
    else:
        found = [one for one in glob.iglob(path, recursive=True) if Path(one).is_file()]  # noqa: PTH207 - absolute too
        expected = "files that fit the pattern"
    if not found:
        raise InputError(f"{path}: expected {expected}, found none")
    return sorted(found, key=natural)


def natural(path: str) -> tuple[list[str | int], str]:
    """Return what paths are ordered by: numbers in them as numbers."""
    parts = re.split(r"(\d+)", path)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)], path


def read_shards(paths: Sequence[str], key: str | None, check: Check) -> tuple[Shards, pl.Series | None]:
    """Look at each of several files; return their rows, none of which is kept, and their names.

    Files without rows, which some programs write beside others, are left out.

    Raises
    ------
    InputError, FormatError, MissingExtraError
        As for one file; files of different widths or kinds of numbers; names in some of them only.
    """
    found = [(path, *_look(path, key, check)) for path in paths]
    found = [one for one in found if one[1].shape[0]]
    if not found:
        raise FormatError(f"{paths[0]}: expected rows of numbers, found none in {len(paths):,} files")
    for path, part, _ in found:
        _same(found[0][0], found[0][1], path, part)
    given = [named for _, _, named in found if named is not None]
    if given and len(given) < len(found):
        place = next(path for path, _, named in found if named is None)
        raise FormatError(f"{place}: expected names, as other shards have them, found none")
    shards = Shards(tuple(part for _, part, _ in found), tuple(path for path, _, _ in found))
    return shards, pl.concat(given) if given else None


def _same(first: str, one: Rows, path: str, other: Rows) -> None:
    if (one.shape[1:], one.dtype) != (other.shape[1:], other.dtype):
        wanted, found = (f"rows of {' × '.join(map(str, part.shape[1:]))} {part.dtype}" for part in (one, other))
        raise FormatError(f"{path}: expected {wanted}, as {first} has them, found {found}")


def _look(path: str, key: str | None, check: Check) -> tuple[Rows, pl.Series | None]:
    """Return the rows of a file, to be read later, and its names."""
    source = opened(path)
    file = File(str(source.file.absolute()), path, source.file.stat().st_size, key)
    if source.head.startswith(PARQUET):
        table = Parquet.of(source, key)
        rows, names = table.rows, table.names()
        begun = table.read(0, 1) if rows else np.empty((0, 0))
        part: Rows = Pieces(file, (rows, begun.shape[1]), begun.dtype, max(NUMBERS // max(begun.size, 1), 1))
    else:
        begun, names = reader(source)(source, key)
        rows = len(begun) if begun.ndim else 0
        if isinstance(begun, np.memmap):
            in_turns = begun.flags.f_contiguous and not begun.flags.c_contiguous
            part = Mapped(file, begun.shape, begun.dtype, begun.offset, "F" if in_turns else "C")
        else:
            part = Pieces(file, begun.shape, begun.dtype, max(rows, 1))
    if rows:
        check(begun, path)
    if names is not None and len(names) != rows:
        raise FormatError(f"{path}: expected a name for each of {rows:,} rows, found {len(names):,}")
    return part, names


@dataclass(frozen=True, slots=True)
class File:
    """A file that was looked at: where it lies, what messages call it, its size, and the name of the array."""

    file: str
    path: str
    size: int
    key: str | None

    def stamp(self) -> int:
        """Return when the file was written; refuse one of another size than it had."""
        try:
            found = Path(self.file).stat()
        except OSError as error:
            raise InputError(f"{self.path}: expected the file as before, found an error: {error.strerror}") from None
        if found.st_size != self.size:
            raise InputError(f"{self.path}: expected {self.size:,} bytes as before, found {found.st_size:,}")
        return found.st_mtime_ns


@dataclass(frozen=True, slots=True)
class Mapped:
    """Rows that lie in a file as they do in memory: it is mapped anew each time, so that memory is given back."""

    file: File
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    offset: int
    order: Literal["C", "F"]

    def __getitem__(self, key: Any) -> Matrix:
        self.file.stamp()
        mapped: Matrix = np.memmap(self.file.file, self.dtype, "r", self.offset, self.shape, self.order)
        return np.asarray(mapped[key])


@dataclass(frozen=True, slots=True)
class Pieces:
    """Rows that must be unpacked: so many at a time, of which one piece of one file is kept."""

    file: File
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    step: int

    def __getitem__(self, key: Any) -> Matrix:
        if isinstance(key, slice):
            first, last, _ = key.indices(self.shape[0])
            begins = range(first - first % self.step, last, self.step)
            found = [self._piece(begin)[max(first - begin, 0) : last - begin] for begin in begins]
            none = np.empty((0, *self.shape[1:]), self.dtype)
            return found[0] if len(found) == 1 else np.concatenate([none, *found])
        rows = np.asarray(key)
        made = np.empty((len(rows), *self.shape[1:]), self.dtype)
        for begin in range(0, self.shape[0], self.step):
            here = np.flatnonzero((rows >= begin) & (rows < begin + self.step))
            if len(here):
                made[here] = self._piece(begin)[rows[here] - begin]
        return made

    def _piece(self, begin: int) -> Matrix:
        many = min(self.step, self.shape[0] - begin)
        found = _unpacked(self.file, self.file.stamp(), begin, many)
        if (found.shape, found.dtype) != ((many, *self.shape[1:]), self.dtype):
            wanted, kind = (many, *self.shape[1:]), self.dtype
            raise FormatError(
                f"{self.file.path}, from row {begin + 1} on: expected shape {wanted} of {kind}, "
                f"found {found.shape} of {found.dtype}"
            )
        return found


@lru_cache(maxsize=1)
def _unpacked(file: File, stamp: int, begin: int, many: int) -> Matrix:
    """Read a piece; the last one is kept, whichever file it was of."""
    del stamp
    source = replace(opened(file.file), path=file.path)
    if source.head.startswith(PARQUET):
        return Parquet.of(source, file.key).read(begin, many)
    return reader(source)(source, file.key)[0]
