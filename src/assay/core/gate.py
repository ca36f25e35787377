"""`Gate`: whether a change may pass: each measure held against a baseline, each query that fell to 0, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.estimates import Interval, Significance
from assay.core.history import Recorded
from assay.core.shown import Shown

PASSED, BLOCKED, UNDECIDED = "passed", "blocked", "cannot decide"
"""What a gate says, of one measure and of all."""
EXIT_CODES = {PASSED: 0, BLOCKED: 1, UNDECIDED: 3}

DROP, FLOOR, GUARD = "drop", "floor", "guard"
"""Why something is blocked: a drop that is large and no chance, a figure beyond its limit, a query that fell to 0."""
FEW, JUDGED, UNDEFINED = "few", "judged", "undefined"
"""Why nothing can be decided: too few queries, too few judged items, no figure or no test."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A query that became worse by one measure."""

    query: str
    before: float
    now: float

    @property
    def change(self) -> float:
        """Its value now less its value before."""
        return self.now - self.before

    def to_dict(self) -> dict[str, Any]:
        """Return the query as plain data."""
        return {"query": self.query, "before": self.before, "now": self.now, "change": self.change}


@dataclass(frozen=True, slots=True)
class Check:
    """One measure, over all queries (`slice` is "") or over one slice, held against the baseline and its limits.

    `baseline`, `now` and `change` (now less baseline) are over the `queries` that have a value in both; `figure` is
    the value now over all that have one, which is what `limit` (the lowest allowed; the highest, where lower is
    better) is held against. `judged` is the share of judged items that `min_judged` asks for. `worst` are the queries
    that lost most, the worst first. `reasons` are codes: drop, floor, few, judged, undefined; `lost` counts queries
    that became worse, `gained` those that became better, `vanished` those that had a value and have none now. With
    `clusters`, `queries` and `min_queries` count groups of queries that belong together. `least_p` is the smallest
    corrected p that could come out. `why` says what is undefined.
    """

    slice: str
    measure: str
    decision: str
    reasons: tuple[str, ...]
    baseline: float | None
    now: float | None
    figure: float | None
    change: float | None
    interval: Interval
    significance: Significance
    queries: int
    min_queries: int
    max_drop: float
    limit: float | None
    judged: float | None
    min_judged: float | None
    higher_is_better: bool
    lost: int
    gained: int
    worst: tuple[Loss, ...] = ()
    vanished: int = 0
    clusters: bool = False
    least_p: float | None = None
    why: str = ""

    @property
    def drop(self) -> float | None:
        """By how much the measure became worse; below 0 it became better."""
        if self.change is None:
            return None
        return -self.change if self.higher_is_better else self.change

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain data."""
        return {
            "slice": self.slice, "measure": self.measure, "decision": self.decision, "reasons": list(self.reasons),
            "baseline": self.baseline, "now": self.now, "figure": self.figure, "change": self.change,
            "interval": self.interval.to_dict(), "significance": self.significance.to_dict(),
            "queries": self.queries, "min_queries": self.min_queries, "max_drop": self.max_drop, "limit": self.limit,
            "judged": self.judged, "min_judged": self.min_judged, "higher_is_better": self.higher_is_better,
            "lost": self.lost, "gained": self.gained, "worst": [loss.to_dict() for loss in self.worst],
            "vanished": self.vanished, "clusters": self.clusters, "least_p": self.least_p, "why": self.why,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fallen:
    """A query that lost all by one measure; `blocks` where the guard says so.

    `now` is 0, or where lower is better the highest value there is; None where the query has no value any more.
    """

    slice: str
    measure: str
    query: str
    before: float
    blocks: bool
    now: float | None = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the query as plain data."""
        return {
            "slice": self.slice, "measure": self.measure, "query": self.query, "before": self.before,
            "blocks": self.blocks, "now": self.now,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unlike:
    """Something that differs between the baseline and now.

    `what` is gold, queries, corpus, policy, exclude, weights, assay, platform or code; a measure that the baseline has
    not; or baseline, where there is none. `refused` says that no figure is compared because of it.
    """

    what: str
    before: str | None
    now: str | None
    refused: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain data."""
        return {"what": self.what, "before": self.before, "now": self.now, "refused": self.refused}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reader finds the reason: the file of settings and the line of each slice, the baseline and its queries.

    Lines count from 1; the slice "" is the whole gate. A baseline that is `stored` in a database has no lines.
    """

    config: str
    slices: Mapping[str, int] = field(default_factory=dict)
    baseline: str = ""
    queries: Mapping[str, int] = field(default_factory=dict)
    stored: bool = False


@dataclass(frozen=True, eq=False)
class Gate(Shown):
    """What a gate says of one evaluation, and everything that it rests on.

    `before` is the baseline, None where there is none. `nights` is how many looks were taken since the baseline,
    this one included, of at most `horizon`, after which counting begins anew; None where each look stands for itself.
    """

    suite: str
    now: Recorded
    before: Recorded | None
    alpha: float
    test: str
    family: int
    checks: tuple[Check, ...]
    fallen: tuple[Fallen, ...]
    unlike: tuple[Unlike, ...]
    place: Place
    nights: int | None = None
    horizon: int | None = None
    notices: tuple[str, ...] = ()

    @property
    def decision(self) -> str:
        """The verdict: one check or query blocked; something refused or open, so that it cannot be decided; or passed.

        A figure beyond its limit blocks whatever else cannot be said.
        """
        decisions = {one.decision for one in self.checks}
        if BLOCKED in decisions or any(one.blocks for one in self.fallen):
            return BLOCKED
        return UNDECIDED if UNDECIDED in decisions or any(one.refused for one in self.unlike) else PASSED

    @property
    def exit_code(self) -> int:
        """0 passed, 1 blocked, 3 cannot decide."""
        return EXIT_CODES[self.decision]

    @property
    def pressing(self) -> Check | None:
        """The check to look at first: blocked before open before passed, then as asked; None without any."""
        order = (BLOCKED, UNDECIDED, PASSED)
        return min(self.checks, key=lambda one: order.index(one.decision), default=None)

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the gate as plain data, in the shape of the JSON output."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "decision": self.decision,
            "exit_code": self.exit_code,
            "suite": self.suite,
            "now": _said(self.now),
            "baseline": None if self.before is None else _said(self.before),
            "alpha": self.alpha,
            "test": self.test,
            "family": self.family,
            "nights": self.nights,
            "horizon": self.horizon,
            "checks": [one.to_dict() for one in self.checks],
            "fallen": [one.to_dict() for one in self.fallen],
            "unlike": [one.to_dict() for one in self.unlike],
            "notices": list(self.notices),
        }


def _said(recorded: Recorded) -> dict[str, Any]:
    return {"id": recorded.id, "name": recorded.name, "queries": len(recorded.queries), "made": recorded.made.to_dict()}
