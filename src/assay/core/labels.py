"""`Labels`: what judges said about pairs of a query and an item."""

from dataclasses import dataclass

import polars as pl

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
    >>> Labels(pl.DataFrame(rows), "two").judges
    ('ann', 'bob')
    """

    table: pl.DataFrame
    name: str = "labels"

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges in the order of their names."""
        return tuple(self.table["judge"].unique().sort().to_list())

    @property
    def pairs(self) -> pl.DataFrame:
        """The pairs in order, columns query and item."""
        return self.table.select("query", "item").unique().sort("query", "item")
