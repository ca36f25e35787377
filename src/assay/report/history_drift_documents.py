"""A drift as text for a terminal, as Markdown, and as a table of points."""

from typing import Any

import polars as pl

from assay.core.history_drift import Drift
from assay.core.history_series import ALARM, QUIET, Series
from assay.report.documents import markdown
from assay.report.drawing import listed, wrapped
from assay.report.history_drift import explanation, moves, reading, reasons, title
from assay.report.history_drift_tables import sections
from assay.report.names import visible
from assay.report.validity import markdown_table

COLOURS = {ALARM: "\x1b[1;31m", QUIET: "\x1b[1;32m"}
PLAIN = "\x1b[0m"
RANKS = 3
"""So many queries are shown with the items that moved."""
SCHEMA: dict[str, Any] = {
    "measure": pl.String, "slice": pl.String, "id": pl.Int64, "time": pl.Datetime("us", "UTC"), "name": pl.String,
    "value": pl.Float64, "norm": pl.Boolean, "cusum": pl.Float64, "cusum_limit": pl.Float64, "ewma": pl.Float64,
    "ewma_limit": pl.Float64, "paired": pl.Float64, "alarm": pl.Boolean, "new_level": pl.Boolean,
}  # fmt: skip


def render(found: Drift, width: int = 80, *, colour: bool = False) -> str:
    """Return the drift as text, no line wider than `width` where it can be broken."""
    head = wrapped(visible(title(found)), width)
    if colour and found.decision in COLOURS:
        head = f"{COLOURS[found.decision]}{head}{PLAIN}"
    parts = [head + "".join(f"\n{listed([one], width)}" for one in reasons(found))]
    said = [*explanation(found)]
    for name, table, spare in sections(found):
        drawn = f"{wrapped(visible(name), width)}\n{table.fitted(width, spare).draw(colour=colour)}"
        if said and name.startswith("WHAT CHANGED"):
            drawn, said = f"{drawn}\n{listed(said, width)}", []
        parts.append(drawn)
    if ranks := _ranks(found):
        parts.append(f"WHAT MOVED IN THEM\n{listed(ranks, width)}")
    if read := [*reading(found)]:
        parts.append(f"HOW TO READ THIS\n{listed(read, width)}")
    return "\n\n".join(parts) + "\n"


def to_markdown(found: Drift) -> str:
    """Return the drift as Markdown; what comes from files is shown as it is."""
    lines = [f"## {markdown(visible(title(found)))}", ""]
    lines += [f"- {markdown(visible(one))}" for one in (*reasons(found), *explanation(found))]
    for name, table, _ in sections(found):
        lines += ["", f"### {markdown(visible(name))}", "", markdown_table(table)]
    return "\n".join(lines).rstrip() + "\n"


def to_frame(found: Drift) -> pl.DataFrame:
    """Return a row for each point of each series, with what the charts say of it."""
    rows = [row for one in found.series for row in _points(one)]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _ranks(found: Drift) -> list[str]:
    movers = () if found.attribution is None else found.attribution.movers
    return [moves(one) for one in movers if one.places][:RANKS]


def _points(one: Series) -> list[tuple[Any, ...]]:
    charts = {chart.method: chart for chart in one.controls}
    cusum, ewma, paired = (charts.get(name) for name in ("CUSUM", "EWMA", "paired"))
    alarms = {place for chart in one.controls for place in chart.alarms}
    levels = {shift.place for shift in one.shifts}
    return [
        (
            one.measure, one.slice, point.id, point.time, point.name, point.value, at < one.baseline,
            cusum and cusum.distance[at], cusum and cusum.limit,
            ewma.smoothed[at] if ewma and ewma.smoothed else None, ewma.bound[at] if ewma and ewma.bound else None,
            paired and paired.distance[at], at in alarms, at in levels,
        )
        for at, point in enumerate(one.points)
    ]  # fmt: skip
