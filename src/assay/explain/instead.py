"""What the value of a query would be instead: with one more item judged relevant, one more found, all of them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.core.explanation import Missed
from assay.core.judged import Floats, Hits, Ints, rank_ties
from assay.evaluate import Plan
from assay.explain.ranking import MEAN_RANKS, Ranking
from assay.explain.variants import Variant, measure
from assay.measures.base import SMALLEST_GAIN


def lowest_relevant(plan: Plan) -> float:
    """Return the lowest grade that counts for the measure."""
    rel = getattr(plan.measure, "rel", None)
    return SMALLEST_GAIN if rel is None else float(rel)


def if_relevant(ranking: Ranking, plan: Plan, places: Ints, grade: float) -> list[float | None]:
    """Return the value of the query if the item on a place had the grade, for each of the places (from 0).

    None for an item that is relevant already, and for measures that read more than one grade of an item.
    """
    wanted = places[ranking.grade[places] < lowest_relevant(plan)]
    found: dict[int, float | None] = {}
    if not plan.measure.needs_facets:
        variants = [_graded(ranking, plan, int(place), grade) for place in wanted]
        found = dict(zip(wanted.tolist(), map(known, measure(plan, ranking.judged, variants)), strict=True))
    return [found.get(place) for place in places.tolist()]


def missed(ranking: Ranking, plan: Plan, judgments: Sequence[tuple[str, float]]) -> tuple[Missed, ...]:
    """Return the relevant items that count for nothing: highest grade first, then by rank and id.

    `judgments` are all judged items of the query and their grades, in the order of the gold.
    """
    lowest, k = lowest_relevant(plan), getattr(plan.measure, "k", None)
    places = {item: place for place, item in enumerate(ranking.items)}
    found = [
        (item, grade, places.get(item), row)
        for row, (item, grade) in enumerate(judgments)
        if grade >= lowest and (item not in places or (k is not None and ranking.rank[places[item]] > k))
    ]
    alike = not plan.measure.needs_facets  # items of one grade that were not retrieved: each makes the same value
    keys = [(grade, place, 0 if alike else row) for _, grade, place, row in found]
    variants = {key: _first(ranking, plan, *key) for key in dict.fromkeys(keys)}
    values = dict(zip(variants, map(known, measure(plan, ranking.judged, list(variants.values()))), strict=True))
    made = [
        Missed(item, grade, None if place is None else float(ranking.rank[place]), values[key])
        for (item, grade, place, _), key in zip(found, keys, strict=True)
    ]
    return tuple(sorted(made, key=lambda one: (-one.grade, one.rank or np.inf, one.item)))


def highest(ranking: Ranking, plan: Plan) -> float | None:
    """Return the best value of a ranking that holds the relevant items, or all judged ones, best first.

    None for measures that read more than one grade of an item: their best ranking is not to be had by sorting.
    """
    if plan.measure.needs_facets:
        return None
    ideal = ranking.judged.ideal
    best = [ideal.relevant(lowest_relevant(plan)), ideal.relevant(0)]
    values = measure(plan, ranking.judged, [Variant(hits, ideal.grade, len(hits)) for hits in best])
    some = values[~np.isnan(values)]
    if not len(some):
        return None
    return float(some.max() if plan.measure.higher_is_better else some.min())


def known(value: float) -> float | None:
    """Return a value as it is told: None where it is undefined."""
    return None if np.isnan(value) else float(value)


def _graded(ranking: Ranking, plan: Plan, place: int, grade: float) -> Variant:
    """Return the ranking with another grade for the item on a place."""
    hits, ideal = ranking.judged.hits, ranking.judged.ideal.grade
    hit = int(ranking.hit[place])
    if hit < 0:
        hits = _with(hits, grade, (place + 1, int(ranking.above[place]), int(ranking.tied[place])))
    else:
        ideal = np.delete(ideal, np.flatnonzero(ideal == hits.grade[hit])[0])
        grades = hits.grade.copy()
        grades[hit] = grade
        hits = replace(hits, grade=grades)
    return Variant(rank_ties(hits, plan.policy.ties), _falling(np.append(ideal, grade)), len(ranking))


def _first(ranking: Ranking, plan: Plan, grade: float, place: int | None, row: int) -> Variant:
    """Return the ranking with an item on the first place, taken from its place or from outside."""
    hits = ranking.judged.hits
    if place is None:
        hits = replace(hits, rank=hits.rank + 1, above=hits.above + 1)
    else:
        hits = _without(hits, int(ranking.hit[place]))
    if plan.policy.ties in MEAN_RANKS:
        hits = replace(hits, rank=hits.above + (hits.tied + 1) / 2)
    hits = rank_ties(_with(hits, grade, (1, 0, 1), row), plan.policy.ties)
    return Variant(hits, ranking.judged.ideal.grade, len(ranking) + (place is None))


def _without(hits: Hits, hit: int) -> Hits:
    """Return the hits of one query without one of them; those that stood above it move down by one place."""
    above = hits.above[hit]
    moved = replace(
        hits,
        rank=hits.rank + (hits.rank < hits.rank[hit]),
        above=hits.above + (hits.above <= above),
        tied=hits.tied - (hits.above == above),
    )
    return moved.where(np.arange(len(hits)) != hit)


def _with(hits: Hits, grade: float, standing: tuple[int, int, int], row: int | None = None) -> Hits:
    """Return the hits of one query with one more; `standing` are its rank, how many are above it and how many tied."""
    rank, above, tied = standing
    more = Hits(
        1,
        np.append(hits.query, 0),
        np.append(hits.grade, grade),
        np.append(hits.rank, float(rank)),
        np.append(hits.above, above),
        np.append(hits.tied, tied),
        None if hits.row is None or row is None else np.append(hits.row, row),
    )
    return more.where(np.lexsort((more.rank, more.above)))


def _falling(grades: Floats) -> Floats:
    return np.sort(grades)[::-1]
