"""`Gold`: the gold standard (TREC calls it qrels), what is known about the right answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl

from assay.core.columns import GOLD_COLUMNS, is_number, recognise
from assay.core.frames import to_polars
from assay.core.judged import Hits
from assay.core.origin import Origin
from assay.errors import GoldError

SCHEMA = {"query": pl.String, "item": pl.String, "grade": pl.Float64}


@dataclass(frozen=True, eq=False)
class Gold:
    """Judgments: one grade for each pair of query and item.

    `table` has the columns query, item (text) and grade (float64), sorted by query (UTF-8 bytes).
    `unjudged` are queries that were named without any judgment: they take no part in any mean.

    Raises
    ------
    GoldError
        An item judged twice for one query, an id or a grade that is missing, a grade that is no number.

    >>> gold = Gold.from_mapping({"q2": {"a": 1}, "q1": {"b": 0, "c": 2}})
    >>> gold.queries.to_list(), len(gold)
    (['q1', 'q2'], 3)
    """

    table: pl.DataFrame
    name: str = "gold"
    origin: Origin | None = None
    unjudged: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        table = self.table.select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())
        self._check(table)
        object.__setattr__(self, "table", table.sort("query", maintain_order=True))

    def __len__(self) -> int:
        return self.table.height

    @classmethod
    def from_mapping(cls, judgments: Mapping[str, Mapping[str, float]], *, name: str = "gold") -> Self:
        """Make gold from `{query: {item: grade}}`; the mapping is not kept."""
        queries = [query for query, items in judgments.items() for _ in items]
        items = [item for items in judgments.values() for item in items]
        grades = [grade for items in judgments.values() for grade in items.values()]
        rows = {"query": _texts(queries), "item": _texts(items), "grade": _numbers(grades, name)}
        unjudged = tuple(str(query) for query, items in judgments.items() if not items)
        return cls(pl.DataFrame(rows, schema=SCHEMA), name=name, unjudged=unjudged)

    @classmethod
    def from_frame(cls, frame: Any, *, columns: Mapping[str, str] | None = None, name: str = "gold") -> Self:
        """Make gold from any dataframe with columns for query, item and grade; without grade each row is 1."""
        wide = to_polars(frame)
        found = recognise(wide.columns, GOLD_COLUMNS, name, columns)
        grade = pl.col(found["grade"]) if "grade" in found else pl.lit(1.0)
        return cls(wide.select(query=found["query"], item=found["item"], grade=grade), name=name)

    @cached_property
    def queries(self) -> pl.Series:
        """The queries that have a judgment, sorted by UTF-8 bytes."""
        return self.table["query"].unique(maintain_order=True)

    @cached_property
    def codes(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The place of each row's query in `queries`, shape (rows,)."""
        return (self.table["query"].rle_id()).to_numpy().astype(np.int64)

    @cached_property
    def ideal(self) -> Hits:
        """The best possible ranking of each query: all judged items, grades falling."""
        grades = self.table["grade"].to_numpy()
        order = np.lexsort((-grades, self.codes))
        return Hits.ranked(len(self.queries), self.codes[order], grades[order])

    @cached_property
    def fractional(self) -> float | None:
        """A grade that is not whole, if there is one; binary measures then need `rel`."""
        grades = self.table["grade"].to_numpy()
        part = grades[np.isfinite(grades) & (grades != np.floor(grades))]
        return float(part[0]) if len(part) else None

    def grades(self) -> dict[float, int]:
        """Return how many judgments each grade has, grades rising."""
        values, counts = np.unique(self.table["grade"].to_numpy(), return_counts=True)
        return {float(value): int(count) for value, count in zip(values, counts, strict=True)}

    def _check(self, table: pl.DataFrame) -> None:
        place = self.origin.path if self.origin else self.name
        if not table.height:
            msg = f"{place}: expected judgments, found none"
            raise GoldError(msg)
        missing = [name for name in SCHEMA if table[name].null_count()]
        if missing or not table["grade"].is_finite().all():
            wanted = missing[0] if missing else "finite grade"
            msg = f"{place}: expected a {wanted} in each row, found a row without"
            raise GoldError(msg)
        twice = table.select("query", "item").is_duplicated()
        if twice.any():
            self._refuse_twice(table.filter(twice))

    def _refuse_twice(self, rows: pl.DataFrame) -> None:
        query, item = rows["query"][0], rows["item"][0]
        grades = rows.filter(query=query, item=item)["grade"].to_list()
        place = self.origin.place(query, item) if self.origin else self.name
        shown = ", ".join(f"{grade:g}" for grade in grades)
        msg = f"{place}: item {item!r} is judged more than once for query {query!r} ({shown})"
        raise GoldError(msg, hint="keep one judgment for each pair.")


def _texts(values: Iterable[object]) -> list[str]:
    return [value if isinstance(value, str) else str(value) for value in values]


def _numbers(values: list[Any], name: str) -> list[float]:
    try:
        return [float(value) for value in values]
    except (TypeError, ValueError):
        wrong = next(value for value in values if not is_number(value))
        msg = f"{name}: expected a number as grade, found {wrong!r}"
        raise GoldError(msg) from None
