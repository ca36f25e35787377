"""The tables of a judging project. Decisions are only ever added; all else about them can be made from them again."""

from functools import cache
from types import SimpleNamespace
from typing import Any

from assay.errors import MissingExtraError

VERSION = 1
KEPT = "decisions are only added"
SQLITE = """CREATE TRIGGER judging_decision_{0} BEFORE {0} ON judging_decision
BEGIN SELECT RAISE(ABORT, '{1}'); END"""
POSTGRESQL = f"""CREATE OR REPLACE FUNCTION judging_decision_kept() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{KEPT}'; END $$;
CREATE TRIGGER judging_decision_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON judging_decision
FOR EACH STATEMENT EXECUTE FUNCTION judging_decision_kept()"""


@cache
def tables() -> Any:
    """Return the tables by name, and `metadata`, which makes them.

    A slot is one judgment that is wanted of a pair; a pair of an overlap has one more. `position` is its place in the
    shuffled queue. `open` of the project says how many pairs have a slot that is not filled. `digest` names a pair by
    a short text, as ids may be longer than an index takes. A decision (`decisions`) is what a judge said, when, by
    which guideline; `current` is what of it stands, one row for each pair and judge.
    """
    try:
        import sqlalchemy as sql
    except ImportError:
        raise MissingExtraError.of("keeping judgments", "sqlalchemy", "store") from None
    made = _Tables(sql)
    return SimpleNamespace(
        metadata=made.metadata,
        **made.of_the_project(),
        pairs=made.pairs(),
        slots=made.slots(),
        decisions=made.decisions(),
        current=made.current(),
    )


class _Tables:
    """Makes the tables with SQLAlchemy, `sql`."""

    def __init__(self, sql: Any) -> None:
        self.sql, self.metadata = sql, sql.MetaData()
        self.text, self.whole, self.real, self.big = sql.Text, sql.Integer, sql.Float, sql.BigInteger
        self.number = sql.BigInteger().with_variant(sql.Integer, "sqlite")

    def table(self, name: str, *parts: Any) -> Any:
        """Return one table."""
        return self.sql.Table(f"judging_{name}", self.metadata, *parts)

    def column(self, name: str, kind: Any, *rest: Any, **more: Any) -> Any:
        """Return a column that is never empty, unless `nullable` is said."""
        return self.sql.Column(name, kind, *rest, nullable=more.pop("nullable", False), **more)

    def of(self, column: str) -> Any:
        """Return a reference to the column of another table."""
        return self.sql.ForeignKey(f"judging_{column}")

    def of_the_project(self) -> dict[str, Any]:
        """Return the tables of what is known of the project as a whole."""
        column, text = self.column, self.text
        return {
            "versions": self.table("version", column("version", self.whole)),
            "project": self.table(
                "project", column("name", text), column("terms", text), column("created", text),
                column("open", self.big, default=0),
            ),
            "guidelines": self.table(
                "guideline", column("version", self.whole, primary_key=True), column("text", text),
                column("created", text),
            ),
            "judges": self.table(
                "judge", column("name", text, primary_key=True), column("role", text),
                column("secret", text, unique=True), column("created", text), column("position", self.big, default=0),
            ),
            "queries": self.table(
                "query", column("name", text, primary_key=True), column("question", text), column("need", text)
            ),
        }  # fmt: skip

    def pairs(self) -> Any:
        """Return the table of what is judged."""
        column, text = self.column, self.text
        return self.table(
            "pair", column("number", self.number, primary_key=True),
            column("query", text, self.of("query.name"), index=True), column("item", text),
            column("digest", text, unique=True), column("fields", text),
            column("probability", self.real, nullable=True), column("stratum", text),
        )  # fmt: skip

    def slots(self) -> Any:
        """Return the queue, with indexes of what is open and of what judges have in front."""
        column = self.column
        slots = self.table(
            "slot", column("pair", self.number, self.of("pair.number"), primary_key=True),
            column("copy", self.whole, primary_key=True), column("position", self.big),
            column("holder", self.text, nullable=True), column("held", self.real, nullable=True),
            column("filled", self.text, nullable=True),
        )  # fmt: skip
        is_open, taken = slots.c.filled.is_(None), slots.c.holder.is_not(None)
        for name, of, where in (
            ("open", slots.c.position, is_open), ("left", slots.c.pair, is_open), ("held", slots.c.holder, taken)
        ):  # fmt: skip
            self.sql.Index(f"judging_slot_{name}", of, sqlite_where=where, postgresql_where=where)
        return slots

    def decisions(self) -> Any:
        """Return the table of all that judges ever decided, which the database itself only adds to."""
        column, text, index = self.column, self.text, self.sql.Index
        decisions = self.table(
            "decision", column("id", self.number, primary_key=True),
            column("pair", self.number, self.of("pair.number")), column("judge", text, self.of("judge.name")),
            column("kind", text), column("grade", self.real, nullable=True), column("reason", text, default=""),
            column("note", text, default=""), column("guideline", self.whole), column("time", text),
            column("seconds", self.real, nullable=True), column("key", text), column("of", self.number, nullable=True),
            self.sql.UniqueConstraint("judge", "key"), index("judging_decision_pair", "pair", "judge"),
            index("judging_decision_judge", "judge", "id"), index("judging_decision_of", "of"),
        )  # fmt: skip
        _only_add(decisions)
        return decisions

    def current(self) -> Any:
        """Return the table of what judges say now."""
        column = self.column
        return self.table(
            "current", column("judge", self.text, self.of("judge.name"), primary_key=True),
            column("pair", self.number, self.of("pair.number"), primary_key=True), column("kind", self.text),
            column("grade", self.real, nullable=True), column("decision", self.number),
            self.sql.Index("judging_current_said", "judge", "kind", "pair", "grade"),
            self.sql.Index("judging_current_pair", "pair", "judge", "kind", "grade"),
        )  # fmt: skip


def _only_add(decisions: Any) -> None:
    """Let the database itself refuse to change or to delete a decision."""
    import sqlalchemy as sql

    made: Any = sql.DDL  # without types
    for change in ("update", "delete"):
        refusal = made(SQLITE.format(change, KEPT)).execute_if(dialect="sqlite")
        sql.event.listen(decisions, "after_create", refusal)
    sql.event.listen(decisions, "after_create", made(POSTGRESQL).execute_if(dialect="postgresql"))
