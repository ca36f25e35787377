"""One evaluation into the tables: what it is made of is packed first, so that others wait for the writing alone."""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from assay.core.history import Recorded, RecordedFigure
from assay.errors import ParameterError
from assay.store.evaluations_packed import (
    digest_of,
    pack_frame,
    pack_groups,
    pack_json,
    pack_numbers,
    queries_digest,
)
from assay.store.evaluations_tables import DIGESTS, tables
from assay.store.queue import storable

if TYPE_CHECKING:
    from sqlalchemy import Connection

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = EPOCH, datetime(9999, 1, 1, tzinfo=UTC)
"""Between these a time can be read in any zone."""
LARGEST = 2**63 - 1
"""The largest count that both databases keep."""
LONGEST = 1200
"""Bytes of a name, of which an index of PostgreSQL takes two."""


def microseconds(time: datetime) -> int:
    """Return a time as the store keeps it.

    >>> microseconds(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000000
    """
    return (time - EPOCH) // timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """One evaluation as rows: its own, contents by digest, values by measure."""

    row: dict[str, Any]
    contents: dict[str, bytes]
    values: dict[str, bytes]
    figures: tuple[RecordedFigure, ...]
    suite: str
    baseline: bool

    @classmethod
    def of(cls, given: Recorded) -> Self:
        """Pack one.

        Raises
        ------
        ParameterError
            What `require` says.
        """
        require(given)
        contents: dict[str, bytes] = {}
        kept = {name: _kept(contents, content) for name, content in _contents(given)}
        queries = queries_digest(given.queries)
        contents[queries] = pack_json(list(given.queries))
        return cls(
            _row(given) | kept | {"queries": queries},
            contents,
            {storable(measure): pack_numbers(values) for measure, values in given.values.items()},
            given.figures,
            storable(given.suite),
            given.baseline,
        )


def add(connection: "Connection", packed: Packed) -> int:
    """Write one evaluation; returns its id."""
    from sqlalchemy import insert, update

    made = tables()
    suite = _suite(connection, packed.suite)
    _add_contents(connection, packed.contents)
    found = connection.execute(insert(made.evaluations).values(suite=suite, **packed.row)).inserted_primary_key
    number = int(found[0]) if found else 0
    series = _series(connection, suite, packed.figures)
    rows = [_figure(place, one) for place, one in enumerate(packed.figures)]
    if rows:
        numbered = ({"evaluation": number, "series": series[_name(one)]} for one in packed.figures)
        connection.execute(insert(made.figures), [row | keys for row, keys in zip(rows, numbered, strict=True)])
    values = [{"evaluation": number, "measure": name, "bytes": content} for name, content in packed.values.items()]
    if values:
        connection.execute(insert(made.values), values)
    if packed.baseline:
        connection.execute(update(made.suites).where(made.suites.c.id == suite).values(baseline=number))
    return number


def require(given: Recorded) -> None:
    """Refuse what could not be read again.

    Raises
    ------
    ParameterError
        A name that is empty or too long, a time without its zone or of another age, a figure or a value that is no
        number, a count that is none, values that do not fit the queries.
    """
    _require_names(given)
    if given.time.tzinfo is None:
        raise ParameterError(f"time: expected one with its zone, found {given.time.isoformat()}")
    if not EARLIEST <= given.time < LATEST:
        raise ParameterError(f"time: expected a year from 1970 to 9998 in UTC, found {given.time.isoformat()}")
    for one in given.figures:
        _require_numbers(one)
    if list(given.queries) != sorted(set(given.queries), key=str.encode):
        raise ParameterError("queries: expected each once, sorted by UTF-8 bytes, found another order")
    _require_arrays(given)


def _require_names(given: Recorded) -> None:
    names = [("suite", given.suite)] + [(what, name) for one in given.figures for what, name in _names(one)]
    for what, name in names:
        if len(name.encode("utf-8", "replace")) > LONGEST or (what != "slice" and not name.strip()):
            msg = f"{what}: expected a name of 1 to {LONGEST:,} bytes, found {name[:40]!r} of {len(name):,} characters"
            raise ParameterError(msg)
    if len({_name(one) for one in given.figures}) < len(given.figures):
        raise ParameterError("figures: expected each measure once for a slice, found one twice")


def _require_numbers(one: RecordedFigure) -> None:
    where = " of ".join(name for name in (one.measure, one.slice) if name)
    for what in ("mean", "low", "high"):
        value = getattr(one, what)
        if value is not None and not (isinstance(value, int | float) and math.isfinite(value)):
            raise ParameterError(f"{where}, {what}: expected a finite number or none, found {value!r}")
    for what in ("queries", "undefined"):
        if not 0 <= getattr(one, what) <= LARGEST:
            raise ParameterError(f"{where}, {what}: expected a count, found {getattr(one, what)}")


def _require_arrays(given: Recorded) -> None:
    arrays = {**given.values, "weights": given.weights, "clusters": given.clusters}
    for name, array in arrays.items():
        if array is not None and array.shape != (len(given.queries),):
            msg = f"{name}: expected a value for each of {len(given.queries):,} queries, found shape {array.shape}"
            raise ParameterError(msg)
        if array is not None and np.isinf(array).any():
            query = given.queries[int(np.isinf(array).argmax())]
            raise ParameterError(f"{name}, query {query!r}: expected a finite number or none, found an infinite one")


def _names(one: RecordedFigure) -> tuple[tuple[str, str], ...]:
    return ("measure", one.measure), ("slice", one.slice)


def _name(one: RecordedFigure) -> tuple[str, str]:
    return storable(one.measure), storable(one.slice)


def _contents(given: Recorded) -> Iterator[tuple[str, bytes | None]]:
    loads = {name: array.tolist() for name in ("weights", "clusters") if (array := getattr(given, name)) is not None}
    yield "groups", pack_groups(given.groups)
    yield "loads", pack_json(loads) if loads else None
    yield "head", None if given.head is None else pack_frame(given.head.select("query", "item", "score"))


def _kept(contents: dict[str, bytes], content: bytes | None) -> str | None:
    if content is None:
        return None
    digest = digest_of(content)
    contents[digest] = content
    return digest


def _row(given: Recorded) -> dict[str, Any]:
    made = given.made
    texts = {"name": given.name, "note": given.note, "task": made.task, "platform": made.platform, "assay": made.assay}
    known = {name: getattr(made, name) for name in DIGESTS}
    return {
        "time": microseconds(given.time),
        "depth": given.depth,
        "policy": storable(json.dumps(dict(made.policy), sort_keys=True, ensure_ascii=True)),
        "tags": storable(json.dumps(dict(made.tags), sort_keys=True, ensure_ascii=True)),
        **{name: None if value is None else storable(value) for name, value in (texts | known).items()},
    }


def _figure(place: int, one: RecordedFigure) -> dict[str, Any]:
    return {
        "place": place, "mean": one.mean, "low": one.low, "high": one.high, "queries": one.queries,
        "undefined": one.undefined, "higher": one.higher_is_better, "of_queries": one.of_queries,
    }  # fmt: skip


def _suite(connection: "Connection", name: str) -> int:
    from sqlalchemy import insert, select

    suites = tables().suites
    found = connection.scalar(select(suites.c.id).where(suites.c.name == name))
    if found is None:
        made = connection.execute(insert(suites).values(name=name)).inserted_primary_key
        found = made[0] if made else 0
    return int(found)


def _add_contents(connection: "Connection", contents: dict[str, bytes]) -> None:
    from sqlalchemy import insert, select

    kept = tables().contents
    there = set(connection.scalars(select(kept.c.digest).where(kept.c.digest.in_(list(contents)))))
    new = [{"digest": digest, "bytes": content} for digest, content in contents.items() if digest not in there]
    if new:
        connection.execute(insert(kept), new)


def _series(connection: "Connection", suite: int, figures: Iterable[RecordedFigure]) -> dict[tuple[str, str], int]:
    """Return the number of each series of a suite; new ones are made."""
    from sqlalchemy import insert, select

    series = tables().series
    asked = select(series.c.measure, series.c.slice, series.c.id).where(series.c.suite == suite)
    known = {(measure, part): int(number) for measure, part, number in connection.execute(asked)}
    new = [name for one in figures if (name := _name(one)) not in known]
    if not new:
        return known
    rows = [{"suite": suite, "measure": measure, "slice": part} for measure, part in new]
    connection.execute(insert(series), rows)
    return {(measure, part): int(number) for measure, part, number in connection.execute(asked)}
