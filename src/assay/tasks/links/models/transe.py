"""TransE: a relation is a step from head to tail."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, float64, model
from assay.tasks.links.models.shapes import numbers, one_of, same_width
from assay.tasks.links.protocol import Side

Norm = Literal[1, 2]


@model("transe")
@dataclass(frozen=True, eq=False)
class TransE(VectorModel):
    r"""Minus the distance between head plus relation and tail.

    $$ f(h, r, t) = \gamma - \lVert h + r - t \rVert_p $$

    with p = `norm`, 1 or 2, which must be said; the 2-norm is not squared. `entity` has the shape (entities, d),
    `relation` (relations, d). `gamma` moves all scores alike (DGL-KE adds it; PyKEEN has none). PyTorch Geometric
    divides entity vectors by their norm first: give them so.
    Source: Bordes et al. 2013, Translating Embeddings for Modeling Multi-relational Data.

    >>> entity = [[0.0, 0.0], [1.0, 1.0], [1.0, 2.0]]
    >>> TransE(entity, [[1.0, 0.0]], norm=1).by_the_book([0, 0], [0, 0], [1, 2]).tolist()
    [-1.0, -2.0]
    """

    choices: ClassVar[dict[str, tuple[Any, ...]]] = {"norm": (1, 2)}

    norm: Norm
    gamma: float = 0.0

    def __post_init__(self) -> None:
        one_of(self.name, "norm", self.norm, (1, 2))
        entity = numbers(self.name, "entity vectors", self.entity)
        relation = numbers(self.name, "relation vectors", self.relation)
        same_width(self.name, entity, relation)
        self._take(entity=entity, relation=relation)

    @property
    def name(self) -> str:
        """The name with the norm, as the command line has it."""
        return f"{self.registered}-l{self.norm}"

    @property
    def offset(self) -> float:
        """The margin."""
        return self.gamma

    @property
    def kind(self) -> Kind:
        """Minus the norm."""
        return "l1" if self.norm == 1 else "l2"

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return h + r for the tail, t - r for the head."""
        step = float64(self.relation[relation])
        return float64(self.entity[entity]) + (step if side == "tail" else -step)

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return γ - ‖h + r - t‖."""
        h, r, t = float64(self.entity[head]), float64(self.relation[relation]), float64(self.entity[tail])
        return float64(self.gamma - np.linalg.norm(h + r - t, ord=self.norm, axis=1))
