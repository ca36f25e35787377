"""What is known of a judging project at one moment: labels, disputes, how far judges are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.core.judging import Standing
from assay.core.labels import MORE, SCHEMA
from assay.store.judging_tables import tables
from assay.store.queue import STANDS

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair whose judges disagree, and what each of them said."""

    number: int
    query: str
    item: str
    said: dict[str, float]


def labels(connection: "Connection") -> pl.DataFrame:
    """Return what judges say now, in the columns of `Labels`."""
    from sqlalchemy import String, cast, select

    made = tables()
    current, decisions, pairs = made.current, made.decisions, made.pairs
    asked = (
        select(
            pairs.c.query, pairs.c.item, current.c.judge, current.c.grade, decisions.c.reason, decisions.c.note,
            cast(decisions.c.guideline, String), decisions.c.time, decisions.c.seconds,
        )
        .join(pairs, pairs.c.number == current.c.pair)
        .join(decisions, decisions.c.id == current.c.decision)
        .where(current.c.kind.in_(STANDS))
    )  # fmt: skip
    rows = [tuple(row) for row in connection.execute(asked)]
    return pl.DataFrame(rows, schema=SCHEMA | MORE, orient="row").sort("query", "item", "judge")


def settled(connection: "Connection") -> dict[tuple[str, str], float]:
    """Return the last grade that settles each disputed pair."""
    from sqlalchemy import select

    made = tables()
    asked = (
        select(made.pairs.c.query, made.pairs.c.item, made.decisions.c.grade)
        .join(made.pairs, made.pairs.c.number == made.decisions.c.pair)
        .where(made.decisions.c.kind == "settle").order_by(made.decisions.c.id)
    )  # fmt: skip
    return {(row.query, row.item): row.grade for row in connection.execute(asked)}


def disputed(connection: "Connection", most: int) -> list[Dispute]:
    """Return the pairs whose judges disagree, the widest apart first."""
    from sqlalchemy import func, select

    made = tables()
    current, decisions = made.current, made.decisions
    done = select(decisions.c.id).where(decisions.c.kind == "settle", decisions.c.pair == current.c.pair).exists()
    low, high = func.min(current.c.grade), func.max(current.c.grade)
    asked = (
        select(current.c.pair).where(current.c.kind == "grade", ~done).group_by(current.c.pair).having(low < high)
        .order_by((high - low).desc(), current.c.pair).limit(most)
    )  # fmt: skip
    return [_dispute(connection, number) for number in connection.scalars(asked).all()]


def _dispute(connection: "Connection", number: int) -> Dispute:
    from sqlalchemy import select

    made = tables()
    pair = connection.execute(select(made.pairs).where(made.pairs.c.number == number)).one()
    said = select(made.current.c.judge, made.current.c.grade).where(made.current.c.pair == number)
    graded = said.where(made.current.c.kind == "grade").order_by(made.current.c.judge)
    return Dispute(number, pair.query, pair.item, {row.judge: row.grade for row in connection.execute(graded)})


def standing(connection: "Connection", judge: str) -> Standing:
    """Return how far a judge is; left are the pairs that someone still has to judge and this judge has not."""
    from sqlalchemy import func, select

    made = tables()
    current, slots = made.current, made.slots
    kinds = select(current.c.kind, func.count()).where(current.c.judge == judge).group_by(current.c.kind)
    found: dict[str, int] = {kind: count for kind, count in connection.execute(kinds)}  # noqa: C416 - rows
    is_open = select(slots.c.pair).where(slots.c.pair == current.c.pair, slots.c.filled.is_(None)).exists()
    done = select(func.count()).select_from(current).where(current.c.judge == judge, current.c.kind.in_(STANDS))
    left = (connection.scalar(select(made.project.c.open)) or 0) - (connection.scalar(done.where(is_open)) or 0)
    shared, agreed = _shared(connection, judge)
    return Standing(sum(found.get(kind, 0) for kind in STANDS), found.get("later", 0), left, shared, agreed)


def _shared(connection: "Connection", judge: str) -> tuple[int, int]:
    """Return how many judgments of others there are on what a judge graded, and how many of these are the same."""
    from sqlalchemy import case, func, select

    mine = tables().current
    other = mine.alias()
    same = func.coalesce(func.sum(case((mine.c.grade == other.c.grade, 1), else_=0)), 0)
    asked: Any = select(func.count(), same).select_from(mine).join(other, other.c.pair == mine.c.pair)
    graded = asked.where(mine.c.judge == judge, other.c.judge != judge, mine.c.kind == "grade", other.c.kind == "grade")
    shared, agreed = connection.execute(graded).one()
    return int(shared), int(agreed)


def counts(connection: "Connection") -> dict[str, int]:
    """Return the numbers of pairs, of graded and settled ones, and of judgments that are wanted and left."""
    from sqlalchemy import func, select

    made = tables()
    slots, decisions = made.slots, made.decisions

    def count(asked: Any) -> int:
        return int(connection.scalar(asked) or 0)

    return {
        "pairs": count(select(func.count()).select_from(made.pairs)),
        "judged": count(select(func.count(func.distinct(made.current.c.pair))).where(made.current.c.kind.in_(STANDS))),
        "settled": count(select(func.count(func.distinct(decisions.c.pair))).where(decisions.c.kind == "settle")),
        "wanted": count(select(func.count()).select_from(slots)),
        "left": count(select(func.count()).select_from(slots).where(slots.c.filled.is_(None))),
    }
