"""A database by its URL: SQLite in a file, or PostgreSQL; SQLAlchemy speaks to both (extra `store`).

Writers take turns, in SQLite by its own lock, in PostgreSQL by one of ours: each sees all that was written before it.
Readers wait for nobody and see one moment.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from assay.errors import InputError, MissingExtraError, ParameterError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine, MetaData

PATIENCE_S = 30
"""How long a writer waits for another before it gives up."""
ANSWER_S = 10
"""How long a server may take to answer."""
TURN = 0x4A554447
"""The lock that writers of PostgreSQL hold in turn."""
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
SECRET = re.compile(r"(?<=[?&])((?:ssl)?password)=[^&]*")


def connected(url: str, *, make: bool = True, write: bool = True) -> "Engine":
    """Return an engine for sqlite:///FILE, for a path alone, or for postgresql://USER@HOST/NAME.

    A file of SQLite is made where there is none, unless it is not to be, or not to be written. What SQLite commits is
    on the disk before the call returns. Nothing in a database changes before `log_ahead` or a writer.

    Raises
    ------
    ParameterError
        A URL of another kind of database, or one that is none.
    InputError
        The database cannot be opened.
    MissingExtraError
        SQLAlchemy or the driver is not installed.
    """
    try:
        from sqlalchemy import create_engine, event
        from sqlalchemy.exc import SQLAlchemyError
    except ImportError:
        raise MissingExtraError.of("a store", "sqlalchemy", "store") from None
    address = _address(url)
    if not (make and write) and address.get_backend_name() == "sqlite" and not Path(address.database or "").is_file():
        raise InputError(f"{masked(url)}: expected a database, found no such file")
    try:
        engine = create_engine(address, **_options(address) | ({} if write else _reader(address)))
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _prepare)
            event.listen(engine, "begin", _begin)
        with engine.connect():
            pass
    except ModuleNotFoundError:
        raise MissingExtraError.of("a store in PostgreSQL", "psycopg", "store") from None
    except (SQLAlchemyError, sqlite3.Error, ValueError, TypeError, OSError) as error:
        raise InputError(f"{masked(url)}: expected a database, found an error: {_said(error)}") from None
    return engine


def masked(url: str) -> str:
    """Return a URL without its password.

    >>> masked("postgresql://ann:secret@db/judging?sslpassword=secret")
    'postgresql://ann:***@db/judging?sslpassword=***'
    """
    scheme, divider, rest = url.partition("://")
    who, at, where = rest.rpartition("@")
    name, colon, _ = who.partition(":")
    shown = f"{scheme}{divider}{name}{':***' if colon else ''}{at}{where}" if at else url
    return SECRET.sub(r"\1=***", shown)


def log_ahead(engine: "Engine") -> None:
    """Let writers of a file of SQLite log ahead from now on, so that readers do not wait for them.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    if engine.dialect.name != "sqlite":
        return
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise _unanswered(engine, error) from error
    finally:
        connection.close()


def require_tables(engine: "Engine", tables: "MetaData", version: int, versions: Any, *, make: bool = True) -> None:
    """Make the tables where they are not, unless they are not to be made, and refuse those of another Assay.

    Raises
    ------
    InputError
        The tables are of another version, or are not there.
    """
    from sqlalchemy import insert, inspect, select

    with reading(engine) as connection:
        there = inspect(connection).has_table(versions.name)
        found = connection.scalar(select(versions.c.version)) if there else None
    if found is None and not make:
        raise InputError(f"{_shown(engine)}: expected a database of Assay, found another")
    if found in {None, version}:
        log_ahead(engine)
    if found is None:
        with writing(engine) as connection:
            tables.create_all(connection)
            found = connection.scalar(select(versions.c.version))
            if found is None:
                connection.execute(insert(versions).values(version=version))
    if found not in {None, version}:
        msg = f"{_shown(engine)}: expected tables of version {version}, found version {found}"
        raise InputError(msg, hint="another release of Assay made them; use that one.")


@contextmanager
def writing(engine: "Engine") -> Iterator["Connection"]:
    """Give a connection whose changes are kept together, when the block ends, or not at all.

    Raises
    ------
    InputError
        The database did not keep them: it is full, locked or gone.
    """
    with _worded(engine), engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({TURN})")
        yield connection


@contextmanager
def reading(engine: "Engine") -> Iterator["Connection"]:
    """Give a connection that only reads, sees one moment, and waits for nobody.

    Raises
    ------
    InputError
        The database did not answer.
    """
    one_moment = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with _worded(engine), engine.connect() as connection:
        yield connection.execution_options(**({"reads": True} if engine.dialect.name == "sqlite" else one_moment))


@contextmanager
def _worded(engine: "Engine") -> Iterator[None]:
    """Say what a database answers as an error of ours."""
    from sqlalchemy.exc import DBAPIError, TimeoutError  # noqa: A004 - SQLAlchemy calls it so

    try:
        yield
    except (DBAPIError, TimeoutError) as error:
        raise _unanswered(engine, error) from error


def _unanswered(engine: "Engine", error: Exception) -> InputError:
    return InputError(f"{_shown(engine)}: expected an answer, found an error: {_said(error)}")


def _address(url: str) -> "URL":
    """Return the address as SQLAlchemy takes it; a path is one whatever characters it has."""
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    scheme, divider, rest = url.partition("://")
    if not url.strip():
        raise ParameterError("store: expected a file, sqlite:/// or postgresql://, found an empty name")
    if not divider:
        return URL.create("sqlite", database=url)
    if scheme not in DRIVERS:
        msg = f"{masked(url)}: expected sqlite:/// or postgresql://, found {scheme}"
        raise ParameterError(msg)
    try:
        made = make_url(f"{DRIVERS[scheme]}://{rest}")
    except (ArgumentError, ValueError):
        raise ParameterError(f"{masked(url)}: expected {scheme}://…, found no address of a database") from None
    if scheme == "sqlite" and (made.query or made.host):
        raise ParameterError(f"{masked(url)}: expected sqlite:///FILE, found more than a file")
    return made


def _options(address: "URL") -> dict[str, Any]:
    from sqlalchemy.pool import QueuePool

    if address.get_backend_name() == "postgresql":
        waits = {} if "connect_timeout" in address.query else {"connect_timeout": ANSWER_S}
        return {"pool_pre_ping": True, "connect_args": waits}
    options = {"connect_args": {"timeout": PATIENCE_S, "check_same_thread": False}, "poolclass": QueuePool}
    if address.database in {None, "", ":memory:"}:  # each connection would be a database of its own
        return options | {"pool_size": 1, "max_overflow": 0}
    return options


def _reader(address: "URL") -> dict[str, Any]:
    """Return what makes connections that can change no file.

    On a disk that is only read, a file without anything in its log is taken as it is, since SQLite could not put beside
    it what readers of a log share; it is opened anew each time, so that what others put there is seen.
    """
    from sqlalchemy.pool import NullPool

    if address.get_backend_name() != "sqlite":
        return {}
    file = Path(address.database or "").absolute()
    log, fixed = Path(f"{file}-wal"), _is_only_read(file.parent)
    taken = "&immutable=1" if fixed and not (log.exists() and log.stat().st_size) else ""
    uri = f"file:{quote(str(file))}?mode=ro{taken}"
    made = {"creator": lambda: sqlite3.connect(uri, uri=True, timeout=PATIENCE_S, check_same_thread=False)}
    return made | ({"poolclass": NullPool} if taken else {})


def _is_only_read(folder: Path) -> bool:
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None
    for setting in (f"busy_timeout={PATIENCE_S * 1000}", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin(connection: Any) -> None:
    reads = connection.get_execution_options().get("reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _shown(engine: "Engine") -> str:
    return masked(engine.url.render_as_string(hide_password=True))


def _said(error: Exception) -> str:
    return (str(getattr(error, "orig", None) or error).strip() or type(error).__name__).splitlines()[0]
