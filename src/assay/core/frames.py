"""Other libraries' tables: read as Polars frames, through narwhals, which is loaded when one is met."""

from typing import Any

import polars as pl


def is_frame(given: object) -> bool:
    """Tell whether the value is a table of a library that narwhals knows (pandas, Polars, Arrow, DuckDB …)."""
    if isinstance(given, pl.DataFrame | pl.LazyFrame):
        return True
    import narwhals as nw

    try:
        nw.from_native(given)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def to_polars(frame: Any) -> pl.DataFrame:
    """Return any library's table as a Polars frame."""
    if isinstance(frame, pl.LazyFrame | pl.DataFrame):
        return frame.lazy().collect()
    import narwhals as nw

    table: pl.DataFrame = nw.from_native(frame).lazy().collect("polars").to_polars()
    return table
