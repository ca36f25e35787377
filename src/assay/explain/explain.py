"""`explain`: one number of one query, place by place."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from assay.core.explanation import Explanation, Place
from assay.core.judged import Ints
from assay.core.policy import Policy
from assay.core.profiles import Profile
from assay.errors import ParameterError
from assay.evaluate import Plan
from assay.explain.contributions import Contributions
from assay.explain.instead import highest, if_relevant, known, lowest_relevant, missed
from assay.explain.notices import notices_of
from assay.explain.ranking import Ranking
from assay.explain.study import Study, plan_of
from assay.explain.variants import values_of
from assay.inputs import as_gold
from assay.measures.base import Measure

PLACES = 20
"""So many places are shown."""


def explain(
    gold: Any,
    run: Any,
    query: str,
    measure: str | Measure | type[Measure] = "AP",
    *,
    places: int = PLACES,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    exclude: Any = None,
) -> Explanation:
    """Tell where the value of one query comes from, place by place.

    The contribution of a place is the value of the ranking cut after it minus the value of the ranking cut
    before it. Whatever the measure, contributions sum to the value that `evaluate` gives the query.

    Parameters
    ----------
    gold, run, policy, profile, rel, exclude
        As for `evaluate`.
    query
        The query to look at.
    measure
        One measure, such as "AP" or `nDCG @ 10`.
    places
        How many places to show; those below are summed.

    Raises
    ------
    UnknownNameError
        A query that the gold does not judge.
    AssayError
        For everything else that the input or the request does wrong.

    >>> found = explain({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, "q", "AP")
    >>> [(place.item, round(place.contribution, 4)) for place in found.places]
    [('a', 0.5), ('x', 0.0), ('b', 0.3333)]
    >>> round(found.value, 4), found.highest, found.places[1].if_relevant
    (0.8333, 1.0, 1.0)
    """
    return explain_many(
        gold, run, [query], measure, places=places, policy=policy, profile=profile, rel=rel, exclude=exclude
    )[0]


def explain_many(
    gold: Any,
    run: Any,
    queries: Iterable[str],
    measure: str | Measure | type[Measure] = "AP",
    *,
    places: int = PLACES,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    exclude: Any = None,
) -> list[Explanation]:
    """Explain several queries of one run, which is read once; the rest is as in `explain`."""
    require_places(places)
    gold, queries = as_gold(gold), list(queries)
    plan = plan_of(gold, measure, policy, profile, rel)
    study = Study.of(gold, run, plan, queries, exclude)
    return [explanation(study, query, places) for query in queries]


def explanation(study: Study, query: str, places: int) -> Explanation:
    """Explain one query of a study."""
    plan, ranking = study.plan, study.rankings[query]
    value = value_of(ranking, plan)
    shown = np.arange(min(places, len(ranking)))
    parts = contributions(ranking, plan, shown, value)
    so_far = float(parts.so_far[-1]) if len(shown) else parts.start
    return Explanation(
        run=study.run,
        query=query,
        measure=str(plan.measure),
        value=value,
        places=_places(ranking, parts, if_relevant(ranking, plan, shown, study.grade)),
        rest=0.0 if value is None else value - so_far,
        missed=missed(ranking, plan, study.judgments[query]),
        relevant=int(ranking.judged.ideal.relevant(lowest_relevant(plan)).count()[0]),
        retrieved=len(ranking),
        highest=highest(ranking, plan),
        notices=tuple(notices_of(ranking, plan, value, undefined=parts.undefined)),
        start=parts.start,
        policy=plan.policy,
    )


def value_of(ranking: Ranking, plan: Plan) -> float | None:
    """Return the value of the query as `evaluate` has it; None where it is undefined or left out."""
    if plan.policy.missing == "skip" and not ranking.judged.answered[0]:
        return None
    return known(values_of(plan, ranking.judged)[0])


def contributions(ranking: Ranking, plan: Plan, places: Ints, value: float | None) -> Contributions:
    """Return what places (from 0) contribute to a value."""
    return Contributions.none(places) if value is None else Contributions.of(ranking, plan, places)


def require_places(places: int) -> None:
    """Raise ParameterError unless the number of places can be shown."""
    if places < 1:
        msg = f"places: expected a number of at least 1, found {places}"
        raise ParameterError(msg)


def _places(ranking: Ranking, parts: Contributions, instead: list[float | None]) -> tuple[Place, ...]:
    return tuple(
        Place(
            rank=float(ranking.rank[place]),
            item=ranking.items[place],
            score=float(ranking.score[place]) if np.isfinite(ranking.score[place]) else None,
            grade=float(ranking.grade[place]) if ranking.grade[place] >= 0 else None,
            contribution=float(parts.shares[place]),
            so_far=float(parts.so_far[place]),
            if_relevant=value,
            tied=int(ranking.tied[place]),
        )
        for place, value in enumerate(instead)
    )
