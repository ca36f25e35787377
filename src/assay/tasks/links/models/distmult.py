"""DistMult: a relation weighs what head and tail have in common."""

from dataclasses import dataclass

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, float64, model
from assay.tasks.links.models.shapes import numbers, same_width
from assay.tasks.links.protocol import Side


@model("distmult")
@dataclass(frozen=True, eq=False)
class DistMult(VectorModel):
    r"""The product of head, relation and tail, summed over the dimensions.

    $$ f(h, r, t) = \sum_i h_i r_i t_i $$

    Symmetric: (h, r, t) and (t, r, h) score the same. `entity` has the shape (entities, d), `relation`
    (relations, d).
    Source: Yang et al. 2015, Embedding Entities and Relations for Learning and Inference in Knowledge Bases.

    >>> DistMult([[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.5]]).by_the_book([0], [0], [1]).tolist()
    [7.0]
    """

    def __post_init__(self) -> None:
        entity = numbers(self.name, "entity vectors", self.entity)
        relation = numbers(self.name, "relation vectors", self.relation)
        same_width(self.name, entity, relation)
        self._take(entity=entity, relation=relation)

    @property
    def kind(self) -> Kind:
        """A dot product."""
        return "dot"

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return the entity times the relation."""
        del side
        return float64(self.entity[entity]) * float64(self.relation[relation])

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return Σ h r t."""
        h, r, t = float64(self.entity[head]), float64(self.relation[relation]), float64(self.entity[tail])
        return float64(np.sum(h * r * t, axis=1))
