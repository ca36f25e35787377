"""`Model`: a link predictor as query vectors against candidate vectors, a batch of questions at a time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from assay.core.judged import Floats, Ints
from assay.core.registry import Registry
from assay.engines.blocks import Batch, Kind, Matrix
from assay.engines.shards import Shards
from assay.errors import ParameterError
from assay.tasks.links.protocol import Side

MODELS: Registry[type["EmbeddedModel"]] = Registry("model")
"""Every model of embeddings by its name."""

PIECE = 8192
"""So many questions are turned into query vectors at a time."""

AnyModel = TypeVar("AnyModel", bound="type[EmbeddedModel]")


def model(name: str) -> Callable[[AnyModel], AnyModel]:
    """Register a class of models under its name."""

    def register(cls: AnyModel) -> AnyModel:
        cls.registered = name
        MODELS.add(name, cls)
        return cls

    return register


class Model(ABC):
    """The base of all models: a frozen record of vectors and conventions.

    A question of side "tail" is (entity, relation, ?), one of side "head" (?, relation, entity). `batches` turns
    questions into what an engine counts: vectors of the questions against vectors of all entities. `by_the_book`
    gives the score of single triples in float64, straight from the formula. The scores of a batch are those
    of the book less `offset`, a constant that no rank depends on.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What the model is called in results."""

    @property
    @abstractmethod
    def entities(self) -> int:
        """How many entities there are; all are candidates."""

    @property
    @abstractmethod
    def relations(self) -> int:
        """How many relations there are."""

    @property
    def offset(self) -> float:
        """What the score of a triple has on top of what a batch gives: the margin (gamma) of the training."""
        return 0.0

    @property
    def notice(self) -> str | None:
        """What there is to say of the entity vectors: from which files their rows are, where those are several."""
        return None

    @abstractmethod
    def batches(self, side: Side, entity: Ints, relation: Ints) -> Iterator[Batch]:
        """Yield the questions as batches, which together hold each row of `entity` and `relation` once.

        `entity` and `relation` are numbers of shape (questions,); ParameterError for numbers out of range.
        """

    @abstractmethod
    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return the scores of triples as the formula says, in float64, shape (triples,)."""

    def asked(self, side: Side, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return the scores of triples as answers to the questions of one side, shape (triples,).

        The same as `by_the_book`, but for a model that answers the two sides in different ways.
        """
        del side
        return self.by_the_book(head, relation, tail)

    def check(self, entity: ArrayLike, relation: ArrayLike) -> None:
        """Raise ParameterError where a number is none of an entity or of a relation."""
        for what, numbers, count in (("entity", entity, self.entities), ("relation", relation, self.relations)):
            given = np.asarray(numbers)
            if given.size and not (given.min() >= 0 and given.max() < count):
                wrong = given[(given < 0) | (given >= count)].flat[0]
                msg = f"model {self.name}: expected numbers of {what} from 0 to {count - 1}, found {wrong}"
                raise ParameterError(msg, hint="the numbers of the triples are the rows of the embeddings.")


@dataclass(frozen=True, eq=False)
class EmbeddedModel(Model):
    """A model of vectors: one row of `entity` for each entity, one of `relation` for each relation."""

    registered: ClassVar[str] = ""
    parts: ClassVar[tuple[str, ...]] = ("relation",)
    """The fields that arrays about relations fill, in their order."""
    doubled: ClassVar[tuple[str, ...]] = ()
    """The fields whose rows are two vectors side by side, which may come as two arrays."""
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {}
    """The conventions in which programs differ, by field."""

    entity: Matrix
    relation: Matrix

    @property
    def name(self) -> str:
        """The name under which it is registered."""
        return self.registered

    @property
    def entities(self) -> int:
        """The rows of the entity vectors."""
        return len(self.entity)

    @property
    def relations(self) -> int:
        """The rows of the relation vectors."""
        return len(self.relation)

    @property
    def notice(self) -> str | None:
        """From which files the rows of the entities are, where those are several."""
        given: Any = self.entity
        return f"entity vectors: {given.notice}." if isinstance(given, Shards) else None

    def _take(self, **made: Any) -> None:
        """Set fields to what the checks made of them."""
        for field, value in made.items():
            object.__setattr__(self, field, value)


@dataclass(frozen=True, eq=False)
class VectorModel(EmbeddedModel):
    """A model whose candidates have the same vectors for every relation.

    A subclass says `kind`, `candidates(side)` and `query(side, entity, relation)`.
    """

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """How a query vector and a candidate vector make a score."""

    @abstractmethod
    def query(self, side: Side, entity: Ints, relation: Ints) -> Matrix:
        """Return the vectors of questions in float64 or complex128, shape (questions, width)."""

    def candidates(self, side: Side) -> Matrix:
        """Return the vectors of all entities as answers to one side, as they are stored, shape (entities, width)."""
        del side
        return self.entity

    def batches(self, side: Side, entity: Ints, relation: Ints) -> Iterator[Batch]:
        """Yield the questions in their order, in pieces."""
        self.check(entity, relation)
        candidates = self.candidates(side)
        for start in range(0, len(entity), PIECE):
            rows = np.arange(start, min(start + PIECE, len(entity)), dtype=np.int64)
            yield Batch(rows, self.kind, self.query(side, entity[rows], relation[rows]), candidates)


def by_relation(relation: ArrayLike) -> Iterator[tuple[int, Ints]]:
    """Yield each relation that is asked about, with the places of its questions.

    >>> [(number, rows.tolist()) for number, rows in by_relation(np.array([3, 1, 3]))]
    [(1, [1]), (3, [0, 2])]
    """
    asked = np.asarray(relation, np.int64)
    order = np.argsort(asked, kind="stable").astype(np.int64)
    numbers, starts = np.unique(asked[order], return_index=True)
    yield from zip(numbers.tolist(), np.split(order, starts[1:]), strict=False)


def float64(rows: Any) -> Floats:
    """Return rows in float64."""
    return np.asarray(rows, np.float64)
