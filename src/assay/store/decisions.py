"""What judges decide: each decision is added once and stays; undoing one is a decision as well."""

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from assay.core.judging import Verdict
from assay.errors import ParameterError
from assay.store.judging_tables import tables
from assay.store.queue import LARGEST, STANDS, free, hold, require_judge, storable

if TYPE_CHECKING:
    from sqlalchemy import Connection

LONGEST_KEY = 100


def record(
    connection: "Connection", judge: str, number: int, verdict: Verdict, *, time: str = "", guideline: int | None = None
) -> None:
    """Add what a judge says of a pair; the same key again changes nothing, nor does "later" of what is judged already.

    `time` and `guideline` are those of now unless they are given.

    Raises
    ------
    ParameterError
        No such pair, no such judge, no key.
    """
    if known(connection, judge, verdict.key) is not None:
        return
    if verdict.kind == "later" and _graded(connection, judge, number):
        return
    more: dict[str, Any] = {} if guideline is None else {"guideline": guideline}
    if time:
        more["time"] = time
    said = _add(connection, judge, number, verdict.kind, verdict, **more)
    _stand(connection, judge, number, said)
    if verdict.kind in STANDS:
        _fill(connection, judge, number)
    else:
        _release(connection, judge, number)


def _graded(connection: "Connection", judge: str, number: int) -> bool:
    """Tell whether a judge has said of a pair what fills its place in the queue."""
    from sqlalchemy import select

    current = tables().current
    said = select(current.c.kind).where(current.c.judge == judge, current.c.pair == number)
    return connection.scalar(said) in STANDS


def undo(connection: "Connection", judge: str, key: str) -> int | None:
    """Withdraw the last decision of a judge that still stands; returns its pair, which the judge gets back.

    What the judge had said of that pair before stands again. The same key again withdraws nothing more.
    """
    again = known(connection, judge, key)
    if again is not None:
        return int(again.pair) if again.kind == "undo" else None
    found = connection.execute(_standing(judge).limit(1)).first()
    if found is None:
        return None
    number = int(found.pair)
    _add(connection, judge, number, "undo", Verdict("later", key), of=found.id)
    before = connection.execute(_standing(judge).where(tables().decisions.c.pair == number).limit(1)).first()
    _stand(connection, judge, number, before)
    if before is None or before.kind not in STANDS:
        _step_back(connection, judge)
        _reopen(connection, judge, number)
    return number


def settle(connection: "Connection", judge: str, number: int, verdict: Verdict) -> None:
    """Add the grade that settles a disputed pair; what judges said stays beside it."""
    if known(connection, judge, verdict.key) is None:
        _add(connection, judge, number, "settle", verdict)


def known(connection: "Connection", judge: str, key: str) -> Any:
    """Return the decision of a judge that has this key.

    Raises
    ------
    ParameterError
        A key that is none; nobody of that name judges here.
    """
    from sqlalchemy import select

    made = tables()
    if not 0 < len(key) <= LONGEST_KEY or storable(key) != key:
        raise ParameterError(f"key: expected 1 to {LONGEST_KEY} characters, found {key[:LONGEST_KEY]!r}")
    require_judge(connection, judge)
    asked = select(made.decisions).where(made.decisions.c.judge == judge, made.decisions.c.key == key)
    return connection.execute(asked).first()


def _standing(judge: str) -> Any:
    """Select the decisions of a judge that are not withdrawn, the last first."""
    from sqlalchemy import select

    decisions = tables().decisions
    withdrawing = decisions.alias()
    withdrawn = select(withdrawing.c.id).where(withdrawing.c.of == decisions.c.id).exists()
    kinds = decisions.c.kind.in_((*STANDS, "later"))
    return select(decisions).where(decisions.c.judge == judge, kinds, ~withdrawn).order_by(decisions.c.id.desc())


def _add(connection: "Connection", judge: str, number: int, kind: str, verdict: Verdict, **more: Any) -> Any:
    """Add one decision and return it; its time and guideline are those of now unless they are given."""
    from sqlalchemy import func, insert, select

    made = tables()
    there = select(made.pairs.c.number).where(made.pairs.c.number == number)
    if not 0 < number < LARGEST or connection.scalar(there) is None:
        raise ParameterError(f"pair {number}: expected a pair of this project, found none")
    version = connection.scalar(select(func.max(made.guidelines.c.version))) or 0
    row = {
        "pair": number, "judge": judge, "kind": kind, "grade": None if kind == "cannot tell" else verdict.grade,
        "reason": storable(verdict.reason), "note": storable(verdict.note), "seconds": _seconds(verdict.seconds),
        "guideline": version, "time": datetime.now(UTC).isoformat(timespec="milliseconds"), "key": verdict.key,
        "of": None,
    } | more  # fmt: skip
    return connection.execute(insert(made.decisions).values(row).returning(made.decisions)).one()


def _seconds(found: float | None) -> float | None:
    return found if found is not None and math.isfinite(found) and found >= 0 else None


def _stand(connection: "Connection", judge: str, number: int, decision: Any) -> None:
    """Let a decision be what a judge says of a pair now; None: the judge says nothing."""
    from sqlalchemy import delete, insert

    current = tables().current
    connection.execute(delete(current).where(current.c.judge == judge, current.c.pair == number))
    if decision is not None:
        told = {"kind": decision.kind, "grade": decision.grade, "decision": decision.id}
        connection.execute(insert(current).values(judge=judge, pair=number, **told))


def _fill(connection: "Connection", judge: str, number: int) -> None:
    """Fill a place of a pair in the queue: the one that the judge holds, else any that is open."""
    from sqlalchemy import select, update

    slots = tables().slots
    if connection.scalar(select(slots.c.copy).where(slots.c.pair == number, slots.c.filled == judge)) is not None:
        return
    asked = select(slots.c.copy).where(slots.c.pair == number, slots.c.filled.is_(None))
    copy = connection.scalar(asked.order_by((slots.c.holder == judge).desc().nulls_last(), slots.c.copy).limit(1))
    if copy is not None:
        taken = update(slots).where(slots.c.pair == number, slots.c.copy == copy)
        connection.execute(taken.values(filled=judge, holder=None, held=None))
        _count(connection, number, -1)


def _release(connection: "Connection", judge: str, number: int) -> None:
    from sqlalchemy import update

    slots = tables().slots
    held = update(slots).where(slots.c.pair == number, slots.c.holder == judge, slots.c.filled.is_(None))
    connection.execute(held.values(holder=None, held=None))


def _step_back(connection: "Connection", judge: str) -> None:
    """Put what a judge has in front back into the queue, as the next for this judge."""
    from sqlalchemy import func, select, update

    made = tables()
    slots, judges = made.slots, made.judges
    held = slots.c.holder == judge, slots.c.filled.is_(None)
    first = connection.scalar(select(func.min(slots.c.position)).where(*held))
    if first is not None:
        behind = update(judges).where(judges.c.name == judge, judges.c.position >= first)
        connection.execute(behind.values(position=first - 1))
        connection.execute(update(slots).where(*held).values(holder=None, held=None))


def _reopen(connection: "Connection", judge: str, number: int) -> None:
    """Put a pair in front of a judge again: in the place that the judge filled, else in one that is free."""
    from sqlalchemy import select

    slots = tables().slots
    own = connection.execute(select(slots).where(slots.c.pair == number, slots.c.filled == judge)).first()
    if own is None:
        asked = select(slots).where(slots.c.pair == number, *free(judge)).order_by(slots.c.copy).limit(1)
        own = connection.execute(asked).first()
    else:
        _count(connection, number, 1)
        _empty(connection, own)
    if own is not None:
        hold(connection, judge, own)


def _empty(connection: "Connection", slot: Any) -> None:
    from sqlalchemy import update

    slots = tables().slots
    connection.execute(update(slots).where(slots.c.pair == slot.pair, slots.c.copy == slot.copy).values(filled=None))


def _count(connection: "Connection", number: int, change: int) -> None:
    """Count a pair out that has no open place any more, or in that will have one again."""
    from sqlalchemy import select, update

    made = tables()
    is_open = select(made.slots.c.copy).where(made.slots.c.pair == number, made.slots.c.filled.is_(None)).limit(1)
    if connection.scalar(is_open) is None:
        connection.execute(update(made.project).values(open=made.project.c.open + change))
