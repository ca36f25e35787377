"""The page of one query: its value over time, and its ranking now beside another, explained where that can be."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.core.history import Recorded
from assay.errors import InputError
from assay.history.app.charts import Point, chart
from assay.history.app.evaluation import defined, measure_of
from assay.history.app.events import events
from assay.history.app.explaining import explained, places_of
from assay.history.app.suite import figure_of
from assay.history.app.visits import Visit

if TYPE_CHECKING:
    from starlette.responses import Response

LAST = 90
"""So many evaluations are looked at."""
ROWS = 30


def show(visit: Visit) -> "Response":
    """Show a query of an evaluation; `measure` and `against` (another evaluation) in the address."""
    one, query = visit.evaluation(), visit.asked("query").strip()
    if query not in one.queries:
        raise InputError(f"query: expected one of evaluation {one.id}, found {query[:80]!r}")
    measure = measure_of(one, visit.asked("measure"))
    found = visit.store.list(one.suite, limit=LAST)
    if one.id not in {each.id for each in found}:
        found = visit.store.list(one.suite, until=one.time, limit=LAST)
    other = _other(visit, one, found)
    points = _points(visit, found, query, measure)
    happened, often = events(found)
    figure = figure_of(one, measure)
    places = places_of(one, other, query, visit.desk.gold)
    return visit.page(
        "query.html", one=one, other=other, query=query, measure=measure, measures=tuple(one.values), figure=figure,
        value=_value(one, query, measure), before=_value(other, query, measure), points=points[::-1][:ROWS],
        chart=chart(points, [(each.time, each.number, each.kind) for each in happened], None), happened=happened,
        often=often, places=places, explained=explained(one, query, measure, visit.desk.gold), many=len(points),
        groups={column: values[query] for column, values in one.groups.items() if query in values},
    )  # fmt: skip


def _other(visit: Visit, one: Recorded, found: Sequence[Recorded]) -> Recorded | None:
    """Return what the ranking is held against: what was asked for, else the baseline, else the evaluation before."""
    if visit.asked("against"):
        return visit.evaluation("against")
    pinned = visit.store.baseline(one.suite)
    if pinned is not None and pinned.id != one.id:
        return pinned
    earlier = [each.id for each in found if (each.time, each.id) < (one.time, one.id)]
    return visit.store.get(earlier[-1]) if earlier else None


def _points(visit: Visit, found: Sequence[Recorded], query: str, measure: str) -> list[Point]:
    queries, matrix = visit.store.values([each.id for each in found], measure)
    if query not in queries:
        return []
    values = matrix[:, queries.index(query)]
    return [Point(each.id, each.time, each.name, defined(value)) for each, value in zip(found, values, strict=True)]


def _value(one: Recorded | None, query: str, measure: str) -> float | None:
    if one is None or query not in one.queries or measure not in one.values:
        return None
    return defined(one.values[measure][one.queries.index(query)])
