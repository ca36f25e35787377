"""TransH: TransE on a hyperplane of the relation."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.core.judged import Floats
from assay.engines.blocks import Matrix
from assay.tasks.links.models.base import float64, model
from assay.tasks.links.models.projected import ProjectedModel
from assay.tasks.links.models.shapes import TWO_ARRAYS, numbers, one_of, refused, same_rows, same_width
from assay.tasks.links.models.transe import Norm


@model("transh")
@dataclass(frozen=True, eq=False)
class TransH(ProjectedModel):
    r"""Minus the distance between head plus relation and tail, all on the hyperplane of the relation.

    $$ f(h, r, t) = \gamma - \lVert P_r(h) + r - P_r(t) \rVert_p, \qquad P_r(e) = e - (w_r \cdot e)\, w_r $$

    `entity` has the shape (entities, d), `relation` and `normal` (relations, d). Normals w are brought to length
    1, or with unit=False taken as they are (as PyKEEN 1.11 does with its first relation vectors, which are w).
    The distance is not squared: the paper squares it, which changes scores and no rank. PyKEEN has p = 2.
    Source: Wang et al. 2014, Knowledge Graph Embedding by Translating on Hyperplanes.

    >>> model = TransH([[1.0, 0.0], [1.0, 5.0]], [[0.0, 0.0]], normal=[[0.0, 2.0]])
    >>> model.by_the_book([0], [0], [1]).tolist()
    [0.0]
    """

    parts: ClassVar[tuple[str, ...]] = ("relation", "normal")
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {"norm": (1, 2), "unit": (True, False)}

    norm: Norm = 2
    gamma: float = 0.0
    normal: Matrix | None = None
    unit: bool = True

    def __post_init__(self) -> None:
        one_of(self.name, "norm", self.norm, (1, 2))
        if self.normal is None:
            raise refused(self.name, "normals of the hyperplanes, shape (relations, d)", "none", hint=TWO_ARRAYS)
        entity = numbers(self.name, "entity vectors", self.entity)
        relation = numbers(self.name, "relation vectors", self.relation)
        normal = float64(numbers(self.name, "normals", self.normal))
        same_width(self.name, entity, relation)
        same_width(self.name, entity, normal, what="normals")
        same_rows(self.name, relation, normal, what="normals")
        length = np.linalg.norm(normal, axis=1)
        if not np.all(length > 0):
            raise refused(self.name, "normals longer than 0", f"length {length.min():g}")
        self._take(entity=entity, relation=relation, normal=normal)

    def project(self, vectors: Floats, relation: int) -> Floats:
        """Return the vectors without their part along the normal."""
        normal = float64(self.normal)[relation]
        square = float(normal @ normal) if self.unit else 1.0
        return vectors - np.outer(vectors @ normal / square, normal)
