"""`Cells`: how often each item was shown at each rank of a query, and clicked there; all that click models need."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.hits import Flags, Ints
from assay.core.judged import Floats
from assay.errors import InputError
from assay.formats.clicks import ClickLog

FEWEST = 1 << 20
"""Rows that wait to be added up, at least; then half as many as are held."""
Until = Literal["first", "last"]
SEEDS = {"one": 1, "two": 2}
"""A pair is known by two hashes, 128 bits, however long its ids are; a search by one: of billions one may be wrong."""
HASHES = tuple(SEEDS)
ONE = pl.lit(1, pl.Int32).alias("rank")
"""The rank of all rows, where ranks are not told apart."""


@dataclass(frozen=True, eq=False)
class Cells:
    """A row for each pair of query and item and each rank it was shown at, in the order of their names.

    `pairs` has query and item. `table` has pair (its place in `pairs`), rank, shown, clicks and, where searches were
    followed, examined (how often it stood at or above the place where the search ended) and ends (how often it was
    what ended the search). Where searches were followed all ranks are one in it, and `levels` has for each rank shown,
    clicks and examined. `searches` counts the searches with a click, None where they were not followed.
    """

    pairs: pl.DataFrame
    table: pl.DataFrame
    levels: pl.DataFrame | None = None
    searches: int | None = None

    @classmethod
    def of(cls, log: ClickLog, until: Until | None = None, *, ranked: bool = True) -> Self:
        """Count a log; `until` follows searches to their first or last click.

        A search is looked through down to that click, one without a click to its end. Without `ranked` all ranks are
        one. Memory grows with the cells and the searches with a click, not with the rows.

        Raises
        ------
        InputError
            A log without the columns that this needs.
        """
        _require(log, ranked=ranked, followed=until is not None)
        ends = None if until is None else Ends.of(log, until)
        pairs = Gathering(("query", "item"), pl.col(HASHES).first())
        cells = Gathering((*HASHES, "rank"), pl.all().sum())
        levels = Gathering(("rank",), pl.col("shown", "clicks", "examined").sum())
        for block in log.blocks():
            rows = _shown(block, ends, ranked=ranked)
            pairs.add(rows.select("query", "item", *HASHES))
            if ends is not None:
                levels.add(rows)
                rows = rows.with_columns(ONE)
            cells.add(rows.drop("query", "item"))
        named = pairs.table().sort("query", "item").with_row_index("pair")
        table = cells.table().join(named.select("pair", *HASHES), on=HASHES).drop(HASHES).sort("pair", "rank")
        if ends is None:
            return cls(named.select("query", "item"), table)
        return cls(named.select("query", "item"), table, levels.table().sort("rank"), len(ends.search))

    def of_pairs(self, kept: Flags) -> Self:
        """Return the cells of some pairs, which keep their places."""
        return replace(self, table=self.table.filter(pl.Series(kept[self.pair], dtype=pl.Boolean)))

    @cached_property
    def pair(self) -> Ints:
        """The place of each cell's pair in `pairs`."""
        return self.table["pair"].to_numpy().astype(np.int64)

    @cached_property
    def ranks(self) -> Ints:
        """The ranks that occur, rising."""
        return self.table["rank"].unique().sort().to_numpy().astype(np.int64)

    @cached_property
    def rank(self) -> Ints:
        """The place of each cell's rank in `ranks`."""
        return np.searchsorted(self.ranks, self.table["rank"].to_numpy())

    def column(self, name: str) -> Floats:
        """Return a number of each cell, shape (cells,)."""
        return self.table[name].to_numpy().astype(np.float64)

    def by_pair(self, numbers: str | Floats) -> Floats:
        """Add up a number of the cells for each pair, shape (pairs,)."""
        values = self.column(numbers) if isinstance(numbers, str) else numbers
        return np.bincount(self.pair, values, self.pairs.height).astype(np.float64, copy=False)

    def by_rank(self, numbers: str | Floats) -> Floats:
        """Add up a number of the cells for each rank, shape (ranks,)."""
        values = self.column(numbers) if isinstance(numbers, str) else numbers
        return np.bincount(self.rank, values, len(self.ranks)).astype(np.float64, copy=False)


class Gathering:
    """Tables that are brought together by key as they come, so that little more than the result is held.

    >>> found = Gathering(("a",), pl.all().sum())
    >>> for table in (pl.DataFrame({"a": [1, 1], "n": [2, 3]}), pl.DataFrame({"a": [1], "n": [4]})):
    ...     found.add(table)
    >>> found.table().rows()
    [(1, 9)]
    """

    def __init__(self, keys: Iterable[str], numbers: pl.Expr) -> None:
        self.keys = list(keys)
        self.numbers = numbers
        self.held: list[pl.DataFrame] = []
        self.limit = FEWEST

    def add(self, table: pl.DataFrame) -> None:
        """Add a table with the keys and the numbers."""
        self.held.append(table.group_by(self.keys).agg(self.numbers))
        if sum(part.height for part in self.held) > self.limit:
            self.limit = max(FEWEST, self.table().height * 3 // 2)

    def table(self) -> pl.DataFrame:
        """Return a row for each key, in no order."""
        if len(self.held) > 1:
            self.held = [pl.concat(self.held).group_by(self.keys).agg(self.numbers)]
        return self.held[0]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The rank at which each search with a click ends, in the order of their hashes."""

    search: NDArray[np.uint64]
    rank: NDArray[np.int32]

    @classmethod
    def of(cls, log: ClickLog, until: Until) -> Self:
        """Find the first or the last click of each search."""
        found = Gathering(("search",), pl.col("rank").max() if until == "last" else pl.col("rank").min())
        for block in log.blocks():
            found.add(block.filter(pl.col("click") == 1).select(_search(), "rank"))
        table = found.table().sort("search")
        return cls(table["search"].to_numpy(), table["rank"].to_numpy())

    def until(self, block: pl.DataFrame) -> pl.Series:
        """Return for each row of a log the rank at which its search ends, 0 where it has no click."""
        if not len(self.search):
            return pl.zeros(block.height, pl.Int32, eager=True)
        search = block.select(_search()).to_series().to_numpy()
        place = np.minimum(np.searchsorted(self.search, search), len(self.search) - 1)
        return pl.Series(np.where(self.search[place] == search, self.rank[place], 0), dtype=pl.Int32)


def _shown(block: pl.DataFrame, ends: Ends | None, *, ranked: bool) -> pl.DataFrame:
    """Return what each row of a log adds to its cell."""
    pair = [pl.struct("query", "item").hash(seed).alias(name) for name, seed in SEEDS.items()]
    rank = pl.col("rank") if ranked else ONE
    counts = {"shown": pl.lit(1, pl.Int64), "clicks": pl.col("click").cast(pl.Int64)}
    if ends is None:
        return block.select("query", "item", *pair, rank, **counts)
    until = pl.col("until")
    followed = block.with_columns(until=ends.until(block))
    counts["examined"] = ((until == 0) | (pl.col("rank") <= until)).cast(pl.Int64)
    counts["ends"] = ((pl.col("rank") == until) & (pl.col("click") == 1)).cast(pl.Int64)
    return followed.select("query", "item", *pair, rank, **counts)


def _search() -> pl.Expr:
    """Return the hash of a search, which is a session and a query."""
    return pl.struct("session", "query").hash(SEEDS["one"]).alias("search")


def _require(log: ClickLog, *, ranked: bool, followed: bool) -> None:
    for column, needed, why in (
        ("rank", ranked, "at which rank an item was shown (rank, position)"),
        ("session", followed, "which search a row belongs to (session, session_id, search_id)"),
    ):
        if needed and column not in log.columns:
            raise InputError(
                f"{log.name}: expected a column that says {why}, found {', '.join(log.columns)}",
                hint="--model ctr needs neither rank nor session; coec and pbm need ranks only.",
            )
