"""The answers that a model puts first: for each question of a split the best candidates that are not known yet."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Batch
from assay.engines.exact import by_entity, exact_scores, shown, widened
from assay.errors import ParameterError, RunError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.questions import Questions, questions

QUERIES, ENTITIES = 256, 16_384
"""How many questions and candidates are scored at a time."""
NEAR = 1e-9
"""Scores this near to the last place, relative to the largest there can be, are computed again, term by term."""
DEFAULT = Protocol()
Found = tuple[Ints, Ints, Floats]
"""Answers: the place of the question, the entity, its score; shapes (answers,)."""


def top_triples(graph: KnowledgeGraph, model: Model, k: int = 10, *, protocol: Protocol = DEFAULT) -> pl.DataFrame:
    """Return the k best answers of each question that the split asks, as triples.

    Answers known from the other splits are left out; those of the split itself are not. With equal scores in the
    last place there are more than k answers, so that no tie is cut.

    Returns
    -------
    polars.DataFrame
        side, head, relation, tail (numbers), score; questions in the order of their numbers, the best answer first,
        of equal ones the first entity.

    Raises
    ------
    ParameterError
        k below 1.
    RunError
        A score that is no number.

    >>> from assay.tasks.links.models import DistMult
    >>> graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[0, 0, 2]])
    >>> model = DistMult(np.array([[1.0], [3.0], [2.0]]), np.array([[1.0]]))
    >>> top_triples(graph, model, 1, protocol=Protocol(sides=("tail",))).rows()
    [('tail', 0, 0, 2, 2.0)]
    """
    if k < 1:
        raise ParameterError(f"top triples: expected k of at least 1, found {k}")
    tables = []
    for side in protocol.sides:
        asked = questions(graph, protocol, side)
        place, entity, score = _best(model, asked, k, side)
        given, relation = asked.entity[place], asked.relation[place]
        head, tail = (given, entity) if side == "tail" else (entity, given)
        tables.append(pl.DataFrame({
            "side": np.full(len(place), side), "head": head, "relation": relation, "tail": tail,
            "score": score + model.offset,
        }))  # fmt: skip
    return pl.concat(tables)


def _best(model: Model, asked: Questions, k: int, side: str) -> Found:
    """Return the best answers of all questions of a side, sorted by question, score and entity."""
    parts = []
    for batch in model.batches(side, asked.entity, asked.relation):  # type: ignore[arg-type]
        for start in range(0, len(batch.rows), QUERIES):
            places = np.arange(start, min(start + QUERIES, len(batch.rows)))
            place, entity, score = _cut(_candidates(batch, places, asked, k), k)
            parts.append((batch.rows[places[place]], entity, score))
    place, entity, score = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((entity, -score, place))
    return place[order], entity[order], score[order]


def _candidates(batch: Batch, places: Ints, asked: Questions, k: int) -> Found:
    """Return a few answers of some questions, with exact scores: the best k are among them."""
    query, entity = asked.lists["known"].pairs(batch.rows[places])
    wanted = asked.targets.has(batch.rows[places][query], entity)
    query, entity = query[~wanted], entity[~wanted]
    found = []
    for first, tile, slack in tiles(batch, places):
        if np.isnan(tile).any():
            raise RunError(f"model: expected scores that are numbers, found {int(np.isnan(tile).sum())} that are none")
        here = (entity >= first) & (entity < first + tile.shape[1])
        tile[query[here], entity[here] - first] = -np.inf
        last = np.partition(tile, -k, axis=1)[:, -k] if k < tile.shape[1] else np.full(len(places), -np.inf)
        place, column = np.nonzero((tile >= (last - slack)[:, None]) & (tile > -np.inf))
        found.append((place, column + first, tile[place, column]))
    place, answer, score = (np.concatenate(column) for column in zip(*found, strict=True))
    if batch.queries is None or batch.candidates is None:
        return place, answer, score
    exact = by_entity(exact_scores, batch.kind, (batch.queries, batch.candidates), (places[place], answer))
    return place, answer, shown(batch.kind, exact)


def _cut(found: Found, k: int) -> Found:
    """Return the best k answers of each question, and those with the score of the last of them."""
    row, entity, score = found
    order = np.lexsort((entity, -score, row))
    row, entity, score = row[order], entity[order], score[order]
    start = np.searchsorted(row, row, side="left")
    last = np.minimum(start + k - 1, np.searchsorted(row, row, side="right") - 1)
    kept = score >= score[last]
    return row[kept], entity[kept], score[kept]


def tiles(batch: Batch, places: Ints) -> Iterator[tuple[int, Floats, Floats]]:
    """Yield scores of some questions against blocks of candidates in float64, and how far off they may be."""
    if batch.score is not None:
        yield 0, np.array(batch.score(places), np.float64), np.zeros(len(places))
        return
    if batch.queries is None or batch.candidates is None:
        return
    queries = widened(batch.queries[places])
    longest = np.sqrt(np.square(np.abs(queries)).sum(axis=1))
    for first in range(0, len(batch.candidates), ENTITIES):
        block = widened(batch.candidates[first : first + ENTITIES])
        reach = np.sqrt(np.square(np.abs(block)).sum(axis=1)).max(initial=0.0)
        scale = longest * reach if batch.kind == "dot" else (longest + reach) * np.sqrt(queries.shape[1])
        yield first, _scores(batch.kind, queries, block), NEAR * (scale + np.finfo(np.float64).tiny)


def _scores(kind: str, queries: Floats, block: Floats) -> Floats:
    if kind == "dot":
        return np.asarray(queries @ block.T)
    power = 2 if kind == "l2" else 1
    sums = (np.power(np.abs(block - query), power).sum(axis=1) for query in queries)
    return np.stack([-np.sqrt(one) if kind == "l2" else -one for one in sums])
