"""`HistoryStore`: evaluations over time in a database: SQLite in a file, or PostgreSQL."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

import polars as pl

from assay.core.history import Recorded, Suite
from assay.core.hits import Floats
from assay.errors import InputError
from assay.store import evaluations_adding as adding
from assay.store import evaluations_reading as looking
from assay.store.database import connected, reading, writing
from assay.store.evaluations_tables import is_of_now, require_version, tables
from assay.store.queue import storable

if TYPE_CHECKING:
    from sqlalchemy import Engine


class HistoryStore:
    """Evaluations over time; what a call adds is on the disk, whole, when it returns.

    >>> from datetime import UTC, datetime
    >>> from assay.core.history import Made, RecordedFigure
    >>> made = Made(None, None, None, "", None, "Linux", "0.1", {}, {})
    >>> figures = (RecordedFigure("AP", "", 0.5, 2, 0),)
    >>> with HistoryStore.open("sqlite://") as store:
    ...     added = store.add(Recorded(0, "web", "bm25", datetime(2026, 1, 5, tzinfo=UTC), made, True, "", figures))
    ...     added.id, store.baseline("web").name, store.series("web", "AP")["mean"].to_list()
    (1, 'bm25', [0.5])
    """

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str, *, make: bool = True, write: bool = True) -> Self:
        """Open the store at a URL, or make one: sqlite:///FILE, a path, or postgresql://USER@HOST/NAME.

        Unless it is to be made, it has to be there. Without `write` it is only looked at: the database stays as it is,
        and one on a disk that is only read will do. In either case tables of an older release are brought up to date.

        Raises
        ------
        ParameterError, InputError
            Another kind of database; one that does not open, or whose tables a newer release made.
        MissingExtraError
            SQLAlchemy or the driver is not installed.
        """
        store = cls(connected(url, make=make, write=write))
        try:
            if write:
                require_version(store._engine, make=make)
            elif not is_of_now(store._engine):
                cls.open(url, make=False).close()
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def add(self, given: Recorded) -> Recorded:
        """Add an evaluation, whole or not at all; returns it with its id. As a baseline it takes the place of the last.

        Raises
        ------
        ParameterError
            A name that is empty or too long, a time without its zone, a number that is none, values that do not fit
            the queries.
        InputError
            The database did not keep it: it is full, locked or gone.
        """
        return self.add_all([given])[0]

    def add_all(self, given: Iterable[Recorded]) -> tuple[Recorded, ...]:
        """Add evaluations, all of them or none; errors are those of `add`."""
        packed = [(one, adding.Packed.of(one)) for one in given]
        with writing(self._engine) as connection:
            ids = [adding.add(connection, rows) for _, rows in packed]
        return tuple(
            replace(one, id=number, made=replace(one.made, queries=rows.row["queries"]))
            for number, (one, rows) in zip(ids, packed, strict=True)
        )

    def suites(self) -> tuple[Suite, ...]:
        """Return the suites by name, each with its newest evaluation and its baseline, without values of queries."""
        from sqlalchemy import func, select

        made = tables()
        one, suite = made.evaluations.c, made.suites.c
        newest = select(one.id).where(one.suite == suite.id).order_by(one.time.desc(), one.id.desc()).limit(1)
        count = select(func.count()).where(one.suite == suite.id)
        asked = select(suite.name, suite.baseline, newest.scalar_subquery(), count.scalar_subquery())
        with reading(self._engine) as connection:
            rows = sorted(connection.execute(asked).all(), key=lambda row: row[0].encode())
            ids = {number for row in rows for number in row[1:3] if number is not None}
            found = {each.id: each for each in looking.recorded(connection, looking.rows().where(one.id.in_(ids)))}
        return tuple(Suite(name, many, found[last], found.get(pinned)) for name, pinned, last, many in rows)

    def list(
        self,
        suite: str | None = None,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        tag: str | None = None,
        limit: int | None = None,
    ) -> tuple[Recorded, ...]:
        """Return evaluations in the order of time, with their figures, without values of queries.

        `since` and `until` are included, `tag` is `name` or `name=value`, `limit` keeps the newest.

        Raises
        ------
        UnknownNameError
            No suite of that name.
        """
        made = tables()
        one, asked = made.evaluations.c, looking.rows()
        asked = asked if suite is None else asked.where(made.suites.c.name == suite)
        asked = asked if since is None else asked.where(one.time >= adding.microseconds(since))
        asked = asked if until is None else asked.where(one.time <= adding.microseconds(until))
        asked = asked.order_by(one.time.desc(), one.id.desc())
        with reading(self._engine) as connection:
            looking.require_suite(connection, suite)
            return tuple(reversed(looking.recorded(connection, asked, tag, limit)))

    def get(self, number: int) -> Recorded:
        """Return one evaluation with all that is kept of it.

        Raises
        ------
        InputError
            There is none of that id.
        """
        with reading(self._engine) as connection:
            found = looking.whole(connection, number)
        if found is None:
            raise InputError(f"evaluation {number}: expected one of the store, found none")
        return found

    def baseline(self, suite: str) -> Recorded | None:
        """Return the pinned baseline of a suite, whole; None where none is pinned.

        Raises
        ------
        UnknownNameError
            No suite of that name.
        """
        from sqlalchemy import select

        made = tables()
        asked = select(made.suites.c.baseline).where(made.suites.c.name == suite)
        with reading(self._engine) as connection:
            looking.require_suite(connection, suite)
            number = connection.scalar(asked)
            return None if number is None else looking.whole(connection, number)

    def set_baseline(self, number: int) -> None:
        """Pin an evaluation as the baseline of its suite.

        Raises
        ------
        InputError
            There is none of that id.
        """
        from sqlalchemy import select, update

        made = tables()
        suite = select(made.evaluations.c.suite).where(made.evaluations.c.id == number).scalar_subquery()
        self._change(update(made.suites).where(made.suites.c.id == suite).values(baseline=number), number)

    def annotate(self, number: int, note: str) -> None:
        """Put a note to an evaluation, in the place of the one it has.

        Raises
        ------
        InputError
            There is none of that id.
        """
        from sqlalchemy import update

        one = tables().evaluations
        self._change(update(one).where(one.c.id == number).values(note=storable(note)), number)

    def series(self, suite: str, measure: str, slice: str = "") -> pl.DataFrame:  # noqa: A002 - what users call it
        """Return the figures of a measure in the order of time; without any, no rows.

        Columns: id, time (UTC), name, mean, low, high, queries, undefined, gold and queries_digest.

        Raises
        ------
        UnknownNameError
            No suite of that name.
        """
        with reading(self._engine) as connection:
            looking.require_suite(connection, suite)
            return looking.series(connection, suite, measure, slice)

    def recent(self, last: int = 30, *, suite: str | None = None, slice: str | None = "") -> pl.DataFrame:  # noqa: A002
        """Return the figures of the newest evaluations of each suite: suite, measure, slice, id, time, mean.

        Rows are in the order of the suite, the place of the measure in the newest evaluation, and the time.
        `slice` is "" for all queries, None for the whole and every slice.
        """
        with reading(self._engine) as connection:
            return looking.recent(connection, last, suite, slice)

    def values(self, ids: Sequence[int], measure: str) -> tuple[tuple[str, ...], Floats]:
        """Return the queries of several evaluations, sorted, and their values, shape (evaluations, queries).

        NaN stands where an evaluation has no value: the query is undefined or is not there.
        """
        with reading(self._engine) as connection:
            return looking.values(connection, ids, storable(measure))

    def claim(self, name: str) -> bool:
        """Tell whether this is the first call with this name; of several processes, only one is told so."""
        from sqlalchemy import insert, select

        claims = tables().claims
        with writing(self._engine) as connection:
            if connection.scalar(select(claims.c.name).where(claims.c.name == name)) is not None:
                return False
            connection.execute(insert(claims).values(name=name, time=time.time_ns() // 1000))
        return True

    def release(self, name: str) -> None:
        """Let a name be claimed again."""
        from sqlalchemy import delete

        claims = tables().claims
        with writing(self._engine) as connection:
            connection.execute(delete(claims).where(claims.c.name == name))

    def _change(self, statement: Any, number: int) -> None:
        with writing(self._engine) as connection:
            changed = connection.execute(statement).rowcount
        if not changed:
            raise InputError(f"evaluation {number}: expected one of the store, found none")
