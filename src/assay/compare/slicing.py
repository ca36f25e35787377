"""Slices: every measure in each group of queries, and which run is better there."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.compare.contrasts import Request, contrasts_of
from assay.compare.derived import columns_by
from assay.compare.family import judged
from assay.compare.grouping import Grouping, Groups, groupings_of
from assay.compare.pairing import Values, values_of
from assay.compare.reversals import reversals
from assay.compare.settings import Settings
from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.sample import Sample
from assay.core.slices import SliceContrast, SliceFigure, Slicing
from assay.report.grid import labels_of
from assay.statistics.interval import intervals


def slice_evaluations(
    evaluations: Sequence[Evaluation],
    columns: pl.DataFrame,
    settings: Settings | None = None,
    *,
    contrasts: bool = True,
) -> tuple[Slicing, ...]:
    """Cut the queries by each column beside `query`, and return every measure in each group.

    Each slicing is a family of its own: its tests are corrected over groups × pairs of runs × measures. With a
    single evaluation, or without `contrasts`, there are figures only.
    """
    settings = settings or Settings()
    values, labels = values_of(evaluations), tuple(labels_of(evaluations))
    request = replace(Request.of(labels, settings, len(values)), power=False)
    request = request if contrasts else replace(request, pairs=[])
    queries = pl.concat([one.scores.table["query"] for one in evaluations]).unique().sort()
    return tuple(_slicing(grouping, evaluations, values, request) for grouping in groupings_of(columns, queries))


def slices_of(
    evaluations: Sequence[Evaluation],
    gold: Gold | None,
    by: Any,
    settings: Settings | None = None,
    *,
    contrasts: bool = True,
) -> tuple[Slicing, ...]:
    """Cut the queries by a file, frame or mapping, or by what is counted: see `columns_by`."""
    settings = settings or Settings()
    place = settings.place(tuple(labels_of(evaluations)))
    columns = columns_by(by, gold or _queries_of(evaluations), evaluations[place])
    return () if columns is None else slice_evaluations(evaluations, columns, settings, contrasts=contrasts)


def _queries_of(evaluations: Sequence[Evaluation]) -> Gold:
    """Return a gold that knows the queries and nothing of them, for results that were read from files."""
    queries = pl.concat([one.scores.table["query"] for one in evaluations]).unique()
    return Gold(pl.DataFrame({"query": queries}).with_columns(item=pl.lit(""), grade=pl.lit(0.0)))


def _slicing(
    grouping: Grouping, evaluations: Sequence[Evaluation], values: Sequence[Values], request: Request
) -> Slicing:
    figures = _figures(grouping.groups, evaluations, request)
    found = Slicing(
        column=grouping.column,
        groups={label: len(queries) for label, queries in grouping.groups.items()},
        figures=figures,
        contrasts=_contrasts(grouping.groups, values, request),
        worst=_worst(figures, {one.figure.name: one.figure.higher_is_better for one in values}),
        unassigned=grouping.unassigned,
    )
    return replace(found, reversals=reversals(found, evaluations, request))


def _figures(groups: Groups, evaluations: Sequence[Evaluation], request: Request) -> tuple[SliceFigure, ...]:
    """Return each measure of each run in each group, with its interval."""
    parts = [
        (group, label, name, _part(sample, queries))
        for label, one in zip(request.labels, evaluations, strict=True)
        for name, sample in one.samples.items()
        for group, queries in groups.items()
    ]
    samples, settings = [part for *_, part in parts], request.settings
    found = intervals(
        samples, level=settings.level, bounds=[one.bounds for one in samples], resamples=settings.resamples,
        seed=settings.seed,
    )  # fmt: skip
    return tuple(
        SliceFigure(group, label, name, _mean(part), len(part), interval)
        for (group, label, name, part), interval in zip(parts, found, strict=True)
    )


def _part(sample: Sample, queries: pl.Series) -> Sample:
    """Return the sample of some queries."""
    kept = sample.queries.is_in(queries.implode()).to_numpy()
    return Sample(
        sample.queries.filter(pl.Series(kept, dtype=pl.Boolean)),
        sample.values[kept],
        None if sample.weights is None else sample.weights[kept],
        None if sample.clusters is None else sample.clusters[kept],
        sample.aggregate,
        sample.bounds,
    )


def _mean(sample: Sample) -> float | None:
    """Return the figure of a sample: its own aggregate, or the weighted mean; None where nothing has a weight."""
    if sample.aggregate is not None:
        return sample.aggregate(sample.values, sample.weights) if len(sample) else None
    weights = np.ones(len(sample)) if sample.weights is None else sample.weights
    total = math.fsum(weights)
    return math.fsum(sample.values * weights) / total if total else None


def _contrasts(groups: Groups, values: Sequence[Values], request: Request) -> tuple[SliceContrast, ...]:
    """Return each run against each other in each group, corrected over all of them."""
    found = [
        (group, contrast)
        for group, queries in groups.items()
        for one in values
        for contrast in contrasts_of(_within(one, queries), request)
    ]
    contrasts = judged([contrast for _, contrast in found], request.settings)
    return tuple(
        SliceContrast(
            group, one.run, one.baseline, one.measure, one.difference, one.interval, one.significance, one.verdict
        )
        for (group, _), one in zip(found, contrasts, strict=True)
    )  # fmt: skip


def _within(values: Values, queries: pl.Series) -> Values:
    return values.only(pl.Series(values.queries, dtype=pl.String).is_in(queries.implode()).to_numpy())


def _worst(figures: Sequence[SliceFigure], up: dict[str, bool]) -> dict[tuple[str, str], str]:
    """Name for each run and measure the group with the worst figure, where groups differ."""
    found: dict[tuple[str, str], list[SliceFigure]] = {}
    for one in figures:
        if one.mean is not None:
            found.setdefault((one.run, one.measure), []).append(one)
    return dict(_worst_of(found, up))


def _worst_of(
    found: dict[tuple[str, str], list[SliceFigure]], up: dict[str, bool]
) -> Iterator[tuple[tuple[str, str], str]]:
    for key, group in found.items():
        ordered = sorted(group, key=lambda one: one.mean or 0.0, reverse=not up[key[1]])
        if len(ordered) > 1 and ordered[0].mean != ordered[-1].mean:
            yield key, ordered[0].group
