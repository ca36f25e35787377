"""A ranking of links as judged ranks: one question for each triple, or one list of answers for each question.

Two protocols, two names. Per triple (filtered, raw, time, typed), each true entity is ranked alone: the other true
ones are taken out, and a question has one right answer. Per query (multi-answer), the list of a question keeps all
its answers of the split; those of the other known splits are taken out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
import polars as pl

from assay.core.judged import Flags, Hits, Ints, Judged, Notes
from assay.errors import ParameterError, UnknownNameError
from assay.tasks.links.protocol import Side
from assay.tasks.links.ranking import Ranking

PerTriple = Literal["filtered", "raw", "time", "typed"]

MULTI_ANSWER = "multi-answer"
MEANINGS: Mapping[str, str] = MappingProxyType({
    "filtered": "per triple: the true entity among all entities but the other right ones",
    "raw": "per triple: the true entity among all entities, the other right ones too",
    "time": "per triple: the true entity among all entities but the others that are right at the same time",
    "typed": "per triple: as filtered, among the entities that fit the relation and the side",
    MULTI_ANSWER: "per query: one list, in which all answers of the split are right; those known before are left out",
})  # fmt: skip
"""The ways of ranking by name, and what each means."""

_PREFIX = {"filtered": "", "raw": "raw_", "time": "time_", "typed": "typed_", MULTI_ANSWER: "list_"}


@dataclass(frozen=True, eq=False)
class LinkRanks:
    """Judged ranks and what is known of each of their queries, shapes (queries,), sorted by the bytes of the names.

    `query` is the number of the question that a query asks: of several triples with the same question the same; it
    is what is independent, and so the cluster of intervals and tests. `relation` is the number of the relation, `tail`
    flags the queries that ask for a tail, `outside` those whose true entity is not among its candidates.
    """

    judged: Judged
    query: Ints
    relation: Ints
    tail: Flags
    outside: Flags


def protocols_of(ranking: Ranking) -> list[PerTriple]:
    """Return the per-triple protocols that a ranking was counted under, the filtered one first."""
    known: tuple[PerTriple, ...] = ("filtered", "raw", "time", "typed")
    return [name for name in known if f"{_PREFIX[name]}greater" in ranking.table.columns]


def named_rows(ranking: Ranking, side: Side | None = None) -> pl.DataFrame:
    """Return the rows of the table with the column `name`, "(head, relation, ?) tail", sorted by its bytes."""
    rows = ranking.table if side is None else ranking.table.filter(pl.col("side") == side)
    if rows.is_empty():
        asked = ", ".join(ranking.protocol.sides)
        msg = f"links: expected triples to ask about, found none of side {side or 'tail or head'} (asked: {asked})"
        raise ParameterError(msg)
    head, tail = (ranking.graph.entities.gather(rows[column]) for column in ("head", "tail"))
    relation = ranking.graph.relations.gather(rows["relation"])
    asks = pl.when(rows["side"] == "tail")
    tails, heads = pl.format("({}, {}, ?)", head, relation), pl.format("(?, {}, {})", relation, tail)
    named = pl.select(question=asks.then(tails).otherwise(heads), answer=asks.then(tail).otherwise(head))
    named = named.select("question", name=pl.format("{} {}", "question", "answer"))
    return _unique(pl.concat([rows, named], how="horizontal")).sort("name")


def _unique(rows: pl.DataFrame, column: str = "name") -> pl.DataFrame:
    """Give rows of the same name (one triple at two times) a number."""
    if not rows[column].is_duplicated().any():
        return rows
    place = pl.int_range(pl.len()).over(column) + 1
    return rows.with_columns(
        pl.when(place > 1).then(pl.format("{} #{}", column, place)).otherwise(column).alias(column)
    )


def ranks_per_triple(ranking: Ranking, protocol: PerTriple = "filtered", side: Side | None = None) -> LinkRanks:
    """Return one query for each triple and side, with one right answer; of one side, or of all that were asked.

    Raises
    ------
    UnknownNameError
        A protocol that the ranking was not counted under.
    ParameterError
        A side that was not asked.
    """
    known = protocols_of(ranking)
    if protocol not in known:
        raise UnknownNameError.of("protocol of this ranking", protocol, known)
    rows = named_rows(ranking, side)
    outside = _outside(rows, protocol, ranking)
    candidates = _column(rows, protocol, "candidates")
    number = np.arange(len(rows), dtype=np.int64)
    judged = Judged(
        names=rows["name"].alias("query"),
        hits=_hits(rows, protocol, number, len(rows)).where(~outside),
        ideal=Hits.ranked(len(rows), number, np.ones(len(rows))),
        retrieved=candidates,
        answered=np.ones(len(rows), np.bool_),
        candidates=candidates,
        notes=Notes(rows=int(candidates.sum()), run_queries=len(rows), nan=ranking.nan),
    )
    return LinkRanks(judged, _ints(rows, "query"), _ints(rows, "relation"), _tails(rows), outside)


def ranks_per_query(ranking: Ranking, side: Side | None = None) -> LinkRanks:
    """Return one query for each different question, whose right answers are all those of the split."""
    if "list_greater" not in ranking.table.columns:
        raise UnknownNameError.of("protocol of this ranking", MULTI_ANSWER, protocols_of(ranking))
    rows = named_rows(ranking, side).unique(["query", "target"], keep="first", maintain_order=True)
    first = _unique(rows.unique("query", keep="first", maintain_order=True), "question").sort("question")
    rows = rows.join(first.select("query").with_row_index("number"), on="query")
    rows = rows.sort("number", "list_greater", "target")
    number = _ints(rows, "number")
    candidates = _column(first, MULTI_ANSWER, "candidates")
    judged = Judged(
        names=first["question"].alias("query"),
        hits=_hits(rows, MULTI_ANSWER, number, len(first)),
        ideal=Hits.ranked(len(first), number, np.ones(len(rows))),
        retrieved=candidates,
        answered=np.ones(len(first), np.bool_),
        candidates=candidates,
        notes=Notes(rows=int(candidates.sum()), run_queries=len(first), nan=ranking.nan),
    )
    inside = np.zeros(len(first), np.bool_)
    return LinkRanks(judged, _ints(first, "query"), _ints(first, "relation"), _tails(first), inside)


def _hits(rows: pl.DataFrame, protocol: str, number: Ints, queries: int) -> Hits:
    """Return the true entities as hits with their mean ranks; other tie rules make theirs of what is counted."""
    above, tied = _column(rows, protocol, "greater"), _column(rows, protocol, "equal") + 1
    return Hits(queries, number, np.ones(len(rows)), above + (tied + 1) / 2, above, tied)


def _outside(rows: pl.DataFrame, protocol: str, ranking: Ranking) -> Flags:
    """Flag the true entities that are not among their candidates and have no rank."""
    if protocol != "typed" or ranking.protocol.outside == "add" or "typed_inside" not in rows.columns:
        return np.zeros(len(rows), np.bool_)
    return ~rows["typed_inside"].to_numpy().astype(np.bool_)


def _tails(rows: pl.DataFrame) -> Flags:
    return (rows["side"] == "tail").to_numpy().astype(np.bool_)


def _column(rows: pl.DataFrame, protocol: str, name: str) -> Ints:
    return _ints(rows, f"{_PREFIX[protocol]}{name}")


def _ints(rows: pl.DataFrame, name: str) -> Ints:
    return rows[name].to_numpy().astype(np.int64)
