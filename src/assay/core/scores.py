"""`Scores`: results in long form, the only result table: run, measure, query, value."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import narwhals as nw
import numpy as np
import polars as pl

SCHEMA = {"run": pl.String, "measure": pl.String, "query": pl.String, "value": pl.Float64}


@dataclass(frozen=True, eq=False)
class Scores:
    """One number for each run, measure and query; null where the value is undefined.

    `table` has the columns run, measure, query (text) and value (float64, null, never NaN).
    """

    table: pl.DataFrame

    @classmethod
    def of(cls, run: str, measure: str, queries: pl.Series, values: np.ndarray[Any, np.dtype[np.float64]]) -> Self:
        """Make scores from an array of shape (queries,) in which NaN means undefined."""
        table = pl.DataFrame({"query": queries, "value": values}).with_columns(
            pl.col("value").fill_nan(None), run=pl.lit(run), measure=pl.lit(measure)
        )
        return cls(table.select(list(SCHEMA)))

    @classmethod
    def concat(cls, parts: Iterable["Scores"]) -> Self:
        """Join several scores into one table."""
        tables = [part.table for part in parts]
        return cls(pl.concat(tables) if tables else pl.DataFrame(schema=SCHEMA))

    def __len__(self) -> int:
        return self.table.height

    def wide(self) -> pl.DataFrame:
        """Return one row for each run and query, one column for each measure."""
        return self.table.pivot("measure", index=["run", "query"], values="value")

    def to_native(self, backend: str = "polars") -> Any:
        """Return the table as a frame of another library: "pandas", "pyarrow", "polars" …"""
        if backend == "polars":
            return self.table
        frame = nw.from_native(self.table, eager_only=True)
        return {"pandas": frame.to_pandas, "pyarrow": frame.to_arrow}[backend]()
