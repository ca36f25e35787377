"""Breakdowns of the filtered ranks: by relation, side, category, degree or type, each measure in each group."""

from dataclasses import replace

from assay.core.links import LinksEvaluation
from assay.core.slices import SliceFigure, Slicing
from assay.report.amounts import counted
from assay.report.html import charts
from assay.report.html.links_figures import named
from assay.report.html.views import Block, Cell, Chart, Choice, Column, Section, Table
from assay.report.html.wording import interval, real
from assay.report.names import visible

MOST = 30
"""Groups that a chart shows; the table has them all."""


def section(found: LinksEvaluation) -> Section:
    """Return the section "Breakdowns"; it is empty where none was asked for."""
    names = {figure.name: named(figure) for figure in found.filtered.figures}
    blocks: list[Block] = []
    for place, one in enumerate(found.breakdowns):
        slicing = replace(one, figures=tuple(replace(part, measure=names[part.measure]) for part in one.figures))
        blocks += (_chart(place, slicing, found.filtered.protocol), _table(slicing))
    return Section("breakdowns", "Breakdowns", tuple(blocks))


def _chart(place: int, slicing: Slicing, protocol: str) -> Chart:
    groups = list(slicing.groups)[:MOST]
    rows = tuple(
        (one.measure, visible(one.group), one.queries, protocol, one.mean, one.interval.low, one.interval.high)
        for one in slicing.figures
        if one.group in groups
    )
    many = len(slicing.groups)
    few = f"the {MOST} largest of {counted(many, 'group')} (the table has all)" if many > MOST else "each group"
    left = f" {counted(slicing.unassigned, 'rank')} in no group." if slicing.unassigned else ""
    sure = any(row[5] is not None for row in rows)
    reading = "The wider an interval, the fewer questions a group has." if sure else "--interval 0.95 adds intervals."
    return Chart(
        f"breakdown_{place}", f"By {visible(slicing.column)}",
        f"The filtered figure of {few}{', with its interval' if sure else ''}.{left}",
        f"{reading} Groups with few candidates are easier than others.",
        charts.slices(), ("measure", "group", "queries", "run", "mean", "low", "high"), rows,
        (Choice("measure", "Measure", _measures(slicing)),), paint="run",
    )  # fmt: skip


def _measures(slicing: Slicing) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.measure for one in slicing.figures))


def _table(slicing: Slicing) -> Table:
    figures = {(one.group, one.measure): one for one in slicing.figures}
    measures = _measures(slicing)
    columns = (Column("group", words=True), Column("ranks"), *map(Column, measures))
    rows = tuple(
        (Cell(visible(group)), Cell(f"{many:,}"), *(_cell(figures.get((group, name))) for name in measures))
        for group, many in slicing.groups.items()
    )
    return Table(f"By {visible(slicing.column)}", columns, rows, sortable=len(rows) > 1)


def _cell(figure: SliceFigure | None) -> Cell:
    return Cell("-") if figure is None else Cell(real(figure.mean), interval(figure.interval))
