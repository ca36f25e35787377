"""Ranks from scores of (query × candidate) in blocks: how many score higher than each target, how many alike."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from assay.core.hits import Flags, Floats, Ints
from assay.core.progress import Progress
from assay.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from assay.engines.shares import Across

Kind = Literal["dot", "l2", "l1", "modulus", "scores"]
"""How a query and a candidate make a score: q·e, -|q - e|₂, -|q - e|₁, -Σ|qᵢ - eᵢ| over complex numbers, or given."""
Matrix = NDArray[Any]
NAN = ("error", "worst")
BLOCK = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some queries against all candidates.

    `rows` are the numbers of the queries. `queries` has the shape (rows, d) and `candidates` (entities, d), real,
    or complex for kind "modulus"; candidates may be memory-mapped, or `Shards`. For kind "scores" both are None and
    `score` returns the scores of some of the rows (places in `rows`), shape (places, entities).
    """

    rows: Ints
    kind: Kind
    queries: Matrix | None = None
    candidates: Matrix | None = None
    score: Callable[[Ints], Matrix] | None = None


@dataclass(frozen=True, eq=False)
class Lists:
    """For each query a list of entities without repeats, ascending: list i is `entity[start[i] : start[i + 1]]`.

    Query i has list i, or list `number[i]` where queries share lists.

    >>> lists = Lists.of(np.array([1, 0, 1, 1]), np.array([4, 2, 3, 4]), queries=2)
    >>> lists.sizes(np.array([0, 1])), lists.has(np.array([0, 1]), np.array([4, 4]))
    (array([1, 2]), array([False,  True]))
    """

    start: Ints
    entity: Ints
    number: Ints | None = None

    @classmethod
    def of(cls, query: Ints, entity: Ints, queries: int, number: Ints | None = None) -> Self:
        """Gather pairs of query and entity; a pair that occurs twice counts once."""
        span = int(entity.max(initial=0)) + 1
        pairs = np.sort(np.asarray(query, np.int64) * span + entity)
        pairs = pairs[np.diff(pairs, prepend=-1) > 0]
        start = np.searchsorted(pairs, np.arange(queries + 1) * span).astype(np.int64)
        return cls(start, pairs % span, number)

    def sizes(self, query: Ints) -> Ints:
        """Return the length of each query's list, shape (queries,)."""
        which = self.list_of(query)
        return self.start[which + 1] - self.start[which]

    def pairs(self, query: Ints) -> tuple[Ints, Ints]:
        """Return the lists of some queries as pairs of a place in `query` and an entity."""
        sizes = self.sizes(query)
        before = np.cumsum(sizes) - sizes
        place = np.repeat(np.arange(len(query)), sizes)
        return place, self.entity[np.arange(len(place)) + (self.start[self.list_of(query)] - before)[place]]

    def list_of(self, query: Ints) -> Ints:
        """Return the number of each query's list, shape (queries,)."""
        return query if self.number is None else self.number[query]

    def has(self, query: Ints, entity: Ints) -> Flags:
        """Tell for each pair whether the query's list holds the entity, shape (pairs,)."""
        span, keys = self._keys
        if not len(keys):
            return np.zeros(len(query), np.bool_)
        wanted = self.list_of(query) * span + entity
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.asarray((keys[place] == wanted) & (entity < span))

    @cached_property
    def _keys(self) -> tuple[int, Ints]:
        span = int(self.entity.max(initial=0)) + 1
        return span, np.repeat(np.arange(len(self.start) - 1), np.diff(self.start)) * span + self.entity


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What was counted for each target (the entries of `targets.entity` in their order), shapes (targets,).

    `greater` and `equal` are over all candidates but the target itself; `within` gives the same over each set of
    lists, the target itself left out. `score` is the target's own score in float64; `nan` the number of scores
    that were no number.
    """

    greater: Ints
    equal: Ints
    within: dict[str, tuple[Ints, Ints]]
    score: Floats
    nan: int = 0


def count(
    batches: Iterable[Batch],
    targets: Lists,
    lists: Mapping[str, Lists],
    *,
    entities: int,
    block: int = BLOCK,
    nan: str = "error",
    compiled: bool | None = None,
    progress: Progress | None = None,
    across: "Across | None" = None,
) -> Counts:
    """Count for each target the candidates that score higher and those that score alike.

    Two scores are compared as sums in float64, term after term: the matrix product in float32 only finds the
    candidates whose order is certain, all others are scored again. So the counts do not depend on `block`, on the
    number of threads or on the library that multiplies. `block` is the number of queries at a time. `compiled`
    says whether numba computes distances and counts, with the same result; by default it does where it is
    installed and saves more time than it takes to start. `progress` is told how many queries are done, and of all.
    `across` has the candidates, which must be `Shards`, counted elsewhere, also with the same result.

    Scores that are NaN or infinite are refused; with `nan="worst"` NaN is lower than every number. A vector that
    holds such a value has the score NaN.

    Raises
    ------
    RunError
        Scores that are no finite numbers, with how many and the first query.
    ParameterError
        A batch whose shapes do not fit, a block below 1, or candidates that cannot be counted elsewhere.
    MissingExtraError
        Without numba, where `compiled` asks for it.
    """
    from assay.engines.block_counts import Tally
    from assay.engines.passes import Pass

    if block < 1:
        raise ParameterError(f"block: expected at least 1 query, found {block}")
    if nan not in NAN:
        raise UnknownNameError.of("nan", nan, NAN)
    way = Pass(Tally(targets, lists), entities, block, nan, compiled, progress, across)
    for batch in batches:
        way.add(batch)
    return way.tally.counts()
