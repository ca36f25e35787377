"""What could at best be reached with the lists of several systems: by choosing among them, by ordering them anew."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl

from assay.compare.pairing import Values
from assay.core.comparison import Comparison
from assay.core.evaluation import Evaluation, Figure
from assay.core.gold import Gold
from assay.core.lexical_sides import Ceiling
from assay.core.run import FrameRows, Run

Judge = Callable[..., list[Evaluation]]
"""Judges runs on the terms and by the measures of the comparison."""
WORTH_SAYING = 0.0005
"""A range that ties leave open is named from here on."""


def ceilings(
    gold: Gold, lists: Sequence[pl.DataFrame], comparison: Comparison, values: Sequence[Values], judge: Judge
) -> Iterator[Ceiling]:
    """Yield the ceiling of each measure; `lists` and `values` are those of the systems, without fusions."""
    ideals = [*([one] for one in lists), lists]
    ordered = [at_best(gold, some, f"ideal {place}") for place, some in enumerate(ideals)]
    reached = judge(ordered)
    figures = list(zip(*(one.figures for one in comparison.evaluations), strict=True))
    for place, each in enumerate(values):
        best = _best(figures[place][: len(lists)])
        means = [one.figures[place].mean for one in reached]
        fused = zip(comparison.labels[len(lists) :], figures[place][len(lists) :], strict=True)
        yield Ceiling(
            each.figure.name,
            comparison.labels[best],
            figures[place][best].mean,
            chosen(each),
            tuple(means[:-1]),
            means[-1],
            {label: figure.mean for label, figure in fused},
        )


def about_ties(fused: Sequence[Run], judge: Judge) -> Iterator[str]:
    """Say of which fusions the first figure depends on the order of items with equal scores, and by how much."""
    for one in judge(fused, tie_range=True) if fused else ():
        figure = one.figures[0]
        low, high = figure.pessimistic, figure.optimistic
        if low is not None and high is not None and abs(high - low) >= WORTH_SAYING:
            yield (
                f"{one.name} gives some items equal scores: by their order {figure.name} lies between "
                f"{low:.4f} and {high:.4f}."
            )


def at_best(gold: Gold, lists: Sequence[pl.DataFrame], name: str) -> Run:
    """Return all items of some lists in the best order: by grade, what is not judged before grades below 0."""
    union = pl.concat([one.select("query", "item") for one in lists]).unique()
    graded = union.join(gold.table, on=["query", "item"], how="left").fill_null(0.0)
    rows = graded.select("query", "item", score=pl.col("grade")).sort("query", "item")
    return Run(name, FrameRows(rows))


def chosen(values: Values) -> float | None:
    """Return the mean where each query is answered by the system that does best on it; None of what is no mean."""
    if values.why:
        return None
    best = np.fmax if values.figure.higher_is_better else np.fmin
    numbers = best.reduce(values.numbers, axis=1)
    there = ~np.isnan(numbers)
    if not there.any():
        return None
    loads = None if values.weights is None else values.weights[there]
    return float(np.average(numbers[there], weights=loads))


def _best(figures: Sequence[Figure]) -> int:
    """Return the place of the best system, the first of equal ones."""
    sign = 1 if figures[0].higher_is_better else -1
    known = [-np.inf if one.mean is None else sign * one.mean for one in figures]
    return int(np.argmax(known))
