"""`Scorer`: any function that scores all entities, on NumPy or PyTorch, as a model."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.judged import Floats, Ints
from assay.engines.blocks import Batch, Matrix
from assay.errors import MissingExtraError, ParameterError
from assay.tasks.links.models.base import Model
from assay.tasks.links.models.shapes import as_array
from assay.tasks.links.protocol import Side

PLACES = 256
"""So many questions are scored at a time where single triples are asked about."""


@dataclass(frozen=True, eq=False)
class Scorer(Model):
    r"""The scores that a function gives: of all tails t for (h, r, ?), of all heads h for (?, r, t).

    $$ (h, r, ?): s(h, r, \text{tail})_t \qquad (?, r, t): s(t, r, \text{head})_h $$

    `scores(entity, relation, side)` takes numbers of shape (batch,) and "tail" or "head", and returns scores of
    the shape (batch, entities), higher is better, as an array or as a tensor on any device. With `torch` the
    numbers come as tensors, and gradients are off. The function must give a question the same scores in every
    batch; no score is computed again in float64. One triple may have two scores, one for each side.

    >>> def scores(entity, relation, side):
    ...     return np.equal.outer(entity + relation, np.arange(3)) * 1.0
    >>> model = Scorer(scores, 3, 2)
    >>> model.by_the_book([0, 1], [1, 1], [1, 1]).tolist()
    [1.0, 0.0]
    """

    scores: Callable[[Any, Any, Side], Any]
    number_of_entities: int
    number_of_relations: int
    name: str = "scorer"
    torch: bool = False

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return self.number_of_entities

    @property
    def relations(self) -> int:
        """How many relations there are."""
        return self.number_of_relations

    def batches(self, side: Side, entity: Ints, relation: Ints) -> Iterator[Batch]:
        """Yield one batch, whose scores are asked for some rows at a time."""
        self.check(entity, relation)
        rows = np.arange(len(entity), dtype=np.int64)

        def score(places: Ints) -> Matrix:
            return self._asked(side, entity[places], relation[places])

        yield Batch(rows, "scores", score=score)

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return the scores of tails."""
        return self.asked("tail", head, relation, tail)

    def asked(self, side: Side, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return the scores as tails, or as heads."""
        entity, answer = (head, tail) if side == "tail" else (tail, head)
        entity, relation, answer = (np.asarray(numbers, np.int64) for numbers in (entity, relation, answer))
        values = np.empty(len(entity))
        for start in range(0, len(entity), PLACES):
            part = slice(start, start + PLACES)
            found = self._asked(side, entity[part], relation[part])
            values[part] = found[np.arange(len(found)), answer[part]]
        return values

    def _asked(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return the scores of all entities, checked."""
        given = self._on_torch(side, entity, relation) if self.torch else self.scores(entity, relation, side)
        found = as_array(given)
        if found.shape != (len(entity), self.entities):
            msg = f"model {self.name}: expected scores of shape {(len(entity), self.entities)}, found {found.shape}"
            raise ParameterError(msg, hint="one row for each question, one column for each entity.")
        return found

    def _on_torch(self, side: Side, entity: Ints, relation: Ints) -> Any:
        try:
            import torch
        except ImportError:
            raise MissingExtraError.of("scoring with tensors", "torch", "pykeen") from None

        with torch.no_grad():
            return self.scores(torch.from_numpy(entity), torch.from_numpy(relation), side)
