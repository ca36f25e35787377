"""`Grouping`: the queries cut into groups by what one column says of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.judged import Floats
from assay.report.names import numbered

SINGLE = 6
"""Up to so many different numbers each makes a group of its own."""
PARTS = 4
"""More different numbers are cut into so many groups of about equal size."""
MOST = 12
"""Of more different texts the most frequent stay groups, the rest becomes one."""
OTHER = "other"

Groups = dict[str, pl.Series]
"""The queries of each group, by its label, in the order in which groups are shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """The groups that one column makes; `unassigned` counts queries for which the column says nothing."""

    column: str
    groups: Groups
    unassigned: int


def groupings_of(columns: pl.DataFrame, queries: pl.Series) -> Iterator[Grouping]:
    """Yield the groups of these queries by each column beside `query`.

    Numbers: one group for each of up to 6 different ones, else four groups of about equal size, equal numbers
    together. Texts: one group for each, of more than 12 the 11 most frequent and "other".

    >>> columns = pl.DataFrame({"query": ["a", "b", "c", "d"], "hops": [2, 4, 2, None]})
    >>> [
    ...     (g.column, {k: v.to_list() for k, v in g.groups.items()}, g.unassigned)
    ...     for g in groupings_of(columns, columns["query"])
    ... ]
    [('hops', {'2': ['a', 'c'], '4': ['b']}, 1)]
    """
    table = pl.DataFrame({"query": queries}).join(columns, on="query", how="left", maintain_order="left")
    for name in columns.columns:
        if name != "query":
            there = table.select("query", value=_plain(table[name])).drop_nulls()
            groups = _of_numbers(there) if there["value"].dtype.is_numeric() else _of_texts(there)
            yield Grouping(name, groups, table.height - there.height)


def _plain(column: pl.Series) -> pl.Series:
    """Return numbers as floats, without NaN, and everything else as text."""
    if column.dtype.is_numeric():
        return column.cast(pl.Float64).fill_nan(None)
    if column.dtype == pl.Boolean:
        return column.replace_strict([True, False], ["yes", "no"], default=None, return_dtype=pl.String)
    return column.cast(pl.String)


def _of_numbers(there: pl.DataFrame) -> Groups:
    numbers = there["value"].to_numpy()
    different, counts = np.unique(numbers, return_counts=True)
    edges = np.arange(len(different)) if len(different) <= SINGLE else _edges(counts)
    group = np.searchsorted(edges, np.searchsorted(different, numbers))
    labels = numbered([_label(numbers[group == place]) for place in range(len(edges))])
    return {label: there["query"].filter(pl.Series(group == place)) for place, label in enumerate(labels)}


def _edges(counts: np.ndarray) -> np.ndarray:
    """Return the places of the highest number of each group, groups as equal in size as equal numbers allow."""
    so_far = np.cumsum(counts)
    wanted = so_far[-1] * np.arange(1, PARTS) / PARTS
    nearest = {int(np.argmin(np.abs(so_far - size))) for size in wanted}
    return np.array(sorted({*nearest, len(counts) - 1}))


def _label(numbers: Floats) -> str:
    low, high = f"{numbers.min():g}", f"{numbers.max():g}"
    return low if low == high else f"{low}–{high}"


def _of_texts(there: pl.DataFrame) -> Groups:
    counts = there.group_by("value").len().sort(["len", "value"], descending=[True, False])
    texts: list[str] = counts["value"].to_list()
    kept = texts if len(texts) <= MOST else texts[: MOST - 1]
    groups = [there.filter(pl.col("value") == text)["query"] for text in kept]
    if len(kept) < len(texts):
        groups.append(there.filter(~pl.col("value").is_in(kept))["query"])
        kept = [*kept, OTHER]
    return dict(zip(numbered(kept), groups, strict=True))
