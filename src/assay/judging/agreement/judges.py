"""Each judge beside the others: what he gives, how far he leans, with what he is confused; and over time."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import polars as pl

from assay.core.agreement import Coefficient, JudgeAgreement, Period
from assay.core.estimates import Interval
from assay.core.judged import Floats
from assay.judging.agreement.panel import Panel
from assay.statistics.interval import FEW
from assay.statistics.proportion import wilson
from assay.statistics.reliability import kappa_of, or_none

Drift = Literal["auto", "guideline", "month", "week", "day", "none"]
DAY = 10
"""How many characters of a time in ISO 8601 name the day."""
FORMS = {"month": "%Y-%m", "week": "%G-W%V", "day": "%Y-%m-%d"}


def by_judge(panel: Panel, reference: int | None) -> Iterator[JudgeAgreement]:
    """Yield each judge beside all others, or each other judge beside the reference."""
    for judge, name in enumerate(panel.judges):
        if judge == reference:
            continue
        own = panel.grades[:, judge]
        others = panel.others(judge, reference)
        confusion = _confusion(panel, own, others)
        grades = own[~np.isnan(own)]
        yield JudgeAgreement(
            judge=name,
            judged=len(grades),
            cannot_tell=int(panel.table.filter(judge=name)["grade"].null_count()),
            shared=int((others[~np.isnan(own)].sum(axis=1) > 0).sum()),
            given={grade: int((grades == grade).sum()) for grade in panel.scale.tolist()},
            mean=float(grades.mean()) if len(grades) else None,
            leans=_leans(panel, confusion),
            percent=float(np.trace(confusion) / confusion.sum()) if confusion.any() else None,
            kappa=or_none(kappa_of(confusion, panel.scale)),
            confusion=tuple(tuple(row) for row in confusion.astype(np.int64).tolist()),
        )


def drift(panel: Panel, kind: Drift, reference: int | None, level: float) -> Iterator[Period]:
    """Yield each judge in each period in which he shared a pair, where there are two periods or more.

    "auto" takes versions of the guideline where there are several, else months, weeks or days: the longest of which
    there are several. The interval of an agreement is Wilson's, that of a change Newcombe's of two shares.
    """
    found = _periods(panel.table, kind)
    if found is None:
        return
    name, periods = found
    rows = panel.table.select("row", "column", period=periods)
    for judge in range(len(panel.judges)):
        if judge != reference:
            yield from _of_judge(panel, rows.filter(column=judge), judge, (name, reference, level))


def _of_judge(panel: Panel, rows: pl.DataFrame, judge: int, how: tuple[str, int | None, float]) -> Iterator[Period]:
    """Yield the periods of one judge; the last says how it differs from the first."""
    kind, reference, level = how
    others = panel.others(judge, reference)
    own = np.full(len(panel.grades), np.nan)
    first: Coefficient | None = None
    names = sorted(rows["period"].drop_nulls().unique().to_list(), key=lambda name: (len(name), name))
    for place, name in enumerate(names):
        chosen = rows.filter(period=name)["row"].to_numpy()
        own[:] = np.nan
        own[chosen] = panel.grades[chosen, judge]
        percent, shared = _percent(panel, own, others, level)
        if not shared:
            continue
        confusion = _confusion(panel, own, others)
        last = place == len(names) - 1 and first is not None
        yield Period(
            panel.judges[judge], kind, name, shared, percent, or_none(kappa_of(confusion, panel.scale)),
            _leans(panel, confusion), _change(first, percent) if last and first else None,
        )  # fmt: skip
        first = first or percent


def _percent(panel: Panel, own: Floats, others: Floats, level: float) -> tuple[Coefficient, int]:
    """Return the mean over shared pairs of the share of others who agree, with Wilson's interval, and their number."""
    many = others.sum(axis=1)
    rows = np.flatnonzero(~np.isnan(own) & (many > 0))
    if not len(rows):
        return Coefficient(None), 0
    share = float((others[rows, panel.places(own[rows])] / many[rows]).mean())
    low, high = wilson(share, len(rows), level)
    return Coefficient(share, _interval(low, high, level, "wilson", len(rows))), len(rows)


def _change(first: Coefficient, last: Coefficient) -> Coefficient:
    """Return by how much a share rose, with Newcombe's interval (1998, method 10)."""
    one, two = first.interval, last.interval
    if one is None or two is None or first.value is None or last.value is None:
        return Coefficient(None)
    rise = last.value - first.value
    down = math.hypot(last.value - (two.low or 0), (one.high or 0) - first.value)
    up = math.hypot((two.high or 0) - last.value, first.value - (one.low or 0))
    units = min(one.units, two.units)
    return Coefficient(rise, _interval(rise - down, rise + up, one.level, "newcombe", units))


def _interval(low: float, high: float, level: float, method: str, units: int) -> Interval:
    return Interval(low, high, level, method, units, ("few",) * (units < FEW))


def _confusion(panel: Panel, own: Floats, others: Floats) -> Floats:
    """Return how often others gave a grade (rows) where the judge gave another (columns)."""
    rows = np.flatnonzero(~np.isnan(own))
    given = np.zeros((len(rows), len(panel.scale)))
    given[np.arange(len(rows)), panel.places(own[rows])] = 1
    return np.asarray(others[rows].T @ given)


def _leans(panel: Panel, confusion: Floats) -> float | None:
    """Return the mean of the judge's grade less another's, over all shared pairs and others; None without."""
    if not confusion.any():
        return None
    apart = panel.scale[None, :] - panel.scale[:, None]
    return float((confusion * apart).sum() / confusion.sum())


def _periods(table: pl.DataFrame, kind: Drift) -> tuple[str, pl.Series] | None:
    """Return the kind of period and that of each judgment; None where there are not two."""
    kinds: Sequence[str] = ("guideline", "month", "week", "day") if kind == "auto" else (kind,)
    for one in kinds:
        column = "guideline" if one == "guideline" else "time"
        if one != "none" and column in table.columns:
            named = table[column] if one == "guideline" else _calendar(table["time"], one)
            if named.drop_nulls().n_unique() > 1:
                return one, named
    return None


def _calendar(times: pl.Series, kind: str) -> pl.Series:
    """Return the month, the week (ISO, as 2026-W05) or the day of times; null of what is no time."""
    days = times.str.slice(0, DAY).str.to_date("%Y-%m-%d", strict=False)
    return days.dt.strftime(FORMS[kind])
