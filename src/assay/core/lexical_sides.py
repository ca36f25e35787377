"""`Sides`: what several systems find side by side, what only one of them finds, and what could be made of them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from assay.core.comparison import Comparison, Mover
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Found:
    """How many relevant items stand among the first `places` of each system's lists; None is the whole lists.

    `relevant` is how many there are, over all queries; `by` how many each system finds, `only` how many it alone finds,
    both in the order of the systems. `all` are found by every system, `none` by no one. `together` counts, for each set
    of systems (their places), the relevant items that just these find.
    """

    places: int | None
    relevant: int
    by: tuple[int, ...]
    only: tuple[int, ...]
    all: int
    none: int
    together: Mapping[tuple[int, ...], int]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        sets = [{"systems": list(places), "items": items} for places, items in self.together.items()]
        return {
            "places": self.places, "relevant": self.relevant, "by": list(self.by), "only": list(self.only),
            "all": self.all, "none": self.none, "together": sets,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class OnlyFound:
    """A relevant item that one system finds among the first places, and no other does.

    `rank` is that of the system; `elsewhere` the best rank that another gives it, None where no list holds it.
    """

    system: str
    query: str
    item: str
    grade: float
    rank: int
    elsewhere: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two systems held against each other: how alike their lists are, and which does better on how many queries.

    `jaccard` is the mean, over the queries that both answer, of |A ∩ B| / |A ∪ B| among the first places; `rbo` that of
    the rank-biased overlap of the whole lists. Both are None where the systems answer no query in common. `wins` are
    the queries on which `second` does better than `first` by the measure, `for_first` and `for_second` those with the
    largest difference.
    """

    first: str
    second: str
    jaccard: float | None
    rbo: float | None
    queries: int
    wins: int
    ties: int
    losses: int
    for_first: tuple[Mover, ...]
    for_second: tuple[Mover, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as plain data."""
        return {
            "first": self.first, "second": self.second, "jaccard": self.jaccard, "rbo": self.rbo,
            "queries": self.queries, "wins": self.wins, "ties": self.ties, "losses": self.losses,
            "for_first": [one.to_dict() for one in self.for_first],
            "for_second": [one.to_dict() for one in self.for_second],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What could at best be reached with these lists, by one measure.

    `single` is the best system as it is, `best` its name; `chosen` takes for each query the system that does best on
    it; `own` are the lists of each system in the best order, `union` all items of all lists in the best order: no
    fusion that reads these lists can reach more by a measure that asks for relevant items first. `fused` is what each
    fusion reaches. A figure that is no mean over queries cannot be chosen query by query: `chosen` is None.
    """

    measure: str
    best: str
    single: float | None
    chosen: float | None
    own: tuple[float | None, ...]
    union: float | None
    fused: Mapping[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """Return the ceiling as plain data."""
        return asdict(self) | {"own": list(self.own), "fused": dict(self.fused)}


@dataclass(frozen=True, eq=False)
class Sides(Shown):
    """Several systems side by side.

    `comparison` holds systems and fusions, each against the first system; `systems` and `fusions` are their labels in
    it. `found` counts relevant items at the cutoff and in the whole lists. `pairings`, wins and losses in them, go by
    the first measure. `leads` says of how many queries each system alone is the best by that measure. `table` has a
    row for each relevant item: query, item, grade, and its rank in each system's list (null where it is not there).
    `texts` are those of the queries that are named, where texts were given.
    """

    comparison: Comparison
    systems: tuple[str, ...]
    fusions: tuple[str, ...]
    cutoff: int
    depth: int | None
    found: tuple[Found, Found]
    pairings: tuple[Pairing, ...]
    leads: tuple[int, ...]
    ceilings: tuple[Ceiling, ...]
    examples: tuple[OnlyFound, ...]
    table: pl.DataFrame
    texts: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """The first measure, by which queries are won and lost."""
        return self.comparison.measures[0]

    def to_dict(self, *, command: list[str] | None = None, per_query: bool = True) -> dict[str, Any]:
        """Return all as plain data: evaluations and comparison as those of `compare`, and the block `sides`."""
        out = self.comparison.to_dict(command=command, per_query=per_query)
        out["sides"] = {
            "systems": list(self.systems), "fusions": list(self.fusions), "measure": self.measure,
            "cutoff": self.cutoff, "depth": self.depth,
            "found": [one.to_dict() for one in self.found],
            "pairings": [one.to_dict() for one in self.pairings],
            "leads": list(self.leads),
            "ceilings": [one.to_dict() for one in self.ceilings],
            "examples": [one.to_dict() for one in self.examples],
            "texts": dict(self.texts),
            "notices": list(self.notices),
        }  # fmt: skip
        return out

    def __repr__(self) -> str:
        return f"Sides({', '.join(self.systems)}; {', '.join(self.fusions) or 'no fusion'}; {self.measure})"
