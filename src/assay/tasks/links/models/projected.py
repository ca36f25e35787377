"""Models that see all entities through the relation: their candidates are made anew for each relation."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Batch
from assay.engines.shards import Shards
from assay.tasks.links.models.base import EmbeddedModel, by_relation, float64
from assay.tasks.links.models.transe import Norm
from assay.tasks.links.protocol import Side

CHUNK = 1 << 14
"""So many entities are projected at a time: the same ones, wherever they lie, since a product of matrices may differ
in its last digit with the number of rows."""


@dataclass(frozen=True, eq=False)
class ProjectedModel(EmbeddedModel):
    r"""Minus the distance between projected head plus relation and projected tail.

    $$ f(h, r, t) = \gamma - \lVert P_r(h) + r - P_r(t) \rVert_p $$

    A subclass has the fields `norm` and `gamma` and says what `project` is. Each relation is one batch; its
    candidates are in float64, shape (entities, width of the relation), in memory, or those of shards when read.
    """

    norm: Norm
    gamma: float

    @abstractmethod
    def project(self, vectors: Floats, relation: int) -> Floats:
        """Return entity vectors as one relation sees them, shape (vectors, width of the relation)."""

    @property
    def offset(self) -> float:
        """The margin."""
        return self.gamma

    def batches(self, side: Side, entity: Ints, relation: Ints) -> Iterator[Batch]:
        """Yield the questions of each relation, in the order of the relations."""
        self.check(entity, relation)
        for number, rows in by_relation(relation):
            candidates = self._candidates(number)
            step = float64(self.relation[number])
            queries = candidates[entity[rows]] + (step if side == "tail" else -step)
            yield Batch(rows, "l1" if self.norm == 1 else "l2", queries, candidates)

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return γ - ‖P(h) + r - P(t)‖, relation by relation."""
        scores = np.empty(len(head))
        for number, rows in by_relation(relation):
            h, t = (self.project(float64(self.entity[np.asarray(end)[rows]]), number) for end in (head, tail))
            gap = h + float64(self.relation[number]) - t
            scores[rows] = self.gamma - np.linalg.norm(gap, ord=self.norm, axis=1)
        return scores

    def _candidates(self, relation: int) -> Floats:
        given: Any = self.entity
        if isinstance(given, Shards):
            return cast("Floats", given.changed(lambda rows: self.project(float64(rows), relation), CHUNK))
        made = np.empty((self.entities, self.relation.shape[1]))
        for start in range(0, self.entities, CHUNK):
            part = slice(start, start + CHUNK)
            made[part] = self.project(float64(self.entity[part]), relation)
        return made
