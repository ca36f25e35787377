"""Where the true value may lie: intervals for the figure of a run and for the difference of two runs.

How often an interval of 95 % holds the true mean was measured on the 129 systems of TREC-8: a system's 50 queries
as the population, n of them drawn with replacement, averaged over systems (200 draws each).

| n  | AP: bca | t    | percentile | P@10: bca | t    | percentile | RR: bca | t    | percentile |
|----|---------|------|------------|-----------|------|------------|---------|------|------------|
| 50 | .944    | .941 | .939       | .952      | .949 | .948       | .955    | .944 | .945       |
| 20 | .937    | .925 | .926       | .956      | .944 | .946       | .965    | .935 | .944       |
| 10 | .914    | .905 | .907       | .952      | .937 | .943       | .967    | .935 | .950       |
| 5  | .867    | .890 | .871       | .907      | .928 | .909       | .953    | .953 | .953       |

At 50 queries bca also errs most evenly to both sides (AP: 2.2 % of intervals above the truth, 3.4 % below; t 1.3
and 4.6). Samples flagged as skewed hold .92 (bca), .89 (percentile) and .88 (t) by AP; the six systems with a
skewness of 3 or more .88, .86 and .85. The textbooks' bca, without the wider reach, has .937 at 50 queries and .914
at 20.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.core.estimates import Interval
from assay.core.judged import Floats, Ints
from assay.core.sample import Aggregate, Sample
from assay.errors import ParameterError, UnknownNameError
from assay.statistics.bootstrap import bootstrap_ends, tails
from assay.statistics.distributions import t_quantile
from assay.statistics.effect import skewnesses
from assay.statistics.proportion import clopper_pearson, unseen, wilson
from assay.statistics.resampling import resampled_aggregates
from assay.statistics.units import Units, units_of_pairs

Method = Literal["auto", "bca", "percentile", "t", "wilson", "exact"]
Bounds = tuple[float, float]
_Names = npt.NDArray[Any]

FEW = 20
"""Below this many units `auto` takes t, and every interval is flagged: no method holds what it says with so few."""
SKEWED = 2.0
"""From this skewness on, an interval is narrower than its level says."""
AGGREGATED = 2_000
"""How many resamples a figure gets that is no mean: each is computed by itself."""
UNBOUNDED: Bounds = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked for; `paired` says that the values are differences, which are no shares."""

    level: float
    method: Method
    resamples: int
    seed: int
    paired: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            msg = f"interval: expected a level between 0 and 1, found {self.level}"
            raise ParameterError(msg, hint="0.95 is usual.")
        if self.method not in get_args(Method):
            raise UnknownNameError.of("interval method", self.method, get_args(Method))
        if self.resamples < 100:
            msg = f"interval: expected 100 resamples or more, found {self.resamples}"
            raise ParameterError(msg, hint="10,000 is usual.")


def interval(
    sample: Sample,
    *,
    level: float = 0.95,
    method: Method = "auto",
    bounds: Bounds | None = None,
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Return the interval of one figure; the parameters, the methods and the errors are those of `intervals`.

    `bounds` are those of the sample, unless others are given.

    >>> import polars as pl
    >>> sample = Sample(pl.Series(["q1", "q2", "q3", "q4"]), np.array([1.0, 1.0, 0.0, 1.0]))
    >>> found = interval(sample)
    >>> found.method, round(found.low, 3), round(found.high, 3)
    ('wilson', 0.301, 0.954)
    """
    bounds = sample.bounds if bounds is None else bounds
    return intervals([sample], level=level, method=method, bounds=[bounds], resamples=resamples, seed=seed)[0]


def intervals(
    samples: Sequence[Sample],
    *,
    level: float = 0.95,
    method: Method = "auto",
    bounds: Sequence[Bounds] | None = None,
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Interval]:
    r"""Return the interval of each figure, in the order of the samples.

    Units of queries (`Units`) are what is drawn and counted, so weights and clusters are respected throughout.

    Parameters
    ----------
    samples
        The values of a figure each; samples of equal weights and clusters are resampled together.
    level
        How often such an interval holds the true value, between 0 and 1.
    method
        "bca": bias-corrected and accelerated bootstrap, or its percentile interval where the correction breaks.
        "percentile": the bootstrap without correction. Both reach a little further than the textbooks' where
        units are few (`bootstrap_ends`). "t": mean ± t × standard error, cut at the bounds.
        "wilson", "exact" (Clopper and Pearson): for values of 0 and 1. "auto": wilson for values of 0 and 1 that
        weigh alike, t below 20 units, else bca. Whatever the method, equal values have no spread to go by:
        "exact" then says how far off what was not seen may be (`unseen`), and without bounds there is no interval.
        A figure that is no mean (`Sample.aggregate`) always gets "percentile", of at most 2,000 resamples.
    bounds
        The lowest and the highest value that a query can have, for each sample; its own (`Sample.bounds`) if None.
    resamples, seed
        How many resamples are drawn, and from what seed. The result does not depend on the order of queries.

    Raises
    ------
    ParameterError
        A level outside 0 to 1, fewer than 100 resamples, wilson or exact for other values than 0 and 1.
    UnknownNameError
        A method that does not exist.
    MissingExtraError
        bca, percentile, t, or exact for values that are not all equal, without SciPy.
    """
    request = _Request(level, method, resamples, seed)
    limits = [sample.bounds for sample in samples] if bounds is None else list(bounds)
    found: dict[int, Interval] = {}
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, sample in enumerate(samples):
        if sample.aggregate is not None:
            found[place] = _of_aggregate(sample, sample.aggregate, request)
        else:
            groups.setdefault(_design(sample), []).append(place)
    for places in groups.values():
        first = samples[places[0]]
        table = np.column_stack([samples[place].values for place in places])
        units = Units.of(table, first.weights, first.clusters)
        found |= dict(zip(places, _of_units(units, request, [limits[p] for p in places]), strict=True))
    return [found[place] for place in range(len(samples))]


def difference_interval(
    before: Floats,
    after: Floats,
    *,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    level: float = 0.95,
    method: Method = "auto",
    bounds: Bounds = UNBOUNDED,
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Return the interval of the mean of after minus before, query by query; shapes (queries,), NaN: left out.

    The parameters are those of `difference_intervals`; `bounds` are those of a difference.

    >>> found = difference_interval(np.array([0.1, 0.3, 0.2]), np.array([0.4, 0.7, 0.4]))
    >>> found.method, round(found.low, 3), round(found.high, 3)
    ('t', 0.052, 0.548)
    """
    return difference_intervals(
        (after - before)[:, None], weights=weights, clusters=clusters, level=level, method=method,
        bounds=[bounds], resamples=resamples, seed=seed,
    )[0]  # fmt: skip


def difference_intervals(
    differences: Floats,
    *,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    level: float = 0.95,
    method: Method = "auto",
    bounds: Sequence[Bounds] | None = None,
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Interval]:
    """Return the interval of each mean difference, in the order of the pairs.

    `differences` has the shape (queries, pairs); NaN is a query that a pair lacks. `bounds` are those of a
    difference, by pair: for a measure from 0 to 1 they are (-1, 1). Without them, differences that are all equal
    (all 0, for instance) have no interval. The other parameters and the errors are those of `intervals`;
    differences are no shares, so wilson is not taken.
    """
    request = _Request(level, method, resamples, seed, paired=True)
    limits = [UNBOUNDED] * differences.shape[1] if bounds is None else list(bounds)
    found: dict[int, Interval] = {}
    for pairs, units in units_of_pairs(differences, weights, clusters):
        found |= dict(zip(pairs.tolist(), _of_units(units, request, [limits[p] for p in pairs]), strict=True))
    return [found[pair] for pair in range(differences.shape[1])]


def _design(sample: Sample) -> tuple[object, ...]:
    """Return what samples must share to share resamples: the number of queries, their weights and clusters."""
    weights = None if sample.weights is None else sample.weights.tobytes()
    return len(sample), weights, None if sample.clusters is None else sample.clusters.tobytes()


def _of_units(units: Units, request: _Request, bounds: Sequence[Bounds]) -> list[Interval]:
    """Return the interval of the mean of each series."""
    limits = np.array(bounds, np.float64).reshape(-1, 2)
    methods = _methods(units, request, limits)
    low, high = np.full(len(limits), np.nan), np.full(len(limits), np.nan)
    for place in np.flatnonzero(np.isin(methods, ["exact", "wilson"])).tolist():
        low[place], high[place] = _closed(units, place, methods[place], request.level, bounds[place])
    if (some := methods == "t").any():
        low[some], high[some] = _student(units.select(some), request.level, limits[some])
    for name in ("bca", "percentile"):
        if (some := methods == name).any():
            drawn = units.select(some), request.level, request.resamples, request.seed
            low[some], high[some], corrected = bootstrap_ends(*drawn, corrected=name == "bca")
            methods[some] = np.where(corrected, "bca", "percentile")
    skewed = np.abs(skewnesses(units.residuals)) >= SKEWED if len(units) else np.zeros(len(limits), np.bool_)
    rows = zip(low.tolist(), high.tolist(), methods.tolist(), skewed.tolist(), strict=True)
    return [_interval((low, high), name, len(units), request, skewed=lopsided) for low, high, name, lopsided in rows]


def _methods(units: Units, request: _Request, limits: Floats) -> _Names:
    """Return the method for each series; "none" where nothing can be said."""
    if not len(units):
        return np.full(len(limits), "none", object)
    binary = ((units.ratios == 0) | (units.ratios == 1)).all(axis=0) & units.even & (not request.paired)
    share = request.method in {"wilson", "exact"}
    if share and not (binary | units.constant).all():
        msg = f"interval: method {request.method} expects values that are 0 or 1 and weigh alike, found others"
        raise ParameterError(msg, hint="method auto takes it where it fits.")
    spread = "t" if len(units) < FEW else "bca"
    usual = np.full(len(limits), spread if request.method == "auto" else request.method, object)
    if request.method == "auto":
        usual[binary] = "wilson"
    fixed = units.constant & ~(binary & share)
    usual[fixed] = np.where(np.isfinite(limits[fixed]).all(axis=1), "exact", "none")
    return usual


def _closed(units: Units, series: int, method: str, level: float, bounds: Bounds) -> tuple[float, float]:
    """Return the ends that need neither resamples nor a spread."""
    mean = float(units.mean[series])
    if method == "exact" and units.constant[series] and math.isfinite(bounds[1] - bounds[0]):
        return unseen(mean, units.effective, level, bounds)
    return (wilson if method == "wilson" else clopper_pearson)(mean, len(units), level)


def _student(units: Units, level: float, limits: Floats) -> tuple[Floats, Floats]:
    """Return the mean less and plus its standard error times the quantile of t, within the limits."""
    reach = t_quantile((1 + level) / 2, len(units) - 1) * units.error
    return np.maximum(units.mean - reach, limits[:, 0]), np.minimum(units.mean + reach, limits[:, 1])


def _of_aggregate(sample: Sample, aggregate: Aggregate, request: _Request) -> Interval:
    """Return the percentile interval of a figure that is no mean."""
    request = replace(request, resamples=min(request.resamples, AGGREGATED))
    units = len(sample) if sample.clusters is None else len(np.unique(sample.clusters))
    figures = resampled_aggregates(sample, aggregate, request.resamples, request.seed) if units > 1 else np.zeros(1)
    if np.isnan(figures).any() or np.ptp(figures) <= 1e-12 * np.abs(figures).max():
        return _interval((math.nan, math.nan), "none", units, request, skewed=False)
    low, high = np.quantile(figures, tails(request.level, units)).tolist()
    return _interval((low, high), "percentile", units, request, skewed=False)


def _interval(ends: tuple[float, float], method: str, units: int, request: _Request, *, skewed: bool) -> Interval:
    """Return one interval with its warnings."""
    drawn = method in {"bca", "percentile"}
    lopsided = skewed and (drawn or method == "t")
    return Interval(
        low=None if method == "none" else ends[0],
        high=None if method == "none" else ends[1],
        level=request.level,
        method=method,
        units=units,
        warnings=("few",) * (units < FEW) + ("skewed",) * lopsided,
        resamples=request.resamples if drawn else None,
        seed=request.seed if drawn else None,
    )
