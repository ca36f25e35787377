"""Contrasts: for one measure, each pair of runs held against each other, all pairs at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np

from assay.compare.pairing import Pair, Values
from assay.compare.settings import Settings
from assay.core.comparison import UNRESOLVED, Contrast
from assay.core.estimates import Interval, Margin, Power, Significance
from assay.core.judged import Flags, Floats, Ints
from assay.statistics.difference import significance
from assay.statistics.equivalence import margins
from assay.statistics.interval import difference_intervals
from assay.statistics.power import powers
from assay.statistics.units import Units

TIE = 1e-12
"""Values that differ by no more are equal: sums in another order differ in the last digits."""
POWER = 0.8
MANY = 1_000
"""Beyond so many tests intervals are Student's, and how many queries each one needs is left open."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: which pairs of runs, by which statistics, and how much to find out of each.

    `method` is how intervals are made, `power` whether to say what each pair could tell at all.
    """

    pairs: Sequence[Pair]
    labels: tuple[str, ...]
    settings: Settings
    method: Literal["auto", "t"] = "auto"
    power: bool = True

    @classmethod
    def of(cls, labels: tuple[str, ...], settings: Settings, measures: int) -> Self:
        """Ask for all that is affordable of so many runs and measures."""
        pairs = settings.pairs_of(labels) if len(labels) > 1 else []
        if len(pairs) * measures > MANY:
            return cls(pairs, labels, settings, "t", power=False)
        return cls(pairs, labels, settings)


def contrasts_of(values: Values, request: Request) -> list[Contrast]:
    """Return the contrast of each pair by one measure, not yet corrected and so without a verdict."""
    if values.why or not request.pairs:
        return [undefined(values, pair, request, values.why) for pair in request.pairs]
    found: dict[int, Contrast] = {}
    for places, queries in values.blocks(request.pairs):
        part = replace(request, pairs=[request.pairs[place] for place in places])
        found.update(zip(places.tolist(), _block(values, queries, part), strict=True))
    return [found[place] for place in range(len(request.pairs))]


def _block(values: Values, queries: Flags, request: Request) -> Iterator[Contrast]:
    """Yield the contrasts of pairs that have values for the same queries."""
    pairs, labels, settings = request.pairs, request.labels, request.settings
    if not queries.any():
        yield from (undefined(values, pair, request, "no query has a value in both runs") for pair in pairs)
        return
    part = values.only(queries)
    runs, bases = np.array(pairs, np.int64).T
    differences = part.numbers[:, runs] - part.numbers[:, bases]
    differences[np.abs(differences) <= TIE] = 0.0
    loads: dict[str, Any] = {"weights": part.weights, "clusters": part.clusters}
    columns = zip(
        pairs, _means(part, pairs), _left_out(values, pairs), _intervals(differences, loads, part, request),
        significance(differences, test=settings.test, flips=settings.flips, seed=settings.seed, **loads),
        _estimated(differences, loads), _counted(differences, part), _powers(differences, loads, request),
        _margins(differences, loads, part, settings),
        strict=True,
    )  # fmt: skip
    for pair, means, left_out, interval, test, (difference, effect), counts, told, within in columns:
        yield Contrast(
            labels[pair[0]], labels[pair[1]], values.figure.name, means[0], means[1], difference, interval, test,
            effect, counts[0], counts[1], counts[2], int(queries.sum()), left_out, told, UNRESOLVED, within,
            higher_is_better=values.figure.higher_is_better,
        )  # fmt: skip


def undefined(values: Values, pair: Pair, request: Request, why: str) -> Contrast:
    """Return the contrast of two figures that cannot be tested: their difference and why that is all."""
    mean, base_mean = (values.figures[run].mean for run in pair)
    return Contrast(
        run=request.labels[pair[0]],
        baseline=request.labels[pair[1]],
        measure=values.figure.name,
        mean=mean,
        baseline_mean=base_mean,
        difference=None if mean is None or base_mean is None else mean - base_mean,
        interval=Interval(None, None, request.settings.level, "none", 0),
        significance=Significance(None, "none", 0, 1.0, why=why),
        effect=None,
        wins=0,
        ties=0,
        losses=0,
        queries=0,
        left_out=int(_left_out(values, [pair])[0]),
        power=Power(POWER, None, None),
        verdict=UNRESOLVED,
        higher_is_better=values.figure.higher_is_better,
    )


def _means(part: Values, pairs: Sequence[Pair]) -> Iterator[tuple[float, float]]:
    """Yield the means of both runs over the queries that they share."""
    used = sorted({run for pair in pairs for run in pair})
    means = dict(zip(used, Units.of(part.numbers[:, used], part.weights).mean.tolist(), strict=True))
    return ((means[run], means[base]) for run, base in pairs)


def _left_out(values: Values, pairs: Sequence[Pair]) -> list[int]:
    """Count for each pair the queries with a value on one side only."""
    there = ~np.isnan(values.numbers)
    if there.all():
        return [0] * len(pairs)
    return [int((there[:, run] ^ there[:, base]).sum()) for run, base in pairs]


def _intervals(differences: Floats, loads: dict[str, Any], part: Values, request: Request) -> list[Interval]:
    """Return where each true mean difference may lie."""
    width, settings = part.bounds[1] - part.bounds[0], request.settings
    return difference_intervals(
        differences, **loads, level=settings.level, method=request.method, seed=settings.seed,
        bounds=[(-width, width)] * differences.shape[1], resamples=settings.resamples,
    )  # fmt: skip


def _estimated(differences: Floats, loads: dict[str, Any]) -> list[tuple[float, float | None]]:
    """Return the mean difference of each pair and its effect size (Cohen's d of pairs)."""
    units = Units.of(differences, **loads)
    means = np.where((differences == 0).all(axis=0), 0.0, units.mean)
    varied = ~units.constant & (units.error > 0)
    effects = np.divide(means, units.error * np.sqrt(len(units)), out=np.full_like(means, np.nan), where=varied)
    return [
        (mean, None if np.isnan(effect) else effect)
        for mean, effect in zip(means.tolist(), effects.tolist(), strict=True)
    ]


def _counted(differences: Floats, part: Values) -> list[tuple[int, int, int]]:
    """Count wins, ties and losses of each pair."""
    up, down = (differences > 0).sum(axis=0), (differences < 0).sum(axis=0)
    wins, losses = (up, down) if part.figure.higher_is_better else (down, up)
    ties: Ints = len(differences) - up - down
    return list(zip(wins.tolist(), ties.tolist(), losses.tolist(), strict=True))


def _powers(differences: Floats, loads: dict[str, Any], request: Request) -> list[Power]:
    if not request.power:
        return [Power(POWER, None, None)] * differences.shape[1]
    return powers(differences, alpha=request.settings.alpha, power=POWER, **loads)


def _margins(differences: Floats, loads: dict[str, Any], part: Values, settings: Settings) -> list[Margin | None]:
    if settings.margin is None:
        return [None] * differences.shape[1]
    up = part.figure.higher_is_better
    return [*margins(differences, settings.margin, higher_is_better=up, **loads)]
