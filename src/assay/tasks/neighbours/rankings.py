"""Neighbours as gold and as a run, so that the core's measures judge them."""

from dataclasses import replace

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.judged import Flags, Ints
from assay.core.run import FrameRows, Run
from assay.errors import MissingExtraError, ParameterError

FULL_BOOTSTRAP = 2_000
"""Beyond so many queries the interval is that of t, which the bootstrap then equals and takes seconds for."""


def run_of(names: pl.Series, rows: Ints, ids: Ints, *, name: str = "neighbours") -> Run:
    """Return lists of neighbours as a run: query and item by name, the first place with the highest score.

    `rows` (queries,) are the rows of the queries, `ids` (queries, k) those of their neighbours, -1 for none.
    """
    table = pairs(names, rows, ids, ids >= 0)
    place = np.broadcast_to(-np.arange(1.0, ids.shape[1] + 1), ids.shape)[ids >= 0]
    return Run(name, FrameRows(table.with_columns(score=pl.Series(place, dtype=pl.Float64))))


def gold_of(names: pl.Series, rows: Ints, ids: Ints, relevant: Flags, *, name: str = "gold") -> Gold:
    """Return judgments of neighbours: 1 where `relevant`, else 0; a pair that occurs twice is one."""
    table = pairs(names, rows, ids, ids >= 0)
    table = table.with_columns(grade=pl.Series(relevant[ids >= 0]).cast(pl.Float64))
    return Gold(table.unique(["query", "item"], maintain_order=True), name=name)


def pairs(names: pl.Series, rows: Ints, ids: Ints, kept: Flags) -> pl.DataFrame:
    """Return the names of queries and items of the places that are kept, list by list."""
    query = np.broadcast_to(rows[:, None], ids.shape)[kept]
    return pl.DataFrame({"query": names[query], "item": names[ids[kept]]})


def require_level(level: float | None) -> None:
    """Raise ParameterError unless the confidence of intervals lies between 0 and 1."""
    if level is not None and not 0 < level < 1:
        msg = f"interval: expected a level between 0 and 1, found {level:g}"
        raise ParameterError(msg, hint="0.95 is usual.")


def with_intervals(evaluation: Evaluation, level: float | None, seed: int) -> tuple[Evaluation, tuple[str, ...]]:
    """Return the evaluation with an interval at each figure, and what is to be said where there can be none."""
    if level is None:
        return evaluation, ()
    figures = []
    try:
        for figure in evaluation.figures:
            method = "auto" if figure.queries <= FULL_BOOTSTRAP else "t"
            found = evaluation.interval(figure.name, level=level, method=method, seed=seed)
            figures.append(replace(figure, interval=found))
    except MissingExtraError as error:
        return evaluation, (f"no intervals: {error.message}",)
    return replace(evaluation, figures=tuple(figures)), ()
