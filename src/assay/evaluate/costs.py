"""What runs cost, beside how good they are."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.costs import COSTS, CostFigure
from assay.core.evaluation import Evaluation
from assay.core.run import Run
from assay.errors import InputError
from assay.inputs import as_costs
from assay.report.grid import labels_of
from assay.statistics.pareto import front


def cost_figures(
    runs: Sequence[Run],
    labels: Sequence[str],
    means: Mapping[str, float | None],
    *,
    costs: Any = None,
    higher_is_better: bool = True,
    queries: pl.Series | None = None,
) -> tuple[CostFigure, ...]:
    """Return what the queries of each run cost: for each kind of cost, the runs of which it is known.

    `labels` name the runs; `means` hold the figure of each label by the measure that stands for quality. `costs` (a
    file or frame with a column run, which holds labels or names of runs; without one, of a single run) adds to what
    the runs themselves say, and comes first. Columns of a run that differ within a query are of its items, and no cost
    of the query. With `queries`, only those count.

    Raises
    ------
    InputError
        Costs that contradict themselves, that are of other runs, or that do not say which of several they are of.

    >>> rows = {"query": ["a", "b"], "item": ["x", "x"], "score": [1.0, 1.0]}
    >>> cheap, dear = (Run.from_frame(pl.DataFrame(rows | {"tokens": [n, n + 2]})) for n in (10, 90))
    >>> figures = cost_figures([cheap, dear], ["cheap", "dear"], {"cheap": 0.4, "dear": 0.3})
    >>> [(figure.run, figure.cost, figure.mean, figure.best) for figure in figures]
    [('cheap', 'tokens', 11.0, True), ('dear', 'tokens', 91.0, False)]
    """
    given = None if costs is None else as_costs(costs)
    if given is not None and "run" not in given.columns and len(runs) > 1:
        msg = f"costs: expected a column that names the run, for {len(runs)} runs, found {given.columns}"
        raise InputError(msg)
    if given is not None:
        _require_any(given, [name for run, label in zip(runs, labels, strict=True) for name in (label, run.name)])
    tables = {label: _known(run, label, given) for run, label in zip(runs, labels, strict=True)}
    if queries is not None:
        tables = {label: _only(table, queries) for label, table in tables.items()}
    sign = 1 if higher_is_better else -1
    figures: list[CostFigure] = []
    for cost in COSTS:
        found = [_figure(label, cost, table[cost]) for label, table in tables.items() if cost in table.columns]
        of_kind = [figure for figure in found if figure is not None]
        quality = [np.nan if (mean := means.get(one.run)) is None else sign * mean for one in of_kind]
        best = front(quality, [one.mean for one in of_kind])
        figures += [replace(one, best=bool(flag)) for one, flag in zip(of_kind, best, strict=True)]
    return tuple(figures)


def _require_any(given: pl.DataFrame, names: Sequence[str]) -> None:
    """Refuse costs of other runs only."""
    if "run" in given.columns and not given["run"].is_in(list(names)).any():
        msg = f"costs: expected a run such as {names[0]!r}, found {given['run'][0]!r} and none of these runs"
        raise InputError(msg, hint="the column run holds the names that the table shows.")


def costs_beside(evaluations: Sequence[Evaluation], runs: Sequence[Run], costs: Any = None) -> tuple[CostFigure, ...]:
    """Return what runs cost beside their first figure; see `cost_figures`."""
    first, labels = evaluations[0].figures[0], labels_of(evaluations)
    means = {label: one[first.name] for label, one in zip(labels, evaluations, strict=True)}
    queries = evaluations[0].judged.names if evaluations[0].judged is not None else None
    return cost_figures(runs, labels, means, costs=costs, higher_is_better=first.higher_is_better, queries=queries)


def _only(table: pl.DataFrame, queries: pl.Series) -> pl.DataFrame:
    return table.filter(pl.col("query").is_in(queries.implode())) if table.width else table


def _known(run: Run, label: str, given: pl.DataFrame | None) -> pl.DataFrame:
    """Return all that is known of what the queries of a run cost; what was given comes first."""
    try:
        own = run.costs()
    except InputError:  # columns of such names that differ within a query speak of its items
        own = None
    if given is not None and "run" in given.columns:
        given = given.filter(pl.col("run").is_in([label, run.name])).drop("run")
    if given is None or own is None:
        return next((table for table in (given, own) if table is not None), pl.DataFrame())
    added = own.drop(set(given.columns) - {"query"}, strict=False)
    return given.join(added, on="query", how="full", coalesce=True).sort("query")


def _figure(run: str, cost: str, values: pl.Series) -> CostFigure | None:
    known = values.drop_nulls().to_numpy()
    if not len(known):
        return None
    median, p95 = np.quantile(known, [0.5, 0.95])
    return CostFigure(
        run=run, cost=cost, mean=float(known.mean()), median=float(median), p95=float(p95),
        total=float(known.sum()), queries=len(known),
    )  # fmt: skip
