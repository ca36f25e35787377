"""What people hand over (paths, mappings, frames, callables), made into gold, runs, weights, slices, costs, pairs."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.columns import HEADS, ITEM, QUERY, head_of, recognise
from assay.core.costs import cost_table
from assay.core.facts import Attached
from assay.core.frames import is_frame, to_polars
from assay.core.gold import Gold
from assay.core.judged import Floats, Ints
from assay.core.progress import Progress
from assay.core.run import Run
from assay.errors import InputError, ParameterError
from assay.formats import Source, read_gold, read_run
from assay.formats.datasets import TABLES, Dataset

WEIGHT = ("weight", "traffic", "demand", "count")
CLUSTER = ("cluster", "group", "session", "paraphrase_of", "topic")


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


def open_run(
    path: str,
    *,
    engine: str | None = None,
    options: Mapping[str, str] | None = None,
    memory: int | None = None,
    format: str | None = None,  # noqa: A002 - as --format
    progress: Progress | None = None,
) -> Run:
    """Return a run that lies in files: one file, a folder of Parquet files or a pattern such as 'runs/*.parquet'.

    Without an engine (or with polars) the files are read here; duckdb, spark and dask open Parquet and CSV files
    themselves and count in them. `options` are settings of that engine, `memory` the bytes that it may hold.

    Raises
    ------
    InputError
        Nothing of that name, or content that breaks its format.
    UnknownNameError
        No engine, or no setting of an engine, of that name.
    MissingExtraError
        The library of the engine is not installed.
    """
    if engine is None or (engine == "polars" and "://" not in path):
        if options:
            msg = f"--engine-option: expected an engine that has settings, found {next(iter(options))!r} for polars"
            raise ParameterError(msg, hint="--engine duckdb, spark or dask.")
        return replace(read_run(path, format, progress=progress), memory=memory)
    from assay.engines.backends import BACKENDS

    backend = BACKENDS[engine]
    if format not in {None, "parquet", "csv", "tsv"} or path == "-":
        msg = f"--engine {backend.name}: expected Parquet or CSV files, found {format or 'standard input'}"
        raise ParameterError(msg, hint="without --engine every format is read.")
    dataset = Dataset.of(path, wanted=TABLES) if backend.reads_files and "://" not in path else None
    files = [path] if dataset is None else dataset.files
    opened = backend.open(files, backend.limited(options or {}, memory))
    return Run.from_frame(opened, name=Dataset(path, ()).stem).at(None if dataset is None else dataset.origin())


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """What each query of a gold standard weighs, and which queries belong together; shapes (queries,).

    `clusters` number the groups of queries, in the order in which they first appear; `cluster_names` are their names.
    """

    weights: Floats | None = None
    clusters: Ints | None = None
    cluster_names: tuple[str, ...] = ()


def as_loads(given: Any, gold: Gold) -> Loads:
    """Return weight and cluster of each query of the gold; every query needs a row.

    A mapping is `{query: weight}`; a frame or a file has a column query and one for the weight, the cluster (called
    cluster, group, session, topic or paraphrase_of) or both. A query whose cluster is empty stands for itself; one that
    is the paraphrase of a query belongs to the cluster of that query.

    Raises
    ------
    InputError
        A query without a row or with two, neither weight nor cluster, a weight that is no number of at least 0.

    >>> gold = Gold.from_mapping({"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1}})
    >>> loads = as_loads(pl.DataFrame({"query": ["a", "b", "c"], "paraphrase_of": [None, "a", None]}), gold)
    >>> loads.clusters.tolist(), loads.cluster_names
    ([0, 0, 1], ('a', 'c'))
    """
    if isinstance(given, Mapping):
        given = pl.DataFrame({"query": list(map(str, given)), "weight": pl.Series(list(given.values()), strict=False)})
    table, place = _table(given, "weights")
    query, found = _own_columns(table.columns, place, {"weight": WEIGHT, "cluster": CLUSTER})
    if not found:
        msg = f"{place}: expected a column for the weight or the cluster of a query, found {table.columns}"
        raise InputError(msg, hint="a column is called weight, or cluster, session or paraphrase_of.")
    rows, missing = _by_query(table, query, gold, place)
    if missing:
        msg = f"{place}: expected one for each query of the gold, found none for {len(missing)}, such as {missing[0]!r}"
        raise InputError(msg)
    weights = _weights(rows[found["weight"]]) if "weight" in found else None
    if "cluster" not in found:
        return Loads(weights)
    follow = found["cluster"].lower() == "paraphrase_of"
    return Loads(weights, *_clusters(gold.queries.to_list(), rows[found["cluster"]], follow=follow))


def as_columns(given: Any, gold: Gold) -> pl.DataFrame:
    """Return what is known of each query of the gold: query and one column or more, in the order of the gold.

    A frame or a file has a column query and others; a mapping is `{query: value}` (the column is then called group),
    `{query: {column: value}}` or `{column: [values]}`. Empty text is null, and so is all of a query without a row.
    Rows of queries that the gold has not are left out.

    Raises
    ------
    InputError
        A query with two rows, no further column, or no query of the gold at all.

    >>> gold = Gold.from_mapping({"a": {"x": 1}, "b": {"x": 1}})
    >>> as_columns({"b": "long"}, gold).rows()
    [('a', None), ('b', 'long')]
    """
    table, place = _table(_as_table(given) if isinstance(given, Mapping) else given, "slices")
    query, _ = _own_columns(table.columns, place, {})
    others = [name for name in table.columns if name != query]
    if not others:
        msg = f"{place}: expected a column beside {query!r}, found none"
        raise InputError(msg)
    rows, missing = _by_query(table, query, gold, place)
    if len(missing) == len(gold.queries):
        msg = f"{place}: expected rows for queries of the gold such as {missing[0]!r}, found none"
        raise InputError(msg, hint="its column of queries is " + repr(query) + ".")
    texts = [name for name in others if rows.schema[name] == pl.String]
    emptied = [pl.col(name).str.strip_chars().replace("", None) for name in texts]
    return rows.with_columns(emptied).select(gold.queries.alias("query"), *(pl.col(name) for name in others))


def as_costs(given: Any) -> pl.DataFrame:
    """Return what each query cost: query, any of latency (seconds), tokens and price, and run where one is named.

    Raises
    ------
    InputError
        No column of cost, or two different costs for one query of one run.

    >>> as_costs(pl.DataFrame({"qid": ["a", "b"], "latency_ms": [250, 500]})).rows()
    [('a', 0.25), ('b', 0.5)]
    """
    table, place = _table(given, "costs")
    costs = cost_table(table, place, run=True)
    if costs is None:
        msg = f"{place}: expected a column for latency, tokens or price, found {table.columns}"
        raise InputError(msg)
    return costs


def as_pairs(given: Any) -> pl.DataFrame | None:
    """Return pairs of query and item as a frame with these two columns of text; None stays None."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        given = [(query, item) for query, items in given.items() for item in items]
    if isinstance(given, str | os.PathLike) or is_frame(given):
        table, place = _table(given, "exclude")
    elif isinstance(given, Iterable):
        table, place = pl.DataFrame(list(given), schema=["query", "item"], orient="row"), "exclude"
    else:
        raise _unknown("exclude", given)
    found = recognise(table.columns, {"query": QUERY, "item": ITEM}, head_of(place), hint=HEADS)
    return table.select(query=pl.col(found["query"]).cast(pl.String), item=pl.col(found["item"]).cast(pl.String))


def as_attached(given: Any) -> Attached | None:
    """Return what a result remembers of weights or pairs: their file and its digest, where there is one."""
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        path = os.fspath(given)
        return Attached(path, lambda: Source.open(path).digest())
    return Attached()


def _table(given: Any, what: str) -> tuple[pl.DataFrame, str]:
    """Return a table, and what messages call it: its path, or what it is."""
    if isinstance(given, str | os.PathLike):
        from assay.formats.table import read_table

        return read_table(given), os.fspath(given)
    if not is_frame(given):
        msg = f"{what}: expected a path or a dataframe, found {type(given).__name__}"
        raise InputError(msg)
    return to_polars(given), what


def _unknown(what: str, given: object) -> InputError:
    msg = f"{what}: expected a path, a mapping or a dataframe, found {type(given).__name__}"
    return InputError(msg)


def _own_columns(names: list[str], place: str, wanted: Mapping[str, tuple[str, ...]]) -> tuple[str, dict[str, str]]:
    """Return the name of the column of queries, and of those wanted that are there among the others."""
    query = recognise(names, {"query": QUERY}, head_of(place), hint=HEADS)["query"]
    others = {name.lower(): name for name in reversed(names) if name != query}
    known = {
        column: next((others[one] for one in synonyms if one in others), None) for column, synonyms in wanted.items()
    }
    return query, {column: name for column, name in known.items() if name is not None}


def _by_query(table: pl.DataFrame, query: str, gold: Gold, place: str) -> tuple[pl.DataFrame, list[str]]:
    """Return one row for each query of the gold, nulls where the table has none, and the queries it has not."""
    rows = table.with_columns(pl.col(query).cast(pl.String))
    twice = rows[query].drop_nulls()
    if twice.is_duplicated().any():
        msg = f"{place}: expected each query once, found {twice.filter(twice.is_duplicated())[0]!r} twice"
        raise InputError(msg)
    wanted = gold.queries.alias(query).to_frame()
    missing = gold.queries.filter(~gold.queries.is_in(twice.implode()))
    return wanted.join(rows, on=query, how="left", maintain_order="left"), missing.to_list()


def _weights(column: pl.Series) -> Floats:
    try:
        weights = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
    except pl.exceptions.PolarsError as problem:
        msg = f"weights: expected numbers, found something else ({str(problem).partition(chr(10))[0]})"
        raise InputError(msg) from None
    wrong = weights[~(np.isfinite(weights) & (weights >= 0))]
    with np.errstate(over="ignore"):
        total = weights.sum()
    if len(wrong) or not 0 < total < np.inf:
        found = "no number" if len(wrong) and np.isnan(wrong[0]) else f"{wrong[0] if len(wrong) else weights[0]:g}"
        msg = f"weights: expected numbers of at least 0 with a sum above 0, found {found}"
        raise InputError(msg)
    return weights


def _clusters(queries: list[str], column: pl.Series, *, follow: bool) -> tuple[Ints, tuple[str, ...]]:
    """Number the clusters; where they are named by a query, `follow` that query to its own cluster."""
    named = dict(zip(queries, (name.strip() or None if name else None for name in column.cast(pl.String)), strict=True))
    keys = [_root(query, named) if follow else (named[query] or query, named[query] is None) for query in queries]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys], np.int64), tuple(name for name, _ in numbers)


def _root(query: str, named: Mapping[str, str | None]) -> tuple[str, bool]:
    """Return the query at the end of a chain of paraphrases; of a circle, its first by name."""
    seen = [query]
    while (above := named.get(seen[-1])) is not None:
        if above in seen:
            return min(seen[seen.index(above) :]), True
        seen.append(above)
    return seen[-1], True


def _as_table(given: Mapping[Any, Any]) -> pl.DataFrame:
    """Return a mapping of queries, or of columns, as a table."""
    if all(isinstance(value, Mapping) for value in given.values()):
        rows = [{"query": str(query), **values} for query, values in given.items()]
        return pl.DataFrame(rows, infer_schema_length=None, strict=False)
    if any(str(name).lower() in QUERY and isinstance(value, list | tuple) for name, value in given.items()):
        return pl.DataFrame(dict(given), strict=False)
    values = pl.Series("group", list(given.values()), strict=False)
    return pl.DataFrame({"query": [str(query) for query in given], "group": values})
