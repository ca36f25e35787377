"""The first page: each suite with its newest figures, its baseline, the way there, and its state."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from assay.core.history import RecordedFigure, Suite
from assay.errors import AssayError
from assay.history.app.charts import SPARK, sparkline
from assay.history.app.verdicts import ALPHA, FEW_JUDGED, STATES, Verdict, verdict
from assay.history.app.visits import Desk, Visit, whole

if TYPE_CHECKING:
    from starlette.responses import Response

LAST, MEASURES, SUITES = 30, 4, 20
"""Figures of a sparkline, measures of a suite, suites of a page."""


@dataclass(frozen=True, slots=True)
class Line:
    """A measure of a suite: the figure of the newest evaluation, that of the baseline, and the way there.

    `change` is over the queries that both have, where it is known, else the difference of the figures.
    """

    figure: RecordedFigure
    baseline: float | None
    change: float | None
    spark: tuple[list[str], tuple[float, float] | None]
    fell: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A suite on the first page; `more` measures are left out."""

    suite: Suite
    verdict: Verdict
    lines: tuple[Line, ...]
    more: int


def show(visit: Visit) -> "Response":
    """Show the suites, those that fell first."""
    start = whole("from", visit.asked("from", "0"))
    suites = judged(visit.desk)
    some = suites[start : start + SUITES]
    recent = visit.store.recent(LAST) if some else None
    cards = [_card(one, found, recent) for one, found in some]
    counted = Counter(found.state for _, found in suites)
    return visit.page(
        "overview.html", cards=cards, counted=counted, alpha=ALPHA, few=FEW_JUDGED, size=SPARK, start=start,
        suites=len(suites), step=SUITES,
    )  # fmt: skip


def warm(desk: Desk) -> None:
    """Compute the states of all suites before somebody asks for them; what fails is said on the page."""
    with suppress(AssayError):
        judged(desk)


def judged(desk: Desk) -> list[tuple[Suite, Verdict]]:
    """Return the suites with their states, those that ask for somebody first."""
    found = [(one, verdict(desk, one)) for one in desk.store.suites()]
    return sorted(found, key=lambda pair: STATES.index(pair[1].state))


def _card(suite: Suite, found: Verdict, recent: pl.DataFrame | None) -> Card:
    figures = [one for one in suite.newest.figures if not one.slice]
    shown = sorted(figures, key=lambda one: one.measure not in found.fell)[:MEASURES]
    there = None if recent is None else recent.filter(pl.col("suite") == suite.name)
    return Card(suite, found, tuple(_line(suite, one, found, there) for one in shown), len(figures) - len(shown))


def _line(suite: Suite, figure: RecordedFigure, found: Verdict, recent: pl.DataFrame | None) -> Line:
    before = None
    if suite.baseline is not None:
        before = next((one.mean for one in suite.baseline.figures if _same(one, figure)), None)
    change = found.changes.get(figure.measure)
    if change is None and before is not None and figure.mean is not None:
        change = figure.mean - before
    means = [] if recent is None else recent.filter(pl.col("measure") == figure.measure)["mean"].to_list()
    return Line(figure, before, change, sparkline(means), figure.measure in found.fell)


def _same(one: RecordedFigure, other: RecordedFigure) -> bool:
    return (one.measure, one.slice) == (other.measure, other.slice)
