"""The page of one evaluation: its figures, how it was made, and its queries, the worst first."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.core.history import Recorded, RecordedFigure
from assay.errors import UnknownNameError
from assay.history.app.suite import figure_of
from assay.history.app.visits import Visit, whole
from assay.history.gate.paired import TIE, aligned

if TYPE_CHECKING:
    from starlette.responses import Response

STEP = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A query with its value, that of the baseline, and the first items of its ranking; None is undefined."""

    query: str
    value: float | None
    before: float | None
    items: tuple[str, ...]

    @property
    def change(self) -> float | None:
        """Its value less that of the baseline."""
        if self.value is None or self.before is None:
            return None
        found = self.value - self.before
        return 0.0 if abs(found) <= TIE else found


def show(visit: Visit) -> "Response":
    """Show an evaluation; `measure` and `from` in the address say which queries."""
    one, start = visit.evaluation(), whole("from", visit.asked("from", "0"))
    pinned = visit.store.baseline(one.suite)
    base = None if pinned is None or pinned.id == one.id else pinned
    measure = measure_of(one, visit.asked("measure"))
    order, chosen = _order(one, base, measure), figure_of(one, measure)
    wholes = [(figure, base and figure_of(base, figure.measure)) for figure in one.figures if not figure.slice]
    return visit.page(
        "evaluation.html", one=one, base=base, measure=measure, measures=tuple(one.values), wholes=wholes,
        parts=[(figure, base and figure_of(base, figure.measure, figure.slice)) for figure in _parts(one, measure)],
        rows=_rows(one, base, measure, order[start : start + STEP]), start=start, step=STEP, many=len(order),
        compared=base is not None and measure in base.values, higher=chosen is None or chosen.higher_is_better,
    )  # fmt: skip


def measure_of(one: Recorded, wanted: str) -> str:
    """Return the measure whose values of queries are shown: the one asked for, else the first; "" without any."""
    if wanted and wanted not in one.values:
        raise UnknownNameError.of("measure with values of queries", wanted, list(one.values) or ["(none)"])
    return wanted or next((name for name in one.measures if name in one.values), "")


def _parts(one: Recorded, measure: str) -> list[RecordedFigure]:
    return [figure for figure in one.figures if figure.slice and figure.measure == (measure or figure.measure)]


def _order(one: Recorded, base: Recorded | None, measure: str) -> list[int]:
    """Return the places of the queries: those that lost most first, else the worst; undefined ones last."""
    if not measure:
        return []
    figure = figure_of(one, measure)
    sign = -1.0 if figure is not None and not figure.higher_is_better else 1.0
    values = sign * one.values[measure]
    if base is not None and measure in base.values:
        change = values - sign * aligned(base.values[measure], base.queries, one.queries)
        return np.lexsort((values, np.where(np.isnan(change), np.inf, np.round(change, 12)))).tolist()  # type: ignore[no-any-return]
    return np.argsort(values, kind="stable").tolist()  # type: ignore[no-any-return]


def _rows(one: Recorded, base: Recorded | None, measure: str, places: list[int]) -> list[Row]:
    if not places:
        return []
    known = base is not None and measure in base.values
    before = aligned(base.values[measure], base.queries, one.queries) if base is not None and known else None
    items = heads(one, [one.queries[place] for place in places])
    return [
        Row(
            one.queries[place], defined(one.values[measure][place]),
            None if before is None else defined(before[place]), items.get(one.queries[place], ()),
        )
        for place in places
    ]  # fmt: skip


def heads(one: Recorded, queries: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the first items of some queries, in the order of their ranks."""
    if one.head is None:
        return {}
    some = one.head.filter(one.head["query"].is_in(queries))
    return {str(query[0]): tuple(rows["item"]) for query, rows in some.group_by("query", maintain_order=True)}


def defined(value: float) -> float | None:
    """Return a value, None where it is undefined."""
    return None if np.isnan(value) else float(value)
