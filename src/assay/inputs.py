"""What people hand over, made into gold, runs, weights and pairs: paths, mappings, frames, arrays, callables."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from assay.core.columns import ITEM, QUERY, recognise
from assay.core.evaluation import Attached
from assay.core.frames import is_frame, to_polars
from assay.core.gold import Gold
from assay.core.judged import Floats
from assay.core.run import Run
from assay.errors import InputError
from assay.formats import Source, read_gold, read_run


def as_gold(given: Any) -> Gold:
    """Return gold, whatever it is given as."""
    if isinstance(given, Gold):
        return given
    if isinstance(given, str | os.PathLike):
        return read_gold(given)
    if isinstance(given, Mapping):
        return Gold.from_mapping(given)
    if is_frame(given):
        return Gold.from_frame(given)
    raise _unknown("gold", given)


def as_run(given: Any, gold: Gold) -> Run:
    """Return a run, whatever it is given as; a callable is asked for each query of the gold."""
    if isinstance(given, Run):
        return given
    if isinstance(given, str | os.PathLike):
        return read_run(given)
    if isinstance(given, Mapping):
        return Run.from_mapping(given)
    if is_frame(given):
        return Run.from_frame(given)
    if isinstance(given, Callable):  # type: ignore[arg-type]
        return Run.from_callable(given, {query: query for query in gold.queries})
    raise _unknown("run", given)


def as_weights(given: Any, gold: Gold) -> Floats:
    """Return one weight for each query of the gold, shape (queries,); every query needs one."""
    if not isinstance(given, Mapping):
        table = _table(given)
        found = recognise(
            table.columns, {"query": QUERY, "weight": ("weight", "traffic", "demand", "count")}, "weights"
        )
        queries = table[found["query"]].cast(pl.String)
        if queries.is_duplicated().any():
            msg = f"weights: expected each query once, found {queries.filter(queries.is_duplicated())[0]!r} twice"
            raise InputError(msg)
        given = dict(zip(queries, table[found["weight"]], strict=True))
    missing = [query for query in gold.queries if query not in given]
    if missing:
        msg = f"weights: expected one for each query of the gold, found none for {len(missing)}, such as {missing[0]!r}"
        raise InputError(msg)
    try:
        weights = np.array([float(given[query]) for query in gold.queries], np.float64)
    except (TypeError, ValueError) as problem:
        msg = f"weights: expected numbers, found something else ({problem})"
        raise InputError(msg) from None
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        msg = "weights: expected numbers of at least 0, not all 0"
        raise InputError(msg)
    return weights


def as_pairs(given: Any) -> pl.DataFrame | None:
    """Return pairs of query and item as a frame with these two columns of text; None stays None."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        given = [(query, item) for query, items in given.items() for item in items]
    if isinstance(given, str | os.PathLike) or is_frame(given):
        table = _table(given)
    elif isinstance(given, Iterable):
        table = pl.DataFrame(list(given), schema=["query", "item"], orient="row")
    else:
        raise _unknown("exclude", given)
    found = recognise(table.columns, {"query": QUERY, "item": ITEM}, "exclude")
    return table.select(query=pl.col(found["query"]).cast(pl.String), item=pl.col(found["item"]).cast(pl.String))


def as_attached(given: Any) -> Attached | None:
    """Return what a result remembers of weights or pairs: their file and its digest, where there is one."""
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        path = os.fspath(given)
        return Attached(path, lambda: Source.open(path).digest())
    return Attached()


def _table(given: Any) -> pl.DataFrame:
    if isinstance(given, str | os.PathLike):
        from assay.formats.table import read_table

        return read_table(given)
    return to_polars(given)


def _unknown(what: str, given: object) -> InputError:
    msg = f"{what}: expected a path, a mapping or a dataframe, found {type(given).__name__}"
    return InputError(msg)
