"""Control charts of a series of a store, and how soon they would find a fall."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import numpy as np

from assay.core.history_series import Control, Point, Sensitivity, Series, Shift
from assay.core.hits import Floats
from assay.errors import ParameterError, UnknownNameError
from assay.statistics import cusum as summing
from assay.statistics import ewma as smoothing
from assay.statistics.change_points import change_points
from assay.statistics.control_limits import LEAST, Chart, Side

METHODS = ("both", "cusum", "ewma")
BASELINES = ((LEAST + 1, LEAST), (15, 10), (40, 30))
"""From so many points on, so many of the first are the norm."""
HAIR = 1e-9
"""Figures that differ by no more, or by no more than such a share of them, are equal."""
SDS = 2.0
"""The change of which is told how soon it would be found, in standard deviations of a point."""
SIMULATED = 2_000
LONGEST = 200
"""So many looks at most are simulated to tell how soon."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How series are watched: the charts, the share of false alarms of each series, the looks that it holds for."""

    method: str = "both"
    alpha: float = 0.05
    horizon: int = 90
    baseline: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be watched.

        Raises
        ------
        UnknownNameError, ParameterError
            Another method; an alpha outside .002 to .5, fewer than 5 baseline points.
        """
        if self.method not in METHODS:
            raise UnknownNameError.of("method", self.method, METHODS)
        if not 0.002 <= self.alpha <= 0.5:
            raise ParameterError(f"alpha: expected 0.002 to 0.5, found {self.alpha:g}")
        if self.baseline is not None and self.baseline < LEAST:
            raise ParameterError(f"baseline points: expected {LEAST} or more, found {self.baseline}")

    @property
    def names(self) -> tuple[str, ...]:
        """The charts, each of which has an equal share of alpha."""
        return ("cusum", "ewma") if self.method == "both" else (self.method,)

    @property
    def share(self) -> float:
        """The alpha of one chart."""
        return self.alpha / len(self.names)

    def settings(self, since: datetime | None) -> dict[str, object]:
        """Return how a drift that begins at `since` is looked for, as plain data."""
        begin = None if since is None else since.isoformat()
        return {
            "method": self.method, "alpha": self.alpha, "horizon": self.horizon, "baseline_points": self.baseline,
            "since": begin,
        }  # fmt: skip


def series_of(points: Sequence[Point], measure: str, part: str, *, up: bool, plan: Plan) -> Series:
    """Hold a series against its first points.

    >>> from datetime import UTC, datetime
    >>> time = datetime(2026, 1, 1, tzinfo=UTC)
    >>> values = [0.50, 0.51, 0.49, 0.50, 0.52, 0.48, 0.40, 0.40, 0.39]
    >>> points = [Point(at, time, "bm25", value) for at, value in enumerate(values)]
    >>> series_of(points, "AP", "", up=True, plan=Plan(baseline=6)).decision
    'alarm'
    """
    values = np.array([np.nan if one.value is None else one.value for one in points], np.float64)
    seen = np.flatnonzero(~np.isnan(values))
    side: Side = "fall" if up else "rise"
    known = _norm(values[seen], side, plan)
    if not known:
        least = (plan.baseline or LEAST) + 1
        why = f"expected {least} evaluations or more with this figure, found {len(seen)}"
        return Series(measure, part, up, tuple(points), 0, why=why)
    first = int(seen[known - 1]) + 1
    charts = [_control(name, values, first, side, plan) for name in plan.names]
    why = next((one.why for one in charts if one.limit is None), "")
    sensitivity = None if why else _sensitivity(charts, known, plan, up=up)
    return Series(measure, part, up, tuple(points), first, tuple(charts), _shifts(values, plan), sensitivity, why)


def _norm(values: Floats, side: Side, plan: Plan) -> int:
    """Return how many of the first figures are the norm; 0 where there are too few.

    The norm grows as figures come in, each time by what was known then: so it never takes an alarm back.
    """
    if plan.baseline is not None:
        return plan.baseline if len(values) > plan.baseline else 0
    norm = 0
    for least, longer in BASELINES:
        if len(values) < least or (norm and not _may_grow(values[:least], norm, longer, side, plan)):
            break
        norm = longer
    return norm


def _may_grow(values: Floats, norm: int, longer: int, side: Side, plan: Plan) -> bool:
    """Tell whether nothing after a norm is worse than it: no alarm, no change of level inside the longer norm."""
    way = 1 if side == "rise" else -1
    charts = [_chart(name, values[norm:], values[:norm], side, plan) for name in plan.names]
    if any(chart.alarms for chart in charts):
        return False
    level = float(values[norm - 1])
    if charts[0].limit is None and (way * (values[norm:] - level) > hair(level)).any():
        return False
    return not any(way * (one.after - one.before) > 0 and one.place < longer for one in _shifts(values, plan))


def hair(level: float) -> float:
    """Return by how much figures of such a level may differ and still be equal."""
    return HAIR * max(1.0, abs(level))


def _control(name: str, values: Floats, first: int, side: Side, plan: Plan) -> Control:
    """Return one chart, its places those of the series."""
    looks, baseline = values[first:], values[:first]
    chart = _chart(name, looks, baseline, side, plan)
    seen = np.flatnonzero(~np.isnan(looks))
    begun = int(seen[(len(seen) - 1) // plan.horizon * plan.horizon]) if len(seen) else 0
    late = _chart(name, looks[begun:], baseline, side, plan)
    lead = (None,) * first
    bounds = chart.low if side == "fall" else chart.high
    return Control(
        method=chart.method, alpha=plan.share, horizon=plan.horizon, baseline=chart.baseline, mean=chart.mean,
        sd=chart.sd, limit=chart.limit, distance=lead + plain(chart.fall if side == "fall" else chart.rise),
        alarms=tuple(first + place for place in chart.alarms), begun=first + begun,
        onset=None if late.onset is None else first + begun + late.onset,
        smoothed=() if chart.smoothed is None else lead + plain(chart.smoothed),
        bound=() if bounds is None else lead + plain(bounds), why=chart.why,
    )  # fmt: skip


def _chart(name: str, looks: Floats, baseline: Floats, side: Side, plan: Plan) -> Chart:
    draw = summing.cusum if name == "cusum" else smoothing.ewma
    known = baseline[~np.isnan(baseline)]
    if np.ptp(known) <= hair(known[-1]):
        baseline = np.full(len(known), known[-1])
    return draw(looks, baseline, side=side, alpha=plan.share, horizon=plan.horizon)


def plain(values: Floats) -> tuple[float | None, ...]:
    """Return numbers as they are, NaN as None."""
    return tuple(None if math.isnan(value) else value for value in values.tolist())


def _shifts(values: Floats, plan: Plan) -> tuple[Shift, ...]:
    """Return where the level changed, either way."""
    found = change_points(values, alpha=plan.alpha, seed=plan.seed)
    return tuple(
        Shift(one.place, one.before, one.after, one.p) for one in found.points if abs(one.size) > hair(one.before)
    )


def _sensitivity(charts: Sequence[Control], known: int, plan: Plan, *, up: bool) -> Sensitivity | None:
    limits = tuple(one.limit for one in charts if one.limit is not None)
    if len(limits) < len(charts) or charts[0].sd is None:
        return None
    change = SDS * charts[0].sd
    return Sensitivity(-change if up else change, SDS, _median(plan.names, limits, known, min(plan.horizon, LONGEST)))


@lru_cache(64)
def _median(names: tuple[str, ...], limits: tuple[float, ...], known: int, looks: int) -> int | None:
    """Return the median of the look at which the first chart finds a fall; None where that is not within so many.

    Mean and spread of each simulated series are those that as many baseline points would have given.
    """
    random = np.random.default_rng(0)
    means = random.standard_normal(SIMULATED) / math.sqrt(known)
    sds = np.sqrt(random.chisquare(known - 1, SIMULATED) / (known - 1))
    points = (random.standard_normal((looks, SIMULATED)) - SDS - means) / sds
    beyond = np.zeros(points.shape, np.bool_)
    for name, limit in zip(names, limits, strict=True):
        far = (
            summing.sums(points, summing.ALLOWANCE)
            if name == "cusum"
            else smoothing.distances(points, smoothing.WEIGHT)
        )
        beyond |= far > limit
    first = np.where(beyond.any(axis=0), beyond.argmax(axis=0) + 1, looks + 1)
    median = int(np.sort(first)[SIMULATED // 2])
    return median if median <= looks else None
