"""The page of two evaluations: what differs in how they were made, then each measure paired query by query."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from assay.core.estimates import Interval, Significance
from assay.core.history import Recorded
from assay.history.app.evaluation import Row, defined, heads
from assay.history.app.suite import figure_of
from assay.history.app.visits import Visit
from assay.history.gate.likeness import differences
from assay.history.gate.paired import Paired, mean_of
from assay.statistics.difference import significance
from assay.statistics.interval import difference_interval
from assay.statistics.many import adjust

if TYPE_CHECKING:
    from starlette.responses import Response

MOST, ROWS = 10, 50
"""Queries of a list; measures, and slices, that are tested."""
DIGESTS = ("gold", "queries", "corpus", "exclude", "weights")


@dataclass(frozen=True, slots=True)
class Contrast:
    """One measure (of a slice) before and now, over the `queries` that both have; p is corrected over the measures."""

    measure: str
    slice: str
    before: float | None
    now: float | None
    change: float | None
    interval: Interval
    test: Significance
    queries: int
    won: int
    tied: int
    lost: int
    higher_is_better: bool


def show(visit: Visit) -> "Response":
    """Show evaluation `b` against `a`; `measure` in the address says whose queries and slices."""
    before, now = visit.evaluation("a"), visit.evaluation("b")
    paired, levels = _kinds(before, now)
    wanted = visit.asked("measure")
    measure = wanted if wanted in paired else paired[0] if paired else ""
    found = _corrected([_contrast(before, now, one) for one in _shown(paired, measure)])
    lost, gained = _movers(before, now, measure) if measure else ([], [])
    parts = [one.slice for one in now.figures if one.slice and one.measure == measure and one.of_queries]
    unlike = sorted(differences(before, now, (), DIGESTS), key=lambda one: not one.refused)
    return visit.page(
        "compare.html", before=before, now=now, unlike=unlike, found=found, measure=measure, lost=lost, gained=gained,
        parts=_corrected([_contrast(before, now, measure, one) for one in parts[:ROWS]]), levels=levels[:ROWS],
        mixed=before.suite != now.suite, measures=len(paired), slices=len(parts), all_levels=len(levels),
    )  # fmt: skip


def _kinds(before: Recorded, now: Recorded) -> tuple[list[str], list[tuple[str, float | None, float | None]]]:
    """Return the measures that both have: those that are means over queries, and the figures of the others.

    Only a mean over queries has a difference query by query.
    """
    earlier = {one.measure: one for one in before.figures if not one.slice}
    paired, levels = [], []
    for one in now.figures:
        other = None if one.slice else earlier.get(one.measure)
        if other is None:
            continue
        if not (one.of_queries and other.of_queries):
            levels.append((one.measure, other.mean, one.mean))
        elif one.measure in now.values and one.measure in before.values:
            paired.append(one.measure)
    return paired, levels


def _shown(measures: list[str], wanted: str) -> list[str]:
    """Return the measures to test: the first ones, and the one that is asked for."""
    shown = measures[:ROWS]
    return shown if wanted in shown or not wanted else [*shown[:-1], wanted]


def _contrast(before: Recorded, now: Recorded, measure: str, part: str = "") -> Contrast:
    pair = Paired.of(before, now, measure)
    pair = pair.only(pair.there & now.inside(part)) if part else pair.shared()
    means = mean_of(pair.before, pair.weights), mean_of(pair.now, pair.weights)
    gaps, loads = pair.differences, {"weights": pair.weights, "clusters": pair.clusters}
    figure = figure_of(now, measure)
    higher = figure is None or figure.higher_is_better
    better, worse = int((gaps > 0).sum()), int((gaps < 0).sum())
    return Contrast(
        measure, part, *means, change=None if None in means else mean_of(gaps, pair.weights),
        interval=difference_interval(np.zeros(len(gaps)), gaps, method="t", **loads),  # type: ignore[arg-type]
        test=significance(gaps, test="t", **loads)[0],  # type: ignore[arg-type]
        queries=len(gaps), won=better if higher else worse, tied=len(gaps) - better - worse,
        lost=worse if higher else better, higher_is_better=higher,
    )  # fmt: skip


def _corrected(found: Sequence[Contrast]) -> list[Contrast]:
    """Correct the p values over all of them by Holm."""
    ps = adjust([one.test.p for one in found])
    return [replace(one, test=replace(one.test, adjusted=p)) for one, p in zip(found, ps, strict=True)]


def _movers(before: Recorded, now: Recorded, measure: str) -> tuple[list[Row], list[Row]]:
    """Return the queries that lost most and that gained most, each the largest change first."""
    pair = Paired.of(before, now, measure).shared()
    figure = figure_of(now, measure)
    gain = pair.differences if figure is None or figure.higher_is_better else -pair.differences
    order = np.argsort(np.round(gain, 12), kind="stable").tolist()
    lost = [place for place in order if gain[place] < 0][:MOST]
    won = [place for place in np.argsort(-np.round(gain, 12), kind="stable").tolist() if gain[place] > 0][:MOST]
    items = heads(now, [pair.queries[place] for place in (*lost, *won)])

    def row(place: int) -> Row:
        query = pair.queries[place]
        return Row(query, defined(pair.now[place]), defined(pair.before[place]), items.get(query, ()))

    return [row(place) for place in lost], [row(place) for place in won]
