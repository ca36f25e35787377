"""What a change of a figure is made of: other queries, other weights, another gold, another quality."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from assay.core.history import Recorded
from assay.core.history_change import GOLD, MIX, QUALITY, TOGETHER, WEIGHTS, WHOLE, Change, Part, Quality
from assay.core.hits import Flags, Floats, Ints
from assay.history.drift.judging_again import JudgedAgain
from assay.history.gate.paired import TIE, aligned, mean_of
from assay.statistics.difference import significance
from assay.statistics.interval import difference_intervals
from assay.statistics.mcnemar import mcnemar

FEW = 10
"""With fewer shared queries, if most are others, slices are the strata instead."""
MOST = 0.9
"""Strata stand in for queries where those that both sides have hold so much of the weight of each."""
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Sides:
    """One measure in one slice before and now, over the queries of both; NaN where a side has no value.

    `again` is the run of before by the gold of now, `back` the run of now by the gold of before; None where the gold
    is the same or cannot be had. Weights are those of each side; queries that weigh nothing are not there.
    """

    queries: tuple[str, ...]
    before: Floats
    now: Floats
    old_weights: Floats
    new_weights: Floats
    clusters: Ints | None = None
    again: Floats | None = None
    back: Floats | None = None

    @classmethod
    def of(cls, old: Recorded, new: Recorded, measure: str, part: str, judged: JudgedAgain) -> "Sides":
        """Join two evaluations by the ids of their queries."""
        queries = tuple(sorted({*old.queries, *new.queries}, key=str.encode))
        before, now = (_inside(one, measure, part, queries) for one in (old, new))
        again, back = (None if one is None else aligned(*one, queries) for one in (judged.again, judged.back))
        loads = _loads(old, queries), _loads(new, queries)
        return cls(queries, before, now, *loads, _clusters(new, queries), again, back)

    @property
    def shared(self) -> Flags:
        """Which queries have every value; shape (queries,)."""
        known = [self.before, self.now, *(one for one in (self.again, self.back) if one is not None)]
        there: Flags = ~np.isnan(np.stack(known)).any(axis=0) & (self.old_weights > 0) & (self.new_weights > 0)
        return there

    def only(self, kept: Flags) -> "Sides":
        """Return the queries that are flagged."""
        again, back = (None if one is None else one[kept] for one in (self.again, self.back))
        clusters = None if self.clusters is None else self.clusters[kept]
        names = tuple(query for query, keep in zip(self.queries, kept.tolist(), strict=True) if keep)
        loads = self.old_weights[kept], self.new_weights[kept]
        return Sides(names, self.before[kept], self.now[kept], *loads, clusters, again, back)


def change_of(old: Recorded, new: Recorded, measure: str, part: str, judged: JudgedAgain) -> Change:
    r"""Take the change of a figure apart.

    Over the queries S that both have, with the weights w of before,

    $$ \Delta = \underbrace{(\bar y - \bar y_S) - (\bar x - \bar x_S)}_{query\ mix} +
    \underbrace{\bar y_S^{w'} - \bar y_S^{w}}_{weights} + \underbrace{\bar y_S^{w} - \bar x_S^{w}}_{the\ rest} $$

    adds up exactly. The rest is split into gold and quality where the gold is the same, or where a run could be
    judged again by the other one; in both orders where both could, of which the mean is taken. Where hardly any
    query is in both, the strata of a slice take the place of queries.
    """
    one, two = old.figure(measure, part), new.figure(measure, part)
    begun = Change(
        measure, part, two.higher_is_better, old.id, new.id, one.mean, two.mean, "", 0, 0, 0, (), judged=judged.share
    )
    if one.mean is None or two.mean is None:
        return begun
    if not (one.of_queries and two.of_queries and measure in old.values and measure in new.values):
        why = "no values of queries are kept, of which the figure is the mean"
        return replace(begun, parts=(Part(WHOLE, two.mean - one.mean, why),))
    sides = Sides.of(old, new, measure, part, judged)
    kept = sides.shared
    there = [~np.isnan(values) for values in (sides.before, sides.now)]
    count = int(kept.sum())
    begun = replace(begun, shared=count, left=int(there[0].sum()) - count, entered=int(there[1].sum()) - count)
    if count < FEW and count < min(begun.left, begun.entered):
        return _by_strata(begun, sides, old, new, judged)
    if not count:
        return replace(begun, parts=(Part(WHOLE, begun.change, "no query is in both evaluations"),))
    return _by_queries(begun, sides.only(kept), judged)


def _by_queries(begun: Change, shared: Sides, judged: JudgedAgain) -> Change:
    """Standardise to the queries that both have."""
    total = begun.change or 0.0
    loads = shared.old_weights
    before, now = _mean(shared.before, loads), _mean(shared.now, loads)
    weighted = _mean(shared.now, shared.new_weights) - now
    weighted = 0.0 if abs(weighted) <= TIE else weighted
    mix = total - weighted - (now - before)
    parts = [Part(MIX, 0.0 if abs(mix) <= TIE else mix)]
    parts += [Part(WEIGHTS, weighted)] if weighted else []
    orders = _orders(shared)
    known = [one for one in orders if one is not None]
    rest = now - before
    if judged.is_same:
        parts += [Part(GOLD, 0.0), Part(QUALITY, rest)]
    elif known:
        gold = sum(known) / len(known)
        parts += [Part(GOLD, gold), Part(QUALITY, rest - gold)]
    else:
        parts.append(Part(TOGETHER, rest, judged.why))
    quality = _quality(shared, up=begun.higher_is_better)
    return replace(begun, basis="queries", parts=tuple(parts), gold_orders=orders, quality=quality)


def _orders(shared: Sides) -> tuple[float | None, float | None]:
    """Return what the gold changes, as the run of before shows it and as that of now does."""
    loads = shared.old_weights
    return (
        None if shared.again is None else _mean(shared.again - shared.before, loads),
        None if shared.back is None else _mean(shared.now - shared.back, loads),
    )


def answers(shared: Sides) -> Floats:
    """Return what the answers changed, query by query, the gold being the same; shape (queries,)."""
    by_gold = [
        *([] if shared.again is None else [shared.now - shared.again]),
        *([] if shared.back is None else [shared.back - shared.before]),
    ]
    found: Floats = np.mean(by_gold, axis=0) if by_gold else shared.now - shared.before
    found[np.abs(found) <= TIE] = 0.0
    return found


def _quality(shared: Sides, *, up: bool) -> Quality:
    """Test the change of the answers: exactly, by McNemar, where each query is right or wrong."""
    differences = answers(shared)
    worse, better = (differences < 0, differences > 0) if up else (differences > 0, differences < 0)
    lost, gained = int(worse.sum()), int(better.sum())
    even = bool((shared.old_weights == shared.old_weights[0]).all())
    loads = None if even else shared.old_weights
    is_plain = even and shared.clusters is None
    if is_plain and bool(np.isin(np.concatenate([shared.before, shared.now, differences]), (-1, 0, 1)).all()):
        test = mcnemar(lost, gained)
    else:
        test = significance(differences, weights=loads, clusters=shared.clusters)[0]
    between = difference_intervals(differences[:, None], weights=loads, clusters=shared.clusters, level=LEVEL)[0]
    return Quality(_mean(differences, shared.old_weights), len(differences), lost, gained, between, test)


def _by_strata(begun: Change, sides: Sides, old: Recorded, new: Recorded, judged: JudgedAgain) -> Change:
    """Standardise to the strata of the column of which both sides share most, half by the weights of each."""
    total = begun.change or 0.0
    shared: dict[str, tuple[float, float]] = {}
    for column in sorted({*old.groups} & {*new.groups}):
        found = [
            (p, q, (p + q) / 2 * (y - x))
            for x, y, p, q in _strata(sides, old.groups[column], new.groups[column])
            if x is not None and y is not None
        ]
        shares = [sum(one[side] for one in found) for side in (0, 1)]
        shared[column] = min(shares), sum(one[2] for one in found)
    best = max(shared, key=lambda column: shared[column][0], default=None)
    if best is None or shared[best][0] < MOST:
        why = "hardly any query is in both evaluations, and no slice stands in for them"
        return replace(begun, parts=(Part(WHOLE, total, why),))
    rest = shared[best][1]
    name, why = (QUALITY, "") if judged.is_same else (TOGETHER, judged.why)
    return replace(begun, basis=f"slices of {best}", parts=(Part(MIX, total - rest), Part(name, rest, why)))


def _strata(
    sides: Sides, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[tuple[float | None, float | None, float, float]]:
    """Yield mean and share of each stratum before and now."""
    groups = [[one.get(query, "") for query in sides.queries] for one in (old, new)]
    loads = [
        np.where(np.isnan(values), 0.0, weights)
        for values, weights in ((sides.before, sides.old_weights), (sides.now, sides.new_weights))
    ]
    for name in sorted({*groups[0], *groups[1]}):
        inside = [np.array([label == name for label in labels]) for labels in groups]
        shares = [float(load[kept].sum() / load.sum()) for load, kept in zip(loads, inside, strict=True)]
        means = [
            mean_of(values[kept], load[kept])
            for values, load, kept in zip((sides.before, sides.now), loads, inside, strict=True)
        ]
        yield means[0], means[1], shares[0], shares[1]


def _mean(values: Floats, weights: Floats) -> float:
    return float((values * weights).sum() / weights.sum())


def _inside(one: Recorded, measure: str, part: str, queries: tuple[str, ...]) -> Floats:
    """Return the values of the queries of a slice; NaN for those of none."""
    return aligned(np.where(one.inside(part), one.values[measure], np.nan), one.queries, queries)


def _loads(one: Recorded, queries: tuple[str, ...]) -> Floats:
    """Return what each query weighs, 1 where all count alike."""
    if one.weights is None:
        return np.ones(len(queries))
    return np.nan_to_num(aligned(one.weights, one.queries, queries))


def _clusters(one: Recorded, queries: tuple[str, ...]) -> Ints | None:
    if one.clusters is None:
        return None
    found = aligned(one.clusters.astype(np.float64), one.queries, queries)
    free = int(one.clusters.max(initial=0)) + 1
    return np.where(np.isnan(found), free + np.arange(len(queries)), np.nan_to_num(found)).astype(np.int64)
