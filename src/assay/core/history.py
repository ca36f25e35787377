"""Evaluations over time, as a store gives them back: how each was made, its figures, the values of its queries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
import polars as pl

from assay.core.hits import Flags, Floats, Ints


@dataclass(frozen=True, slots=True)
class Made:
    """How an evaluation was made.

    Digests are SHA-256 in hexadecimal, None where unknown; `queries` is the digest of the sorted ids of its queries.
    `code` names the revision of the system that was judged; a `+` at its end says that files differed from it.
    `task` is ranking, links, neighbours, entities, rag, answers, graph, or what another program called it. `exclude`
    and `weights` are digests of the pairs that were left out and of what queries weigh and which belong together, None
    where there were none.
    """

    gold: str | None
    run: str | None
    corpus: str | None
    queries: str
    code: str | None
    platform: str
    assay: str
    policy: Mapping[str, Any]
    tags: Mapping[str, str]
    task: str = "ranking"
    exclude: str | None = None
    weights: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, in their order."""
        return {
            "task": self.task,
            "gold": self.gold,
            "run": self.run,
            "corpus": self.corpus,
            "queries": self.queries,
            "code": self.code,
            "platform": self.platform,
            "assay": self.assay,
            "policy": dict(self.policy),
            "exclude": self.exclude,
            "weights": self.weights,
            "tags": dict(self.tags),
        }


@dataclass(frozen=True, slots=True)
class RecordedFigure:
    """One measure of one evaluation, over all queries (`slice` is "") or over one slice (`column=value`).

    `queries` are those that have a value, `undefined` those that have none. `of_queries` says that the figure is the
    mean of the values of its queries, so that two of them may be compared query by query; a sum, a pooled list and
    a figure of which nothing more is known are not.
    """

    measure: str
    slice: str
    mean: float | None
    queries: int
    undefined: int
    higher_is_better: bool = True
    low: float | None = None
    high: float | None = None
    of_queries: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, in their order."""
        return {
            "measure": self.measure,
            "slice": self.slice,
            "mean": self.mean,
            "queries": self.queries,
            "undefined": self.undefined,
            "low": self.low,
            "high": self.high,
            "higher_is_better": self.higher_is_better,
            "of_queries": self.of_queries,
        }


@dataclass(frozen=True, eq=False)
class Recorded:
    """One evaluation as it was recorded.

    `id` is 0 before it is stored. `queries` are sorted by their UTF-8 bytes; `values` has one array of shape (queries,)
    for each measure, NaN where a query has no value; `weights` (queries,) are None where all count alike, `clusters`
    (queries,) number queries that belong together, None where each stands for itself. `head` has the columns query,
    item, score, the first items of each query in the order in which they were ranked; `depth` is how many were kept.
    `groups` maps the columns of slices to the value of each query. Where only figures were asked for, all these are
    empty.
    """

    id: int
    suite: str
    name: str
    time: datetime
    made: Made
    baseline: bool
    note: str
    figures: tuple[RecordedFigure, ...]
    queries: tuple[str, ...] = ()
    values: Mapping[str, Floats] = field(default_factory=dict)
    weights: Floats | None = None
    clusters: Ints | None = None
    head: pl.DataFrame | None = None
    depth: int = 0
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, each once, in the order in which they were recorded."""
        return tuple(dict.fromkeys(figure.measure for figure in self.figures))

    def figure(self, measure: str, slice: str = "") -> RecordedFigure:  # noqa: A002 - what users call it
        """Return the figure of a measure over all queries, or over one slice.

        Raises
        ------
        KeyError
            It was not recorded.
        """
        for figure in self.figures:
            if (figure.measure, figure.slice) == (measure, slice):
                return figure
        raise KeyError(measure if not slice else f"{measure} {slice}")

    def inside(self, slice: str) -> Flags:  # noqa: A002 - what users call it
        """Return for each query whether it lies in a slice `column=value`; shape (queries,), all for ""."""
        column, _, value = slice.partition("=")
        group = self.groups.get(column, {})
        return np.array([not slice or group.get(query) == value for query in self.queries], dtype=bool)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Return the record as plain data; with the values of its queries (null where undefined) where asked."""
        out: dict[str, Any] = {
            "id": self.id,
            "suite": self.suite,
            "name": self.name,
            "time": self.time.isoformat(),
            "baseline": self.baseline,
            "note": self.note,
            "made": self.made.to_dict(),
            "figures": [figure.to_dict() for figure in self.figures],
        }
        if per_query:
            out["per_query"] = self._per_query()
        return out

    def _per_query(self) -> dict[str, dict[str, float | None]]:
        values = {measure: numbers.tolist() for measure, numbers in self.values.items()}
        return {
            query: {measure: None if row[at] != row[at] else row[at] for measure, row in values.items()}
            for at, query in enumerate(self.queries)
        }


@dataclass(frozen=True, slots=True)
class Suite:
    """Evaluations that are followed together: how many there are, the newest, and the pinned baseline (None: none)."""

    name: str
    evaluations: int
    newest: Recorded
    baseline: Recorded | None

    def to_dict(self) -> dict[str, Any]:
        """Return the suite as plain data."""
        return {
            "name": self.name,
            "evaluations": self.evaluations,
            "newest": self.newest.to_dict(),
            "baseline": self.baseline.to_dict() if self.baseline else None,
        }
