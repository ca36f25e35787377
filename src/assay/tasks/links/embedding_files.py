"""Readers of files that hold embeddings, one for each format: an array, and names where the file has them."""

import json
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from assay.engines.blocks import Matrix
from assay.errors import AssayError, FormatError, InputError, MissingExtraError
from assay.formats.compression import require_proportion, require_proportion_within
from assay.formats.source import Source

NO_PICKLE = "a pickle can run any program: save the arrays with numpy.save or as safetensors instead."
ZIP = b"PK\x03\x04"
PARQUET = b"PAR1"
LONGEST = 9
"""Digits of a count that a file of text may have."""
SAFE = {
    "F16": "<f2", "F32": "<f4", "F64": "<f8", "C64": "<c8", "I8": "<i1", "I16": "<i2", "I32": "<i4", "I64": "<i8",
    "U8": "<u1", "U16": "<u2", "U32": "<u4", "U64": "<u8",
}  # fmt: skip
"""Kinds of numbers of safetensors."""

Read = tuple[Matrix, pl.Series | None]


def opened(place: str) -> Source:
    """Look at a file; one that is a zip archive, as npz is, is left as it is."""
    file = Path(place)
    if file.is_file():
        with file.open("rb") as begun:
            if begun.read(len(ZIP)) == ZIP:
                return Source(place, file, None)
    return Source.open(place)


def reader(source: Source) -> Callable[[Source, str | None], Read]:
    """Tell the format by the first bytes."""
    head = source.head
    known = {b"\x93NUMPY": _npy, ZIP: _npz, PARQUET: _parquet, b"\x89HDF\r\n\x1a\n": _hdf5}
    found = next((read for magic, read in known.items() if head.startswith(magic)), None)
    if found is not None:
        return found
    if len(head) > 8 and head[8:9] == b"{" and int.from_bytes(head[:8], "little") < 1 << 27:
        return _safetensors
    if head[:1] == b"\x80" or b"\0" in head[:4096]:
        hint = NO_PICKLE if head[:1] == b"\x80" else "npy, npz, safetensors, Parquet, HDF5 and word2vec text are read."
        found_kind = "a pickle" if head[:1] == b"\x80" else "unknown bytes"
        raise FormatError(f"{source.path}: expected embeddings, found {found_kind}", hint=hint)
    return _text


def _npy(source: Source, key: str | None) -> Read:
    """Read NumPy's npy: mapped if it lies on disk as it is."""
    _no_key(source, key)
    if source.compression is not None:
        raise FormatError(
            f"{source.path}: expected a plain npy file, found {source.compression}", hint="unpack it first."
        )
    try:
        return np.load(source.file, mmap_mode="r", allow_pickle=False), None
    except Exception as error:  # noqa: BLE001 - what NumPy raises for a damaged file is of many kinds
        raise _damaged(source, error) from None


def _npz(source: Source, key: str | None) -> Read:
    """Read one array of NumPy's npz; a one-dimensional array of text, if there is one, holds the names."""
    try:
        _require_arrays(source)
        with np.load(source.file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files if key is None or name in {key, "names"}}
            known = stored.files
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 - as above, and those of zip archives
        raise _damaged(source, error) from None
    texts = [array for array in arrays.values() if array.ndim == 1 and array.dtype.kind == "U"]
    names = pl.Series(texts[0].tolist(), dtype=pl.String) if len(texts) == 1 else None
    numeric = [name for name, array in arrays.items() if array.ndim > 1] if key is None else known
    return arrays[_chosen(source, numeric, key)], names


def _require_arrays(source: Source) -> None:
    with zipfile.ZipFile(source.file) as archive:
        if any(name.endswith("data.pkl") for name in archive.namelist()):
            raise FormatError(f"{source.path}: expected embeddings, found a file of torch.save", hint=NO_PICKLE)
    require_proportion_within(source.path, source.file)


def _safetensors(source: Source, key: str | None) -> Read:
    """Read one array of safetensors."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise MissingExtraError.of("reading safetensors", "safetensors", "links") from None

    try:
        with safe_open(str(source.file), framework="np") as stored:
            return _mapped(source, _chosen(source, list(stored.keys()), key)), None
    except (SafetensorError, OSError) as error:
        raise _damaged(source, error) from None


def _mapped(source: Source, name: str) -> Matrix:
    """Map an array of a file of safetensors, which its library has found to be whole."""
    with source.file.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        about = json.loads(file.read(size))[name]
    if about["dtype"] not in SAFE:
        msg = f"{source.path}: expected float16, float32 or float64, found another kind: {about['dtype']}"
        raise FormatError(msg, hint="NumPy has no bfloat16: save the tensor as float32.")
    shape, kind = tuple(about["shape"]), np.dtype(SAFE[about["dtype"]])
    if 0 in shape:
        return np.empty(shape, kind)
    return np.memmap(source.file, kind, "r", 8 + size + about["data_offsets"][0], shape)


def _hdf5(source: Source, key: str | None) -> Read:
    """Read one data set of HDF5; of PyTorch-BigGraph's files that called embeddings, with the names beside."""
    try:
        import h5py
    except ImportError:
        raise MissingExtraError.of("reading HDF5", "h5py", "links") from None

    try:
        with h5py.File(source.file, "r") as stored:
            found: list[str] = []
            stored.visititems(lambda name, item: found.append(name) if hasattr(item, "shape") else None)
            chosen = "embeddings" if key is None and "embeddings" in found else _chosen(source, found, key)
            matrix = _within(stored[chosen], source)[()]
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise _damaged(source, error) from None
    return matrix, _names_beside(source) if chosen == "embeddings" else None


def _within(stored: Any, source: Source) -> Any:
    """Return a data set of HDF5 if its numbers lie in this file and are not said by it alone."""
    if stored.external or stored.is_virtual:
        raise FormatError(f"{source.path}: expected numbers in this file, found a data set that lies in another")
    require_proportion(source.path, source.file.stat().st_size, stored.size * stored.dtype.itemsize)
    return stored


def _names_beside(source: Source) -> pl.Series | None:
    """Return the names in entity_names_TYPE_PART.json beside embeddings_TYPE_PART.vN.h5, if it is there."""
    match = re.fullmatch(r"embeddings_(.+)_(\d+)\.v\d+\.h5", Path(source.path).name)
    file = match and Path(source.path).with_name(f"entity_names_{match[1]}_{match[2]}.json")
    if not file or not file.is_file():
        return None
    try:
        names = json.loads(file.read_text(encoding="utf-8"))
        return pl.Series(names, dtype=pl.String)
    except (ValueError, TypeError, RecursionError):
        raise FormatError(f"{file}: expected a JSON list of names, found something else") from None


def _parquet(source: Source, key: str | None) -> Read:
    """Read a column of lists or columns of numbers, and a column of names."""
    table = Parquet.of(source, key)
    return table.read(), table.names()


@dataclass(frozen=True, slots=True)
class Parquet:
    """A Parquet file of vectors: a column of `lists`, or else columns of `numbers`; and perhaps one of names."""

    source: Source
    lists: str | None
    numbers: list[str]
    named: str | None

    @classmethod
    def of(cls, source: Source, key: str | None) -> Self:
        """Look at the columns."""
        kinds = _polars(source, lambda: pl.read_parquet_schema(source.file))
        texts = [name for name, kind in kinds.items() if kind in {pl.String, pl.Categorical}]
        named = texts[0] if len(texts) == 1 else None
        lists = [name for name, kind in kinds.items() if isinstance(kind, pl.List | pl.Array)]
        if lists:
            return cls(source, _chosen(source, lists, key), [], named)
        numbers = [name for name, kind in kinds.items() if kind.is_float()]
        _no_key(source, key)
        if not numbers:
            raise FormatError(f"{source.path}: expected a column of lists or columns of numbers, found {list(kinds)}")
        return cls(source, None, numbers, named)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(_polars(self.source, lambda: pl.scan_parquet(self.source.file).select(pl.len()).collect().item()))

    def names(self) -> pl.Series | None:
        """Read the names."""
        if self.named is None:
            return None
        return self._table([self.named])[self.named].cast(pl.String).alias("")

    def read(self, first: int = 0, many: int | None = None) -> Matrix:
        """Read the vectors of all rows, or of some; of the file no more than the row groups that hold them."""
        if self.lists is not None:
            return _of_lists(self.source, self._table([self.lists], first, many)[self.lists], first)
        table = self._table(self.numbers, first, many)
        if any(table.null_count().row(0)):
            raise FormatError(f"{self.source.path}: expected a number in every cell, found empty ones")
        return table.to_numpy()

    def _table(self, columns: list[str], first: int = 0, many: int | None = None) -> pl.DataFrame:
        scanned = pl.scan_parquet(self.source.file, glob=False).select(columns)
        table: pl.DataFrame = _polars(self.source, lambda: scanned.slice(first, many).collect())
        return table


def _polars(source: Source, read: Callable[[], Any]) -> Any:
    """Read something of a Parquet file; say what is wrong with it."""
    try:
        return read()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _damaged(source, error) from None


def _of_lists(source: Source, column: pl.Series, first: int) -> Matrix:
    """Return a column of lists of one length as a matrix; `first` rows stand before it."""
    lists = column.arr.to_list() if isinstance(column.dtype, pl.Array) else column
    lengths = lists.list.len()
    width = int(lengths[0] or 0) if len(lengths) else 0
    wrong = (lengths != width).fill_null(value=True)
    if wrong.any() or not width:
        row = int(wrong.arg_true()[0]) if wrong.any() else 0
        found = lengths[row] if len(lengths) else None
        raise FormatError(f"{source.path}, row {first + row + 1}: expected {width} numbers, found {found}")
    numbers = lists.explode(empty_as_null=True)
    if not numbers.dtype.is_numeric() or numbers.null_count():
        raise FormatError(f"{source.path}: expected lists of numbers, found {column.dtype} or empty cells")
    return numbers.to_numpy().reshape(-1, width)


def _text(source: Source, key: str | None) -> Read:
    """Read the text of word2vec: a name and its numbers a line, with or without a first line of the two counts."""
    _no_key(source, key)
    lines = source.text().rstrip("\n").split("\n")
    first = lines[0].split()
    counted = len(first) == 2 and all(cell.isascii() and cell.isdigit() and len(cell) <= LONGEST for cell in first)
    rows = lines[1:] if counted else lines
    width = int(first[1]) if counted else len(first) - 1
    if counted and int(first[0]) != len(rows):
        raise FormatError.at(source.path, 1, f"expected {first[0]} rows, as this line says", f"found {len(rows)}")
    if width < 1 or not rows:
        raise FormatError.at(source.path, 1, "expected a name and numbers", f"found {lines[0][:60]!r}")
    _named_numbers(rows[0], width, source.path, 1 + counted)  # before memory is taken for so many
    matrix = np.empty((len(rows), width), np.float32)
    names = []
    for row, text in enumerate(rows):
        name, matrix[row] = _named_numbers(text, width, source.path, row + 1 + counted)
        names.append(name)
    return matrix, pl.Series(names, dtype=pl.String)


def _named_numbers(text: str, width: int, place: str, line: int) -> tuple[str, list[float]]:
    """Return what a line of word2vec holds: a name, which may have blanks in it, and so many numbers."""
    name, *cells = text.rsplit(None, width) or [""]
    try:
        if len(cells) == width:
            return name, [float(cell) for cell in cells]
    except ValueError:
        pass
    raise FormatError.at(place, line, f"expected a name and {width} numbers", f"found {text[:60]!r}")


def _chosen(source: Source, names: Sequence[str], key: str | None) -> str:
    """Return the name of the array that is wanted."""
    if key is not None and key in names:
        return key
    if key is None and len(names) == 1:
        return names[0]
    wanted = "one array" if key is None else f"an array called {key!r}"
    found = ", ".join(sorted(names)) or "none"
    raise InputError(
        f"{source.path}: expected {wanted}, found {found}", hint=f'key="{min(names)}" says which.' if names else None
    )


def _no_key(source: Source, key: str | None) -> None:
    if key is not None:
        raise InputError(f"{source.path}: expected a file of named arrays for key {key!r}, found one array")


def _damaged(source: Source, error: Exception) -> FormatError:
    """Make the error of a file that its library cannot read."""
    said = str(error).partition("\n")[0]
    objects = "object" in said.lower()
    msg = f"{source.path}: expected {'numbers, found objects' if objects else f'a whole file, found an error: {said}'}"
    return FormatError(msg, hint=NO_PICKLE if objects else "write the file again.")
