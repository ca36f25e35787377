"""The true triples that a model ranks lowest, and what it puts above them."""

import numpy as np
import polars as pl

from assay.core.judged import Floats, Ints
from assay.core.links import RankedTriple
from assay.core.links_worst import Answer, WorstTriple
from assay.tasks.links.admitted import split_of
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Side
from assay.tasks.links.questions import COLUMNS
from assay.tasks.links.ranking import Ranking
from assay.tasks.links.top import tiles


def worst_answers(ranking: Ranking, model: Model, many: int = 10, above: int = 5) -> tuple[WorstTriple, ...]:
    """Return the triples with the lowest filtered rank, each with the answers that the model puts first.

    `many` triples, the worst first; of equal ranks tails before heads, then by numbers. `above` answers each, of those
    that score higher than the true one, best first; each with the split that holds it, None for a new one. `model` is
    the one that was ranked.

    >>> from assay.tasks.links.graph import KnowledgeGraph
    >>> from assay.tasks.links.models import DistMult
    >>> from assay.tasks.links.ranking import rank
    >>> graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[0, 0, 2]], entities=4)
    >>> model = DistMult(np.array([[1.0], [3.0], [2.0], [5.0]]), np.array([[1.0]]))
    >>> found = worst_answers(rank(graph, model), model, 1)[0]
    >>> found.triple.side, found.triple.rank, [(one.entity, one.split) for one in found.above]
    ('head', 4.0, [('3', None), ('1', None), ('2', None)])
    """
    place = pl.col("greater") + 1 + pl.col("equal") / 2
    rows = ranking.table.with_columns(place=place).sort(
        ["place", "side", "relation", "head", "tail"], descending=[True, True, False, False, False]
    )
    return tuple(_worst(ranking, model, row, above) for row in rows.head(many).iter_rows(named=True))


def _worst(ranking: Ranking, model: Model, row: dict[str, object], above: int) -> WorstTriple:
    side: Side = "tail" if row["side"] == "tail" else "head"
    numbers = np.array([[row["head"], row["relation"], row["tail"]]], np.int64)
    given, wanted = COLUMNS[side]
    scores = _scores(model, side, numbers[:, given], numbers[:, 1])
    order = np.lexsort((np.arange(len(scores)), -scores))[:above]
    order = order[scores[order] > scores[numbers[0, wanted]]]
    triples = np.repeat(numbers, len(order), axis=0)
    triples[:, wanted] = order
    names, graph = ranking.graph.entities, ranking.graph
    answers = zip(order.tolist(), scores[order].tolist(), split_of(graph, triples), strict=True)
    head, relation, tail = graph.named(numbers)[0]
    greater, equal, candidates = (int(str(row[name])) for name in ("greater", "equal", "candidates"))
    return WorstTriple(
        RankedTriple(
            side, str(head), str(relation), str(tail), greater + 1 + equal / 2, greater, equal, candidates
        ),
        float(str(row["score"])),
        tuple(Answer(str(names[entity]), score, split) for entity, score, split in answers),
    )  # fmt: skip


def _scores(model: Model, side: Side, entity: Ints, relation: Ints) -> Floats:
    """Return the scores of all entities as answers to one question, shape (entities,)."""
    found = np.empty(model.entities)
    for batch in model.batches(side, entity, relation):
        for first, tile, _ in tiles(batch, np.arange(len(batch.rows))):
            found[first : first + tile.shape[1]] = tile[0] + model.offset
    return found
