"""The queue of a judging project: which pair a judge sees next. Shuffled, and no pair twice for one judge."""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from assay.core.judging import Pair, Project, Task
from assay.errors import InputError, ParameterError
from assay.store.judging_tables import tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")
BATCH = 5_000
HOLD_S = 900
"""How long a pair is kept for the judge who has it in front, before another may get it."""
CHANCES = 1 << 56
LARGEST = 1 << 63
LONGEST = 500
"""So long may the id of a query be: what PostgreSQL can index, in any language."""
STANDS = ("grade", "cannot tell")
"""The kinds of decisions that fill a place in the queue."""


def digest(*parts: object) -> str:
    """Return a short name for an id of any length."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def placed(project: Project, query: str, item: str, copy: int) -> int:
    """Return the place of one wanted judgment in the queue: by chance, the same for the same seed.

    All first judgments come before all second ones; the one more of an overlap stands anywhere among them.
    """
    turn = copy if copy < project.judgments else _chance(project, query, item, "turn") % project.judgments
    return turn * CHANCES + _chance(project, query, item, copy) + 1


def copies(project: Project, query: str, item: str) -> int:
    """Return how many judges a pair should have: one more than others for the share that overlaps."""
    return project.judgments + (_chance(project, query, item, "overlap") < project.overlap * CHANCES)


def _chance(project: Project, query: str, item: str, of: object) -> int:
    return int(digest(project.seed, query, item, of)[:14], 16)


def batches(values: Iterable[T], size: int = BATCH) -> Iterator[tuple[T, ...]]:
    """Yield values in batches."""
    rest = iter(values)
    while some := tuple(islice(rest, size)):
        yield some


def add(connection: "Connection", project: Project, pairs: tuple[Pair, ...]) -> int:
    """Add a batch of pairs to the queue, those that are there already excepted; returns how many are new.

    Raises
    ------
    InputError
        An id that no database holds.
    """
    from sqlalchemy import func, insert, select, update

    made = tables()
    new = {digest(pair.query, pair.item): _checked(pair) for pair in pairs}
    for one in connection.scalars(select(made.pairs.c.digest).where(made.pairs.c.digest.in_(new))):
        del new[one]
    if not new:
        return 0
    _ask(connection, new.values())
    last: int = connection.scalar(select(func.coalesce(func.max(made.pairs.c.number), 0))) or 0
    rows = [_row(number, name, pair) for number, (name, pair) in enumerate(new.items(), last + 1)]
    connection.execute(insert(made.pairs), rows)
    connection.execute(insert(made.slots), [slot for row in rows for slot in _slots(project, row)])
    connection.execute(update(made.project).values(open=made.project.c.open + len(rows)))
    return len(rows)


def _ask(connection: "Connection", pairs: Iterable[Pair]) -> None:
    """Add the queries of pairs that are not there yet."""
    from sqlalchemy import insert, select

    queries = tables().queries
    asked = {pair.query: pair for pair in pairs}
    for name in connection.scalars(select(queries.c.name).where(queries.c.name.in_(asked))):
        del asked[name]
    fresh = [
        {"name": name, "question": storable(pair.question), "need": storable(pair.need)} for name, pair in asked.items()
    ]
    if fresh:
        connection.execute(insert(queries), fresh)


def _checked(pair: Pair) -> Pair:
    for column, name in (("query", pair.query), ("item", pair.item)):
        if not name or storable(name) != name or (column == "query" and len(name) > LONGEST):
            most = f" of at most {LONGEST} characters" if column == "query" else ""
            raise InputError(f"{column}: expected an id{most} in text, found {name[:80]!r}")
    return pair


def require_judge(connection: "Connection", judge: str) -> None:
    """Refuse a judge who was not invited.

    Raises
    ------
    ParameterError
        Nobody of that name judges here.
    """
    from sqlalchemy import select

    judges = tables().judges
    there = storable(judge) == judge and connection.scalar(select(judges.c.name).where(judges.c.name == judge))
    if not there:
        raise ParameterError(f"judge: expected one who was invited, found {judge!r}")


def storable(text: str) -> str:
    """Return a text as any database takes it: without NUL, and without halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def _row(number: int, name: str, pair: Pair) -> dict[str, Any]:
    return {
        "number": number, "query": pair.query, "item": pair.item, "digest": name, "probability": pair.probability,
        "stratum": storable(pair.stratum), "fields": storable(json.dumps(dict(pair.fields), ensure_ascii=False)),
    }  # fmt: skip


def _slots(project: Project, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for copy in range(copies(project, row["query"], row["item"])):
        yield {"pair": row["number"], "copy": copy, "position": placed(project, row["query"], row["item"], copy)}


def task(connection: "Connection", number: int, judge: str) -> Task:
    """Return a pair with what the judge said of it, if anything.

    Raises
    ------
    ParameterError
        No such pair.
    """
    from sqlalchemy import select

    made = tables()
    pairs, queries = made.pairs, made.queries
    asked = select(pairs, queries.c.question, queries.c.need).join(queries, queries.c.name == pairs.c.query)
    found = connection.execute(asked.where(pairs.c.number == number)).first() if 0 < number < LARGEST else None
    if found is None:
        raise ParameterError(f"pair {number}: expected a pair of this project, found none")
    said = connection.scalar(
        select(made.current.c.grade).where(made.current.c.judge == judge, made.current.c.pair == number)
    )
    fields = json.loads(found.fields)
    pair = Pair(found.query, found.item, found.question, found.need, fields, found.probability, found.stratum)
    return Task(number, pair, said)


def following(connection: "Connection", judge: str) -> int | None:
    """Return the number of the pair that a judge sees next, and keep it for this judge; None where nothing is left.

    It is the one that the judge has in front already; else the next in the queue that nobody else has in front; else,
    at the end, the first of those that the judge put off, if it is still wanted.
    """
    from sqlalchemy import update

    require_judge(connection, judge)
    judges = tables().judges
    slot = _held(connection, judge)
    if slot is None:
        slot = _open(connection, judge)
        if slot is not None:
            moved = update(judges).where(judges.c.name == judge).values(position=slot.position)
            connection.execute(moved)
    slot = slot or _put_off(connection, judge)
    if slot is None:
        return None
    hold(connection, judge, slot)
    return int(slot.pair)


def together(connection: "Connection", judge: str, query: str, most: int) -> list[int]:
    """Return open pairs of a query that a judge has not judged, in the order of the queue, and keep them for him."""
    from sqlalchemy import select

    made = tables()
    slots, current, pairs = made.slots, made.current, made.pairs
    done = select(current.c.pair).where(
        current.c.judge == judge, current.c.pair == slots.c.pair, current.c.kind.in_(STANDS)
    )  # fmt: skip
    asked = select(slots).join(pairs, pairs.c.number == slots.c.pair).where(pairs.c.query == query, ~done.exists())
    mine_first = (slots.c.holder == judge).desc().nulls_last()
    found: dict[int, Any] = {}
    for slot in connection.execute(asked.where(*free(judge)).order_by(mine_first, slots.c.position)):
        if len(found) < most:
            found.setdefault(slot.pair, slot)
    for slot in found.values():
        hold(connection, judge, slot)
    return [slot.pair for slot in sorted(found.values(), key=lambda slot: slot.position)]


def free(judge: str) -> tuple[Any, ...]:
    """Return what must be true of a slot that a judge may have: open, and in front of nobody else."""
    from sqlalchemy import or_

    slots = tables().slots
    nobody = or_(slots.c.holder.is_(None), slots.c.holder == judge, slots.c.held < time.time() - HOLD_S)
    return slots.c.filled.is_(None), nobody


def hold(connection: "Connection", judge: str, slot: Any) -> None:
    """Keep a slot for a judge from now on."""
    from sqlalchemy import update

    slots = tables().slots
    taken = update(slots).where(slots.c.pair == slot.pair, slots.c.copy == slot.copy)
    connection.execute(taken.values(holder=judge, held=time.time()))


def _held(connection: "Connection", judge: str) -> Any:
    from sqlalchemy import select

    slots = tables().slots
    asked = select(slots).where(slots.c.holder == judge, slots.c.filled.is_(None)).order_by(slots.c.position)
    return connection.execute(asked.limit(1)).first()


def _open(connection: "Connection", judge: str) -> Any:
    """Return the next open slot from where the judge is in the queue; past the end, from its beginning."""
    from sqlalchemy import select

    made = tables()
    slots, current = made.slots, made.current
    at = connection.scalar(select(made.judges.c.position).where(made.judges.c.name == judge)) or 0
    seen = select(current.c.pair).where(current.c.judge == judge, current.c.pair == slots.c.pair).exists()
    asked = select(slots).where(*free(judge), ~seen).order_by(slots.c.position).limit(1)
    found = connection.execute(asked.where(slots.c.position > at)).first()
    return found or (connection.execute(asked).first() if at else None)


def _put_off(connection: "Connection", judge: str) -> Any:
    from sqlalchemy import select

    made = tables()
    slots, current = made.slots, made.current
    asked = select(slots).join(current, current.c.pair == slots.c.pair).where(
        current.c.judge == judge, current.c.kind == "later", *free(judge)
    )  # fmt: skip
    return connection.execute(asked.order_by(current.c.decision, slots.c.copy).limit(1)).first()
