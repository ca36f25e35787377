"""`Sample`: the values that one figure is made of, query by query, ready for an interval or a test."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from assay.core.judged import Floats, Ints

Aggregate = Callable[..., float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The values of one measure of one run as they enter its mean: conventions applied, what is left out left out.

    `queries` are sorted by UTF-8 bytes; `values`, `weights` and `clusters` have the shape (queries,).
    `weights` are None where all queries count alike, `clusters` (numbers of groups of queries that belong
    together, such as paraphrases) where each stands for itself. A micro average is a mean of the queries'
    fractions weighted by what is below the line, and comes as that. `aggregate(values, weights)` makes the
    figure where it is no mean (a median, GMAP); None means the weighted mean. `bounds` are the lowest and the
    highest value that the measure can take.
    """

    queries: pl.Series
    values: Floats
    weights: Floats | None = None
    clusters: Ints | None = None
    aggregate: Aggregate | None = None
    bounds: tuple[float, float] = (-math.inf, math.inf)

    def __len__(self) -> int:
        return len(self.values)
