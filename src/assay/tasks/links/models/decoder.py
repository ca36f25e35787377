"""`Decoder`: node vectors of a graph neural network, and what makes a score of two of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Batch
from assay.tasks.links.models.base import EmbeddedModel, VectorModel, float64, model
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.shapes import numbers, one_of, refused
from assay.tasks.links.models.transe import Norm, TransE
from assay.tasks.links.protocol import Side


@model("decoder")
@dataclass(frozen=True, eq=False)
class Decoder(EmbeddedModel):
    r"""Node vectors that an encoder (R-GCN, CompGCN, GraphSAGE …) has made, scored by a decoder.

    $$ \text{distmult}: \sum_i h_i r_i t_i \qquad \text{transe}: \gamma - \lVert h + r - t \rVert_p
       \qquad \text{dot}: \sum_i h_i t_i $$

    `entity` holds the vectors after the last layer, of evaluation mode, shape (entities, d); `relation` those of
    the decoder, shape (relations, d). "dot" has no relation vectors: all relations score alike, and `relation`
    is how many there are. Tensors of PyTorch are taken as arrays. A decoder that is none of these is a `Scorer`.
    Source: Schlichtkrull et al. 2018, Modeling Relational Data with Graph Convolutional Networks.

    >>> Decoder([[1.0, 2.0], [3.0, 4.0]], 1, form="dot").by_the_book([0], [0], [1]).tolist()
    [11.0]
    """

    choices: ClassVar[dict[str, tuple[Any, ...]]] = {"form": ("distmult", "transe"), "norm": (1, 2)}

    form: Literal["distmult", "transe", "dot"] = "distmult"
    norm: Norm = 1
    gamma: float = 0.0

    def __post_init__(self) -> None:
        one_of(self.name, "form", self.form, ("distmult", "transe", "dot"))
        if np.ndim(self.relation) == 0 and self.form != "dot":
            raise refused(self.name, f"relation vectors for the form {self.form}", "none")
        self._take(entity=self._model.entity)

    @cached_property
    def _model(self) -> VectorModel:
        """The decoder as a model of its own."""
        if self.form == "distmult":
            return DistMult(self.entity, self.relation)
        if self.form == "transe":
            return TransE(self.entity, self.relation, norm=self.norm, gamma=self.gamma)
        count = int(self.relation) if np.ndim(self.relation) == 0 else len(self.relation)
        entity = numbers(self.name, "entity vectors", self.entity)
        return DistMult(entity, np.broadcast_to(np.ones(1), (count, entity.shape[1])))

    @property
    def name(self) -> str:
        """The name with the form, as the command line has it."""
        return f"{self.registered}-{self.form}"

    @property
    def relations(self) -> int:
        """How many relations there are."""
        return self._model.relations

    @property
    def offset(self) -> float:
        """The margin of the form "transe"."""
        return self._model.offset

    def batches(self, side: Side, entity: Ints, relation: Ints) -> Iterator[Batch]:
        """Yield the questions as the decoder's model does."""
        return self._model.batches(side, entity, relation)

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return the formula of the decoder."""
        if self.form == "dot":
            return float64(np.sum(float64(self.entity[head]) * float64(self.entity[tail]), axis=1))
        return self._model.by_the_book(head, relation, tail)
