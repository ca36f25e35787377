"""Judgments that were made elsewhere, recorded in a project: each is a decision as if it were made here."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.core.judging import Scale, Verdict
from assay.core.labels import Labels
from assay.errors import InputError
from assay.store.decisions import record
from assay.store.judges import admitted
from assay.store.judging_tables import tables
from assay.store.queue import digest

if TYPE_CHECKING:
    from sqlalchemy import Connection

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """How many judgments were recorded, how many stood already or are older, and how many are of no pair here."""

    recorded: int = 0
    known: int = 0
    elsewhere: int = 0

    def __add__(self, other: "Taken") -> "Taken":
        return Taken(self.recorded + other.recorded, self.known + other.known, self.elsewhere + other.elsewhere)


def require_scale(labels: Labels, scale: Scale) -> None:
    """Refuse labels with a grade that a scale does not have.

    Raises
    ------
    InputError
        The first such judgment.
    """
    grades = [float(level.grade) for level in scale.levels]
    wrong = labels.table.filter(~pl.col("grade").is_in(grades))
    if wrong.height:
        row = wrong.row(0, named=True)
        raise InputError(
            f"judgment of {row['judge']!r} on item {row['item']!r} of query {row['query']!r}: expected a grade of "
            f"{', '.join(f'{grade:g}' for grade in grades)}, found {row['grade']:g}"
        )


def take(connection: "Connection", rows: tuple[Row, ...]) -> Taken:
    """Record some labels; see `JudgingStore.take`."""
    for name in sorted({row["judge"] for row in rows}):
        admitted(connection, name, "judge", secrets.token_hex(32), anew=False)
    guidelines, numbers = _guidelines(connection), _numbers(connection, rows)
    recorded = known = elsewhere = 0
    for row in rows:
        number = numbers.get(digest(row["query"], row["item"]))
        if number is None:
            elsewhere += 1
        elif _stands(connection, number, row):
            known += 1
        else:
            _record(connection, number, row, guidelines)
            recorded += 1
    return Taken(recorded, known, elsewhere)


def _numbers(connection: "Connection", rows: tuple[Row, ...]) -> dict[str, int]:
    from sqlalchemy import select

    pairs = tables().pairs
    wanted = {digest(row["query"], row["item"]) for row in rows}
    found = connection.execute(select(pairs.c.digest, pairs.c.number).where(pairs.c.digest.in_(wanted)))
    return {row.digest: row.number for row in found}


def _guidelines(connection: "Connection") -> set[int]:
    from sqlalchemy import select

    return set(connection.scalars(select(tables().guidelines.c.version)))


def _stands(connection: "Connection", number: int, row: Row) -> bool:
    """Tell whether the judge says this already, or said something else later, or took back what was said."""
    from sqlalchemy import select

    made = tables()
    current, decisions = made.current, made.decisions
    own = decisions.c.judge == row["judge"], decisions.c.pair == number, decisions.c.kind != "settle"
    last = connection.scalar(select(decisions.c.time).where(*own).order_by(decisions.c.id.desc()).limit(1))
    then, now = _moment(row.get("time")), _moment(last)
    if then is not None and now is not None and then < now:
        return True
    asked = select(current.c.kind, current.c.grade).where(current.c.judge == row["judge"], current.c.pair == number)
    said = connection.execute(asked).first()
    return said is not None and (said.kind, said.grade) == (_kind(row), row["grade"])


def _record(connection: "Connection", number: int, row: Row, guidelines: set[int]) -> None:
    reason, note = row.get("reason") or "", row.get("note") or ""
    verdict = Verdict(_kind(row), secrets.token_hex(16), row["grade"], reason, note, row.get("seconds"))
    guideline = str(row.get("guideline") or "")
    followed = int(guideline) if guideline.isascii() and guideline.isdigit() and int(guideline) in guidelines else None
    moment = _moment(row.get("time"))
    record(connection, row["judge"], number, verdict, time=row["time"] if moment else "", guideline=followed)


def _kind(row: Row) -> Any:
    return "cannot tell" if row["grade"] is None else "grade"


def _moment(text: str | None) -> datetime | None:
    """Return a moment, if a text is one and says its zone."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found if found.tzinfo else None
