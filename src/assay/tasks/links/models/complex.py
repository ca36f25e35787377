"""ComplEx: DistMult over complex numbers, which can tell head from tail."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Kind, Matrix
from assay.tasks.links.models.base import VectorModel, float64, model
from assay.tasks.links.models.layouts import Layout, complex_array, real_view, to_complex, to_real, width
from assay.tasks.links.models.shapes import refused
from assay.tasks.links.protocol import Side


@model("complex")
@dataclass(frozen=True, eq=False)
class ComplEx(VectorModel):
    r"""The real part of the product of head, relation and conjugate tail.

    $$ f(h, r, t) = \mathrm{Re} \sum_i h_i r_i \overline{t_i} $$

    Arrays of complex numbers have the shapes (entities, d) and (relations, d). Arrays of real numbers are twice
    as wide, and `layout` says how: "halves" (all real parts, then all imaginary ones: LibKGE, DGL-KE,
    PyTorch-BigGraph) or "interleaved" (real and imaginary in turns).
    Source: Trouillon et al. 2016, Complex Embeddings for Simple Link Prediction.

    >>> ComplEx([[1 + 2j], [3 + 1j]], [[1j]]).by_the_book([0, 1], [0, 0], [1, 0]).tolist()
    [-5.0, 5.0]
    """

    doubled: ClassVar[tuple[str, ...]] = ("entity", "relation")
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {"layout": ("halves", "interleaved")}

    layout: Layout | None = None

    def __post_init__(self) -> None:
        entity = complex_array(self.name, "entity vectors", self.entity, self.layout)
        relation = complex_array(self.name, "relation vectors", self.relation, self.layout)
        if width(relation) != width(entity):
            wanted = f"relation vectors of {width(entity)} complex numbers, as the entity vectors"
            raise refused(self.name, wanted, f"shape {relation.shape} of {relation.dtype}")
        self._take(entity=entity, relation=relation)

    @property
    def kind(self) -> Kind:
        """A dot product of real and imaginary parts."""
        return "dot"

    def candidates(self, side: Side) -> Matrix:
        """Return the entity vectors as real numbers."""
        del side
        return real_view(self.entity)

    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return h r for the tail, t times the conjugate of r for the head: the score is then Re(q ē)."""
        factor = to_complex(self.relation[relation], self.layout)
        vectors = to_complex(self.entity[entity], self.layout)
        vectors *= factor if side == "tail" else factor.conj()
        return to_real(vectors, None if self.entity.dtype.kind == "c" else self.layout)

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return Re Σ h r t̄."""
        h, t = to_complex(self.entity[head], self.layout), to_complex(self.entity[tail], self.layout)
        r = to_complex(self.relation[relation], self.layout)
        return float64(np.sum(h * r * t.conj(), axis=1).real)
