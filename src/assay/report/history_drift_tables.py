"""The tables of a drift: series, changes of level, parts of a change, slices, causes, the queries that lost most."""

from collections.abc import Iterator
from itertools import groupby

from assay.core.history_change import GOLD, MIX, QUALITY, TOGETHER, WEIGHTS, WHOLE, Change
from assay.core.history_drift import CAUSES, Drift
from assay.core.history_series import ALARM, Series
from assay.report.comparison import probability, signed
from assay.report.drawing import Table
from assay.report.grid import UNDEFINED, number
from assay.report.history import sparkline
from assay.report.history_drift import day, label, shown
from assay.report.names import shorten, visible

LAST = 20
"""So many points at most are drawn."""
SHOWN = 12
LONGEST = 40
COLUMNS = {
    MIX: "query mix",
    WEIGHTS: "weights",
    GOLD: "gold",
    QUALITY: "quality",
    TOGETHER: "gold+quality",
    WHOLE: "rest",
}

Section = tuple[str, Table, tuple[str, ...]]
"""What stands over a table, the table, and the columns that may go where it is too wide."""


def sections(found: Drift) -> Iterator[Section]:
    """Yield each table that has rows."""
    yield from (one for one in _sections(found) if one[1].rows)


def _sections(found: Drift) -> Iterator[Section]:
    heads = ("measure", f"last {LAST}", "norm", "newest", "limit", "alarm", "by")
    rows = tuple(_row(one) for one in found.series)
    yield "SERIES", Table(heads, rows, frozenset({heads[1], "alarm", "by"})), ("by",)
    shifts = tuple(
        (label(one), day(one.points[shift.place]), number(shift.before), number(shift.after), probability(shift.p))
        for one in found.series
        for shift in one.shifts
    )
    yield "CHANGES OF LEVEL", Table(("measure", "since", "before", "after", "p"), shifts, frozenset({"since"})), ()
    yield from _changes(found)
    yield from _slices(found)
    yield from _causes(found)
    yield from _worst(found)


def _row(one: Series) -> tuple[str, ...]:
    values = [point.value for point in one.points][-LAST:]
    bound = next((chart.bound[-1] for chart in one.controls if chart.bound), None)
    chart = one.alarm
    when = day(one.points[chart.first]) if chart is not None and chart.first is not None else "no"
    newest = next((value for value in reversed(values) if value is not None), None)
    said = when if one.decision == ALARM else "no" if not one.why else "not told"
    methods = ", ".join(each.method for each in one.controls if one.decision == ALARM and each.first is not None)
    return label(one), sparkline(values), number(one.level), number(newest), number(bound), said, methods


def _changes(found: Drift) -> Iterator[Section]:
    """Yield what each change is made of, those between the same two evaluations together; the explained one first."""
    times = {point.id: point for one in found.series for point in one.points}
    pairs = dict.fromkeys((one.old, one.new) for one in (found.explained, *found.changes) if one is not None)
    for old, new in pairs:
        changes = [one for one in found.changes if (one.old, one.new) == (old, new) and one.parts]
        names = [name for name in COLUMNS if any(one.part(name) for one in changes)]
        rows = tuple(_change(one, names) for one in changes)
        heads = ("measure", "before", "now", "change", *(COLUMNS[name] for name in names), "p")
        between = f"{old} of {day(times[old])} → {new} of {day(times[new])}"
        yield f"WHAT CHANGED (evaluation {between})", Table(heads, rows), ("before",)


def _change(one: Change, names: list[str]) -> tuple[str, ...]:
    parts = [one.part(name) for name in names]
    cells = [UNDEFINED if part is None else shown(part) for part in parts]
    p = UNDEFINED if one.quality is None else probability(one.quality.significance.p)
    return label(one), number(one.before), number(one.after), signed(one.change), *cells, p


def _slices(found: Drift) -> Iterator[Section]:
    given, change = found.attribution, found.explained
    if given is None or change is None:
        return
    for column, some in groupby(given.slices, lambda one: one.column):
        rows = tuple(
            (one.value or "(none)", f"{one.queries:,}", number(one.before), number(one.after), signed(one.change),
             signed(one.contribution))
            for one in some
        )  # fmt: skip
        more = f" ({SHOWN} of {len(rows)})" if len(rows) > SHOWN else ""
        heads = (column, "queries", "before", "now", "change", "contribution")
        title = f"BY {visible(column)}, of {label(change)} {signed(given.change)}{more}"
        yield title, Table(heads, rows[:SHOWN]), ("before",)


def _causes(found: Drift) -> Iterator[Section]:
    given, change = found.attribution, found.explained
    if given is None or change is None or not given.lost:
        return
    rows = [(CAUSES[one.cause], f"{one.queries:,}", signed(one.contribution)) for one in given.causes]
    rows.append(("(queries that gained)", f"{given.gained.queries:,}", signed(given.gained.contribution)))
    yield (
        f"CAUSES, of {label(change)} {signed(given.change)}",
        Table(("cause", "queries", "contribution"), tuple(rows)),
        (),
    )


def _worst(found: Drift) -> Iterator[Section]:
    given, change = found.attribution, found.explained
    if given is None or change is None:
        return
    rows = tuple(
        (signed(one.change), number(one.after), _cut(one.query, LONGEST // 2), one.cause, _cut(one.evidence, LONGEST))
        for one in given.movers
    )
    heads = ("change", "now", "query", "cause", "evidence")
    title = f"WORST QUERIES by {label(change)} ({len(rows)} of {given.lost:,} that lost)"
    yield title, Table(heads, rows, frozenset({"query", "evidence", "cause"})), ("now",)


def _cut(text: str, width: int) -> str:
    return shorten(visible(text), width)
