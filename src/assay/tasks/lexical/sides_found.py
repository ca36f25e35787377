"""Which relevant items each system finds, and which it alone finds."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from assay.core.lexical_sides import Found, OnlyFound


def ranks_of(relevant: pl.DataFrame, lists: Sequence[pl.DataFrame], systems: Sequence[str]) -> pl.DataFrame:
    """Return relevant items (query, item, grade) with a column for each system: its rank of them, null for none."""
    table = relevant
    for ranked, system in zip(lists, systems, strict=True):
        ranks = ranked.select("query", "item", pl.col("rank").alias(_column(system)))
        table = table.join(ranks, on=["query", "item"], how="left")
    return table.sort("query", "item")


def found_at(table: pl.DataFrame, systems: Sequence[str], places: int | None) -> Found:
    """Count the relevant items among the first places of each list, and by which systems just they are found."""
    held = table.select(_held(system, places) for system in systems).to_numpy().reshape(table.height, len(systems))
    sets, counts = np.unique(held, axis=0, return_counts=True) if len(held) else (held, np.zeros(0, np.int64))
    together = {tuple(np.flatnonzero(one).tolist()): int(count) for one, count in zip(sets, counts, strict=True)}
    together = dict(sorted(together.items(), key=lambda entry: (len(entry[0]), entry[0])))
    every = tuple(range(len(systems)))
    return Found(
        places,
        table.height,
        tuple(held.sum(axis=0).tolist()),
        tuple(together.get((place,), 0) for place in every),
        together.get(every, 0),
        together.pop((), 0),
        together,
    )


def examples(table: pl.DataFrame, systems: Sequence[str], places: int, shown: int) -> Iterator[OnlyFound]:
    """Yield, for each system, relevant items that it alone finds among the first places, the most surprising first.

    That are those that no other list holds, then those that stand deepest in the others.
    """
    for system in systems:
        others = [pl.col(_column(other)) for other in systems if other != system]
        alone = [~_held(other, places) for other in systems if other != system]
        found = table.filter(_held(system, places), *alone).with_columns(elsewhere=pl.min_horizontal(others))
        order = ["elsewhere", _column(system), "query", "item"]
        first = found.sort(order, descending=[True, False, False, False], nulls_last=False).head(shown)
        for row in first.iter_rows(named=True):
            yield OnlyFound(system, row["query"], row["item"], row["grade"], row[_column(system)], row["elsewhere"])


def _column(system: str) -> str:
    """Name the column of a system so that no name of a system is taken for another column."""
    return f"rank {system}"


def _held(system: str, places: int | None) -> pl.Expr:
    rank = pl.col(_column(system))
    return rank.is_not_null() if places is None else (rank <= places).fill_null(value=False)
