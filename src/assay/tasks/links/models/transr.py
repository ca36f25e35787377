"""TransR: TransE in a space of the relation."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.core.judged import Floats
from assay.engines.blocks import Matrix
from assay.tasks.links.models.base import float64, model
from assay.tasks.links.models.projected import ProjectedModel
from assay.tasks.links.models.shapes import TWO_ARRAYS, numbers, one_of, refused, same_rows
from assay.tasks.links.models.transe import Norm


@model("transr")
@dataclass(frozen=True, eq=False)
class TransR(ProjectedModel):
    r"""Minus the distance between head plus relation and tail, both ends mapped into the space of the relation.

    $$ f(h, r, t) = \gamma - \lVert P_r(h) + r - P_r(t) \rVert_p, \qquad P_r(e) = \mathrm{clamp}(e M_r) $$

    A mapped entity whose p-norm is above `clamp` is scaled down to it; None leaves it. The defaults (p = 1,
    clamp = 1) are PyKEEN's; the paper has p = 2, squared, which changes scores and no rank, and DGL-KE p = 1
    without clamp. `entity` has the shape (entities, d), `relation` (relations, k), `projection`
    (relations, d, k) or, row by row in one, (relations, d·k).
    Source: Lin et al. 2015, Learning Entity and Relation Embeddings for Knowledge Graph Completion.

    >>> model = TransR([[0.5, 0.0], [0.0, 0.5]], [[0.25]], projection=[[[1.0], [2.0]]])
    >>> model.by_the_book([0], [0], [1]).tolist()
    [-0.25]
    """

    parts: ClassVar[tuple[str, ...]] = ("relation", "projection")
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {"norm": (1, 2), "clamp": (1.0, None)}

    norm: Norm = 1
    gamma: float = 0.0
    projection: Matrix | None = None
    clamp: float | None = 1.0

    def __post_init__(self) -> None:
        one_of(self.name, "norm", self.norm, (1, 2))
        if self.clamp is not None and not self.clamp > 0:
            raise refused(self.name, "clamp above 0, or None", str(self.clamp))
        if self.projection is None:
            raise refused(self.name, "projections, shape (relations, d, k)", "none", hint=TWO_ARRAYS)
        entity = numbers(self.name, "entity vectors", self.entity)
        relation = numbers(self.name, "relation vectors", self.relation)
        axes = 2 if np.ndim(self.projection) == 2 else 3
        projection = numbers(self.name, "projections", self.projection, axes=axes)
        same_rows(self.name, relation, projection, what="projections")
        shape = (len(relation), entity.shape[1], relation.shape[1])
        if projection.shape not in {shape, (shape[0], shape[1] * shape[2])}:
            raise refused(self.name, f"projections of shape {shape}", f"shape {projection.shape}")
        self._take(entity=entity, relation=relation, projection=projection.reshape(shape))

    def project(self, vectors: Floats, relation: int) -> Floats:
        """Return the vectors times the matrix of the relation, clamped."""
        if self.projection is None:  # pragma: no cover - the checks refused it
            return vectors
        mapped = vectors @ float64(self.projection[relation])
        if self.clamp is None:
            return mapped
        length = np.linalg.norm(mapped, ord=self.norm, axis=1, keepdims=True)
        return float64(mapped * np.minimum(1.0, self.clamp / np.maximum(length, np.finfo(float).tiny)))
