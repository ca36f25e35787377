"""Nights of a suite, as tests of drift make them."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
from tests.unit.history_stores import START

from assay.core.history import Made, Recorded, RecordedFigure

MEASURE = "nDCG@10"
MADE = Made("a" * 64, "b" * 64, None, "", "abc", "Linux", "0.1", {"ties": "id-desc"}, {})


def names(count, first=0):
    """Return ids of queries."""
    return tuple(f"q{n:04}" for n in range(first, first + count))


def night(day, values, queries=None, *, measure=MEASURE, weights=None, groups=None, up=True, head=None, **made):
    """Return an evaluation of these values; its figure is their mean, and there is one for each slice."""
    values = np.asarray(values, np.float64)
    queries = names(len(values)) if queries is None else queries
    loads = np.ones(len(values)) if weights is None else np.asarray(weights, np.float64)
    figures = [_figure(measure, "", values, loads, up=up)]
    for column, group in (groups or {}).items():
        labels = np.array([group.get(query, "") for query in queries])
        figures += [
            _figure(measure, f"{column}={value}", values[labels == value], loads[labels == value], up=up)
            for value in sorted(set(labels.tolist()) - {""})
        ]
    return Recorded(
        0, "web", "bm25", START + timedelta(days=day), replace(MADE, **made), False, "", tuple(figures), queries,
        {measure: values}, None if weights is None else loads, None, head,
        0 if head is None else int(head.group_by("query").len()["len"].max()), groups or {},
    )  # fmt: skip


def counted(day, value, measure="completeness", *, up=True):
    """Return an evaluation with a figure of which no queries are known."""
    figure = RecordedFigure(measure, "", value, 0, 0, higher_is_better=up, of_queries=False)
    return Recorded(0, "web", "graph", START + timedelta(days=day), MADE, False, "", (figure,))


def _figure(measure, part, values, weights, *, up):
    there = ~np.isnan(values)
    mean = float((values * weights)[there].sum() / weights[there].sum()) if there.any() else None
    return RecordedFigure(measure, part, mean, int(there.sum()), int((~there).sum()), up)
