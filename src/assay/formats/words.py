"""Ids and numbers as text files hold them."""

import io
from typing import Literal

import polars as pl

from assay.errors import InputError

SPACE = r"[\x00-\x20]"


def check_words(block: pl.DataFrame, name: str) -> None:
    """Refuse ids that a format of columns parted by white space cannot hold.

    Raises
    ------
    InputError
        An id that is empty or holds white space or a control character, or a query that begins with `#`.
    """
    for column in ("query", "item"):
        wrong = pl.col(column).str.contains(SPACE) | (pl.col(column) == "")
        if column == "query":
            wrong |= pl.col(column).str.starts_with("#")
        found = block.select(column).filter(wrong)
        if found.height:
            msg = f"format {name}: expected ids without white space, found the {column} {found[column][0]!r}"
            raise InputError(msg, hint="write jsonl, csv or parquet, which hold any id.")


def written(column: str) -> pl.Expr:
    """Return a column of numbers as text: whole ones without a decimal point, others in full precision."""
    number = pl.col(column)
    whole = number.is_finite() & (number == number.floor()) & (number.abs() < 2.0**53)
    kept = pl.when(whole).then(number)
    return pl.when(whole).then(kept.cast(pl.Int64).cast(pl.String)).otherwise(number.cast(pl.String)).alias(column)


def csv_text(table: pl.DataFrame, separator: str, *, header: bool = False, quoted: bool = False) -> memoryview:
    """Return a table as lines of text; ids are quoted where needed if the format knows quotes."""
    text = io.BytesIO()
    style: Literal["necessary", "never"] = "necessary" if quoted else "never"
    table.write_csv(text, include_header=header, separator=separator, quote_style=style)
    return text.getbuffer()


def as_whole(value: float) -> float:
    """Return a whole number as int, which JSON writes without a decimal point; others as they are."""
    return int(value) if value.is_integer() and abs(value) < 2.0**53 else value
