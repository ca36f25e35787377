"""Drawn candidates: for each triple a few wrong answers, at random, by relation, or those that are hardest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from assay.core.judged import Floats, Ints
from assay.core.progress import Progress, part_of, told
from assay.engines.blocks import Batch, Matrix
from assay.engines.exact import exact_scores
from assay.errors import RunError
from assay.tasks.links.candidates import seen_candidates
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Protocol, Side
from assay.tasks.links.questions import COLUMNS, Constrained, Questions, kept, questions
from assay.tasks.links.top import top_triples

Negatives = Literal["uniform", "relation", "hard"]
PLACES = 256
"""So many questions are asked at a time of a model that scores all entities at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """How wrong answers are chosen: of what kind, how many, from what seed; `model` makes hard ones."""

    kind: Negatives = "uniform"
    many: int = 100
    seed: int = 0
    model: Model | None = None


def drawn_counts(
    graph: KnowledgeGraph, model: Model, protocol: Protocol, drawing: Drawing, chosen: Ints,
    *, progress: Progress | None = None,
) -> pl.DataFrame:  # fmt: skip
    """Score each chosen triple among its drawn candidates, tails first, then heads.

    `chosen` are places among the kept triples of the split. A candidate is no known answer. The columns are side,
    head, relation, tail, query (the number of the question), greater, equal (of the drawn), drawn, candidates (all
    that could be drawn, and the target) and inside (whether the target itself could be drawn). `progress` is told of
    ranks: half of one when its candidates are drawn, half when they are scored.
    """
    triples = graph.splits[protocol.split][kept(graph, protocol, protocol.split)]
    tables, first = [], 0
    for place, side in enumerate(protocol.sides):
        asked = questions(graph, protocol, side)
        part = part_of(progress, place, len(protocol.sides), len(protocol.sides) * len(chosen))
        tables.append(
            _side(_Pools(graph, protocol, side, asked, drawing), model, triples, chosen, first, progress=part)
        )
        first += len(asked.entity)
    return pl.concat(tables)


def pair_scores(
    model: Model, side: Side, asked: Questions, question: Ints, answer: Ints, *, progress: Progress | None = None
) -> Floats:
    """Return the scores of some answers to some questions, comparable within a question, shape (pairs,)."""
    scores = np.empty(len(question))
    needed = np.unique(question)
    number, done = np.searchsorted(needed, question), 0
    for batch in model.batches(side, asked.entity[needed], asked.relation[needed]):
        where = np.full(len(needed), -1)
        where[batch.rows] = np.arange(len(batch.rows))
        pairs = np.flatnonzero(where[number] >= 0)
        scores[pairs] = _batch_scores(batch, where[number[pairs]], answer[pairs])
        done += len(batch.rows)
        if progress is not None:
            progress(done, len(needed))
    return scores


def _batch_scores(batch: Batch, place: Ints, answer: Ints) -> Floats:
    """Return the scores of pairs of a question (its place in the batch) and an answer, shape (pairs,)."""
    if batch.score is None:
        queries: Matrix = np.asarray(batch.queries)
        candidates: Any = batch.candidates
        return exact_scores(batch.kind, queries, candidates, place, answer)
    scores = np.empty(len(place))
    for start in range(0, len(batch.rows), PLACES):
        places = np.arange(start, min(start + PLACES, len(batch.rows)))
        here = np.flatnonzero((place >= start) & (place < start + PLACES))
        scores[here] = np.asarray(batch.score(places), np.float64)[place[here] - start, answer[here]]
    return scores


class _Pools:
    """What may be drawn for each question of a side."""

    def __init__(
        self, graph: KnowledgeGraph, protocol: Protocol, side: Side, asked: Questions, drawing: Drawing
    ) -> None:
        self.side, self.asked, self.drawing = side, asked, drawing
        drop = protocol.unseen == "drop"
        self.every = np.flatnonzero(graph.seen()[0]) if drop else np.arange(graph.entities.len())
        self.entities = graph.entities.len()
        self.allowed: Constrained = seen_candidates(graph) if drawing.kind == "relation" else {}
        self.order: Mapping[tuple[int, int], Ints] = {}
        if drawing.kind == "hard":
            self.order = _by_model(graph, protocol, side, drawing) if drawing.model else _by_frequency(graph, side)

    def of(self, question: int) -> Ints:
        """Return all wrong answers that may be drawn, ascending."""
        relation = int(self.asked.relation[question])
        allowed = self.allowed.get((self.side, relation), self.every)
        known = self.asked.lists["known"].pairs(np.array([question]))[1]
        free = np.zeros(self.entities, np.bool_)
        free[allowed] = True
        free[known] = False
        return np.flatnonzero(free)

    def draw(self, question: int, target: int) -> tuple[Ints, int]:
        """Return the wrong answers drawn for a triple, and how many there are."""
        pool = self.of(question)
        pool = pool[pool != target]
        entity, relation = int(self.asked.entity[question]), int(self.asked.relation[question])
        if len(pool) <= self.drawing.many:
            return pool, len(pool)
        if self.drawing.kind == "hard":
            order = self.order.get((relation, entity), self.order.get((relation, -1), pool))
            return order[np.isin(order, pool)][: self.drawing.many], len(pool)
        side = int(self.side == "head")
        chance = np.random.default_rng([self.drawing.seed, side, relation, entity, target])
        return pool[chance.choice(len(pool), self.drawing.many, replace=False, shuffle=False)], len(pool)

    def inside(self, question: int, target: int) -> bool:
        """Tell whether the target is one of the candidates that its relation allows."""
        allowed = self.allowed.get((self.side, int(self.asked.relation[question])))
        if allowed is None:
            return True
        place = int(np.searchsorted(allowed, target))
        return place < len(allowed) and int(allowed[place]) == target


def _side(
    pools: _Pools, model: Model, triples: Ints, chosen: Ints, first: int, *, progress: Progress | None
) -> pl.DataFrame:  # fmt: skip
    asked, side = pools.asked, pools.side
    question, target = asked.question[chosen], asked.target[chosen]
    drawing, scoring = (part_of(progress, place, 2, len(chosen)) for place in range(2))
    pairs = zip(question.tolist(), target.tolist(), strict=True)
    draws = [pools.draw(q, t) for q, t in told(pairs, drawing, len(chosen))]
    sizes = np.array([len(some) for some, _ in draws], np.int64)
    row = np.repeat(np.arange(len(chosen)), sizes)
    answer = np.concatenate([np.zeros(0, np.int64), *(some for some, _ in draws)])
    rows = np.concatenate([question, question[row]])
    scores = pair_scores(model, side, asked, rows, np.append(target, answer), progress=scoring)
    if np.isnan(scores).any():
        raise RunError(
            f"model {model.name}: expected numbers, found {int(np.isnan(scores).sum())} scores that are none"
        )
    own, other = scores[: len(chosen)], scores[len(chosen) :]
    many = len(chosen)
    return pl.DataFrame({
        "side": np.full(many, side), "head": triples[chosen, 0], "relation": triples[chosen, 1],
        "tail": triples[chosen, 2], "query": question + first,
        "greater": np.bincount(row, other > own[row], minlength=many).astype(np.int64),
        "equal": np.bincount(row, other == own[row], minlength=many).astype(np.int64),
        "drawn": sizes, "candidates": np.array([size + 1 for _, size in draws], np.int64),
        "inside": [pools.inside(q, t) for q, t in zip(question.tolist(), target.tolist(), strict=True)],
    })  # fmt: skip


def _by_frequency(graph: KnowledgeGraph, side: Side) -> dict[tuple[int, int], Ints]:
    """Return all entities for each relation: those that train has there most often first, then by their degree."""
    train = graph.splits.get("train", np.zeros((0, 3), np.int64))
    many = graph.entities.len()
    degree = np.bincount(train[:, [0, 2]].ravel(), minlength=many)
    found = {}
    for relation in range(graph.relations.len()):
        here = np.bincount(train[train[:, 1] == relation, COLUMNS[side][1]], minlength=many)
        found[relation, -1] = np.lexsort((np.arange(many), -degree, -here)).astype(np.int64)
    return found


def _by_model(graph: KnowledgeGraph, protocol: Protocol, side: Side, drawing: Drawing) -> dict[tuple[int, int], Ints]:
    """Return the best answers of another model to each question, with enough of them to leave the right ones out."""
    assert drawing.model is not None  # noqa: S101 - the caller has looked
    asked = questions(graph, protocol, side)
    most = int(np.diff(asked.targets.start).max(initial=0))
    one = Protocol(split=protocol.split, sides=(side,), known=protocol.known, unseen=protocol.unseen)
    table = top_triples(graph, drawing.model, min(drawing.many + most, graph.entities.len()), protocol=one)
    return dict(_groups(table, side))


def _groups(table: pl.DataFrame, side: Side) -> Iterator[tuple[tuple[int, int], Ints]]:
    given, wanted = ("head", "tail") if side == "tail" else ("tail", "head")
    for (relation, entity), rows in table.group_by("relation", given, maintain_order=True):
        yield (int(str(relation)), int(str(entity))), rows[wanted].to_numpy()
