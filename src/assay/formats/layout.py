"""`Layout`: which columns a line of text has, and which of them are wanted."""

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of the columns of one text format; those that are none of query, item, `number` and `kept` are not read.

    `number` is the column that holds the grade, score or rank; `kept` are further columns, read as text. With
    `extra` a line may have further columns, which are ignored; without, its columns are exactly these.
    """

    columns: tuple[str, ...]
    number: str
    extra: bool = False
    kept: tuple[str, ...] = ()

    @property
    def query(self) -> int:
        """The place of the query among the columns, from 0."""
        return self.columns.index("query")

    @property
    def item(self) -> int:
        """The place of the item among the columns, from 0."""
        return self.columns.index("item")

    @property
    def value(self) -> int:
        """The place of the number among the columns, from 0."""
        return self.columns.index(self.number)

    @property
    def wanted(self) -> dict[str, type[pl.DataType]]:
        """The columns that are read, and their types."""
        return {"query": pl.String, "item": pl.String, self.number: pl.Float64, **dict.fromkeys(self.kept, pl.String)}

    def fits(self, count: int) -> bool:
        """Say whether a line may have that many columns."""
        return count == len(self.columns) or (self.extra and count > len(self.columns))

    def __str__(self) -> str:
        return f"{len(self.columns)} columns ({' '.join(self.columns)})"
