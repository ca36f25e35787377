"""A series whose norm does not vary, so that no chart has a limit: a system that answers the same each night.

Where the values of its queries are known, the same queries are held against the norm at every look. A figure of which
nothing more is known was counted, not sampled: any change for the worse is one.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assay.core.history import Recorded
from assay.core.history_series import Control, Series
from assay.history.drift.charts import HAIR, Plan, hair, plain
from assay.history.gate.paired import aligned, mean_of
from assay.statistics.difference import ENUMERATED
from assay.statistics.repeated_looks import repeated_alarms

if TYPE_CHECKING:
    from assay.store.evaluations import HistoryStore

FEWEST = 2
FLIPS = 19_999


def held(series: Series, store: "HistoryStore", newest: Recorded, plan: Plan) -> Series:
    """Return a series that does not vary with a chart that needs no spread; another series as it is."""
    if not series.controls or any(one.limit is not None for one in series.controls):
        return series
    looks = [at for at in range(series.baseline, len(series.points)) if series.points[at].value is not None]
    of_queries = any(
        (one.measure, one.slice) == (series.measure, series.slice) and one.of_queries for one in newest.figures
    )
    is_paired = of_queries and series.measure in newest.values
    control = _paired(series, store, newest, plan, looks) if is_paired else None
    control = control or _exact(series, plan, looks)
    return replace(series, controls=(control,), why="" if control.limit is not None else control.why)


def _exact(series: Series, plan: Plan, looks: list[int]) -> Control:
    """Return the chart on which any change for the worse is an alarm."""
    level = next(one.value for one in reversed(series.points[: series.baseline]) if one.value is not None)
    way = -1 if series.higher_is_better else 1
    distance: list[float | None] = [None] * len(series.points)
    for at in looks:
        far = way * ((series.points[at].value or 0.0) - level)
        distance[at] = 0.0 if abs(far) <= hair(level) else far
    alarms = tuple(at for at in looks if (distance[at] or 0) > 0)
    return _control(series, plan, looks, distance, ("exact", 0.0, alarms))


def _control(
    series: Series, plan: Plan, looks: list[int], distance: list[float | None], said: tuple[str, float, tuple[int, ...]]
) -> Control:
    """Return a chart; `said` is its method, its limit and its alarms."""
    method, limit, alarms = said
    begun = looks[(len(looks) - 1) // plan.horizon * plan.horizon]
    first = next((place for place in alarms if place >= begun), None)
    return Control(
        method, plan.alpha, plan.horizon, series.controls[0].baseline, series.level, 0.0, limit, tuple(distance),
        alarms, begun, None if first is None else _onset(distance, looks, first, begun),
    )  # fmt: skip


def _paired(series: Series, store: "HistoryStore", newest: Recorded, plan: Plan, looks: list[int]) -> Control | None:
    """Return the chart of paired differences from the last point of the norm."""
    last = max(at for at in range(series.baseline) if series.points[at].value is not None)
    asked, matrix = store.values([series.points[at].id for at in (last, *looks)], series.measure)
    found = aligned(matrix, asked, newest.queries)[:, newest.inside(series.slice)]
    there = ~np.isnan(found[0])
    if there.sum() < FEWEST:
        return None
    differences = (found[1:, there] - found[0, there]).T
    differences[np.abs(differences) <= HAIR] = 0.0
    inside = np.flatnonzero(newest.inside(series.slice))[there]
    loads = None if newest.weights is None else newest.weights[inside]
    groups = None if newest.clusters is None else newest.clusters[inside]
    flags = repeated_alarms(
        differences, alpha=plan.alpha, horizon=plan.horizon, higher_is_better=series.higher_is_better, weights=loads,
        clusters=groups, flips=FLIPS, seed=plan.seed,
    )  # fmt: skip
    way = -1 if series.higher_is_better else 1
    worse = np.array([way * (mean_of(night, loads) or 0.0) for night in differences.T])
    alarms = tuple(looks[at] for at in np.flatnonzero(flags).tolist())
    distance: list[float | None] = [None] * len(series.points)
    for at, far in zip(looks, plain(worse), strict=True):
        distance[at] = far
    control = _control(series, plan, looks, distance, ("paired", plan.alpha, alarms))
    return _in_doubt(control, len(differences) if groups is None else len(np.unique(groups)), worse[-1] > HAIR)


def _in_doubt(control: Control, units: int, is_worse: bool) -> Control:
    """Return a paired chart without a limit where it holds no alarm because of the number of its queries alone.

    The worst fall of all is one of as many patterns of signs as are tried. All that fell as far must be gone, of
    which each look takes alpha / horizon.
    """
    patterns = 2**units if 2 ** min(units, 64) <= ENUMERATED else FLIPS + 1
    needed = math.ceil(control.horizon / patterns / control.alpha)
    if control.first is not None or needed == 1:
        return control
    if needed > control.horizon:
        why = f"{units} queries that do not vary cannot show a fall within {control.horizon} looks"
        return replace(control, limit=None, why=why)
    why = f"{units} queries that do not vary show a fall after {needed} looks at the earliest"
    return replace(control, limit=None if is_worse else control.limit, why=why)


def _onset(distance: list[float | None], looks: list[int], first: int, begun: int) -> int:
    """Return the first of the looks without a break before an alarm that are worse than the baseline."""
    onset = first
    for at in reversed([at for at in looks if begun <= at < first]):
        if (distance[at] or 0) <= HAIR:
            break
        onset = at
    return onset
