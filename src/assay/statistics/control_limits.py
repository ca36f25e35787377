"""Control charts: a limit that a stable series seldom passes, the error of its own baseline counted in."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np

from assay.core.judged import Flags, Floats, Ints
from assay.errors import ParameterError, UnknownNameError
from assay.statistics.units import Units

Side = Literal["fall", "rise", "both"]
"""Which change of a value is watched; a fall is the bad one where higher is better."""

Statistic = Callable[[Floats, float], Floats]
"""Takes standardised points, (looks, series), and a parameter; returns how far each look has come towards a fall."""

LEAST = 5
"""With fewer baseline points no limit is set."""
SIMULATED = 40_000
"""So many stable series are simulated for a limit."""
LOOKS = 10_000
"""The longest horizon."""


@dataclass(frozen=True, eq=False)
class Chart:
    """A control chart of a series of looks, such as daily means.

    `fall` and `rise`, of shape (looks,), say how far the series has come towards either side, NaN where there is no
    value; a look beyond `limit` on a side that is watched is an alarm. The statistic of CUSUM is in standard
    deviations of a point, that of EWMA in standard deviations of the smoothed value. At most a share `alpha` of
    stable series has an alarm within `horizon` looks, after which the chart begins anew.

    `mean` and `sd` come from `baseline` points. Without a limit they are None, there is no alarm, and `why` says the
    reason. `alarms` are places among the looks; `onset` is the place where the change behind the first alarm
    probably began: the look after the statistic last stood at 0. `smoothed`, `low` and `high` are EWMA's line and its
    limits, in the unit of the values; None for CUSUM.
    """

    method: str
    side: Side
    alpha: float
    horizon: int
    baseline: int
    mean: float | None
    sd: float | None
    limit: float | None
    fall: Floats
    rise: Floats
    alarms: tuple[int, ...] = ()
    onset: int | None = None
    smoothed: Floats | None = None
    low: Floats | None = None
    high: Floats | None = None
    why: str = ""

    @property
    def first(self) -> int | None:
        """The place of the first alarm."""
        return self.alarms[0] if self.alarms else None

    def to_dict(self) -> dict[str, Any]:
        """Return the chart as plain data; NaN is None."""
        series = ("fall", "rise", "smoothed", "low", "high")
        names = ("method", "side", "alpha", "horizon", "baseline", "mean", "sd", "limit", "onset", "why")
        plain: dict[str, Any] = {name: getattr(self, name) for name in names} | {"alarms": list(self.alarms)}
        return plain | {name: _plain(getattr(self, name)) for name in series}


def control_limit(
    statistic: Statistic, parameter: float, *, side: Side, baseline: int, alpha: float, horizon: int
) -> float:
    """Return the limit that at most a share alpha of stable series passes within the horizon.

    A stable series has independent, normally distributed points. Each of 40,000 simulated ones draws the mean and the
    standard deviation that `baseline` points of its own would have given, is standardised by these, and keeps the
    furthest that its statistic comes within `horizon` looks. The limit is the quantile of these, two standard
    errors of the simulation to the safe side. It depends on nothing else, so it is simulated once.

    Raises
    ------
    ParameterError
        An alpha outside .001 to .5, a horizon below 1 or above 10,000, fewer than 5 baseline points.
    UnknownNameError
        A side that does not exist.
    """
    _require(side, baseline, alpha, horizon)
    error = math.sqrt(alpha * (1 - alpha) / SIMULATED)
    return float(_peaks(statistic, parameter, side, baseline, horizon)[math.ceil((1 - alpha + 2 * error) * SIMULATED)])


def control_chart(
    values: Floats,
    baseline: Floats,
    statistic: Statistic,
    parameter: float,
    *,
    method: str,
    side: Side,
    alpha: float,
    horizon: int,
) -> Chart:
    """Hold a series, (looks,), against a baseline, (points,); NaN is a look without a value, and counts as none."""
    _require(side, LEAST, alpha, horizon)
    values, baseline = np.asarray(values, np.float64), np.asarray(baseline, np.float64)
    known = Units.of(baseline[~np.isnan(baseline)])
    blank = np.full(len(values), np.nan)
    if why := _unfit(known):
        return Chart(method, side, alpha, horizon, len(known), None, None, None, blank, blank.copy(), why=why)
    mean, sd = float(known.mean[0]), float(known.error[0]) * math.sqrt(len(known))
    limit = control_limit(statistic, parameter, side=side, baseline=len(known), alpha=alpha, horizon=horizon)
    seen = np.flatnonzero(~np.isnan(values))
    standard = (values[seen] - mean) / sd
    fall, rise = (_spread(_by_horizon(statistic, way * standard, parameter, horizon), seen, blank) for way in (1, -1))
    watched = {"fall": (fall,), "rise": (rise,), "both": (fall, rise)}[side]
    alarms = tuple(np.flatnonzero(np.fmax.reduce(watched) > limit).tolist())
    onset = _onset(alarms[0], max(watched, key=lambda way: way[alarms[0]]), seen, horizon) if alarms else None
    return Chart(method, side, alpha, horizon, len(known), mean, sd, limit, fall, rise, alarms, onset)


@lru_cache(64)
def _peaks(statistic: Statistic, parameter: float, side: Side, baseline: int, horizon: int) -> Floats:
    """Return how far simulated stable series come within the horizon, sorted."""
    random = np.random.default_rng(0)
    means = random.standard_normal(SIMULATED) / math.sqrt(baseline)
    sds = np.sqrt(random.chisquare(baseline - 1, SIMULATED) / (baseline - 1))
    peaks = np.empty(SIMULATED)
    block = max(1, 1_000_000 // horizon)
    for start in range(0, SIMULATED, block):
        some = slice(start, start + block)
        points = (random.standard_normal((horizon, len(means[some]))) - means[some]) / sds[some]
        peaks[some] = statistic(points, parameter).max(axis=0)
        if side == "both":
            np.maximum(peaks[some], statistic(-points, parameter).max(axis=0), out=peaks[some])
    peaks.sort()
    return peaks


def _by_horizon(statistic: Statistic, standard: Floats, parameter: float, horizon: int) -> Floats:
    """Return the statistic of one series, begun anew after every horizon."""
    parts = [
        statistic(standard[start : start + horizon, None], parameter)[:, 0] for start in begins(len(standard), horizon)
    ]
    return np.concatenate(parts) if parts else np.empty(0)


def begins(looks: int, horizon: int) -> range:
    """Return the places where a chart begins anew."""
    return range(0, looks, horizon)


def _spread(found: Floats, seen: Ints, blank: Floats) -> Floats:
    """Put what was found at the looks that have a value."""
    out = blank.copy()
    out[seen] = found
    return out


def _onset(first: int, statistic: Floats, seen: Ints, horizon: int) -> int:
    """Return the look after the statistic last stood at 0 before the first alarm, or where the chart began."""
    alarm = int(np.searchsorted(seen, first))
    begun = alarm - alarm % horizon
    still: Flags = statistic[seen[begun:alarm]] <= 0
    last = np.flatnonzero(still)
    return int(seen[begun + last[-1] + 1 if len(last) else begun])


def _unfit(known: Units) -> str:
    """Return why a baseline gives no limit, or nothing."""
    if len(known) < LEAST:
        return f"expected {LEAST} baseline points or more, found {len(known)}"
    if known.constant[0]:
        return f"the {len(known)} baseline points do not vary: by their spread any change at all would be an alarm"
    return ""


def _require(side: str, baseline: int, alpha: float, horizon: int) -> None:
    """Refuse a chart that cannot be made."""
    if side not in get_args(Side):
        raise UnknownNameError.of("side", side, get_args(Side))
    if not 0.001 <= alpha <= 0.5:
        raise ParameterError(f"control chart: expected an alpha from 0.001 to 0.5, found {alpha:g}")
    if not 1 <= horizon <= LOOKS:
        raise ParameterError(f"control chart: expected a horizon from 1 to {LOOKS:,} looks, found {horizon}")
    if baseline < LEAST:
        raise ParameterError(f"control chart: expected {LEAST} baseline points or more, found {baseline}")


def _plain(series: Floats | None) -> list[float | None] | None:
    """Return a series as plain data."""
    return None if series is None else [None if math.isnan(value) else value for value in series.tolist()]
