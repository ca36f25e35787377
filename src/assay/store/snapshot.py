"""All that a judging project knows at one moment, for whoever makes something of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from assay.core.labels import Labels
from assay.store import overview
from assay.store.judging_tables import tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

DRAWN = {"query": pl.String, "item": pl.String, "stratum": pl.String, "probability": pl.Float64}


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """What judges say now, and what it rests on.

    Parameters
    ----------
    labels, settled
        What judges say; the grades that settle a dispute, by query and item.
    drawn
        The pairs that were drawn by chance: query, item, stratum, probability.
    decisions, last
        How many decisions were ever recorded, and when the last was (an empty text before the first).
    """

    labels: Labels
    settled: dict[tuple[str, str], float]
    drawn: pl.DataFrame
    decisions: int
    last: str


def look(connection: "Connection", name: str) -> Snapshot:
    """Return all that is known now."""
    from sqlalchemy import func, select

    made = tables()
    pairs, decisions = made.pairs, made.decisions
    asked = select(pairs.c.query, pairs.c.item, pairs.c.stratum, pairs.c.probability)
    rows = [tuple(row) for row in connection.execute(asked.where(pairs.c.probability.is_not(None)))]
    drawn = pl.DataFrame(rows, schema=DRAWN, orient="row").sort("query", "item")
    counted = connection.execute(select(func.count(), func.max(decisions.c.time)).select_from(decisions)).one()
    labels = Labels(overview.labels(connection), name)
    return Snapshot(labels, overview.settled(connection), drawn, int(counted[0]), counted[1] or "")
