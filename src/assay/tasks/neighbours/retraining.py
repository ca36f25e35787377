"""Whether drift calls for action: only if neighbours changed more than by chance and a measured task lost."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.core.estimates import Interval, Significance
from assay.core.judged import Floats
from assay.core.neighbours import Retraining
from assay.errors import InputError, MissingExtraError

ALPHA = 0.05
NEEDS_TWIN = "vectors of the old version trained once more with another seed (twin): what chance alone changes"
NEEDS_TASK = "the task's value for each query with the old and with the new vectors: what the change costs"


def retraining(
    overlap: Floats, noise: Floats | None = None, task: tuple[Any, Any] | None = None, *, seed: int = 0
) -> Retraining:
    r"""Return the signal: neighbours changed more than training again changes them, and the task lost.

    `overlap` (items,) is Overlap@k of old and new; `noise` (items,) that of old and a twin of it. `task` are the values
    of the task before and after: evaluations, of which the first measure counts, or `{query: value}`, higher is better.

    `moved`: the upper end of the 95 % interval of overlap minus noise, item by item, is below 0. `worse`: the mean
    change of the task is a loss and its p value by sign flips is below 0.05. The signal is True if both hold,
    False if either is known not to hold, None else; vectors may turn over completely and serve as well as before, and
    then nothing has to be done. Neighbours of one item are items themselves, so the interval is a little too short.

    >>> found = retraining(np.full(30, 0.5), np.full(30, 0.9) + np.arange(30) / 1000)
    >>> found.moved, found.signal, len(found.needs)
    (True, None, 1)
    """
    excess = None if noise is None else _excess(overlap, noise, seed)
    moved = None if excess is None or excess.high is None else excess.high < 0
    loss, tested = (None, None) if task is None else _tested(*task, seed)
    worse = None if tested is None or tested.p is None or loss is None else tested.p < ALPHA and loss < 0
    known = [one for one in (moved, worse) if one is not None]
    return Retraining(
        signal=False if False in known else (True if len(known) == 2 else None),
        moved=moved,
        worse=worse,
        noise=None if noise is None else float(noise.mean()),
        excess=excess,
        loss=loss,
        task=tested,
        needs=(*([NEEDS_TWIN] if noise is None else []), *([NEEDS_TASK] if task is None else [])),
    )


def _excess(overlap: Floats, noise: Floats, seed: int) -> Interval:
    """Return the interval of the mean of overlap minus noise."""
    from assay.statistics.interval import difference_interval

    method: Any = "auto" if len(overlap) <= 2_000 else "t"
    try:
        return difference_interval(noise, overlap, bounds=(-1.0, 1.0), method=method, seed=seed)
    except MissingExtraError:
        return Interval(None, None, 0.95, "none", len(overlap))


def _tested(before: Any, after: Any, seed: int) -> tuple[float, Significance]:
    """Return the mean change of the task (positive: better) and its test, over the queries that both have."""
    from assay.statistics.difference import significance

    (old, up), (new, _) = _values(before), _values(after)
    queries = sorted(old.keys() & new.keys())
    if not queries:
        msg = "task: expected queries that both results have, found none"
        raise InputError(msg)
    change = np.array([new[query] - old[query] for query in queries]) * (1 if up else -1)
    return float(change.mean()), significance(change, seed=seed)[0]


def _values(given: Any) -> tuple[dict[str, float], bool]:
    """Return the value of each query that has one, and whether higher is better."""
    if isinstance(given, Mapping):
        return {str(query): float(value) for query, value in given.items() if value is not None}, True
    figure = given.figures[0]
    rows = given.scores.table.filter(measure=figure.name).drop_nulls("value")
    return dict(zip(rows["query"].to_list(), rows["value"].to_list(), strict=True)), figure.higher_is_better
