"""A figure over time with its control charts: where it left what chance explains, and where its level changed."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

ALARM, QUIET, UNDECIDED = "alarm", "no alarm", "cannot decide"
"""What is said of a series, and of all."""


@dataclass(frozen=True, slots=True)
class Point:
    """The figure of one evaluation, None where it is undefined, and the note that was put to the evaluation."""

    id: int
    time: datetime
    name: str
    value: float | None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the point as plain data."""
        return asdict(self) | {"time": self.time.isoformat()}


@dataclass(frozen=True, eq=False)
class Control:
    """A control chart of a series, held on the side that is worse.

    All places are those of points of the series. `distance` says how far a point has come towards the worse side
    (None: a point of the baseline, or one without a figure); beyond `limit` it is an alarm: in standard deviations of
    a point (CUSUM) or of the smoothed value (EWMA). Of a series whose norm does not vary it is how much worse the
    figure is: paired, alarms are those of a test of the same queries, whose limit is an alpha for all looks together;
    exact, any is an alarm.
    `smoothed` and `bound` are EWMA's line and its limit on the worse side, in the unit of the figure. `begun` is
    where the chart last began anew (after every `horizon` looks); an alarm before it is over. `onset` is where the
    change behind the first alarm since then probably began. Without a limit `why` says the reason.
    """

    method: str
    alpha: float
    horizon: int
    baseline: int
    mean: float | None
    sd: float | None
    limit: float | None
    distance: tuple[float | None, ...]
    alarms: tuple[int, ...] = ()
    begun: int = 0
    onset: int | None = None
    smoothed: tuple[float | None, ...] = ()
    bound: tuple[float | None, ...] = ()
    why: str = ""

    @property
    def first(self) -> int | None:
        """The place of the first alarm since the chart last began anew."""
        return next((place for place in self.alarms if place >= self.begun), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the chart as plain data."""
        lists = {name: list(getattr(self, name)) for name in ("distance", "alarms", "smoothed", "bound")}
        return asdict(self) | lists | {"first": self.first}


@dataclass(frozen=True, slots=True)
class Shift:
    """A change of level seen from behind: the first point of the new level, the means of both, p."""

    place: int
    before: float
    after: float
    p: float

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How soon a change for the worse of so many standard deviations would be found; None: not within the horizon."""

    change: float
    sds: float
    median: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return how soon as plain data."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Series:
    """One measure over time, over all queries (`slice` is "") or one slice; the first `baseline` points are the norm.

    `why` says why nothing can be decided, alarm or not.
    """

    measure: str
    slice: str
    higher_is_better: bool
    points: tuple[Point, ...]
    baseline: int
    controls: tuple[Control, ...] = ()
    shifts: tuple[Shift, ...] = ()
    sensitivity: Sensitivity | None = None
    why: str = ""

    @property
    def alarm(self) -> Control | None:
        """The chart that alarmed first; None without an alarm."""
        found = [one for one in self.controls if one.first is not None]
        return min(found, key=lambda one: one.first or 0, default=None)

    @property
    def decision(self) -> str:
        """An alarm of one chart is one of the series; where there is a reason why not, it cannot be decided."""
        if self.why:
            return UNDECIDED
        return QUIET if self.alarm is None else ALARM

    @property
    def onset(self) -> int | None:
        """The place where the change behind the alarm probably began: the change point before it, else as charted."""
        chart = self.alarm
        if chart is None:
            return None
        first, way = chart.first or 0, -1 if self.higher_is_better else 1
        seen = [
            one.place
            for one in self.shifts
            if max(self.baseline, chart.begun) <= one.place <= first and way * (one.after - one.before) > 0
        ]
        return seen[-1] if seen else chart.onset

    @property
    def worse_norm(self) -> Shift | None:
        """The first change of level for the worse inside the norm, which is none then."""
        way = -1 if self.higher_is_better else 1
        found = (one for one in self.shifts if one.place < self.baseline and way * (one.after - one.before) > 0)
        return next(found, None)

    @property
    def last_before(self) -> int | None:
        """The place of the last figure before the change behind the alarm, by whichever estimate is the earlier."""
        if self.alarm is None or self.onset is None:
            return None
        begin = min(self.onset, self.onset if self.alarm.onset is None else self.alarm.onset)
        return next((at for at in reversed(range(begin)) if self.points[at].value is not None), None)

    @property
    def level(self) -> float | None:
        """The mean of the baseline points."""
        known = [one.value for one in self.points[: self.baseline] if one.value is not None]
        return sum(known) / len(known) if known else None

    def to_dict(self) -> dict[str, Any]:
        """Return the series as plain data."""
        return {
            "measure": self.measure, "slice": self.slice, "higher_is_better": self.higher_is_better,
            "decision": self.decision, "baseline": self.baseline, "level": self.level, "onset": self.onset,
            "points": [one.to_dict() for one in self.points],
            "controls": [one.to_dict() for one in self.controls],
            "shifts": [one.to_dict() for one in self.shifts],
            "sensitivity": self.sensitivity and self.sensitivity.to_dict(),
            "why": self.why,
        }  # fmt: skip
