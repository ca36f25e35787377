"""`ClickGrades`: grades that clicks make, each with its interval, and what they rest on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from assay.core.gold import Gold
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Fit:
    """How a model that is fitted step by step ended: after how many steps, moving by how much in the last."""

    steps: int
    converged: bool
    change: float


@dataclass(frozen=True, eq=False)
class ClickGrades(Shown):
    """Grades of pairs, from clicks.

    Parameters
    ----------
    model, meaning
        The model, and what it takes for granted.
    table
        A row for each graded pair, by query and item: query, item, grade, low, high, raw (the estimate before it is
        pulled to the mean), shown, clicks, examined (how often it was looked at, as far as the model can tell), and
        what else the model says.
    ranks
        A row for each rank: rank, shown, clicks, rate, looked_at (how likely it is looked at; null where the model
        says nothing). None where ranks were not needed.
    log, settings
        What the log holds; by what terms it was graded.
    few, undefined
        Pairs that were looked at too seldom, and those of which the model can say nothing; both have no grade.
    """

    model: str
    meaning: str
    table: pl.DataFrame
    ranks: pl.DataFrame | None
    log: Mapping[str, Any]
    settings: Mapping[str, Any]
    few: int
    undefined: int
    fit: Fit | None = None
    notices: tuple[str, ...] = ()

    @property
    def gold(self) -> Gold:
        """The grades as a gold standard; they are fractions, so a binary measure wants `rel` said."""
        return Gold(self.table.select("query", "item", "grade"), name=f"clicks, {self.model}")

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "model": self.model,
            "log": dict(self.log),
            "settings": dict(self.settings),
            "graded": self.table.height,
            "few": self.few,
            "undefined": self.undefined,
            "fit": asdict(self.fit) if self.fit else None,
            "ranks": None if self.ranks is None else self.ranks.to_dicts(),
            "grades": self.table.to_dicts(),
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        return f"ClickGrades({self.model}: {self.table.height} pairs graded, {self.few} looked at too seldom)"
