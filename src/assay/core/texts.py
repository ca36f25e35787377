"""`Documents` and `Queries`: texts with their ids, in the order in which they were given."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import polars as pl

from assay.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The texts that a system searches.

    Parameters
    ----------
    table
        Columns item and text, and title where documents have one (null where one has none).
    name
        What results call them.

    Raises
    ------
    InputError
        An id twice, no such columns, or other than texts in them.

    >>> documents = Documents.of({"d1": "gold and silver", "d2": "a purse"})
    >>> len(documents), documents.whole.to_list()
    (2, ['gold and silver', 'a purse'])
    """

    table: pl.DataFrame
    name: str = "documents"

    def __post_init__(self) -> None:
        _check(self.table, "item", self.name)

    def __len__(self) -> int:
        return self.table.height

    @classmethod
    def of(cls, texts: Mapping[str, str], name: str = "documents") -> Self:
        """Return documents of `{item: text}`."""
        return cls(_table("item", texts, name), name)

    @property
    def items(self) -> pl.Series:
        """The ids, shape (documents,)."""
        return self.table["item"]

    @property
    def whole(self) -> pl.Series:
        """Title, where there is one, and text of each document, a line between them."""
        if "title" not in self.table.columns:
            return self.table["text"]
        both = pl.concat_str("title", "text", separator="\n", ignore_nulls=True)
        return self.table.select(both.alias("text")).to_series()

    def digest(self) -> str:
        """Return the BLAKE2b digest of ids and texts in their order, 64 hexadecimal digits."""
        found = hashlib.blake2b(digest_size=32)
        for item, text in zip(self.items, self.whole, strict=True):
            said = (text or "").encode()
            found.update(f"{item}\n{len(said)}\n".encode())
            found.update(said)
        return found.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
    """What people ask.

    Parameters
    ----------
    table
        Columns query and text.
    name
        What results call them.

    Raises
    ------
    InputError
        An id twice, no such columns, or other than texts in them.

    >>> Queries.of({"1": "gold"}).texts
    {'1': 'gold'}
    """

    table: pl.DataFrame
    name: str = "queries"

    def __post_init__(self) -> None:
        _check(self.table, "query", self.name)

    def __len__(self) -> int:
        return self.table.height

    @classmethod
    def of(cls, texts: Mapping[str, str], name: str = "queries") -> Self:
        """Return queries of `{query: text}`."""
        return cls(_table("query", texts, name), name)

    @property
    def texts(self) -> dict[str, str]:
        """The text of each query by its id."""
        return dict(self.table.select("query", "text").rows())


def _table(id_column: str, texts: Mapping[Any, Any], name: str) -> pl.DataFrame:
    other = next((one for pair in texts.items() for one in pair if not isinstance(one, str)), None)
    if other is not None:
        raise InputError(f"{name}: expected ids and texts, found {other!r}")
    schema = {id_column: pl.String, "text": pl.String}
    return pl.DataFrame({id_column: list(texts), "text": list(texts.values())}, schema=schema)


def _check(table: pl.DataFrame, id_column: str, name: str) -> None:
    for column in (id_column, "text"):
        kind = table.schema.get(column)
        if kind != pl.String:
            found = "none" if kind is None else f"one of {kind}"
            raise InputError(f"{name}: expected a column {column!r} of texts, found {found}")
    ids = table[id_column]
    twice = ids.filter(ids.is_duplicated())
    if len(twice):
        raise InputError(f"{name}: expected each id once, found {twice[0]!r} twice")
