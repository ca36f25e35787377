"""Candidate triples above a score: how many there are for each relation, and the best of them."""

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.judged import Floats, Ints
from assay.core.progress import Progress
from assay.engines.blocks import Batch, Lists
from assay.errors import ParameterError, RunError
from assay.formats.link_questions import read_pairs
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.keys import row_keys
from assay.tasks.links.models.base import Model
from assay.tasks.links.numbering import numbered
from assay.tasks.links.protocol import SPLITS
from assay.tasks.links.top import tiles

QUERIES = 256
"""How many questions are scored at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The questions (head, relation, ?) whose tails are candidates, and the answers of train and of later splits.

    `given` tells whether they were named, and are not just those that train holds.
    """

    head: Ints
    relation: Ints
    known: Lists
    held: Lists

    given: bool = False

    @classmethod
    def of(cls, graph: KnowledgeGraph, pairs: Any = None) -> "Asked":
        """Ask for the tails of pairs of head and relation, shape (pairs, 2); without any, of those that train holds.

        Raises
        ------
        ParameterError
            Pairs that are none, or numbers that the graph does not have.
        """
        asked = graph.triples("train")[:, :2] if pairs is None else _checked(graph, np.asarray(pairs))
        asked = np.unique(asked[:, ::-1], axis=0)
        lists = (_answers(asked, graph.triples("train")), _answers(asked, graph.triples("valid", "test")))
        return cls(asked[:, 1], asked[:, 0], *lists, given=pairs is not None)


def pairs_of(graph: KnowledgeGraph, asked: str | os.PathLike[str]) -> Ints | None:
    """Return pairs of head and relation, shape (pairs, 2): "all" that there are, or those of a file.

    None for "train": the pairs that train holds.

    Raises
    ------
    InputError
        A file that `read_pairs` cannot read, or a name in it that the graph does not know; its line is named.

    >>> pairs_of(KnowledgeGraph.from_arrays([[0, 0, 1], [1, 1, 0]]), "all").tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    if asked == "train":
        return None
    if asked == "all":
        return np.indices((graph.entities.len(), graph.relations.len())).reshape(2, -1).T.astype(np.int64)
    read = [read_pairs(asked)]
    _, (head,) = numbered(read, ("head",), graph.entities, "entities")
    _, (relation,) = numbered(read, ("relation",), graph.relations, "relations")
    return np.column_stack([head, relation])


def _checked(graph: KnowledgeGraph, pairs: NDArray[Any]) -> Ints:
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu" or not len(pairs):
        raise ParameterError(f"pairs: expected rows of head and relation as numbers, found an array of {pairs.shape}")
    sizes = graph.entities.len(), graph.relations.len()
    wrong = ((pairs < 0) | (pairs >= sizes)).any(axis=1)
    if wrong.any():
        found = tuple(pairs[wrong][0].tolist())
        raise ParameterError(f"pairs: expected numbers of {sizes[0]:,} heads and {sizes[1]:,} relations, found {found}")
    return pairs.astype(np.int64)


def _answers(pairs: Ints, triples: Ints) -> Lists:
    """Return the tails of each pair of relation and head."""
    keys = row_keys(np.concatenate([pairs, triples[:, [1, 0]]]))
    own, given = keys[: len(pairs)], keys[len(pairs) :]
    place = np.minimum(np.searchsorted(own, given), max(len(own) - 1, 0))
    same = own[place] == given if len(own) else np.zeros(len(given), np.bool_)
    return Lists.of(place[same], triples[same, 2], len(pairs))


@dataclass(slots=True, eq=False)
class Admitted:
    """What was found above the floors, and the best triples that train does not hold, with their scores.

    `counts` holds for each relation how many triples are new, held by valid or test, and known from train, shape
    (3, relations). `cut` tells whether there were more than `most` to keep.
    """

    counts: Ints
    most: int
    triples: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    scores: Floats = field(default_factory=lambda: np.zeros(0))
    cut: bool = False
    least: float = -np.inf

    def add(self, triples: Ints, scores: Floats, kind: Ints) -> None:
        """Count triples by their kind (0 new, 1 held, 2 known), and keep the best that train does not hold."""
        for one in range(3):
            self.counts[one] += np.bincount(triples[kind == one, 1], minlength=self.counts.shape[1])
        kept = (kind < 2) & (scores >= self.least)
        self.triples = np.concatenate([self.triples, triples[kept]])
        self.scores = np.concatenate([self.scores, scores[kept]])
        if len(self.scores) > 2 * self.most:
            self.settle()

    def settle(self) -> None:
        """Keep the best, sorted; of equal scores those with the lowest numbers."""
        if len(self.scores) > self.most:
            self.cut = True
            place = len(self.scores) - self.most
            near = self.scores >= np.partition(self.scores, place)[place]
            self.triples, self.scores = self.triples[near], self.scores[near]
        head, relation, tail = self.triples.T
        order = np.lexsort((tail, head, relation, -self.scores))[: self.most]
        self.triples, self.scores = self.triples[order], self.scores[order]
        self.least = float(self.scores[-1]) if self.cut and self.most else -np.inf


def admitted(
    model: Model, asked: Asked, floor: Floats, most: int, progress: Progress | None = None
) -> Admitted:  # fmt: skip
    """Go through all candidates in blocks and take those that score at least the floor of their relation.

    `floor` has the shape (relations,); infinity takes none. At most `most` triples are kept, so memory is bounded.
    `progress` is told how many questions are done, and of how many.

    Raises
    ------
    RunError
        A score that is no number.
    """
    found = Admitted(np.zeros((3, len(floor)), np.int64), most)
    wanted = np.flatnonzero(floor[asked.relation] < np.inf)
    done = 0
    for batch in model.batches("tail", asked.head[wanted], asked.relation[wanted]):
        for start in range(0, len(batch.rows), QUERIES):
            places = np.arange(start, min(start + QUERIES, len(batch.rows)))
            _block(found, model, asked, (batch, places, wanted[batch.rows[places]]), floor)
            done += len(places)
            if progress is not None:
                progress(done, len(wanted))
    found.settle()
    return found


def _block(
    found: Admitted, model: Model, asked: Asked, part: tuple[Batch, Ints, Ints], floor: Floats
) -> None:  # fmt: skip
    """Add the candidates of some questions."""
    batch, places, question = part
    least = floor[asked.relation[question]]
    for first, tile, slack in tiles(batch, places):
        scores = tile + model.offset
        if np.isnan(scores).any():
            raise RunError(f"model {model.name}: expected scores that are numbers, found some that are none")
        place, column = np.nonzero(scores >= (least - slack)[:, None])
        triples = np.column_stack([asked.head[question[place]], asked.relation[question[place]], column + first])
        value = scores[place, column]
        near = np.flatnonzero(np.abs(value - least[place]) <= slack[place]) if slack.any() else np.zeros(0, np.int64)
        value[near] = model.asked("tail", *triples[near].T)
        above = value >= least[place]
        query, tail = question[place[above]], triples[above, 2]
        kind = np.where(asked.known.has(query, tail), 2, asked.held.has(query, tail))
        found.add(triples[above], value[above], kind)


def split_of(graph: KnowledgeGraph, triples: Ints) -> list[str | None]:
    """Return for each triple the first split that holds it, None for a new one."""
    found: list[str | None] = [None] * len(triples)
    for split in reversed(SPLITS):
        if split not in graph.splits:
            continue
        keys = row_keys(np.concatenate([triples, graph.splits[split]]))
        here = np.isin(keys[: len(triples)], keys[len(triples) :])
        found = [split if inside else one for inside, one in zip(here.tolist(), found, strict=True)]
    return found
