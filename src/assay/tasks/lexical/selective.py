"""`select`: expand only where it is predicted to help, and whether that helps, by queries that no rule has seen."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.lexical_expansion import SelectionRule

FOLDS = 5
LEAST = 0.1
"""The least share of the queries on each side of a threshold."""
ALWAYS, NEVER, ABOVE, BELOW = "always", "never", "above", "below"
ALL = 0
"""The fold of the rule that is learned from all queries; the others count from 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Queries to learn from: what expansion gains for each, shape (queries,), and predictors (queries, predictors).

    The queries stand in the order of digests of their ids and a seed, so in no order of theirs. A predictor that is
    undefined for a query is NaN there; no threshold lets such a query be expanded.
    """

    gains: Floats
    features: Floats
    names: tuple[str, ...]
    queries: tuple[str, ...]

    def only(self, kept: Flags) -> "Lesson":
        """Return the part with some of the queries."""
        queries = tuple(query for query, there in zip(self.queries, kept, strict=True) if there)
        return Lesson(self.gains[kept], self.features[kept], self.names, queries)

    def folds(self) -> Ints:
        """Return the fold of each query from 1, dealt in turn, shape (queries,)."""
        return np.arange(len(self.gains)) % FOLDS + 1


def lesson(gains: Mapping[str, float], features: pl.DataFrame, seed: int = 0) -> Lesson:
    """Return what can be learned of gains by query and predictors: a column query, and one for each predictor."""
    queries = sorted(gains, key=lambda query: hashlib.sha256(f"{seed} {query}".encode()).digest())
    table = pl.DataFrame({"query": queries}).join(features, on="query", how="left", maintain_order="left")
    names = tuple(name for name in features.columns if name != "query")
    numbers = table.select(pl.col(names).cast(pl.Float64).fill_null(math.nan)).to_numpy()
    return Lesson(np.array([gains[query] for query in queries]), numbers, names, tuple(queries))


def learn(given: Lesson, fold: int = ALL) -> SelectionRule:
    """Return the rule that queries teach: never, always, or above or below a threshold of one predictor.

    For each predictor a threshold is learned and tried on queries held out, five times. The predictor with the
    highest gain of these is taken, if it is above that of the better of never and always on the same queries by more
    than a standard error; its threshold is then learned anew from all. A threshold is the middle between two queries
    that gives the highest gain, with a tenth of the queries on each side; of equal ones the first.
    """
    always = given.gains.sum() > 0
    plain = SelectionRule(fold, len(given.gains), ALWAYS if always else NEVER)
    if len(given.gains) < FOLDS or not given.names:
        return plain
    tried = np.stack([_held_out(given, place) for place in range(len(given.names))])
    best = int(np.argmax(tried.sum(axis=1).round(12)))
    more = tried[best] - (given.gains if always else 0.0)
    choice, threshold = _threshold(given.features[:, best], given.gains)
    if threshold is None or more.sum() <= math.sqrt(len(more)) * more.std(ddof=1) + 1e-12:
        return plain
    return SelectionRule(fold, len(given.gains), choice, given.names[best], threshold)


def cross_validated(given: Lesson) -> tuple[Flags, tuple[SelectionRule, ...]]:
    """Return which queries are expanded, each decided by a rule that has not seen it, and the rule of each fold."""
    folds = given.folds()
    rules = tuple(learn(given.only(folds != fold), fold) for fold in range(1, FOLDS + 1))
    expanded = np.zeros(len(folds), bool)
    for rule in rules:
        there = folds == rule.fold
        expanded[there] = decided(rule, given.only(there))
    return expanded, rules


def decided(rule: SelectionRule, given: Lesson) -> Flags:
    """Return which queries a rule expands, shape (queries,)."""
    if rule.predictor is None or rule.threshold is None:
        return np.full(len(given.gains), rule.choice == ALWAYS)
    return _beyond(given.features[:, given.names.index(rule.predictor)], rule.choice, rule.threshold)


def _held_out(given: Lesson, place: int) -> Floats:
    """Return what thresholds of one predictor gain on queries that they were not learned from, shape (queries,)."""
    folds, values, found = given.folds(), given.features[:, place], np.zeros(len(given.gains))
    for fold in range(1, FOLDS + 1):
        here, rest = folds == fold, folds != fold
        choice, threshold = _threshold(values[rest], given.gains[rest])
        found[here] = np.where(_beyond(values[here], choice, threshold), given.gains[here], 0.0)
    return found


def _beyond(values: Floats, choice: str, threshold: float | None) -> Flags:
    if threshold is None:
        return np.full(len(values), choice == ALWAYS)
    found: Flags = values > threshold if choice == ABOVE else values <= threshold
    return found


def _threshold(values: Floats, gains: Floats) -> tuple[str, float | None]:
    """Return the best choice and its threshold; never and always have none."""
    known = ~np.isnan(values)
    order = np.argsort(values[known], kind="stable")
    values, sums = values[known][order], np.cumsum(gains[known][order])
    best: tuple[float, str, float | None] = max((0.0, NEVER, None), (float(gains.sum()), ALWAYS, None), key=_gain)
    margin = max(1, math.ceil(LEAST * len(values)))
    for place in _cuts(values, margin):
        middle = float((values[place] + values[place + 1]) / 2)
        for choice, gain in ((ABOVE, sums[-1] - sums[place]), (BELOW, sums[place])):
            best = max(best, (float(gain), choice, middle), key=_gain)
    return best[1], best[2]


def _cuts(values: Floats, margin: int) -> Sequence[int]:
    """Return the places after which a threshold can lie: where values change, and enough of them on each side."""
    places = np.flatnonzero(np.diff(values) > 0)
    kept = places[(places + 1 >= margin) & (len(values) - places - 1 >= margin)]
    found: list[int] = kept.tolist()
    return found


def _gain(one: tuple[float, str, float | None]) -> float:
    return round(one[0], 12)
