"""Coefficients of a panel: overall and of each two judges, with intervals by the bootstrap."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Literal

import numpy as np

from assay.core.agreement import Between, Coefficient
from assay.core.estimates import Interval
from assay.core.judged import Floats
from assay.judging.agreement.panel import Panel
from assay.statistics.judges import LEVELS, Level, alpha_of
from assay.statistics.reliability import Tally, kappa_of, met, or_none
from assay.statistics.reliability_bootstrap import percentile_interval, resampled_counts, resampled_sums

Unit = Literal["pairs", "queries"]
Figures = Mapping[str, Callable[[], Floats]]

BLOCK = 1 << 22
"""Cells that are laid out at a time (32 MiB)."""
MOST = 1 << 26
"""Cells up to which what the bootstrap draws is laid out (512 MiB); beyond, there are no intervals overall."""


@dataclass(frozen=True, slots=True)
class Draws:
    """How intervals are made: confidence (None: not at all), what is drawn, how often, from what seed."""

    confidence: float | None
    unit: Unit
    resamples: int
    seed: int


def overall(panel: Panel, draws: Draws) -> dict[str, Coefficient]:
    """Return percent, fleiss, ac1 and alpha by level of all judges."""
    kinds, many = panel.kinds
    tally = Tally(panel.scale, _summed(panel))
    values = {name: or_none(figure()) for name, figure in _of_tally(tally).items()}
    if draws.confidence is None or len(kinds) * len(panel.scale) ** 2 > MOST:
        return {name: Coefficient(value) for name, value in values.items()}
    by_pair = draws.unit == "pairs"
    units, times = (Tally.of_counts(panel.scale, kinds).sums, many.astype(np.float64)) if by_pair else _by_query(panel)
    drawn = _of_tally(Tally(panel.scale, resampled_sums(units, times, draws.resamples, draws.seed)))
    return {name: _coefficient(value, drawn[name](), int(times.sum()), draws) for name, value in values.items()}


def alpha_by_queries(panel: Panel, level: Level, draws: Draws) -> Interval | None:
    """Return the interval of alpha where queries are drawn with all their pairs; None where that says nothing."""
    if draws.confidence is None or draws.unit == "queries" or panel.query[-1] < 1:
        return None
    sums = resampled_sums(*_by_query(panel), draws.resamples, draws.seed)
    alphas = alpha_of(Tally(panel.scale, sums).coincidences, panel.scale, level)
    return percentile_interval(alphas, int(panel.query[-1]) + 1, draws.confidence, draws.seed)


def between(panel: Panel, level: Level, draws: Draws, reference: int | None) -> Iterator[Between]:
    """Yield each two judges who graded the same pairs; with a reference, it and each other."""
    for first, second in combinations(range(len(panel.judges)), 2):
        if reference is not None and reference not in {first, second}:
            continue
        one, two = (reference, first + second - reference) if reference is not None else (first, second)
        table = met(panel.grades[:, one], panel.grades[:, two], panel.scale)[1]
        if table.any():
            names = panel.judges[one], panel.judges[two]
            yield Between(*names, int(table.sum()), _of_two(panel, (one, two), table, level, draws))


def _of_two(panel: Panel, judges: tuple[int, int], table: Floats, level: Level, draws: Draws) -> dict[str, Coefficient]:
    values = {name: or_none(figure()) for name, figure in _of_table(table, panel.scale, level).items()}
    if draws.confidence is None:
        return {name: Coefficient(value) for name, value in values.items()}
    drawn, units = _drawn_tables(panel, judges, table, draws)
    figures = _of_table(drawn, panel.scale, level)
    return {name: _coefficient(value, figures[name](), units, draws) for name, value in values.items()}


def _drawn_tables(panel: Panel, judges: tuple[int, int], table: Floats, draws: Draws) -> tuple[Floats, int]:
    """Return the tables of resamples, of shape (resamples, grades, grades), and how many units there are."""
    if draws.unit == "queries":
        units, times = _tables_by_query(panel, judges)
        sums = resampled_sums(units, times, draws.resamples, draws.seed)
        return sums.reshape(-1, *table.shape), len(units)
    cells = np.flatnonzero(table)
    drawn = np.zeros((draws.resamples, table.size))
    drawn[:, cells] = resampled_counts(table.ravel()[cells], draws.resamples, draws.seed)
    return drawn.reshape(-1, *table.shape), int(table.sum())


def _of_tally(tally: Tally) -> Figures:
    """Return what is made of the sums of any number of judges."""
    alphas = {f"alpha_{one}": partial(alpha_of, tally.coincidences, tally.values, one) for one in LEVELS}
    return {"percent": lambda: tally.percent, "fleiss": lambda: tally.fleiss, "ac1": lambda: tally.ac1, **alphas}


def _of_table(table: Floats, scale: Floats, level: Level) -> Figures:
    """Return what is made of tables of two judges, of shape (..., grades, grades)."""
    return {
        "percent": lambda: np.trace(table, axis1=-2, axis2=-1) / table.sum(axis=(-2, -1)),
        "kappa": lambda: kappa_of(table, scale),
        "linear": lambda: kappa_of(table, scale, "linear"),
        "quadratic": lambda: kappa_of(table, scale, "quadratic"),
        "alpha": lambda: alpha_of(table + np.swapaxes(table, -1, -2), scale, level),
        "ac1": lambda: _ac1(table),
    }


def _ac1(table: Floats) -> Floats:
    """Return Gwet's AC1 of tables of two judges, by the pairs that both graded."""
    many = table.sum(axis=(-2, -1))
    shares = (table.sum(axis=-1) + table.sum(axis=-2)) / (2 * many[..., None])
    chance = (shares * (1 - shares)).sum(axis=-1) / max(1, table.shape[-1] - 1)
    return np.asarray((np.trace(table, axis1=-2, axis2=-1) / many - chance) / (1 - chance))


def _coefficient(value: float | None, drawn: Floats, units: int, draws: Draws) -> Coefficient:
    if value is None or draws.confidence is None:
        return Coefficient(value)
    return Coefficient(value, percentile_interval(drawn, units, draws.confidence, draws.seed))


def _summed(panel: Panel) -> Floats:
    """Return the sums of a tally over all pairs; pairs that count alike are laid out once, some kinds at a time."""
    kinds, times = panel.kinds
    step = max(1, BLOCK // len(panel.scale) ** 2)
    parts = (slice(at, at + step) for at in range(0, len(kinds), step))
    return np.asarray(sum(times[part] @ Tally.of_counts(panel.scale, kinds[part]).sums for part in parts))


def _by_query(panel: Panel) -> tuple[Floats, Floats]:
    """Return what each query adds, all its pairs together."""
    step = max(1, BLOCK // len(panel.scale) ** 2)
    sums: Floats | None = None
    for at in range(0, len(panel.counts), step):
        part = Tally.of_counts(panel.scale, panel.counts[at : at + step]).sums
        sums = np.zeros((int(panel.query[-1]) + 1, part.shape[1])) if sums is None else sums
        np.add.at(sums, panel.query[at : at + step], part)
    return np.zeros((0, 0)) if sums is None else sums, np.ones(int(panel.query[-1]) + 1)


def _tables_by_query(panel: Panel, judges: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return the table of two judges for each query in which they share pairs, of shape (queries, cells)."""
    one, two = panel.grades[:, judges[0]], panel.grades[:, judges[1]]
    both = ~(np.isnan(one) | np.isnan(two))
    size = len(panel.scale)
    numbers, query = np.unique(panel.query[both], return_inverse=True)
    cells = panel.places(one[both]) * size + panel.places(two[both])
    tables = np.bincount(query * size**2 + cells, minlength=len(numbers) * size**2)
    return tables.reshape(len(numbers), -1).astype(np.float64), np.ones(len(numbers))
