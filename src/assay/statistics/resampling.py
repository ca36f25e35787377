"""Resampling: the means of many samples drawn anew, with replacement, from the units of one."""

from collections.abc import Iterator

import numpy as np

from assay.core.judged import Floats, Ints
from assay.core.sample import Aggregate, Sample
from assay.statistics.products import product
from assay.statistics.units import Units

_CELLS = 1 << 16
"""How many counts are made at a time: what a processor keeps near."""
_KEPT = 1 << 20
"""Up to this many counts are kept for all blocks of series: 8 MiB of them."""
_BLOCK = 256
"""How many series are resampled at a time: 20 MiB of means at 10,000 resamples."""


def resampled_means(units: Units, resamples: int, seed: int) -> Iterator[tuple[slice, Floats]]:
    """Yield blocks of series with the mean of each resample, of shape (series of the block, resamples).

    All series share the same draws. Before drawing each series is put in the order of its values, so that the
    result depends on which values there are, never on the order of queries.
    """
    above, below = _in_order(units)
    kept = list(_counts(len(units), resamples, seed)) if resamples * len(units) <= _KEPT else None
    for start in range(0, above.shape[1], _BLOCK):
        block = slice(start, min(start + _BLOCK, above.shape[1]))
        means = np.empty((block.stop - start, resamples))
        for first, counts in kept or _counts(len(units), resamples, seed):
            part = means[:, first : first + len(counts)]
            product(above[:, block].T, counts.T, part)
            part /= below if isinstance(below, float) else product(below[:, block].T, counts.T)
        yield block, means


def resampled_aggregates(sample: Sample, aggregate: Aggregate, resamples: int, seed: int) -> Floats:
    """Return the figure of each resample of a sample whose figure is no mean, of shape (resamples,); NaN: none."""
    places, sizes = _members(sample)
    starts = np.cumsum(sizes) - sizes
    random = np.random.default_rng(seed)
    figures = np.empty(resamples)
    for place in range(resamples):
        drawn = random.integers(0, len(sizes), len(sizes))
        many = sizes[drawn]
        first = starts[drawn] - (np.cumsum(many) - many)
        chosen = places[np.repeat(first, many) + np.arange(many.sum())]
        figure = aggregate(sample.values[chosen], None if sample.weights is None else sample.weights[chosen])
        figures[place] = np.nan if figure is None else figure
    return figures


def _in_order(units: Units) -> tuple[Floats, Floats | float]:
    """Return what is above and below the line with each series sorted; below as one number where it is even."""
    if units.even:
        return np.sort(units.above, axis=0), float(units.below.sum())
    order = np.lexsort((np.broadcast_to(units.below[:, None], units.above.shape), units.above), axis=0)
    return np.take_along_axis(units.above, order, axis=0), units.below[order]


def _counts(units: int, resamples: int, seed: int) -> Iterator[tuple[int, Floats]]:
    """Yield how often each unit is drawn, as (first resample, counts of shape (some resamples, units))."""
    random = np.random.default_rng(seed)
    rows = max(1, min(resamples, _CELLS // max(units, 1)))
    for start in range(0, resamples, rows):
        many = min(rows, resamples - start)
        drawn = random.integers(0, units, (many, units), dtype=np.int32)
        drawn += (np.arange(many, dtype=np.int32) * units)[:, None]
        yield start, np.bincount(drawn.ravel(), minlength=many * units).reshape(many, units).astype(np.float64)


def _members(sample: Sample) -> tuple[Ints, Ints]:
    """Return the places of queries, unit after unit, and how many each unit has; all in the order of their values."""
    weights = np.ones(len(sample)) if sample.weights is None else sample.weights
    order = np.lexsort((weights, sample.values))
    if sample.clusters is None:
        return order, np.ones(len(order), np.int64)
    clusters = sample.clusters[order]
    members = [order[clusters == cluster] for cluster in np.unique(clusters)]
    members.sort(key=lambda places: (sample.values[places].tolist(), weights[places].tolist()))
    return np.concatenate(members), np.array([len(places) for places in members])
