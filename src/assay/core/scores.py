"""`Scores`: results in long form, the only result table: run, measure, query, value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SCHEMA = {"run": pl.String, "measure": pl.String, "query": pl.String, "value": pl.Float64}


@dataclass(frozen=True, eq=False)
class Scores:
    """One number for each run, measure and query; null where the value is undefined.

    `table` has the columns run, measure, query (text) and value (float64, null, never NaN).
    """

    table: pl.DataFrame

    @classmethod
    def of(cls, run: str, values: Mapping[str, tuple[pl.Series, Floats]]) -> Self:
        """Make scores from `{measure: (queries, values)}`, values of shape (queries,) where NaN means undefined."""
        if not values:
            return cls(pl.DataFrame(schema=SCHEMA))
        lengths = [len(queries) for queries, _ in values.values()]
        columns = {
            "run": pl.Series([run]).new_from_index(0, sum(lengths)),
            "measure": pl.Series(list(values))[np.repeat(np.arange(len(values)), lengths)],
            "query": pl.concat([queries for queries, _ in values.values()]),
            "value": pl.Series(np.concatenate([numbers for _, numbers in values.values()]), nan_to_null=True),
        }
        return cls(pl.DataFrame(columns))

    def _repr_html_(self) -> str:
        """Return the table for a notebook, as Polars draws it."""
        return self.table._repr_html_()

    def __len__(self) -> int:
        return self.table.height

    def wide(self) -> pl.DataFrame:
        """Return one row for each run and query, one column for each measure."""
        return self.table.pivot("measure", index=["run", "query"], values="value")
