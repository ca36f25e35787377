"""Other libraries' tables: read as Polars frames, through narwhals, which is loaded when one is met."""

import warnings
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.errors import AssayError, RunError

if TYPE_CHECKING:
    import narwhals as nw


def is_frame(given: object) -> bool:
    """Tell whether the value is a table of a library that narwhals knows (pandas, Polars, Arrow, DuckDB …)."""
    if isinstance(given, pl.DataFrame | pl.LazyFrame):
        return True
    try:
        narwhal(given)
    except TypeError:
        return False
    return True


def narwhal(native: Any) -> Any:
    """Return a table as narwhals speaks it.

    Raises
    ------
    TypeError
        No table.
    """
    import narwhals as nw

    if type(native).__module__.partition(".")[0] != "dask":
        return nw.from_native(native)
    with warnings.catch_warnings():  # narwhals announces a package narwhals-dask, which does not exist yet
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        return nw.from_native(native)


def lazy_frame(given: Any) -> "nw.LazyFrame[Any] | None":
    """Return a table as a lazy frame of narwhals; None where its rows lie in memory."""
    if isinstance(given, pl.DataFrame):
        return None
    import narwhals as nw

    frame = narwhal(given)
    return frame if isinstance(frame, nw.LazyFrame) else None


def to_polars(frame: Any) -> pl.DataFrame:
    """Return any library's table as a Polars frame."""
    if isinstance(frame, pl.LazyFrame | pl.DataFrame):
        return frame.lazy().collect()
    return collect(narwhal(frame).lazy(), type(frame).__module__.partition(".")[0])


def collect(frame: "nw.LazyFrame[Any]", place: str) -> pl.DataFrame:
    """Return the rows of a lazy frame, which its engine works out.

    Raises
    ------
    RunError
        What the engine says is wrong: a table that is gone, a text where a number is wanted.
    """
    native = frame.to_native()
    try:
        if hasattr(native, "__arrow_c_stream__") and not hasattr(native, "toArrow"):  # Spark streams through Python
            return pl.DataFrame(native)
        table: pl.DataFrame = frame.collect("polars").to_polars()
    except (AssayError, ImportError):
        raise
    except Exception as problem:  # each engine has errors of its own
        raise engine_error(place, problem) from problem
    return table


def engine_error(place: str, problem: Exception) -> RunError:
    """Make the error for rows that their engine cannot give."""
    said = str(problem).strip().partition("\n")[0]
    return RunError(f"{place}: expected rows, found an error of the engine that holds them: {said}")
