"""Counting in shares: some questions against a stretch of the candidates, in another process or on another machine.

How many candidates score higher than a target is the sum of how many do in each stretch, and the same holds for
those that score alike. So each stretch can be counted where its vectors lie; only whole numbers come back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from assay.core.hits import Floats, Ints
from assay.engines.block_counts import Asked, Tally
from assay.engines.blocks import Batch, Lists, Matrix
from assay.engines.shards import Shards
from assay.errors import ParameterError


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What was counted in some stretches.

    `greater` and `equal` have a row for all candidates, then one for each set of lists; shapes (sets, targets).
    `bad` are the numbers of the candidates that hold NaN or infinity.
    """

    greater: Ints
    equal: Ints
    bad: Ints

    def __add__(self, other: "Part") -> "Part":
        bad = np.concatenate([self.bad, other.bad])
        return Part(self.greater + other.greater, self.equal + other.equal, bad)

    def to_bytes(self) -> bytes:
        """Return the numbers, to be sent."""
        shape = np.array(self.greater.shape, np.int64)
        whole = np.concatenate([shape, self.greater.ravel(), self.equal.ravel(), self.bad])
        return whole.astype("<i8").tobytes()

    @classmethod
    def from_bytes(cls, sent: bytes) -> "Part":
        """Return what was sent.

        >>> part = Part(np.array([[1, 2]]), np.array([[0, 3]]), np.array([7]))
        >>> (part + Part.from_bytes(part.to_bytes())).greater.tolist()
        [[2, 4]]
        """
        numbers = np.frombuffer(sent, "<i8").astype(np.int64)
        shape, size = tuple(numbers[:2].tolist()), int(np.prod(numbers[:2]))
        greater, equal, bad = np.split(numbers[2:], [size, 2 * size])
        return cls(greater.reshape(shape), equal.reshape(shape), bad)


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """All that is needed to count the targets of some questions against a stretch of the candidates.

    `batch` has the questions, numbered from 0 on, and its candidates as shards, of which only what is counted is
    read. `targets` and `lists` are those of these questions; `values` are the exact values of the targets, question
    after question.
    """

    batch: Batch
    targets: Lists
    lists: Mapping[str, Lists]
    values: Floats
    entities: int
    block: int
    compiled: bool | None = None

    def count(self, spans: Iterable[slice]) -> Part:
        """Count in some stretches, at least one."""
        return reduce(Part.__add__, map(self._count, spans))

    def _count(self, span: slice) -> Part:
        from assay.engines.passes import Pass, both

        tally = Tally(self.targets, self.lists)
        way = Pass(tally, self.entities, self.block, "worst", self.compiled)
        way.choose(self.batch.kind, both(self.batch)[0].shape[1])
        bad = way.over(self.batch, self.values, span)
        index = Asked.of(self.targets, self.batch.rows).index
        greater, equal = (np.stack([one[index] for one in some.values()]) for some in (tally.greater, tally.equal))
        return Part(greater, equal, bad)


Across = Callable[[Share, Sequence[slice]], Iterable[Part]]
"""What has a share counted in all stretches, each once, and returns what was found in whatever order."""


def lists_for(lists: Lists, rows: Ints) -> Lists:
    """Return the lists of some queries, numbered by their place.

    >>> lists = Lists.of(np.array([0, 0, 2, 2]), np.array([1, 3, 0, 4]), queries=3)
    >>> lists_for(lists, np.array([2, 0])).pairs(np.array([0, 1]))
    (array([0, 0, 1, 1]), array([0, 4, 1, 3]))
    """
    kept, number = np.unique(lists.list_of(rows), return_inverse=True)
    alone = Lists(lists.start, lists.entity)
    return Lists(np.concatenate([[0], np.cumsum(alone.sizes(kept))]), alone.pairs(kept)[1], number)


def spans_of(candidates: Matrix | Shards | None) -> list[slice]:
    """Return the stretches of candidates that can be counted elsewhere.

    Raises
    ------
    ParameterError
        Candidates that lie in this process, or that are computed many at a time.
    """
    if not isinstance(candidates, Shards):
        hint = "assay.tasks.links.embeddings.read_embeddings('entities-*.npy') reads no more than it must."
        raise ParameterError("counting elsewhere: expected entity vectors in files, found an array", hint=hint)
    if candidates.step:
        msg = "counting elsewhere: expected the same vectors of entities for each relation, found a projection of them"
        raise ParameterError(msg, hint="a projection may differ in its last digit between machines: rank on one.")
    return candidates.spans
