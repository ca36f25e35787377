"""Which entities may be answers: those that fit the relation and the side.

A relation or a side of which nothing is said has all entities as candidates.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from assay.core.judged import Ints
from assay.formats.link_questions import Candidates
from assay.report.amounts import counted
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.base import by_relation
from assay.tasks.links.numbering import numbered
from assay.tasks.links.protocol import SPLITS, Side
from assay.tasks.links.questions import COLUMNS, Constrained

SEEN = ("train", "train+valid")
"""The splits whose entities may be candidates; where test is among them, it says what the answers are."""


def seen_candidates(graph: KnowledgeGraph, splits: Sequence[str] = ("train",)) -> Constrained:
    """Return for each side and relation the entities that some splits hold there.

    >>> graph = KnowledgeGraph.from_arrays([[0, 0, 1], [2, 0, 1]], entities=4)
    >>> {place: entities.tolist() for place, entities in seen_candidates(graph).items()}
    {('tail', 0): [1], ('head', 0): [0, 2]}
    """
    triples = graph.triples(*splits)
    found: dict[tuple[Side, int], Ints] = {}
    for relation, rows in by_relation(triples[:, 1]):
        for side, (_, wanted) in COLUMNS.items():
            found[side, relation] = np.unique(triples[rows, wanted])
    return found


def constrained(graph: KnowledgeGraph, given: Candidates) -> Constrained:
    """Return candidates by the numbers of the graph.

    Raises
    ------
    InputError
        A relation or an entity that the graph does not know; the file and the line are named.
    """
    _, (relation,) = numbered([given.rows], ("relation",), graph.relations, "relations")
    _, (entity,) = numbered([given.rows], ("entity",), graph.entities, "entities")
    none = np.zeros(0, np.int64)
    found: dict[tuple[Side, int], Ints] = {}
    sides = given.rows.table["side"].to_numpy()
    for side in COLUMNS:
        found |= {(side, one): none for one, empty in given.empty if empty == side}
        here = np.flatnonzero(sides == side)
        for one, rows in by_relation(relation[here, 0]):
            found[side, one] = np.unique(entity[here[rows], 0])
    return found


def remarks(graph: KnowledgeGraph, split: str, given: Constrained) -> Iterator[str]:
    """Say what a reader of ranks among these candidates should know."""
    asked = np.unique(graph.splits.get(split, np.zeros((0, 3), np.int64))[:, 1]).tolist()
    free = sum((side, relation) not in given for relation in asked for side in COLUMNS)
    if free:
        yield f"{counted(free, 'relation')} and sides that are asked have no candidates given: all entities are theirs."
    if any(_same(given, seen_candidates(graph, splits)) for splits in (SPLITS, ("train", split))):
        yield (
            f"exactly the entities that the splits hold there, {split} included: made with the answers, they leave no "
            "true entity out."
        )


def _same(given: Constrained, other: Constrained) -> bool:
    there = {place: entities for place, entities in given.items() if len(entities)}
    return there.keys() == other.keys() and all(np.array_equal(there[place], other[place]) for place in there)
