"""`explain_change`: what lies between two runs on one query, judged item by judged item."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from assay.core.explanation import ExplainedChange, Move
from assay.core.policy import Policy
from assay.core.profiles import Profile
from assay.evaluate import Plan
from assay.explain.explain import PLACES, contributions, explanation, require_places
from assay.explain.instead import lowest_relevant
from assay.explain.ranking import Ranking
from assay.explain.study import Study, plan_of
from assay.inputs import as_gold, as_run
from assay.measures.base import Measure

NOWHERE = (None, 0.0)


def explain_change(
    gold: Any,
    before: Any,
    after: Any,
    query: str,
    measure: str | Measure | type[Measure] = "AP",
    *,
    places: int = PLACES,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    exclude: Any = None,
) -> ExplainedChange:
    """Tell which judged items make the difference between two runs on one query.

    An item changes the value by its contribution in the ranking of `after` minus that in the ranking of
    `before` (see `explain`); the changes and `other` sum to the difference. The parameters are those of
    `explain`.

    >>> gold = {"q": {"a": 1, "b": 1}}
    >>> found = explain_change(gold, {"q": ["x", "a", "b"]}, {"q": ["a", "x", "b"]}, "q", "AP")
    >>> round(found.difference, 4)
    0.25
    >>> [(move.item, move.rank_before, move.rank_after, move.change) for move in found.moves if move.change]
    [('a', 2.0, 1.0, 0.25)]
    """
    return explain_changes(
        gold, before, after, [query], measure, places=places, policy=policy, profile=profile, rel=rel, exclude=exclude
    )[0]


def explain_changes(
    gold: Any,
    before: Any,
    after: Any,
    queries: Iterable[str],
    measure: str | Measure | type[Measure] = "AP",
    *,
    places: int = PLACES,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    exclude: Any = None,
) -> list[ExplainedChange]:
    """Explain the change of several queries; each run is read once, the rest is as in `explain_change`."""
    require_places(places)
    gold, queries = as_gold(gold), list(queries)
    plan = plan_of(gold, measure, policy, profile, rel)
    first, second = (Study.of(gold, as_run(run, gold), plan, queries, exclude) for run in (before, after))
    return [change(first, second, query, places) for query in queries]


def change(first: Study, second: Study, query: str, places: int) -> ExplainedChange:
    """Explain the change of one query between two studies of the same measure."""
    before, after = explanation(first, query, places), explanation(second, query, places)
    defined = before.value is not None and after.value is not None
    parts = [_by_item(study.rankings[query], study.plan, defined=defined) for study in (first, second)]
    lowest = lowest_relevant(first.plan)
    moves = [
        Move(item, grade, rank_before, rank_after, part_before, part_after)
        for item, grade in first.judgments[query]
        for (rank_before, part_before), (rank_after, part_after) in [[part.get(item, NOWHERE) for part in parts]]
        if part_before != part_after or (grade >= lowest and rank_before != rank_after)
    ]
    moves.sort(key=lambda move: (-round(abs(move.change), 12), move.item))
    total = 0.0 if before.value is None or after.value is None else after.value - before.value
    return ExplainedChange(before, after, tuple(moves), total - sum(move.change for move in moves))


def _by_item(ranking: Ranking, plan: Plan, *, defined: bool) -> dict[str, tuple[float | None, float]]:
    """Return the rank and the contribution of each judged item that was retrieved."""
    judged = np.flatnonzero(ranking.hit >= 0)
    parts = contributions(ranking, plan, judged, 0.0 if defined else None)
    shares = parts.shares.tolist()
    return {
        ranking.items[place]: (float(ranking.rank[place]), share)
        for place, share in zip(judged.tolist(), shares, strict=True)
    }
