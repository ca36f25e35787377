"""CP: an entity has one vector as head and another as tail."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, float64, model
from assay.tasks.links.models.shapes import even_width, numbers, refused
from assay.tasks.links.protocol import Side


@model("cp")
@dataclass(frozen=True, eq=False)
class CP(VectorModel):
    r"""The product of the head's vector as head, the relation and the tail's vector as tail.

    $$ f(h, r, t) = \sum_i h^H_i r_i t^T_i $$

    A row of `entity`, shape (entities, 2d), is the vector as head then the vector as tail; `relation` has the
    shape (relations, d).
    Source: Hitchcock 1927, The Expression of a Tensor or a Polyadic as a Sum of Products; Lacroix et al. 2018.

    >>> CP([[1.0, 2.0], [3.0, 4.0]], [[10.0]]).by_the_book([0, 1], [0, 0], [1, 0]).tolist()
    [40.0, 60.0]
    """

    doubled: ClassVar[tuple[str, ...]] = ("entity",)

    def __post_init__(self) -> None:
        entity = even_width(self.name, "entity vectors", numbers(self.name, "entity vectors", self.entity))
        relation = numbers(self.name, "relation vectors", self.relation)
        if 2 * relation.shape[1] != entity.shape[1]:
            wanted = f"relation vectors half as wide as the entity vectors ({entity.shape[1]})"
            hint = "an entity has a vector as head and one as tail, side by side."
            raise refused(self.name, wanted, f"shape {relation.shape}", hint=hint)
        self._take(entity=entity, relation=relation)

    @property
    def kind(self) -> Kind:
        """A dot product."""
        return "dot"

    def candidates(self, side: Side) -> Matrix:
        """Return the vectors as tail for the tail, as head for the head."""
        half = self.relation.shape[1]
        return self.entity[:, half:] if side == "tail" else self.entity[:, :half]

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return the relation times the other end."""
        other = self.candidates("head" if side == "tail" else "tail")
        return float64(other[entity]) * float64(self.relation[relation])

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return Σ h r t."""
        half = self.relation.shape[1]
        as_head, as_tail = float64(self.entity[head])[:, :half], float64(self.entity[tail])[:, half:]
        return float64(np.sum(as_head * float64(self.relation[relation]) * as_tail, axis=1))
