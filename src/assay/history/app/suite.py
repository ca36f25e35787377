"""The page of a suite: every measure over time, of all queries or of a slice, with what happened meanwhile."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.core.history import Recorded, RecordedFigure
from assay.errors import UnknownNameError
from assay.history.app.charts import Chart, Point, chart
from assay.history.app.events import Event, events
from assay.history.app.visits import Visit

if TYPE_CHECKING:
    from starlette.responses import Response

SPANS = {"30": 30, "90": 90, "180": 180}
ROWS, COLUMNS = 30, 4
"""Evaluations and measures of the table."""
MOST_CHARTS = 24


@dataclass(frozen=True, slots=True)
class Panel:
    """The chart of one measure and slice with its newest figure."""

    measure: str
    slice: str
    figure: RecordedFigure | None
    baseline: float | None
    chart: Chart | None


def show(visit: Visit) -> "Response":
    """Show a suite; `measure`, `slice`, `name` and `last` in the address narrow it."""
    suite, last = visit.asked("suite"), visit.asked("last", "90")
    if last not in SPANS:
        raise UnknownNameError.of("span", last, SPANS)
    found, pinned = visit.store.list(suite, limit=SPANS[last]), _baseline(visit, suite)
    names = sorted({one.name for one in found})
    if name := visit.asked("name"):
        found = tuple(one for one in found if one.name == name)
    measures, slices = _recorded(found)
    measure, part = _chosen("measure", visit.asked("measure"), measures), _chosen("slice", visit.asked("slice"), slices)
    happened, often = events(found)
    wanted = [(measure, part)] if measure else [(one, part) for one in measures]
    others = [(measure, one) for one in ("", *slices) if one != part] if measure else []
    return visit.page(
        "suite.html", suite=suite, pinned=pinned, measure=measure, part=part, name=name, names=names, last=last,
        spans=SPANS, measures=measures, slices=slices, happened=happened, often=often, found=found[::-1][:ROWS],
        panels=_panels(found, pinned, wanted, happened), others=_panels(found, pinned, others, happened),
        columns=[measure] if measure else measures[:COLUMNS], figure=figure_of, many=len(found),
        left=max(len(wanted), len(others)) - MOST_CHARTS,
    )  # fmt: skip


def _baseline(visit: Visit, suite: str) -> Recorded | None:
    """Return the baseline with its figures alone."""
    return next((one.baseline for one in visit.store.suites() if one.name == suite), None)


def _recorded(found: Sequence[Recorded]) -> tuple[list[str], list[str]]:
    """Return the measures and the slices of evaluations, those of the newest first."""
    figures = [figure for one in reversed(found) for figure in one.figures]
    measures = dict.fromkeys(one.measure for one in figures)
    return list(measures), list(dict.fromkeys(one.slice for one in figures if one.slice))


def _chosen(kind: str, wanted: str, known: Sequence[str]) -> str:
    if wanted and wanted not in known:
        raise UnknownNameError.of(kind, wanted, known or ["(none)"])
    return wanted


def _panels(
    found: Sequence[Recorded], pinned: Recorded | None, wanted: Iterable[tuple[str, str]], happened: Sequence[Event]
) -> list[Panel]:
    marks = [(one.time, one.number, one.kind) for one in happened]
    panels = []
    for measure, part in list(wanted)[:MOST_CHARTS]:
        points = [_point(one, figure_of(one, measure, part)) for one in found]
        newest = figure_of(found[-1], measure, part) if found else None
        before = figure_of(pinned, measure, part) if pinned else None
        base = before.mean if before else None
        panels.append(Panel(measure, part, newest, base, chart(points, marks, base)))
    return panels


def _point(one: Recorded, figure: RecordedFigure | None) -> Point:
    if figure is None:
        return Point(one.id, one.time, one.name, None)
    return Point(one.id, one.time, one.name, figure.mean, figure.low, figure.high)


def figure_of(one: Recorded, measure: str, part: str = "") -> RecordedFigure | None:
    """Return the figure of an evaluation; None where it has none."""
    return next((figure for figure in one.figures if (figure.measure, figure.slice) == (measure, part)), None)
