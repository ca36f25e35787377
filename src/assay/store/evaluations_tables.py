"""The tables of evaluations over time, and the steps from the tables of an older release to those of now."""

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, MissingExtraError
from assay.store.database import log_ahead, reading, writing

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

VERSION = 3
DIGESTS = ("gold", "run", "corpus", "code", "exclude", "weights")
"""What an evaluation was made of, each a text or unknown."""
STEPS: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE history_evaluation ADD COLUMN note TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE history_evaluation ADD COLUMN loads TEXT REFERENCES history_content (digest)",
        "CREATE TABLE history_claim (name TEXT NOT NULL PRIMARY KEY, time BIGINT NOT NULL)",
    ),
    2: (
        "ALTER TABLE history_evaluation ADD COLUMN exclude TEXT",
        "ALTER TABLE history_evaluation ADD COLUMN weights TEXT",
    ),
}
"""What makes the next version of each; both databases understand it."""


@cache
def tables() -> Any:
    """Return the tables by name, and `metadata`, which makes them.

    A content is bytes by their SHA-256: ids of queries, groups, weights, the head of a run; equal ones are kept once.
    A series is the name of one line of figures: a measure of a suite, over all queries or over a slice. `values` are
    those of the queries, packed. Times are microseconds since 1970 in UTC. A claim is something done once.
    """
    try:
        import sqlalchemy as sql
    except ImportError:
        raise MissingExtraError.of("keeping evaluations", "sqlalchemy", "store") from None
    made = _Tables(sql)
    return SimpleNamespace(
        metadata=made.metadata,
        **made.of_all(),
        evaluations=made.evaluations(),
        series=made.series(),
        figures=made.figures(),
        values=made.values(),
    )


class _Tables:
    """Makes the tables with SQLAlchemy, `sql`."""

    def __init__(self, sql: Any) -> None:
        self.sql, self.metadata = sql, sql.MetaData()
        self.text, self.whole, self.real, self.big = sql.Text, sql.Integer, sql.Float, sql.BigInteger
        self.number = sql.BigInteger().with_variant(sql.Integer, "sqlite")

    def table(self, name: str, *parts: Any, **more: Any) -> Any:
        """Return one table."""
        return self.sql.Table(f"history_{name}", self.metadata, *parts, **more)

    def column(self, name: str, kind: Any, *rest: Any, **more: Any) -> Any:
        """Return a column that is never empty, unless `nullable` is said."""
        return self.sql.Column(name, kind, *rest, nullable=more.pop("nullable", False), **more)

    def of(self, column: str) -> Any:
        """Return a reference to the column of another table."""
        return self.sql.ForeignKey(f"history_{column}")

    def of_all(self) -> dict[str, Any]:
        """Return the tables that know nothing of one evaluation."""
        column, text = self.column, self.text
        return {
            "versions": self.table("version", column("version", self.whole)),
            "contents": self.table(
                "content", column("digest", text, primary_key=True), column("bytes", self.sql.LargeBinary)
            ),
            "suites": self.table(
                "suite", column("id", self.number, primary_key=True), column("name", text, unique=True),
                column("baseline", self.number, nullable=True),
            ),
            "claims": self.table("claim", column("name", text, primary_key=True), column("time", self.big)),
        }  # fmt: skip

    def evaluations(self) -> Any:
        """Return the table of how each evaluation was made."""
        column, text = self.column, self.text
        digests = (column(name, text, nullable=True) for name in DIGESTS)
        kept = (column(name, text, self.of("content.digest"), nullable=True) for name in ("groups", "loads", "head"))
        return self.table(
            "evaluation", column("id", self.number, primary_key=True),
            column("suite", self.number, self.of("suite.id")), column("name", text), column("time", self.big),
            column("task", text), *digests, column("queries", text, self.of("content.digest")),
            column("platform", text), column("assay", text), column("policy", text), column("tags", text),
            column("depth", self.whole), *kept, column("note", text, default="", server_default=""),
            self.sql.Index("history_evaluation_time", "suite", "time", "id"), sqlite_autoincrement=True,
        )  # fmt: skip

    def series(self) -> Any:
        """Return the table of the names of figures."""
        column, text = self.column, self.text
        return self.table(
            "series", column("id", self.number, primary_key=True), column("suite", self.number, self.of("suite.id")),
            column("measure", text), column("slice", text), self.sql.UniqueConstraint("suite", "measure", "slice"),
        )  # fmt: skip

    def figures(self) -> Any:
        """Return the table of figures, those of one series side by side."""
        column, real = self.column, self.real
        means = (column(name, real, nullable=True) for name in ("mean", "low", "high"))
        return self.table(
            "figure", column("series", self.number, self.of("series.id"), primary_key=True),
            column("evaluation", self.number, self.of("evaluation.id"), primary_key=True),
            column("place", self.whole), *means, column("queries", self.whole), column("undefined", self.whole),
            column("higher", self.sql.Boolean), column("of_queries", self.sql.Boolean),
            self.sql.Index("history_figure_evaluation", "evaluation"), sqlite_with_rowid=False,
        )  # fmt: skip

    def values(self) -> Any:
        """Return the table of the values of queries, in the order of their ids."""
        column = self.column
        return self.table(
            "value", column("evaluation", self.number, self.of("evaluation.id"), primary_key=True),
            column("measure", self.text, primary_key=True), column("bytes", self.sql.LargeBinary),
        )  # fmt: skip


def require_version(engine: "Engine", *, make: bool = True) -> None:
    """Make the tables where they are not, unless they are not to be made; bring those of an older release up to date.

    Raises
    ------
    InputError
        The tables are of a newer release, or are not there.
    """
    with reading(engine) as connection:
        found = _version(engine, connection)
    if found is None and not make:
        raise _not_ours(engine)
    log_ahead(engine)
    if found != VERSION:
        with writing(engine) as connection:
            if (found := _version(engine, connection)) != VERSION:
                _bring(connection, found)


def is_of_now(engine: "Engine") -> bool:
    """Tell whether the tables are those of this release, so that they can be read as they are.

    Raises
    ------
    InputError
        The tables are of a newer release, or are not there.
    """
    with reading(engine) as connection:
        found = _version(engine, connection)
    if found is None:
        raise _not_ours(engine)
    return found == VERSION


def _version(engine: "Engine", connection: "Connection") -> int | None:
    """Return the version of the tables, from 1 to that of now; None where there are none."""
    from sqlalchemy import inspect, select

    made = tables()
    there = inspect(connection).has_table(made.versions.name)
    found = connection.scalar(select(made.versions.c.version)) if there else None
    if found is None or (isinstance(found, int) and 1 <= found <= VERSION):
        return found
    msg = f"{_shown(engine)}: expected evaluations of version {VERSION}, found version {found}"
    is_newer = isinstance(found, int) and found > VERSION
    raise InputError(msg, hint="a newer release of Assay made them; use that one." if is_newer else None)


def _bring(connection: "Connection", found: int | None) -> None:
    """Make all tables, or take the steps from the version that was found."""
    from sqlalchemy import insert, update

    made = tables()
    if found is None:
        made.metadata.create_all(connection)
        connection.execute(insert(made.versions).values(version=VERSION))
        return
    for version in range(found, VERSION):
        for step in STEPS[version]:
            connection.exec_driver_sql(step)
    connection.execute(update(made.versions).values(version=VERSION))


def _not_ours(engine: "Engine") -> InputError:
    return InputError(f"{_shown(engine)}: expected a store of evaluations, found another database")


def _shown(engine: "Engine") -> str:
    return engine.url.render_as_string(hide_password=True)
