"""What the answers of a run cost: seconds, tokens and price of a query, and their figures."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from assay.core.columns import QUERY, recognise
from assay.errors import InputError

COSTS = ("latency", "tokens", "price")
"""The columns of cost: seconds, tokens, money; lower is better."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "latency": ("latency", "seconds", "time", "latency_s"),
    "milliseconds": ("latency_ms", "milliseconds"),
    "tokens": ("tokens", "total_tokens"),
    "price": ("price", "cost", "usd"),
}
"""The names that a column of cost may have; milliseconds are latency too."""

RUN = ("run", "run_id", "system")


@dataclass(frozen=True, slots=True)
class CostFigure:
    """The mean of one kind of cost of one run over the queries for which it is known, its median and 95th percentile.

    `best` says that no other run has both a lower mean and a higher first measure (the Pareto front).
    """

    run: str
    cost: str
    mean: float
    median: float
    p95: float
    total: float
    queries: int
    best: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return asdict(self)


def cost_columns(names: list[str]) -> dict[str, str]:
    """Return for each kind of cost the name that its column has among these names.

    >>> cost_columns(["query", "item", "score", "Latency_ms", "usd"])
    {'milliseconds': 'Latency_ms', 'price': 'usd'}
    """
    lowered = {name.lower(): name for name in reversed(names)}
    found = {kind: next((lowered[one] for one in known if one in lowered), None) for kind, known in NAMES.items()}
    if found["latency"] is not None:
        del found["milliseconds"]
    return {kind: name for kind, name in found.items() if name is not None}


def cost_table(wide: pl.DataFrame, place: str, *, run: bool = False) -> pl.DataFrame | None:
    """Return what each query cost: query and any of latency (seconds), tokens, price; None where no column says it.

    A cost stands in each row of a query or in one of them, the others null. A column without a single number is no
    column of cost. With `run`, a column that names the run is kept, and costs are those of a query of a run.

    Raises
    ------
    InputError
        Two different costs for one query, or a cost that is no number of at least 0.

    >>> rows = pl.DataFrame({"query": ["a", "a", "b"], "item": ["x", "y", "x"], "tokens": [10, None, 12]})
    >>> cost_table(rows, "rows").rows()
    [('a', 10.0), ('b', 12.0)]
    """
    query = recognise(wide.columns, {"query": QUERY}, place)["query"]
    lowered = {name.lower(): name for name in reversed(wide.columns)}
    of_run = next((lowered[name] for name in RUN if name in lowered), None) if run else None
    keys = {"query": query} if of_run is None else {"run": of_run, "query": query}
    known = {kind: _numbers(wide[name], kind, place) for kind, name in cost_columns(wide.columns).items()}
    columns = {
        "latency" if kind == "milliseconds" else kind: column for kind, column in known.items() if column is not None
    }
    if not columns:
        return None
    rows = wide.select(**{key: pl.col(name).cast(pl.String) for key, name in keys.items()}).with_columns(**columns)
    groups = rows.group_by(list(keys), maintain_order=True)
    for cost in columns:
        differing = groups.agg(pl.col(cost).drop_nulls().unique(maintain_order=True)).filter(
            pl.col(cost).list.len() > 1
        )
        if differing.height:
            first, second = differing[cost][0][:2]
            msg = (
                f"{place}: expected one number as {cost} for each query, "
                f"found {first:g} and {second:g} for {differing['query'][0]!r}"
            )
            raise InputError(msg, hint="give it once, or the same in each row.")
    return groups.agg(pl.col(cost).max() for cost in columns).sort(list(keys))


def _numbers(column: pl.Series, kind: str, place: str) -> pl.Series | None:
    """Return a column of cost as numbers, milliseconds as seconds; None if it holds no number at all."""
    if column.dtype == pl.String:
        column = column.str.strip_chars().replace(dict.fromkeys(("", "nan", "NaN")))
    elif column.dtype.is_float():
        column = column.fill_nan(None)
    elif not column.dtype.is_numeric():
        return None
    numbers = column.cast(pl.Float64, strict=False)
    if not numbers.count():
        return None
    wrong = column.filter((numbers.is_null() & column.is_not_null()) | ~(numbers.is_finite() & (numbers >= 0)))
    if len(wrong.drop_nulls()):
        msg = f"{place}: expected a number of at least 0 as {column.name}, found {wrong.drop_nulls()[0]!r}"
        raise InputError(msg)
    return numbers / 1000 if kind == "milliseconds" else numbers
