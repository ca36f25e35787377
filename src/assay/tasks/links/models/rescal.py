"""RESCAL: a relation is a matrix between head and tail."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, by_relation, float64, model
from assay.tasks.links.models.shapes import numbers, refused
from assay.tasks.links.protocol import Side


@model("rescal")
@dataclass(frozen=True, eq=False)
class RESCAL(VectorModel):
    r"""Head times the matrix of the relation times tail.

    $$ f(h, r, t) = h^\top M_r\, t = \sum_{ij} h_i (M_r)_{ij} t_j $$

    `entity` has the shape (entities, d), `relation` (relations, d, d) or, row by row in one, (relations, d²).
    `transposed` says that a stored matrix stands with the tail in its rows.
    Source: Nickel et al. 2011, A Three-Way Model for Collective Learning on Multi-Relational Data.

    >>> RESCAL([[1.0, 0.0], [0.0, 1.0]], [[0.0, 2.0, 3.0, 0.0]]).by_the_book([0, 1], [0, 0], [1, 0]).tolist()
    [2.0, 3.0]
    """

    choices: ClassVar[dict[str, tuple[Any, ...]]] = {"transposed": (False, True)}

    transposed: bool = False

    def __post_init__(self) -> None:
        entity = numbers(self.name, "entity vectors", self.entity)
        axes = 2 if np.ndim(self.relation) == 2 else 3
        relation = numbers(self.name, "relation matrices", self.relation, axes=axes)
        d = entity.shape[1]
        if relation.shape[1:] not in {(d * d,), (d, d)}:
            wanted = f"relation matrices of shape ({len(relation)}, {d}, {d}) or ({len(relation)}, {d * d})"
            side = math.isqrt(math.prod(relation.shape[1:]))
            hint = (
                f"such relations go with entity vectors of width {side}."
                if side and side * side == math.prod(relation.shape[1:])
                else None
            )
            raise refused(self.name, wanted, f"shape {relation.shape}", hint=hint)
        self._take(entity=entity, relation=relation.reshape(-1, d, d))

    @property
    def kind(self) -> Kind:
        """A dot product."""
        return "dot"

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return Mᵀh for the tail, Mt for the head."""
        vectors = float64(self.entity[entity])
        for number, rows in by_relation(relation):
            matrix = self._matrix(number)
            vectors[rows] = vectors[rows] @ (matrix if side == "tail" else matrix.T)
        return vectors

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return Σ h M t, relation by relation."""
        h, t, scores = float64(self.entity[head]), float64(self.entity[tail]), np.empty(len(head))
        for number, rows in by_relation(relation):
            scores[rows] = np.einsum("ni,ij,nj->n", h[rows], self._matrix(number), t[rows], optimize=True)
        return scores

    def _matrix(self, relation: int) -> Floats:
        matrix = float64(self.relation[relation])
        return matrix.T if self.transposed else matrix
