"""The true triples that a model ranks lowest, and what it puts above them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.links_worst import Answer, RankedTriple
from assay.engines.blocks import Batch
from assay.engines.exact import exact_scores, shown
from assay.tasks.links.admitted import split_of
from assay.tasks.links.judged import named_rows
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Side
from assay.tasks.links.questions import COLUMNS
from assay.tasks.links.ranking import Ranking
from assay.tasks.links.top import tiles

WORST = 10
"""So many triples are named."""
ABOVE = 3
"""So many answers are shown above each of them."""


def worst_triples(
    ranking: Ranking, many: int = WORST, *, model: Model | None = None, above: int = ABOVE
) -> tuple[RankedTriple, ...]:
    """Return the triples whose true entity stands lowest among its filtered candidates; of equal ones first by name.

    `many` triples, the worst first. With the `model` that was ranked each comes with up to `above` answers of those
    that score higher than the true one, best first, of equal ones the first entity: known ones with the split that
    holds them, new ones without.

    >>> from assay.tasks.links.graph import KnowledgeGraph
    >>> from assay.tasks.links.models import DistMult
    >>> from assay.tasks.links.ranking import rank
    >>> graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[0, 0, 2]], entities=4)
    >>> model = DistMult(np.array([[1.0], [3.0], [2.0], [5.0]]), np.array([[1.0]]))
    >>> (found,) = worst_triples(rank(graph, model), 1, model=model)
    >>> found.side, found.rank, [(one.entity, one.split) for one in found.above]
    ('head', 4.0, [('3', None), ('1', None), ('2', None)])
    """
    rows = named_rows(ranking).with_columns(place=pl.col("greater") + 1 + pl.col("equal") / 2)
    rows = rows.sort(["place", "name"], descending=[True, False]).head(many)
    looked = _Above(ranking, model, above) if model is not None and above > 0 else None
    return tuple(_named(ranking, row, looked) for row in rows.iter_rows(named=True))


def _named(ranking: Ranking, row: dict[str, Any], looked: "_Above | None") -> RankedTriple:
    entities, relations = ranking.graph.entities, ranking.graph.relations
    return RankedTriple(
        row["side"], str(entities[row["head"]]), str(relations[row["relation"]]), str(entities[row["tail"]]),
        row["place"], row["greater"], row["equal"], row["candidates"], row["score"],
        None if looked is None else looked.of(row["side"], np.array([row["head"], row["relation"], row["tail"]])),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Above:
    """What a model puts above true entities."""

    ranking: Ranking
    model: Model
    most: int

    def of(self, side: Side, triple: Ints) -> tuple[Answer, ...]:
        """Return the best of the answers that score higher than the true one."""
        given, wanted = COLUMNS[side]
        graph = self.ranking.graph
        found: list[Answer] = []
        for batch in self.model.batches(side, triple[[given]], triple[[1]]):
            entity, score = _best(batch, int(triple[wanted]), self.most, self.candidates())
            triples = np.repeat(triple[None], len(entity), axis=0)
            triples[:, wanted] = entity
            answers = zip(entity.tolist(), (score + self.model.offset).tolist(), split_of(graph, triples), strict=True)
            found += [Answer(str(graph.entities[one]), value, split) for one, value, split in answers]
        return tuple(found)

    def candidates(self) -> Flags:
        """Flag the entities that may be answers, shape (entities,)."""
        seen = self.ranking.graph.seen()[0]
        return seen if self.ranking.protocol.unseen == "drop" else np.ones(len(seen), np.bool_)


def _best(batch: Batch, target: int, most: int, candidates: Flags) -> tuple[Ints, Floats]:
    """Return the answers to the one question of a batch that score higher than the target: entities and scores."""
    value, slack = np.empty(len(candidates)), 0.0
    for first, tile, off in tiles(batch, np.arange(1)):
        value[first : first + tile.shape[1]] = np.where(np.isnan(tile[0]), -np.inf, tile[0])
        slack = max(slack, 2 * float(off[0]))
    value[~candidates] = -np.inf
    last = np.partition(value, -most)[-most] if most < len(value) else -np.inf
    entity = np.append(np.flatnonzero((value >= last - slack) & candidates), target)
    score = value[entity]
    if batch.queries is not None and batch.candidates is not None:
        score = exact_scores(batch.kind, batch.queries, batch.candidates, np.zeros(len(entity), np.int64), entity)
        score[np.isnan(score)] = -np.inf
    order = np.lexsort((entity[:-1], -score[:-1]))
    order = order[score[order] > score[-1]][:most]
    return entity[order], shown(batch.kind, score[order])
