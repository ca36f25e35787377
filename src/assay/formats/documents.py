"""Text of JSON into values, with the place of what is wrong in it."""

import json
from typing import Any

import polars as pl

from assay.errors import FormatError
from assay.formats.shapes import ShapeError, Table, keep_all

DECODER = json.JSONDecoder(object_pairs_hook=keep_all)


def parsed(text: str, place: str, line: int = 1) -> Any:
    """Return the value of a text that begins on line `line`; NaN and Infinity are numbers, as in Python.

    Raises
    ------
    FormatError
        Text that is no JSON; names line and column.
    """
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        at = line + error.lineno - 1
        found = f"found an error in column {error.colno}: {error.msg}"
        raise FormatError.at(place, at, "expected JSON", found) from None
    except (ValueError, RecursionError) as error:
        raise FormatError.at(place, line, "expected JSON", f"found an error: {error}") from None


def add(table: Table, value: object, place: str, line: int | None) -> None:
    """Add the rows of a value to a table, and name the place if it is of no known shape."""
    try:
        table.add(value)
    except ShapeError as error:
        expected, _, found = str(error).partition(", found ")
        raise FormatError.at(place, line, expected, f"found {found}") from None
    except RecursionError:
        raise FormatError.at(place, line, "expected rows", "found lists that are too deep") from None


def taken(table: Table, place: str) -> pl.DataFrame:
    """Return the rows of a table; ids that are no text at all are refused."""
    try:
        return table.take()
    except (UnicodeEncodeError, pl.exceptions.PolarsError):
        msg = f"{place}: expected ids of text, found half of a surrogate pair (\\ud800 to \\udfff)"
        raise FormatError(msg) from None
