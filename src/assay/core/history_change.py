"""`Change`: a figure before and now, and the parts that its change is made of."""

from dataclasses import asdict, dataclass
from typing import Any

from assay.core.estimates import Interval, Significance

MIX, WEIGHTS, GOLD, QUALITY = "query mix", "query weights", "gold", "quality"
"""What a change of a figure is made of: other queries, other weights, other judgments, other answers."""
TOGETHER, WHOLE = "gold or quality", "not separated"
"""What stands in their place where they cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a change; None, and `why` says the reason, where it is not known."""

    name: str
    change: float | None
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the part as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Quality:
    """The paired change over the same queries and the same gold; `lost` and `gained` count queries."""

    change: float
    queries: int
    lost: int
    gained: int
    interval: Interval
    significance: Significance

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain data."""
        return {
            "change": self.change, "queries": self.queries, "lost": self.lost, "gained": self.gained,
            "interval": self.interval.to_dict(), "significance": self.significance.to_dict(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The share of judged items among the first k, before and now; holes are what is missing to 1.

    `source` says where it comes from: figure (it was recorded) or head (the kept items and the gold).
    """

    k: int
    before: float | None
    now: float | None
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Return the shares as plain data."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Change:
    """One figure before and now, and the parts that its change is made of.

    `parts` that are known add up to `change` exactly. `basis` says over what they are standardised: queries (those
    that both have), slices (column and strata, where hardly any query is in both), or nothing. `shared`, `left` and
    `entered` count queries in both, only before, only now. `gold_orders` are the change by the gold as the run of
    before shows it and as that of now shows it; `gold` is their mean, or the one that is known.
    """

    measure: str
    slice: str
    higher_is_better: bool
    old: int
    new: int
    before: float | None
    after: float | None
    basis: str
    shared: int
    left: int
    entered: int
    parts: tuple[Part, ...]
    gold_orders: tuple[float | None, float | None] = (None, None)
    quality: Quality | None = None
    judged: JudgedShare | None = None

    @property
    def change(self) -> float | None:
        """The figure now less the figure before."""
        return None if self.before is None or self.after is None else self.after - self.before

    def part(self, name: str) -> Part | None:
        """Return a part by its name; None where there is none."""
        return next((one for one in self.parts if one.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain data."""
        names = (
            "measure", "slice", "higher_is_better", "old", "new", "before", "after", "change", "basis", "shared",
            "left", "entered",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names} | {
            "parts": [one.to_dict() for one in self.parts],
            "gold_orders": list(self.gold_orders),
            "quality": self.quality and self.quality.to_dict(),
            "judged": self.judged and self.judged.to_dict(),
        }
