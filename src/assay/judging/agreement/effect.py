"""What disagreement does to the order of systems: the same runs, scored by each judge's own grades."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from assay.core.agreement import Effect, Rescored
from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.judged import Floats
from assay.errors import ParameterError
from assay.evaluate import evaluate_all
from assay.judging.agreement.panel import Panel
from assay.report.names import labels
from assay.statistics.agreement import kendall_tau

MIDDLE = "the middle grade"


def effects(
    panel: Panel, runs: Sequence[Any], measures: Any, reference: int | None, **options: Any
) -> Iterator[Effect]:
    """Yield for each measure the systems by the standard and by each judge; `options` are those of `evaluate`.

    The standard is the reference's grade, else the middle grade of a pair's judges (the lower of two). A judge's own
    grades stand in for it where he gave one: so all judges are held against one gold of the same pairs, and what
    differs is their disagreement, not what they were asked.

    Raises
    ------
    ParameterError
        Fewer than two runs.
    """
    if len(runs) < 2:
        raise ParameterError(f"runs: expected two or more to put into an order, found {len(runs)}")
    middle = _middle(panel.grades)
    standard = middle if reference is None else _over(middle, panel.grades[:, reference])
    found = evaluate_all(_gold(panel, standard), runs, measures, **options)
    names = labels([one.name for one in found], [one.path for one in found])
    under = {
        name: evaluate_all(_gold(panel, _over(standard, panel.grades[:, judge])), runs, measures, **options)
        for judge, name in enumerate(panel.judges)
        if judge != reference
    }
    by = MIDDLE if reference is None else panel.judges[reference]
    for place, figure in enumerate(found[0].figures):
        sign = 1 if figure.higher_is_better else -1
        base = _means(names, found, place)
        judges = tuple(_rescored(name, _means(names, one, place), base, sign) for name, one in under.items())
        yield Effect(figure.name, by, _rescored(by, base, base, sign), judges)


def _rescored(
    judge: str, figures: Mapping[str, float | None], standard: Mapping[str, float | None], sign: int
) -> Rescored:
    known = [name for name, value in figures.items() if value is not None and standard[name] is not None]
    mine, theirs = (np.array([table[name] for name in known], np.float64) for table in (figures, standard))
    pairs = list(combinations(range(len(known)), 2))
    swapped = sum(bool((mine[a] - mine[b]) * (theirs[a] - theirs[b]) < 0) for a, b in pairs)
    best = max(known, key=lambda name: sign * (figures[name] or 0.0), default=None)
    return Rescored(judge, figures, best, kendall_tau(mine, theirs), swapped)


def _means(names: Sequence[str], found: Sequence[Evaluation], place: int) -> dict[str, float | None]:
    return {name: one.figures[place].mean for name, one in zip(names, found, strict=True)}


def _middle(grades: Floats) -> Floats:
    """Return the middle grade of each pair, the lower of two; NaN where nobody gave one."""
    ordered = np.sort(grades, axis=1)  # NaN last
    many = (~np.isnan(grades)).sum(axis=1)
    return np.asarray(ordered[np.arange(len(grades)), np.maximum(many - 1, 0) // 2])


def _over(standard: Floats, own: Floats) -> Floats:
    return np.where(np.isnan(own), standard, own)


def _gold(panel: Panel, grades: Floats) -> Gold:
    table = panel.pairs.with_columns(grade=pl.Series(grades))
    return Gold(table.filter(pl.col("grade").is_not_nan()))
