"""TuckER: one core tensor between head, relation and tail."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, by_relation, float64, model
from assay.tasks.links.models.shapes import TWO_ARRAYS, numbers, one_of, refused
from assay.tasks.links.protocol import Side

AXES = {"hrt": (0, 1, 2), "rht": (1, 0, 2)}


@model("tucker")
@dataclass(frozen=True, eq=False)
class TuckER(VectorModel):
    r"""The core tensor multiplied by head, relation and tail.

    $$ f(h, r, t) = \mathcal{W} \times_1 h \times_2 r \times_3 t = \sum_{ijk} W_{ijk} h_i r_j t_k $$

    `entity` has the shape (entities, d), `relation` (relations, k). `axes` says how `core` stands: "hrt" is
    (d, k, d), as PyKEEN stores it, "rht" is (k, d, d), as the paper's program does. Batch normalisation between
    the products, where a program has it, must be multiplied into the vectors before.
    Source: Balažević et al. 2019, TuckER: Tensor Factorization for Knowledge Graph Completion.

    >>> TuckER([[1.0, 0.0], [0.0, 1.0]], [[2.0]], core=[[[0.0, 5.0]], [[0.0, 0.0]]]).by_the_book([0], [0], [1]).tolist()
    [10.0]
    """

    parts: ClassVar[tuple[str, ...]] = ("relation", "core")
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {"axes": ("hrt", "rht")}

    core: Matrix | None = None
    axes: Literal["hrt", "rht"] = "hrt"

    def __post_init__(self) -> None:
        one_of(self.name, "axes", self.axes, tuple(AXES))
        if self.core is None:
            raise refused(self.name, "a core tensor", "none", hint=TWO_ARRAYS)
        entity = numbers(self.name, "entity vectors", self.entity)
        relation = numbers(self.name, "relation vectors", self.relation)
        core = numbers(self.name, "a core tensor", self.core, axes=3)
        shape = np.array([entity.shape[1], relation.shape[1], entity.shape[1]])[list(AXES[self.axes])]
        if core.shape != tuple(shape):
            wanted = f"a core tensor of shape {tuple(shape.tolist())} (axes {self.axes})"
            raise refused(self.name, wanted, f"shape {core.shape}", hint='axes="rht" has the relation first.')
        self._take(entity=entity, relation=relation, core=core)

    @property
    def kind(self) -> Kind:
        """A dot product."""
        return "dot"

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return the core times the relation times the other end."""
        vectors = float64(self.entity[entity])
        for number, rows in by_relation(relation):
            matrix = np.tensordot(float64(self.relation[number]), self._core, axes=(0, 1))
            vectors[rows] = vectors[rows] @ (matrix if side == "tail" else matrix.T)
        return vectors

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return Σ W h r t, relation by relation."""
        h, t, scores = float64(self.entity[head]), float64(self.entity[tail]), np.empty(len(head))
        for number, rows in by_relation(relation):
            r = float64(self.relation[number])
            scores[rows] = np.einsum("ijk,ni,j,nk->n", self._core, h[rows], r, t[rows], optimize=True)
        return scores

    @property
    def _core(self) -> Floats:
        """The core with the axes head, relation, tail."""
        return float64(self.core).transpose(AXES[self.axes])
