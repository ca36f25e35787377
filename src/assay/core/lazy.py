"""Rows of a run that lie in a lazy frame: in an engine of its own, which counts them there, or in Polars."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import polars as pl

from assay.core.columns import RUN_COLUMNS, recognise
from assay.core.costs import cost_columns, cost_table
from assay.core.frames import collect, engine_error
from assay.errors import RunError

if TYPE_CHECKING:
    import narwhals as nw

BATCH = 1 << 20
"""Rows of a Polars LazyFrame that are in memory at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class LazyRows:
    """Rows that another engine owns: DuckDB, Spark, Dask, a database behind Ibis. They are counted there.

    `frame` has the columns query, item (text), score (float64, NaN or null where there is no number) and, where the
    run has one, position (int64). `place` names the run in messages.
    """

    place: str
    frame: "nw.LazyFrame[Any]"

    @property
    def native(self) -> Any:
        """The frame as its engine knows it."""
        return self.frame.to_native()

    @classmethod
    def of(cls, wide: "nw.LazyFrame[Any]", place: str, columns: Mapping[str, str] | None = None) -> Self:
        """Take a lazy frame with columns for query, item and score or rank, under any of their names.

        Raises
        ------
        InputError
            A column that is missing, or of a type that holds no ids or no numbers.
        """
        import narwhals as nw

        schema = wide.collect_schema()
        found = run_columns(schema.names(), place, columns)
        _check_types(schema, found, place)
        number = nw.col(found.get("score", found.get("rank", ""))).cast(nw.Float64)
        wanted = [
            nw.col(found["query"]).cast(nw.String).alias("query"),
            nw.col(found["item"]).cast(nw.String).alias("item"),
            (number if "score" in found else -number).alias("score"),
        ]
        if "rank" in found:
            wanted.append(nw.col(found["rank"]).cast(nw.Int64).alias("position"))
        return cls(place, wide.select(*wanted))

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield one frame with all rows, which leave their engine for it."""
        yield run_table(collect(self.frame, self.place), self.place)


@dataclass(frozen=True, slots=True, eq=False)
class StreamedRows:
    """Rows of a Polars LazyFrame, which is run anew each time; memory is that of a few batches."""

    place: str
    frame: pl.LazyFrame
    columns: Mapping[str, str] | None = None

    @classmethod
    def of(cls, wide: pl.LazyFrame, place: str, columns: Mapping[str, str] | None = None) -> Self:
        """Take a frame with columns for query, item and score or rank, under any of their names."""
        found = run_columns(wide.collect_schema().names(), place, columns)
        return cls(place, wide.select(list(dict.fromkeys(found.values()))), columns)

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield query, item, score (and position), batch by batch.

        Raises
        ------
        RunError
            What Polars says is wrong: a file that is gone, a text where a number is wanted.
        """
        try:
            for batch in self.frame.collect_batches(chunk_size=BATCH, maintain_order=True, lazy=True):
                yield run_table(batch, self.place, self.columns)
        except (pl.exceptions.PolarsError, OSError) as problem:
            raise engine_error(self.place, problem) from problem


def run_columns(names: list[str], place: str, columns: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the name of each column of a run among these: query, item, and score or rank or both.

    Raises
    ------
    InputError
        One of them is missing.
    """
    found = recognise(names, RUN_COLUMNS, place, columns)
    if "score" not in found and "rank" not in found:
        msg = f"{place}: expected a column for the score or the rank, found {names}"
        raise RunError(msg, hint="rename the column, or say which it is with columns={...}.")
    return found


def run_table(wide: pl.DataFrame, place: str, columns: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Return query, item, score (and position) of a wide table whose columns may have other names."""
    found = run_columns(wide.columns, place, columns)
    wanted = {"query": pl.col(found["query"]), "item": pl.col(found["item"])}
    if "score" in found:
        wanted["score"] = pl.col(found["score"]).cast(pl.Float64).fill_null(float("nan"))
    else:
        wanted["score"] = -pl.col(found["rank"]).cast(pl.Float64)
    if "rank" in found:
        wanted["position"] = pl.col(found["rank"]).cast(pl.Int64)
    table = wide.select(**wanted).with_columns(pl.col("query", "item").cast(pl.String))
    for column in ("query", "item"):
        if table[column].null_count():
            raise row_without(column, place)
    return table


def row_without(column: str, place: str) -> RunError:
    """Make the error for a row that has no query, no item or no position."""
    return RunError(f"{place}: expected a {column} in each row, found a row without")


def cost_source(
    wide: Any, place: str, columns: Mapping[str, str] | None, read: Callable[[Any], pl.DataFrame]
) -> Callable[[], pl.DataFrame | None] | None:
    """Return what reads the costs of a wide table, eager or lazy; None without any column of cost.

    `read` makes a Polars frame of a selection of its columns.
    """
    names = list(wide.collect_schema().names())
    found = recognise(names, RUN_COLUMNS, place, columns)
    costs = list(cost_columns([name for name in names if name not in found.values()]).values())
    if not costs:
        return None
    kept = wide.select([found["query"], *costs])
    return lambda: cost_table(read(kept).rename({found["query"]: "query"}), place)


def _check_types(schema: Any, found: Mapping[str, str], place: str) -> None:
    """Refuse ids that engines would write in different ways, and numbers that are none."""
    import narwhals as nw

    texts = (nw.String, nw.Categorical, nw.Enum)
    for column, name in found.items():
        kind = schema[name]
        is_id = column in {"query", "item"}
        if is_id and not (kind.is_integer() or isinstance(kind, texts) or kind in texts):
            wanted = "text or whole numbers"
        elif not is_id and not (kind.is_numeric() or kind == nw.String):
            wanted = "numbers"
        else:
            continue
        msg = f"{place}: expected {wanted} in the column {name!r} ({column}), found {kind}"
        raise RunError(msg, hint="cast the column where the frame lies.")
