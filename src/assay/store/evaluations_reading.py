"""Evaluations out of the tables: with their figures alone, or whole."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.core.history import Made, Recorded, RecordedFigure
from assay.core.hits import Floats
from assay.errors import InputError, UnknownNameError
from assay.store.evaluations_adding import EPOCH
from assay.store.evaluations_packed import unpack_frame, unpack_json, unpack_numbers
from assay.store.evaluations_tables import tables

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

AT_ONCE = 500
"""Ids that are asked for in one statement."""
RECENT: dict[str, type[pl.DataType]] = {
    "suite": pl.String, "time": pl.Int64, "id": pl.Int64, "measure": pl.String, "slice": pl.String, "mean": pl.Float64,
    "place": pl.Int64,
}  # fmt: skip
FIGURES: dict[str, type[pl.DataType]] = {
    "id": pl.Int64, "time": pl.Int64, "name": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64,
    "queries": pl.Int64, "undefined": pl.Int64, "gold": pl.String, "queries_digest": pl.String,
}  # fmt: skip


def moment(number: int) -> datetime:
    """Return a time of the store."""
    return EPOCH + timedelta(microseconds=number)


def require_suite(connection: "Connection", suite: str | None) -> None:
    """Refuse a suite that is not there; None is all.

    Raises
    ------
    UnknownNameError
        No suite of that name.
    """
    from sqlalchemy import select

    names = tables().suites.c.name
    if suite is None or connection.scalar(select(names).where(names == suite)) is not None:
        return
    known = sorted(connection.scalars(select(names)))
    if not known:
        raise InputError(f"suite {suite!r}: expected a store with evaluations, found an empty one")
    raise UnknownNameError.of("suite", suite, known)


def rows() -> "Select[Any]":
    """Return what asks for evaluations with the name of their suite and its baseline."""
    from sqlalchemy import select

    made = tables()
    suites = made.suites
    asked = select(made.evaluations, suites.c.name.label("of"), suites.c.baseline)
    return asked.join(suites, suites.c.id == made.evaluations.c.suite)


def recorded(
    connection: "Connection", asked: "Select[Any]", tag: str | None = None, limit: int | None = None
) -> list[Recorded]:
    """Return the first evaluations that a statement of `rows` finds, with figures, without the values of queries."""
    asked = asked.limit(limit) if tag is None else asked
    found = [row for row in connection.execute(asked) if tag is None or _has(row.tags, tag)][:limit]
    figures = dict(_figures(connection, [row.id for row in found]))
    return [_recorded(row, figures.get(row.id, ())) for row in found]


def whole(connection: "Connection", number: int) -> Recorded | None:
    """Return one evaluation with all that is kept of it; None where there is none."""
    made = tables()
    row = connection.execute(rows().where(made.evaluations.c.id == number)).first()
    if row is None:
        return None
    contents = _contents(connection, {row.queries, row.groups, row.loads, row.head} - {None})
    loads = unpack_json(contents[row.loads]) if row.loads else {}
    of_queries = {
        "queries": tuple(unpack_json(contents[row.queries])),
        "values": _values(connection, number),
        "weights": np.array(loads["weights"], np.float64) if "weights" in loads else None,
        "clusters": np.array(loads["clusters"], np.int64) if "clusters" in loads else None,
        "head": unpack_frame(contents[row.head]) if row.head else None,
        "groups": unpack_json(contents[row.groups]) if row.groups else {},
    }
    return _recorded(row, dict(_figures(connection, [number])).get(number, ()), **of_queries)


def values(connection: "Connection", ids: Sequence[int], measure: str) -> tuple[tuple[str, ...], Floats]:
    """Return the queries of several evaluations together, and a row of values for each."""
    from sqlalchemy import select

    made = tables()
    asked = select(made.evaluations.c.id, made.evaluations.c.queries, made.values.c.bytes).join_from(
        made.evaluations, made.values, made.values.c.evaluation == made.evaluations.c.id
    )
    found: dict[int, tuple[str, Floats]] = {}
    for some in _parts(ids):
        narrowed = asked.where(made.evaluations.c.id.in_(some), made.values.c.measure == measure)
        found |= {row[0]: (row[1], unpack_numbers(row[2])) for row in connection.execute(narrowed)}
    lists = _contents(connection, {digest for digest, _ in found.values()})
    named = {digest: unpack_json(content) for digest, content in lists.items()}
    queries = sorted({query for names in named.values() for query in names}, key=str.encode)
    place = {query: at for at, query in enumerate(queries)}
    columns = {digest: [place[query] for query in names] for digest, names in named.items()}
    matrix = np.full((len(ids), len(queries)), np.nan)
    for at, number in enumerate(ids):
        if number in found:
            digest, numbers = found[number]
            matrix[at, columns[digest]] = numbers
    return tuple(queries), matrix


def series(connection: "Connection", suite: str, measure: str, part: str) -> pl.DataFrame:
    """Return a row for each evaluation of a series, in the order of time."""
    from sqlalchemy import select

    made = tables()
    one, figure, named = made.evaluations.c, made.figures.c, made.series.c
    number = (
        select(named.id)
        .join(made.suites, made.suites.c.id == named.suite)
        .where(made.suites.c.name == suite, named.measure == measure, named.slice == part)
        .scalar_subquery()
    )
    asked = (
        select(
            one.id, one.time, one.name, figure.mean, figure.low, figure.high, figure.queries, figure.undefined,
            one.gold, one.queries,
        )
        .join_from(made.figures, made.evaluations, one.id == figure.evaluation)
        .where(figure.series == number)
        .order_by(one.time, one.id)
    )  # fmt: skip
    return _table(connection.execute(asked).all(), FIGURES)


def _table(found: Sequence[Any], schema: dict[str, type[pl.DataType]]) -> pl.DataFrame:
    """Return rows with a time as a table."""
    columns = list(zip(*found, strict=True)) or [()] * len(schema)
    table = pl.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)
    return table.with_columns(pl.col("time").cast(pl.Datetime("us", "UTC")))


def recent(connection: "Connection", last: int, suite: str | None, part: str | None) -> pl.DataFrame:
    """Return the figures of the newest evaluations of each suite, in the order of suite, measure and time."""
    from sqlalchemy import select

    made = tables()
    figure, named = made.figures.c, made.series.c
    newest = _newest(connection, last, suite)
    asked = select(figure.evaluation, named.measure, named.slice, figure.mean, figure.place).join_from(
        made.figures, made.series, named.id == figure.series
    )
    asked = asked if part is None else asked.where(named.slice == part)
    rows = [
        (*newest[row[0]], *row)
        for some in _parts(list(newest))
        for row in connection.execute(asked.where(figure.evaluation.in_(some)))
    ]
    table = _table(rows, RECENT)
    placed = table.with_columns(pl.col("place").last().over("suite", "measure", "slice", order_by=["time", "id"]))
    ordered = placed.sort("suite", "place", "measure", "slice", "time", "id")
    return ordered.select("suite", "measure", "slice", "id", "time", "mean")


def _newest(connection: "Connection", last: int, suite: str | None) -> dict[int, tuple[str, int]]:
    """Return the newest evaluations of each suite by id, with its name and their times."""
    from sqlalchemy import func, select

    made = tables()
    one = made.evaluations.c
    age = func.row_number().over(partition_by=one.suite, order_by=(one.time.desc(), one.id.desc()))
    ranked = select(one.id, one.suite, one.time, age.label("age")).subquery()
    asked = (
        select(ranked.c.id, made.suites.c.name, ranked.c.time)
        .join_from(ranked, made.suites, made.suites.c.id == ranked.c.suite)
        .where(ranked.c.age <= last)
    )
    asked = asked if suite is None else asked.where(made.suites.c.name == suite)
    return {number: (name, time) for number, name, time in connection.execute(asked)}


def _recorded(row: Any, figures: tuple[RecordedFigure, ...], **of_queries: Any) -> Recorded:
    return Recorded(
        id=row.id, suite=row.of, name=row.name, time=moment(row.time), baseline=row.baseline == row.id, note=row.note,
        depth=row.depth, figures=figures, made=_made(row), **of_queries,
    )  # fmt: skip


def _made(row: Any) -> Made:
    return Made(
        gold=row.gold, run=row.run, corpus=row.corpus, queries=row.queries, code=row.code, platform=row.platform,
        assay=row.assay, policy=json.loads(row.policy), tags=json.loads(row.tags), task=row.task,
        exclude=row.exclude, weights=row.weights,
    )  # fmt: skip


def _has(tags: str, wanted: str) -> bool:
    """Tell whether tags hold one, `name` or `name=value`."""
    name, equals, value = wanted.partition("=")
    found = json.loads(tags)
    return name in found and (not equals or found[name] == value)


def _figures(connection: "Connection", ids: Collection[int]) -> Iterator[tuple[int, tuple[RecordedFigure, ...]]]:
    from sqlalchemy import select

    made = tables()
    figure, named = made.figures.c, made.series.c
    asked = select(
        figure.evaluation, named.measure, named.slice, figure.mean, figure.queries, figure.undefined, figure.higher,
        figure.low, figure.high, figure.of_queries,
    ).join_from(made.figures, made.series, named.id == figure.series)  # fmt: skip
    for some in _parts(ids):
        found = connection.execute(asked.where(figure.evaluation.in_(some)).order_by(figure.evaluation, figure.place))
        for number, group in groupby(found, key=lambda row: int(row[0])):
            yield number, tuple(RecordedFigure(*tuple(row)[1:]) for row in group)


def _parts(wanted: Collection[Any]) -> Iterator[list[Any]]:
    """Yield what is asked for in one statement."""
    rest = list(wanted)
    while rest:
        some, rest = rest[:AT_ONCE], rest[AT_ONCE:]
        yield some


def _contents(connection: "Connection", digests: Collection[str]) -> dict[str, bytes]:
    from sqlalchemy import select

    kept = tables().contents
    found: dict[str, bytes] = {}
    for some in _parts(digests):
        asked = select(kept.c.digest, kept.c.bytes).where(kept.c.digest.in_(some))
        found |= {digest: bytes(content) for digest, content in connection.execute(asked)}
    return found


def _values(connection: "Connection", number: int) -> dict[str, Floats]:
    from sqlalchemy import select

    kept = tables().values
    asked = select(kept.c.measure, kept.c.bytes).where(kept.c.evaluation == number)
    return {measure: unpack_numbers(content) for measure, content in connection.execute(asked)}
