"""Judged ranks by brute force: every pair of items is compared. Slow, short, and the oracle of the engines."""

import math
from collections.abc import Collection, Mapping
from itertools import starmap

import numpy as np
import polars as pl

from assay.core.judged import Hits, Judged
from assay.core.policy import Policy

Judgments = Mapping[str, Mapping[str, float]]
"""Grades as `{query: {item: grade}}`, or scores as `{query: {item: score}}`."""

NONE: frozenset[tuple[str, str]] = frozenset()
DEFAULT = Policy()


def judge(
    gold: Judgments, run: Judgments, policy: Policy = DEFAULT, *, exclude: Collection[tuple[str, str]] = NONE
) -> Judged:
    """Join gold and run, with the fields of the policy that an engine applies.

    `exclude` are pairs of query and item that are taken out of the ranking first. Nothing is refused: a score
    that is no number counts as minus infinity. What needs grades is left to `Judged.under(policy)`.

    >>> hits = judge({"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 2.0, "c": 9.0}}).hits
    >>> hits.grade, hits.rank, hits.above, hits.tied
    (array([0., 1.]), array([2., 3.]), array([1, 1]), array([2, 2]))
    """
    names = sorted((query for query in gold if gold[query]), key=str.encode)
    rows: list[tuple[float, ...]] = []
    retrieved = []
    for number, name in enumerate(names):
        scores = kept(name, run.get(name, {}), policy, exclude)
        retrieved.append(len(scores))
        for rank, item in enumerate(order(scores, policy), start=1):
            if item in gold[name]:
                above = sum(score > scores[item] for score in scores.values())
                tied = sum(score == scores[item] for score in scores.values())
                rows.append((number, gold[name][item], rank, above, tied))
    return Judged(
        names=pl.Series("query", names, pl.String),
        hits=hits(len(names), rows),
        ideal=ideal([sorted(gold[name].values(), reverse=True) for name in names]),
        retrieved=np.array(retrieved, np.int64),
        answered=np.array([bool(run.get(name)) for name in names], np.bool_),
    )


def ranking(gold: Mapping[str, float], scores: Mapping[str, float], policy: Policy = DEFAULT) -> list[float | None]:
    """Return the grade of each item of one query's ranking, best place first; None for one without a judgment.

    >>> ranking({"a": 1, "b": 0}, {"a": 2.0, "b": 2.0, "c": 9.0})
    [None, 0, 1]
    """
    return [gold.get(item) for item in order(kept("", scores, policy, NONE), policy)]


def kept(
    query: str, scores: Mapping[str, float], policy: Policy, exclude: Collection[tuple[str, str]]
) -> dict[str, float]:
    """Return the scores as they are compared, of the items that stay in the ranking."""
    narrow = np.float32 if policy.precision == "float32" else np.float64
    return {
        item: -math.inf if math.isnan(score) else float(narrow(score))
        for item, score in scores.items()
        if (query, item) not in exclude and not (policy.self_match == "drop" and item == query)
    }


def order(scores: Mapping[str, float], policy: Policy) -> list[str]:
    """Return the items, best place first; by descending id where the tie rule needs no order of its own."""
    items = list(scores)
    if policy.ties != "order":
        items.sort(key=str.encode, reverse=policy.ties != "id-asc")
    return sorted(items, key=lambda item: -scores[item])


def hits(queries: int, rows: list[tuple[float, ...]]) -> Hits:
    """Make hits from rows of query number, grade, rank, above and tied."""
    kinds = (np.int64, np.float64, np.float64, np.int64, np.int64)
    columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
    return Hits(queries, *starmap(np.array, zip(columns, kinds, strict=True)))


def ideal(grades: list[list[float]]) -> Hits:
    """Make the best possible ranking of each query from its grades, highest first."""
    query = np.repeat(np.arange(len(grades), dtype=np.int64), [len(some) for some in grades])
    return Hits.ranked(len(grades), query, np.array([grade for some in grades for grade in some], np.float64))
