"""`Reciprocal`: a model that has learned each relation twice, and answers for the head as for a tail."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Batch
from assay.tasks.links.models.base import Model
from assay.tasks.links.models.shapes import one_of, refused
from assay.tasks.links.protocol import Side

Order = Literal["halves", "alternating"]


@dataclass(frozen=True, eq=False)
class Reciprocal(Model):
    r"""A model of 2R relations, of which half are the inverses of the others.

    $$ (h, r, ?): f(h, r, \cdot) \qquad (?, r, t): f(t, r^{-1}, \cdot) $$

    So one triple has two scores, one for each side; `by_the_book` gives that of its tail. `order` says which row
    is the inverse of relation r: "halves" is r + R (kbc, LibKGE, TuckER), "alternating" has relation r in row
    2r and its inverse in row 2r + 1 (PyKEEN). Triples hold the R relations, never their inverses.
    Source: Lacroix et al. 2018, Canonical Tensor Decomposition for Knowledge Base Completion.

    >>> from assay.tasks.links.models import DistMult
    >>> model = Reciprocal(DistMult([[1.0], [2.0]], [[3.0], [5.0]]))
    >>> model.relations, model.asked("tail", [0], [0], [1]).tolist(), model.asked("head", [0], [0], [1]).tolist()
    (1, [6.0], [10.0])
    """

    model: Model
    order: Order = "halves"

    def __post_init__(self) -> None:
        one_of(self.name, "order", self.order, ("halves", "alternating"))
        if self.model.relations % 2:
            raise refused(self.name, "two rows for each relation", f"{self.model.relations} rows")

    @property
    def name(self) -> str:
        """The name of the model within."""
        return f"{self.model.name}, reciprocal"

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return self.model.entities

    @property
    def relations(self) -> int:
        """Half of the rows."""
        return self.model.relations // 2

    @property
    def offset(self) -> float:
        """The margin of the model within."""
        return self.model.offset

    @property
    def notice(self) -> str | None:
        """What there is to say of the model within."""
        return self.model.notice

    def batches(self, side: Side, entity: Ints, relation: Ints) -> Iterator[Batch]:
        """Yield the questions as questions for the tail."""
        self.check(entity, relation)
        return self.model.batches("tail", entity, self._row(side, relation))

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return f(h, r, t)."""
        return self.asked("tail", head, relation, tail)

    def asked(self, side: Side, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return f(h, r, t) for the tail, f(t, r⁻¹, h) for the head."""
        ends = (head, tail) if side == "tail" else (tail, head)
        return self.model.by_the_book(ends[0], self._row(side, relation), ends[1])

    def _row(self, side: Side, relation: Ints) -> Ints:
        """Return the rows of the relations, or of their inverses."""
        inverse = int(side == "head")
        numbers = np.asarray(relation, np.int64)
        return numbers + inverse * self.relations if self.order == "halves" else 2 * numbers + inverse
