"""`Explanation`: where one number of one query comes from, rank by rank; and what lies between two runs."""

from dataclasses import asdict, dataclass, field
from typing import Any

from assay.core.policy import Policy
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a ranking.

    `grade` is None for an item without a judgment, `score` where it is no finite number. `contribution` is what
    the value gains when the ranking is extended by this place; all of them sum to the value. `if_relevant` is what
    the value of the query would become if this unjudged or non-relevant item were judged relevant (None where it
    is relevant already).
    """

    rank: float
    item: str
    score: float | None
    grade: float | None
    contribution: float
    so_far: float
    if_relevant: float | None = None
    tied: int = 1

    def to_dict(self) -> dict[str, Any]:
        """Return the place as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Missed:
    """A relevant item that counts for nothing: not retrieved, or below the cutoff.

    `would_be` is the value of the query if the item stood at the first place, everything else moving down.
    """

    item: str
    grade: float
    rank: float | None
    would_be: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the missed item as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Explanation(Shown):
    """The value of one measure for one query of one run, place by place.

    `places` hold the first places of the ranking; `rest` is what all places below them contribute together.
    `start` is the value of a ranking without any item, 0 for nearly all measures: `start`, the contributions of
    `places` and `rest` sum to `value`. Where `value` is None all of them are 0. `relevant` counts the relevant
    items of the gold, `retrieved` the ranked items. `highest` is the value of an ideal ranking (the lowest there
    is where lower is better), None where there is none to be told.
    """

    run: str
    query: str
    measure: str
    value: float | None
    places: tuple[Place, ...]
    rest: float
    missed: tuple[Missed, ...]
    relevant: int
    retrieved: int
    highest: float | None
    notices: tuple[str, ...] = ()
    start: float = 0.0
    policy: Policy = field(default_factory=Policy)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return {
            "run": self.run,
            "query": self.query,
            "measure": self.measure,
            "value": self.value,
            "start": self.start,
            "places": [place.to_dict() for place in self.places],
            "rest": self.rest,
            "missed": [missed.to_dict() for missed in self.missed],
            "relevant": self.relevant,
            "retrieved": self.retrieved,
            "highest": self.highest,
            "notices": list(self.notices),
            "policy": self.policy.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Move:
    """A judged item in two rankings: its rank and what it contributes in each (None and 0: not retrieved)."""

    item: str
    grade: float
    rank_before: float | None
    rank_after: float | None
    contribution_before: float
    contribution_after: float

    @property
    def change(self) -> float:
        """How much of the difference this item makes."""
        return self.contribution_after - self.contribution_before

    def to_dict(self) -> dict[str, Any]:
        """Return the move as plain data."""
        return asdict(self) | {"change": self.change}


@dataclass(frozen=True, slots=True)
class ExplainedChange(Shown):
    """Two runs on one query: each explained, and which judged items moved; the changes sum to the difference.

    `other` is what places without a judged item make of the difference (0 for nearly all measures).
    """

    before: Explanation
    after: Explanation
    moves: tuple[Move, ...]
    other: float

    @property
    def difference(self) -> float | None:
        """The value after minus the value before; None where one of them is undefined."""
        if self.before.value is None or self.after.value is None:
            return None
        return self.after.value - self.before.value

    def to_dict(self) -> dict[str, Any]:
        """Return both explanations and the moves as plain data."""
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "difference": self.difference,
            "moves": [move.to_dict() for move in self.moves],
            "other": self.other,
        }
