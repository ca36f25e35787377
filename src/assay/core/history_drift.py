"""`Drift`: a suite over time: which series fell beyond chance, since when, and what changed between then and now."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from assay.core.gate import Unlike
from assay.core.history import Recorded
from assay.core.history_change import Change
from assay.core.history_series import ALARM, QUIET, UNDECIDED, Series

EXIT_CODES = {QUIET: 0, ALARM: 1, UNDECIDED: 3}

CAUSES = {
    "conventions": "the conventions changed, not the ranking",
    "gold": "the gold changed",
    "gone": "an item is gone from the index",
    "link": "a link is invalid",
    "moved": "its embedding moved",
    "unjudged": "items without a judgment came in",
    "engine": "the engine changed",
    "absent": "an item may be gone from the index",
    "unexplained": "not explained",
}
"""Why a query lost; a query has the first cause of this order for which there is evidence."""


@dataclass(frozen=True, slots=True)
class Place:
    """An item of a ranking: its rank before and now (None: not among the items that were kept), its grade if known."""

    item: str
    before: int | None
    now: int | None
    grade: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Mover:
    """A query that became worse; `contribution` is its part of the change of the mean, `cause` a key of `CAUSES`."""

    query: str
    before: float
    after: float
    contribution: float
    cause: str
    evidence: str
    places: tuple[Place, ...] = ()

    @property
    def change(self) -> float:
        """Its value now less its value before."""
        return self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Return the query as plain data."""
        return {
            "query": self.query, "before": self.before, "after": self.after, "change": self.change,
            "contribution": self.contribution, "cause": self.cause, "evidence": self.evidence,
            "places": [one.to_dict() for one in self.places],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class SlicePart:
    """A slice and what it gives to the change over the shared queries: contribution = weight × change."""

    column: str
    value: str
    queries: int
    weight: float
    before: float
    after: float

    @property
    def change(self) -> float:
        """Its mean now less its mean before."""
        return self.after - self.before

    @property
    def contribution(self) -> float:
        """What it gives to the change; those of one column add up."""
        return self.weight * self.change

    def to_dict(self) -> dict[str, Any]:
        """Return the slice as plain data."""
        return asdict(self) | {"change": self.change, "contribution": self.contribution}


@dataclass(frozen=True, slots=True)
class CausePart:
    """How many of the queries that lost have a cause, and what they give to the change of the mean."""

    cause: str
    queries: int
    contribution: float

    def to_dict(self) -> dict[str, Any]:
        """Return the cause as plain data."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Attribution:
    """Which queries, slices and causes a change over the shared queries comes from.

    The contributions of `causes` and `gained` together are the change; so are those of the slices of each column.
    `movers` are the queries that lost most, the worst first; `lost` is how many lost.
    """

    change: float
    lost: int
    movers: tuple[Mover, ...]
    causes: tuple[CausePart, ...]
    gained: CausePart
    slices: tuple[SlicePart, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the attribution as plain data."""
        return {
            "change": self.change,
            "lost": self.lost,
            "movers": [one.to_dict() for one in self.movers],
            "causes": [one.to_dict() for one in self.causes],
            "gained": self.gained.to_dict(),
            "slices": [one.to_dict() for one in self.slices],
        }


@dataclass(frozen=True, eq=False)
class Drift:
    """What a suite over time says, and everything that it rests on.

    `series` are in the order asked; `changes` has one for each measure over all queries, and one for each slice that
    alarms. `old` and `new` are the two evaluations that the series to look at first is explained by, `unlike` what
    differs in how they were made; all are None or empty where there is nothing to compare. `name` is the system that is
    followed, "" where several are in one series; `settings` are method, alpha, horizon, baseline_points and since.
    """

    suite: str
    method: str
    alpha: float
    horizon: int
    series: tuple[Series, ...]
    changes: tuple[Change, ...] = ()
    attribution: Attribution | None = None
    old: Recorded | None = None
    new: Recorded | None = None
    unlike: tuple[Unlike, ...] = ()
    notices: tuple[str, ...] = ()
    name: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def decision(self) -> str:
        """An alarm of one series is one of all; it cannot be decided where it cannot of any."""
        decisions = {one.decision for one in self.series}
        return next((one for one in (ALARM, QUIET) if one in decisions), UNDECIDED)

    @property
    def exit_code(self) -> int:
        """0 no alarm, 1 an alarm, 3 cannot decide."""
        return EXIT_CODES[self.decision]

    @property
    def pressing(self) -> Series | None:
        """The series to look at first: one with an alarm before one without, then as asked."""
        order = (ALARM, QUIET, UNDECIDED)
        return min(self.series, key=lambda one: order.index(one.decision), default=None)

    @property
    def explained(self) -> Change | None:
        """The change of the series to look at first."""
        first = self.pressing
        if first is None:
            return None
        wanted = (first.measure, first.slice)
        return next((one for one in self.changes if (one.measure, one.slice) == wanted), None)

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the drift as plain data, in the shape of the JSON output."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "decision": self.decision,
            "exit_code": self.exit_code,
            "suite": self.suite,
            "name": self.name,
            "settings": dict(self.settings),
            "method": self.method,
            "alpha": self.alpha,
            "horizon": self.horizon,
            "old": self.old and _said(self.old),
            "new": self.new and _said(self.new),
            "unlike": [one.to_dict() for one in self.unlike],
            "series": [one.to_dict() for one in self.series],
            "changes": [one.to_dict() for one in self.changes],
            "attribution": self.attribution and self.attribution.to_dict(),
            "notices": list(self.notices),
        }


def _said(recorded: Recorded) -> Mapping[str, Any]:
    return {
        "id": recorded.id, "name": recorded.name, "time": recorded.time.isoformat(), "queries": len(recorded.queries),
        "note": recorded.note, "made": recorded.made.to_dict(),
    }  # fmt: skip
