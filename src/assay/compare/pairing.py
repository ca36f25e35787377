"""`Values`: the values of one measure, query by query and run by run, joined by the id of the query."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation, Figure
from assay.core.judged import Flags, Floats, Ints
from assay.core.sample import Sample

Pair = tuple[int, int]
"""Two runs by their places: the run and the baseline that it is held against."""

NO_MEAN = "a figure that is no mean over queries has no paired difference"


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of one measure: shape (queries, runs), NaN where a run has none for a query.

    `queries` are sorted by UTF-8 bytes; `weights` and `clusters` have the shape (queries,), or are None. `why`
    says why the values cannot be compared in pairs; it is empty where they can.
    """

    figures: tuple[Figure, ...]
    queries: tuple[str, ...]
    numbers: Floats
    weights: Floats | None = None
    clusters: Ints | None = None
    bounds: tuple[float, float] = (-np.inf, np.inf)
    why: str = ""

    @property
    def figure(self) -> Figure:
        """The measure: its name and its direction."""
        return self.figures[0]

    def only(self, kept: Flags) -> "Values":
        """Return the values of the queries that are flagged."""
        return Values(
            self.figures,
            tuple(query for query, keep in zip(self.queries, kept, strict=True) if keep),
            self.numbers[kept],
            None if self.weights is None else self.weights[kept],
            None if self.clusters is None else self.clusters[kept],
            self.bounds,
            self.why,
        )

    def blocks(self, pairs: Sequence[Pair]) -> Iterator[tuple[Ints, Flags]]:
        """Yield pairs (their places in `pairs`) that have a value on both sides for the same queries, and these."""
        there = ~np.isnan(self.numbers)
        if there.all():
            yield np.arange(len(pairs)), np.ones(len(there), np.bool_)
            return
        found: dict[bytes, list[int]] = {}
        shared = [there[:, run] & there[:, base] for run, base in pairs]
        for place, queries in enumerate(shared):
            found.setdefault(queries.tobytes(), []).append(place)
        for places in found.values():
            yield np.array(places), shared[places[0]]


def values_of(evaluations: Sequence[Evaluation]) -> list[Values]:
    """Return the values of each measure of evaluations that have the same measures."""
    return [_values(figures, evaluations) for figures in zip(*(one.figures for one in evaluations), strict=True)]


def _values(figures: tuple[Figure, ...], evaluations: Sequence[Evaluation]) -> Values:
    nothing = Sample(pl.Series([], dtype=pl.String), np.zeros(0))
    found = [one.samples.get(figure.name, nothing) for figure, one in zip(figures, evaluations, strict=True)]
    if figures[0].summed or any(sample.aggregate for sample in found):
        return Values(figures, (), np.zeros((0, len(found))), why=NO_MEAN)
    queries = _all_queries(found)
    places = [_places(sample, queries) for sample in found]
    numbers = np.full((len(queries), len(found)), np.nan)
    weights, clusters = np.full(numbers.shape, np.nan), np.full(len(queries), -1)
    for run, (sample, place) in enumerate(zip(found, places, strict=True)):
        numbers[place, run] = sample.values
        weights[place, run] = 1.0 if sample.weights is None else sample.weights
        if sample.clusters is not None:
            clusters[place] = sample.clusters
    loads = np.fmax.reduce(weights, axis=1)
    alike = bool(np.all(np.isnan(weights) | (weights == loads[:, None])))
    return Values(
        figures,
        tuple(queries),
        numbers,
        loads if any(sample.weights is not None for sample in found) else None,
        clusters if (clusters >= 0).any() else None,
        next((sample.bounds for sample in found if len(sample)), nothing.bounds),
        "" if alike else "each run weighs the queries in its own way, so that they cannot be paired",
    )


def _all_queries(samples: Sequence[Sample]) -> pl.Series:
    first = samples[0].queries
    if all(sample.queries.equals(first) for sample in samples[1:]):
        return first
    return pl.concat([sample.queries for sample in samples]).unique().sort()


def _places(sample: Sample, queries: pl.Series) -> Ints:
    """Return where the queries of a sample stand among all queries."""
    if sample.queries.equals(queries):
        return np.arange(len(queries))
    return queries.search_sorted(sample.queries).to_numpy().astype(np.int64)
