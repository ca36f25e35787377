"""`Gold`: the gold standard (TREC calls it qrels), what is known about the right answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl

from assay.core.columns import DETAIL_COLUMNS, DETAILED_COLUMNS, is_number, recognise
from assay.core.frames import to_polars
from assay.core.judged import Facets, Hits
from assay.core.origin import Origin
from assay.errors import GoldError

SCHEMA = {"query": pl.String, "item": pl.String, "grade": pl.Float64}


@dataclass(frozen=True, eq=False)
class Gold:
    """Judgments: one grade for each pair of query and item.

    `table` has the columns query, item (text) and grade (float64), sorted by query (UTF-8 bytes).
    `unjudged` are queries that were named without any judgment: they take no part in any mean. `details`
    holds judgments that are more than one grade for an item: query, item, grade and any of group (an aspect
    or a judgment group), part (a sub-group) and probability (of being drawn into a sampled pool).

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
    details: pl.DataFrame | None = None

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
    def from_details(cls, details: pl.DataFrame, *, name: str = "gold", origin: Origin | None = None) -> Self:
        """Make gold from judgments by group, part or sample; the grade of an item is the highest of its own.

        Items are put in the order of their ids, so that equal judgments in another order are equal gold.

        >>> rows = {"query": ["q", "q", "q"], "group": ["b", "a", "a"], "item": ["2", "1", "2"], "grade": [0, 1, 3]}
        >>> Gold.from_details(pl.DataFrame(rows)).table.rows()
        [('q', '1', 1.0), ('q', '2', 3.0)]
        """
        details = details.with_columns(pl.col(name).cast(kind) for name, kind in SCHEMA.items())
        best = details.group_by("query", "item").agg(
            grade=pl.when(pl.col("grade").is_finite().all(ignore_nulls=False)).then(pl.col("grade").max())
        )
        made = cls(best.sort("query", "item"), name=name, origin=origin, details=details)
        keys = [key for key in ("query", "item", "group", "part") if key in details.columns]
        twice = details.select(keys).is_duplicated()
        if twice.any():
            made._refuse_twice(details.filter(twice))
        made._check_details(details)
        return made

    @classmethod
    def from_rows(cls, rows: pl.DataFrame, *, name: str = "gold", origin: Origin | None = None) -> Self:
        """Make gold from query, item and grade, or, where there are further columns, from details."""
        if set(rows.columns) > set(SCHEMA):
            return cls.from_details(rows, name=name, origin=origin)
        return cls(rows, name=name, origin=origin)

    @classmethod
    def from_frame(cls, frame: Any, *, columns: Mapping[str, str] | None = None, name: str = "gold") -> Self:
        """Make gold from any dataframe with columns for query, item and grade; without grade each row is 1.

        A column called aspect, subtopic, intent or stratum is the group of a judgment, one called probability
        the chance with which it was drawn into the pool.
        """
        wide = to_polars(frame)
        found = recognise(wide.columns, DETAILED_COLUMNS, name, columns)
        grade = pl.col(found["grade"]) if "grade" in found else pl.lit(1.0)
        more = {part: found[part] for part in (*DETAIL_COLUMNS, "part") if part in found}
        return cls.from_rows(wide.select(query=found["query"], item=found["item"], grade=grade, **more), name=name)

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
    def facets(self) -> Facets | None:
        """The details as arrays, without ranks; None where there are none."""
        if self.details is None:
            return None
        rows = self.table.select("query", "item").with_row_index("row").with_columns(code=pl.Series(self.codes))
        wide = self.details.join(rows, on=["query", "item"], maintain_order="left")
        names = {"group": pl.lit(""), "part": pl.lit(""), "probability": pl.lit(1.0)}
        wide = wide.with_columns(**{name: value for name, value in names.items() if name not in wide.columns})
        numbered = wide.with_columns(pl.col("group", "part").cast(pl.String).rank("dense").cast(pl.Int64) - 1)
        ordered = numbered.sort("code", "group", "part", maintain_order=True)
        query, row, group, part = (ordered[key].to_numpy().astype(np.int64) for key in ("code", "row", "group", "part"))
        grade, probability = (ordered[key].to_numpy().astype(np.float64) for key in ("grade", "probability"))
        return Facets(query, row, group, part, grade, probability, np.full(len(ordered), np.inf))

    @cached_property
    def fractional(self) -> float | None:
        """A grade that is not whole, if there is one; binary measures then need `rel`."""
        grades = self.table["grade"].to_numpy()
        part = grades[np.isfinite(grades) & (grades != np.floor(grades))]
        return float(part[0]) if len(part) else None

    def grades(self) -> dict[float, int]:
        """Return how many judgments each grade has, grades rising."""
        return dict(self._grades)

    @cached_property
    def _grades(self) -> dict[float, int]:
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

    def _check_details(self, details: pl.DataFrame) -> None:
        place = self.origin.path if self.origin else self.name
        missing = [name for name in ("group", "part") if name in details.columns and details[name].null_count()]
        if missing:
            msg = f"{place}: expected a {missing[0]} in each row, found a row without"
            raise GoldError(msg)
        chances = details["probability"].cast(pl.Float64) if "probability" in details.columns else pl.Series([1.0])
        if not chances.is_between(0, 1).all(ignore_nulls=False):
            wrong = chances.filter(~chances.is_between(0, 1).fill_null(value=False))[0]
            msg = f"{place}: expected a probability from 0 to 1 in each row, found {wrong!r}"
            raise GoldError(msg)

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
