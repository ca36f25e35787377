"""How far a measure moves when one judgment is another grade: what it is worth to settle a pair."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.gold import Gold
from assay.core.judged import Floats, Hits, Ints, Judged
from assay.core.policy import ENGINE_TIES, Policy
from assay.errors import ParameterError, UnsupportedError
from assay.evaluate import Judging, Plan
from assay.evaluate.plan import conventions_of, plans_of
from assay.health import can_be_narrowed
from assay.inputs import as_run
from assay.measures import parse_many
from assay.measures.possible import parts

PLACES = 1 << 20
"""How many judgments are worked on at once."""


def effects(
    gold: Gold,
    other: Floats,
    runs: Sequence[Any],
    measure: Any,
    *,
    policy: Policy | None = None,
    rel: float | None = None,
) -> tuple[Floats, str, tuple[str, ...]]:
    """Return how far the mean of a measure moves, in the run that it moves most, when one pair has its other grade.

    `other` holds a grade for each row of the gold's table, NaN for a row that is not asked about (its effect is 0).
    Also returned: the measure, and the names of the runs. The effect is exact: each query is computed twice.

    Raises
    ------
    ParameterError, UnsupportedError
        Not one measure; one that reads more than one grade for an item, or is no mean over queries.
    """
    plans = plans_of(parse_many(measure), conventions_of(policy, None), gold, rel)
    if len(plans) != 1:
        raise ParameterError(f"measure: expected one, found {len(plans)} in {measure!r}")
    plan = plans[0]
    if not can_be_narrowed(plan.measure):
        msg = f"{plan.measure}: an effect needs a mean over queries and one grade for each item"
        raise UnsupportedError(msg, hint="name another measure, such as nDCG@10 or AP.")
    opened = [as_run(run, gold) for run in runs]
    ties = plan.policy.ties if plan.policy.ties in ENGINE_TIES else "id-desc"
    rows = np.flatnonzero(~np.isnan(other))
    moved = np.zeros(len(gold))
    for run in opened:
        judged = Judging(run, gold, None).under(plan.policy.but(ties=ties))
        moved[rows] = np.maximum(moved[rows], _moved(plan, judged, gold, rows, other[rows]))
    share = 1 if plan.measure.summed else len(gold.queries)
    return moved / share, str(plan.measure), tuple(run.name for run in opened)


def _moved(plan: Plan, judged: Judged, gold: Gold, rows: Ints, other: Floats) -> Floats:
    """Return how far the value of the query of each row moves, shape (rows,)."""
    found = np.zeros(len(rows))
    sizes = np.bincount(gold.codes, minlength=len(gold.queries))[gold.codes[rows]].astype(np.float64)
    now = gold.table["grade"].to_numpy()
    for part in parts(sizes, PLACES):
        before = _value(plan, _regraded(judged, gold, rows[part], now[rows[part]]))
        after = _value(plan, _regraded(judged, gold, rows[part], other[part]))
        found[part] = np.abs(after - before)
    return found


def _value(plan: Plan, judged: Judged) -> Floats:
    """Return the value of each query; 0 where it is undefined or nothing was answered."""
    value = plan.measure.kernel(judged)
    return np.where(plan.measure.defined(judged) & judged.answered & ~np.isnan(value), value, 0.0)


def _regraded(judged: Judged, gold: Gold, rows: Ints, grades: Floats) -> Judged:
    """Return one query for each row of the gold: that of the row, with the row's grade changed."""
    query, item = gold.codes[rows], np.arange(len(rows))
    every, number = _copied(gold.codes, len(gold.queries), query)
    best = gold.table["grade"].to_numpy()[every]
    best[every == rows[number]] = grades
    falling = np.lexsort((-best, number))
    chosen, place = _copied(judged.hits.query, judged.queries, query)
    hits = judged.hits.where(chosen)
    changed = np.where(hits.row == rows[place], grades[place], hits.grade)
    return Judged(
        names=pl.Series(map(str, item), dtype=pl.String),
        hits=replace(hits, queries=len(item), query=place, grade=changed, row=None),
        ideal=Hits.ranked(len(item), number[falling], best[falling]),
        retrieved=judged.retrieved[query],
        answered=judged.answered[query],
        candidates=None if judged.candidates is None else judged.candidates[query],
        whole_top=max(judged.top_grade, float(grades.max(initial=0.0))),
    )


def _copied(codes: Ints, queries: int, wanted: Ints) -> tuple[Ints, Ints]:
    """Return the rows of each wanted query, which may be wanted again, and which of the wanted each belongs to."""
    many = np.bincount(codes, minlength=queries)
    start = np.cumsum(many) - many
    number = np.repeat(np.arange(len(wanted)), many[wanted])
    first = np.cumsum(many[wanted]) - many[wanted]
    within = np.arange(len(number)) - first[number]
    return start[wanted][number] + within, number
