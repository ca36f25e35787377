"""`Labels`: what judges said about pairs of a query and an item."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

SCHEMA = {"query": pl.String, "item": pl.String, "judge": pl.String, "grade": pl.Float64}
"""The columns that all labels have. A missing grade means: the judge looked and could not tell."""
MORE = {"reason": pl.String, "note": pl.String, "guideline": pl.String, "time": pl.String, "seconds": pl.Float64}
"""The columns that they may have; `time` is ISO 8601 with its zone."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Judgments with their judges, one row for each pair that a judge looked at.

    Parameters
    ----------
    table
        Columns query, item, judge, grade and any of reason, note, guideline, time, seconds.
    name
        What results call them.

    >>> rows = {"query": ["q", "q"], "item": ["a", "a"], "judge": ["ann", "bob"], "grade": [1.0, 0.0]}
    >>> Labels(pl.DataFrame(rows), "two").matrix.tolist()
    [[1.0, 0.0]]
    """

    table: pl.DataFrame
    name: str = "labels"

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges in the order of their names."""
        return tuple(self.table["judge"].unique().sort().to_list())

    @property
    def pairs(self) -> pl.DataFrame:
        """The pairs in order, columns query and item: the rows of `matrix`."""
        return self.table.select("query", "item").unique().sort("query", "item")

    @property
    def matrix(self) -> NDArray[np.float64]:
        """Grades as (pairs, judges), NaN where a judge said none."""
        pairs = self.pairs.with_row_index("row")
        columns = pl.DataFrame({"judge": self.judges}).with_row_index("column")
        placed = self.table.join(pairs, on=["query", "item"]).join(columns, on="judge")
        found = np.full((pairs.height, columns.height), np.nan)
        found[placed["row"].to_numpy(), placed["column"].to_numpy()] = placed["grade"].fill_null(np.nan).to_numpy()
        return found
