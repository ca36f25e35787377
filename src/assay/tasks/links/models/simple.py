"""SimplE: CP with inverse relations, so that both vectors of an entity learn from each other."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, float64, model
from assay.tasks.links.models.shapes import even_width, numbers, same_width
from assay.tasks.links.protocol import Side


@model("simple")
@dataclass(frozen=True, eq=False)
class SimplE(VectorModel):
    r"""The mean of the triple read forwards and, by the inverse relation, backwards.

    $$ f(h, r, t) = \tfrac12 \left( \sum_i h^H_i r_i t^T_i + \sum_i t^H_i r^{-1}_i h^T_i \right) $$

    A row of `entity`, shape (entities, 2d), is the vector as head then the vector as tail; a row of `relation`,
    shape (relations, 2d), is r then its inverse. Some programs cut scores off at ±20, which only makes ties.
    Source: Kazemi and Poole 2018, SimplE Embedding for Link Prediction in Knowledge Graphs.

    >>> SimplE([[1.0, 2.0], [3.0, 4.0]], [[1.0, 10.0]]).by_the_book([0], [0], [1]).tolist()
    [32.0]
    """

    doubled: ClassVar[tuple[str, ...]] = ("entity", "relation")

    def __post_init__(self) -> None:
        entity = even_width(self.name, "entity vectors", numbers(self.name, "entity vectors", self.entity))
        relation = numbers(self.name, "relation vectors", self.relation)
        same_width(self.name, entity, relation)
        self._take(entity=entity, relation=relation)

    @property
    def kind(self) -> Kind:
        """A dot product over both vectors of the candidate."""
        return "dot"

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return what the candidate's vectors as head and as tail are multiplied by."""
        as_head, as_tail = np.hsplit(float64(self.entity[entity]), 2)
        forwards, backwards = np.hsplit(float64(self.relation[relation]), 2)
        if side == "tail":
            return np.hstack([backwards * as_tail, forwards * as_head]) / 2
        return np.hstack([forwards * as_tail, backwards * as_head]) / 2

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return half the sum of both readings."""
        h_head, h_tail = np.hsplit(float64(self.entity[head]), 2)
        t_head, t_tail = np.hsplit(float64(self.entity[tail]), 2)
        forwards, backwards = np.hsplit(float64(self.relation[relation]), 2)
        both = np.sum(h_head * forwards * t_tail, axis=1) + np.sum(t_head * backwards * h_tail, axis=1)
        return float64(both / 2)
