"""Evaluations over time, for the terminal and for tables: what was added, and the figures of a suite."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from assay._version import __version__
from assay.core.history import Recorded, RecordedFigure
from assay.report.amounts import counted
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import shorten, visible

BARS = "▁▂▃▄▅▆▇█"
NAME = 24
"""Columns of a name beside figures."""
SCHEMA: dict[str, Any] = {
    "id": pl.Int64, "suite": pl.String, "name": pl.String, "time": pl.Datetime("us", "UTC"), "baseline": pl.Boolean,
    "measure": pl.String, "slice": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64,
    "queries": pl.Int64, "undefined": pl.Int64, "gold": pl.String, "run": pl.String, "corpus": pl.String,
    "code": pl.String, "note": pl.String,
}  # fmt: skip


def sparkline(values: Iterable[float | None]) -> str:
    """Return a bar for each value between the lowest and the highest of them; a blank where there is none.

    >>> sparkline([0.0, None, 7.0, 4.0])
    '▁ █▅'
    """
    found = list(values)
    known = [value for value in found if value is not None]
    if not known:
        return " " * len(found)
    low, spread = min(known), max(known) - min(known)
    top = len(BARS) - 1
    return "".join(
        " " if value is None else BARS[top // 2 if not spread else round((value - low) / spread * top)]
        for value in found
    )


def added_to_dict(store: str, added: Sequence[Recorded], *, command: list[str]) -> dict[str, Any]:
    """Return what was added as plain data."""
    return {
        "assay": __version__, "command": command, "store": store, "added": [one.to_dict() for one in added],
    }  # fmt: skip


def render_added(store: str, added: Sequence[Recorded], *, width: int = 80) -> str:
    """Say what was added, a line for each evaluation."""
    lines = [wrapped(f"{visible(store)}: {counted(len(added), 'evaluation')} added", width)]
    lines.append(listed((_added(one) for one in added), width))
    return "\n".join(lines) + "\n"


def _added(one: Recorded) -> str:
    first = next(iter(one.figures), None)
    shown = "no figure" if first is None else f"{first.measure} {number(first.mean)}"
    slices = {figure.slice for figure in one.figures} - {""}
    parts = [counted(len(one.measures), "measure")]
    parts += [counted(len(slices), "slice")] if slices else []
    parts += [counted(len(one.queries), "query")] if one.queries else []
    parts += [f"the first {one.depth:,} items"] if one.depth else []
    pinned = "; pinned as baseline" if one.baseline else ""
    return f"{one.id} in {one.suite}: {one.name}, {shown} ({', '.join(parts)}){pinned}"


def to_dict(suite: str, found: Sequence[Recorded], measure: str | None, *, command: list[str]) -> dict[str, Any]:
    """Return the evaluations of a suite as plain data; with the figures of one measure where it is named."""
    documents = [one.to_dict() for one in found]
    if measure is not None:
        for document in documents:
            document["figures"] = [one for one in document["figures"] if one["measure"] == measure]
    return {"assay": __version__, "command": command, "suite": suite, "evaluations": documents}


def to_frame(found: Sequence[Recorded], measure: str | None = None) -> pl.DataFrame:
    """Return a row for each figure, those of slices as well."""
    rows = [
        (
            each.id, each.suite, each.name, each.time, each.baseline, one.measure, one.slice, one.mean, one.low,
            one.high, one.queries, one.undefined, each.made.gold, each.made.run, each.made.corpus, each.made.code,
            each.note,
        )
        for each in found
        for one in each.figures
        if measure in {None, one.measure}
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def render(
    suite: str,
    found: Sequence[Recorded],
    measure: str | None,
    part: str = "",
    *,
    baseline: Recorded | None = None,
    width: int = 80,
) -> str:
    """Return the evaluations of a suite as text, the newest last, no line wider than `width` where it can be broken."""
    if not found:
        return f"{visible(suite)}: no evaluation\n"
    of = f" of {visible(part)}" if part else ""
    head = f"{visible(suite)}{of}: {counted(len(found), 'evaluation')}, {_day(found[0])} to {_day(found[-1])}"
    names = [measure] if measure else _measures(found, part)
    parts = [wrapped(head, width), _lines(found, names, part, baseline, width)]
    parts.append(_one(found, measure, part, width) if measure else _table(found, names, part, width))
    parts.append(listed(_reading(found), width))
    return "\n\n".join(part for part in parts if part) + "\n"


def _measures(found: Sequence[Recorded], part: str) -> list[str]:
    """Return the measures, those of the newest evaluation first."""
    return list(dict.fromkeys(one.measure for each in reversed(found) for one in each.figures if one.slice == part))


def _figure(each: Recorded, measure: str, part: str) -> RecordedFigure | None:
    return next((one for one in each.figures if (one.measure, one.slice) == (measure, part)), None)


def _mean(each: Recorded, measure: str, part: str) -> float | None:
    one = _figure(each, measure, part)
    return None if one is None else one.mean


def _lines(found: Sequence[Recorded], names: Sequence[str], part: str, pinned: Recorded | None, width: int) -> str:
    """Return each measure with its way from the oldest to the newest."""
    rows = []
    for name in names:
        means = [_mean(each, name, part) for each in found]
        known = [value for value in means if value is not None]
        ends = (number(min(known)), number(max(known))) if known else (UNDEFINED, UNDEFINED)
        base = UNDEFINED if pinned is None else number(_mean(pinned, name, part))
        rows.append((name, sparkline(means[-30:]), *ends, base, number(means[-1])))
    heads = ("measure", "", "lowest", "highest", "baseline", "newest")
    return Table(heads, tuple(rows), frozenset({""})).fitted(width, ("lowest", "highest")).draw()


def _table(found: Sequence[Recorded], names: Sequence[str], part: str, width: int) -> str:
    """Return a row for each evaluation with as many measures as there is room for."""
    rows = [(*_named(each), *(number(_mean(each, name, part)) for name in names)) for each in found]
    table = Table(("name", "id", "time", *names), tuple(rows), frozenset({"time"}))
    return table.fitted(width, tuple(reversed(names[1:]))).draw()


def _one(found: Sequence[Recorded], measure: str, part: str, width: int) -> str:
    """Return a row for each evaluation with all that is known of one measure."""
    rows = []
    for each in found:
        one = _figure(each, measure, part)
        cells = [UNDEFINED] * 4
        if one is not None:
            ends = UNDEFINED if one.low is None else f"[{number(one.low)}, {number(one.high)}]"
            cells = [number(one.mean), ends, f"{one.queries:,}", f"{one.undefined:,}"]
        rows.append((*_named(each), *cells))
    heads = ("name", "id", "time", "mean", "interval", "queries", "undefined")
    return Table(heads, tuple(rows), frozenset({"time"})).fitted(width, ("undefined", "queries", "interval")).draw()


def _reading(found: Sequence[Recorded]) -> Iterator[str]:
    """Say what a reader of the figures should know."""
    if any(each.baseline for each in found):
        yield "* is the pinned baseline."
    for what, values in (
        ("gold", {each.made.gold for each in found}),
        ("set of queries", {each.made.queries for each in found}),
        ("corpus", {each.made.corpus for each in found}),
    ):
        if len(values) > 1:
            yield f"The {what} is not the same in all of them: {len(values):,} different ones."
    for each in found:
        if each.note:
            yield f"{each.id}: {each.note}"


def _day(each: Recorded) -> str:
    return f"{each.time:%Y-%m-%d}"


def _named(each: Recorded) -> tuple[str, str, str]:
    """Return name, id and time of an evaluation, a star behind the pinned one."""
    time = f"{each.time:%Y-%m-%d %H:%M}{'*' if each.baseline else ' '}"
    return shorten(visible(each.name), NAME), str(each.id), time
