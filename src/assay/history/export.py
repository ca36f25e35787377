"""`export`: a store as two tables in Parquet, one of figures and one of the values of queries."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from assay.convert import written_whole
from assay.core.history import Recorded
from assay.errors import InputError
from assay.report import history
from assay.report.documents import to_table
from assay.store.evaluations import HistoryStore

FIGURES, VALUES = "figures.parquet", "values.parquet"
SCHEMA: dict[str, Any] = {
    "id": pl.Int64, "suite": pl.String, "measure": pl.String, "query": pl.String, "value": pl.Float64,
}  # fmt: skip


def export(
    store: HistoryStore,
    folder: str | os.PathLike[str],
    *,
    suite: str | None = None,
    since: datetime | None = None,
    tag: str | None = None,
    limit: int | None = None,
) -> dict[str, int]:
    """Write figures.parquet and values.parquet into a folder, which is made; returns their paths and rows.

    Figures have a row for each evaluation, measure and slice; values one for each evaluation, measure and query
    (id, suite, measure, query, value; null where undefined). `suite`, `since`, `tag` and `limit` choose evaluations as
    in `HistoryStore.list`.

    Raises
    ------
    InputError
        No folder can be made there.
    UnknownNameError
        No suite of that name.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{place}: expected a folder to write into, found an error: {error.strerror}") from None
    found = store.list(suite, since=since, tag=tag, limit=limit)
    figures = history.to_frame(found)
    with written_whole(str(place / FIGURES)) as file:
        file.write(to_table(figures, "parquet"))
    counted = Counted()
    with written_whole(str(place / VALUES)) as file:
        streamed(partial(_parts, store, found, counted), SCHEMA).sink_parquet(file)
    return {str(place / FIGURES): figures.height, str(place / VALUES): counted.rows}


@dataclass(slots=True)
class Counted:
    """How many rows have gone by."""

    rows: int = 0


def streamed(parts: Callable[[], Iterator[pl.DataFrame]], schema: dict[str, Any]) -> pl.LazyFrame:
    """Return tables of one schema as one, of which only a few are in memory at a time."""

    def read(columns: list[str] | None, predicate: Any, rows: int | None, size: int | None) -> Iterator[pl.DataFrame]:
        del predicate, rows, size
        for part in parts():
            yield part if columns is None else part.select(columns)

    return register_io_source(read, schema=schema)


def _parts(store: HistoryStore, found: tuple[Recorded, ...], counted: Counted) -> Iterator[pl.DataFrame]:
    for one in found:
        whole = store.get(one.id)
        counted.rows += len(whole.values) * len(whole.queries)
        for measure, numbers in whole.values.items():
            frame = pl.DataFrame({"query": pl.Series(whole.queries, dtype=pl.String)})
            value = pl.Series(numbers, nan_to_null=True)
            named = {"id": pl.lit(one.id, pl.Int64), "suite": pl.lit(one.suite), "measure": pl.lit(measure)}
            yield frame.select(**named, query="query", value=value)
