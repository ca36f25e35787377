"""Where the value of a query comes from, as far as the items that were kept and a gold standard allow."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from assay.core.gold import Gold
from assay.core.history import Recorded
from assay.core.policy import Policy
from assay.core.run import Run
from assay.errors import AssayError
from assay.explain import explain
from assay.history.app.evaluation import defined
from assay.history.gate.paired import TIE
from assay.history.gold_digest import gold_digest


@dataclass(frozen=True, slots=True)
class Place:
    """An item of a ranking: its rank now and before (None: not among those kept), its score, its grade if known."""

    item: str
    now: int | None
    before: int | None
    score: float | None
    grade: float | None


@dataclass(frozen=True, slots=True)
class Explained:
    """What each item gives to the value of its query; without contributions, `why` says why there are none."""

    contributions: Mapping[str, float] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True, eq=False)
class Known:
    """The gold standard that the dashboard was given, with its digest."""

    gold: Gold
    digest: str

    @classmethod
    def of(cls, gold: Gold) -> "Known":
        """Take the digest of a gold standard."""
        return cls(gold, gold_digest(gold))

    def grades(self, query: str) -> dict[str, float]:
        """Return the grades of the items of a query."""
        table = self.gold.table.filter(pl.col("query") == query)
        return dict(zip(table["item"].to_list(), table["grade"].to_list(), strict=True))


def places_of(one: Recorded, other: Recorded | None, query: str, known: Known | None) -> list[Place]:
    """Return the items that were kept of a ranking, then those that only the other one has."""
    now, before = _ranked(one, query), {} if other is None else _ranked(other, query)
    grades = {} if known is None else known.grades(query)
    ranks = {item: rank for item, (rank, _) in before.items()}
    found = [Place(item, rank, ranks.get(item), score, grades.get(item)) for item, (rank, score) in now.items()]
    return found + [Place(item, None, rank, None, grades.get(item)) for item, rank in ranks.items() if item not in now]


def _ranked(one: Recorded, query: str) -> dict[str, tuple[int, float | None]]:
    if one.head is None:
        return {}
    rows = one.head.filter(pl.col("query") == query)
    return {item: (at + 1, score) for at, (item, score) in enumerate(zip(rows["item"], rows["score"], strict=True))}


def explained(one: Recorded, query: str, measure: str, known: Known | None) -> Explained:
    """Return what each kept item gives to the value; only where they add up to the value that was recorded."""
    if known is None:
        return Explained(why="Grades and contributions need the gold: assay history serve --gold FILE.")
    if one.head is None or measure not in one.values:
        return Explained(why="No items were kept of this evaluation.")
    if one.made.gold is not None and one.made.gold != known.digest:
        return Explained(why="The gold that the dashboard was given is not the one of this evaluation.")
    rows = one.head.filter(pl.col("query") == query).with_columns(rank=pl.int_range(1, pl.len() + 1)).drop("score")
    try:
        run = Run.from_frame(rows, name=one.name)
        found = explain(known.gold, run, query, measure, policy=Policy(**one.made.policy).but(ties="order"))
    except (AssayError, TypeError):
        return Explained(why=f"{measure} cannot be explained from the items that were kept.")
    value = defined(one.values[measure][one.queries.index(query)])
    if value is None or found.value is None or abs(found.value - value) > TIE:
        return Explained(why=f"The first {one.depth:,} items, which were kept, do not give the value of {measure}.")
    return Explained({place.item: place.contribution for place in found.places})
