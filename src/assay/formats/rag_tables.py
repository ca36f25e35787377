"""Tables of items that grow question by question, column by column."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from assay.core.rag_records import ITEM
from assay.formats.rag_items import ItemError, cells, number_of

PARTS = (*ITEM, "score", "tokens")


class Items:
    """Rows of items; lists of bare texts, the usual case, are added whole."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema
        self.columns: dict[str, list[Any]] = {name: [] for name in schema}

    def add(self, items: Sequence[Any], ids: Sequence[Any] | None = None, **same: object) -> None:
        """Add the items of one question, with the ids that stand beside them; `same` is said of all.

        Raises
        ------
        ItemError
            An item of no known shape, or ids of other items.
        """
        many = len(items)
        if set(map(type, items)) <= {str}:
            found: dict[str, Sequence[Any]] = {"id": items, "text": items}
        else:
            found = dict(zip(PARTS, zip(*map(cells, items), strict=True), strict=True))
        if ids is not None:
            found["id"] = [cells(name)[0] for name in parallel(ids, many, "ids")]
        for name, column in self.columns.items():
            column.extend(found.get(name) or [same.get(name)] * many)

    def score(self, scores: Sequence[Any], many: int) -> None:
        """Give the last items that were added their scores.

        Raises
        ------
        ItemError
            Fewer or more than there are items, or one that is no number.
        """
        numbers = [number_of(score, "score") for score in parallel(scores, many, "scores")]
        self.columns["score"][len(self.columns["score"]) - many :] = numbers

    def tie(self, many: int) -> None:
        """Give the last items that were added the same score, unless they have scores."""
        own = self.columns["score"][len(self.columns["score"]) - many :]
        if own == [None] * many:
            self.score([0.0] * many, many)

    def frame(self) -> pl.DataFrame:
        """Return the table."""
        return pl.DataFrame([pl.Series(name, self.columns[name], kind) for name, kind in self.schema.items()])


def parallel(values: Sequence[Any], many: int, what: str) -> Sequence[Any]:
    """Return values that stand beside items, one for each.

    Raises
    ------
    ItemError
        Fewer or more.
    """
    if len(values) != many:
        raise ItemError(f"{what} for each of {many} items", str(len(values)))
    return values


def columns_of(rows: Sequence[Mapping[str, Any]]) -> Iterator[pl.Series]:
    """Yield what objects say beside their items, key by key; values of several kinds become text.

    >>> [column.to_list() for column in columns_of([{"hops": 2}, {"hops": "many"}])]
    [['2', 'many']]
    """
    for name in dict.fromkeys(name for row in rows for name in row):
        held = [row.get(name) for row in rows]
        kinds = {type(one) for one in held if one is not None}
        read: Callable[[Any], Any] = str if (len(kinds) > 1 and kinds != {int, float}) or _too_large(held) else _same
        yield pl.Series(name, [None if one is None else read(one) for one in held], strict=False)


def _too_large(values: Sequence[Any]) -> bool:
    """Tell whether whole numbers do not fit into 64 bits."""
    return any(type(one) is int and abs(one) >= 2**63 for one in values)


def _same(value: Any) -> Any:
    return value
