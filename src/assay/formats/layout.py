"""`Layout`: which columns a line of text has, and which of them are wanted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of the columns of one text format; those not called query, item or `number` are not read.

    `number` is the column that holds the grade, score or rank. With `extra` a line may have further
    columns, which are ignored; without, its columns are exactly these.
    """

    columns: tuple[str, ...]
    number: str
    extra: bool = False

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

    def fits(self, count: int) -> bool:
        """Say whether a line may have that many columns."""
        return count == len(self.columns) or (self.extra and count > len(self.columns))

    def __str__(self) -> str:
        return f"{len(self.columns)} columns ({' '.join(self.columns)})"
