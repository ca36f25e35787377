"""Names of entities and relations made into numbers: given, or by first appearance."""

import difflib
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError, ParameterError
from assay.formats.name_files import placed, read_names
from assay.formats.triples import Triples

Ints = NDArray[np.int64]
Names = int | str | os.PathLike[str] | Mapping[str, int] | Sequence[str] | pl.Series | None
"""How many there are (then triples hold row numbers), a file, `{name: number}`, names in their order, or nothing."""


def as_names(given: Names, kind: str) -> pl.Series | None:
    """Return given names in the order of their numbers; a count gives none but their numbers.

    Raises
    ------
    InputError
        A name or number twice, numbers that are not 0, 1, 2 …
    ParameterError
        Something that holds no names.
    """
    if given is None:
        return None
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        return pl.Series(range(int(given)), dtype=pl.Int64).cast(pl.String)
    if isinstance(given, str | os.PathLike):
        return pl.Series(read_names(given), dtype=pl.String)
    if isinstance(given, Mapping):
        names = placed([str(name) for name in given], [str(number) for number in given.values()], kind)
        return pl.Series(names, dtype=pl.String)
    if not isinstance(given, pl.Series | Sequence | np.ndarray):
        msg = f"{kind}: expected a file, {{name: number}}, names or a count, found {type(given).__name__}"
        raise ParameterError(msg)
    series = pl.Series(values=list(given), dtype=pl.String, strict=False)
    if series.n_unique() < series.len():
        twice = series.filter(series.is_duplicated())[0]
        msg = f"{kind}: expected each name once, found {twice!r} twice"
        raise InputError(msg)
    return series


def numbered(parts: Sequence[Triples], columns: Sequence[str], given: Names, kind: str) -> tuple[pl.Series, list[Ints]]:
    """Return the names and, for each part, the numbers of these columns, shape (triples, columns).

    Without given names, text is numbered by first appearance over the parts in their order; whole numbers are
    rows. With given names, cells are names, or, where no cell is one, row numbers.

    Raises
    ------
    InputError
        A cell that is no given name and no row number; its file and line are named.
    """
    names = as_names(given, kind)
    cells = _cells(parts, columns)
    if names is None:
        names, codes = _first_appearance(cells) if cells.dtype == pl.String else _as_rows(cells)
    else:
        codes = _looked_up(cells, names, isinstance(given, int | np.integer))
    wrong = codes.is_null() | (codes < 0)
    if wrong.any():
        raise _unknown(int(wrong.arg_true()[0]), cells, parts, (columns, kind, given), names)
    flat = codes.cast(pl.Int64).to_numpy().reshape(-1, len(columns))
    ends = np.cumsum([part.table.height for part in parts])
    return names.alias(""), [np.ascontiguousarray(rows) for rows in np.split(flat, ends[:-1])]


def _cells(parts: Sequence[Triples], columns: Sequence[str]) -> pl.Series:
    """Return all cells in the order of reading; text where any part holds text."""
    kinds = {part.table[name].dtype for part in parts for name in columns}
    kind = pl.Int64 if kinds == {pl.Int64} else pl.String
    tables = [part.table.select(pl.col(name).cast(kind) for name in columns) for part in parts]
    if len(columns) == 1:
        return pl.concat(tables)[columns[0]]
    return pl.concat(tables).select(cell=pl.concat_list(columns)).explode("cell", empty_as_null=True)["cell"]


def _first_appearance(cells: pl.Series) -> tuple[pl.Series, pl.Series]:
    names = cells.unique(maintain_order=True)
    return names, _places(cells, names)


def _as_rows(cells: pl.Series) -> tuple[pl.Series, pl.Series]:
    highest = cells.max()
    return pl.Series(range(1 + int(highest if isinstance(highest, int) else -1)), dtype=pl.Int64).cast(pl.String), cells


def _looked_up(cells: pl.Series, names: pl.Series, counted: bool) -> pl.Series:
    """Return numbers of given names; null where a cell is neither a name nor a row."""
    if cells.dtype == pl.String and not counted:
        codes = _places(cells, names)
        if codes.null_count() < codes.len():
            return codes
    rows = cells.cast(pl.Int64, strict=False)
    return rows.set(((rows < 0) | (rows >= names.len())).fill_null(value=False), None)


def _places(cells: pl.Series, names: pl.Series) -> pl.Series:
    known = pl.DataFrame({"cell": names}).with_row_index("place")
    return cells.to_frame("cell").join(known, on="cell", how="left", maintain_order="left")["place"]


def _unknown(
    at: int, cells: pl.Series, parts: Sequence[Triples], about: tuple[Sequence[str], str, Any], names: pl.Series
) -> InputError:
    """Make the error of the first cell that has no number."""
    columns, kind, given = about
    row, column = divmod(at, len(columns))
    for part in parts:
        if row < part.table.height:
            break
        row -= part.table.height
    else:  # pragma: no cover - a cell lies in one of the parts
        raise AssertionError
    cell = str(cells[at])
    whose = str(given) if isinstance(given, str | os.PathLike) else "given"
    if given is None:
        expected, hint = f"a row number as {columns[column]}, from 0", None
    elif isinstance(given, int | np.integer):
        expected = f"a row number as {columns[column]}, from 0 to {names.len() - 1}"
        option = "--relation-names" if kind == "relations" else "--names"
        hint = f"if the triples hold names, {option} FILE (in Python a file or a mapping) gives those of the {kind}."
    else:
        expected = f"one of the {names.len():,} names of {kind} ({whose}) as {columns[column]}"
        near = difflib.get_close_matches(cell, names.head(100_000).to_list(), n=1, cutoff=0.8)
        hint = f"did you mean {near[0]!r}?" if near else "the names must hold all that any of the splits holds."
    return InputError(f"{part.where(row)}: expected {expected}, found {cell!r}", hint=hint)
