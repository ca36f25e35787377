"""Slices: every measure in every group of queries, the worst group, and groups that point against the whole."""

from collections.abc import Iterator

from assay.core.dossier import Dossier
from assay.core.slices import SliceContrast, SliceFigure, Slicing
from assay.report.amounts import counted
from assay.report.grid import number
from assay.report.html import charts
from assay.report.html.views import Block, Cases, Cell, Chart, Choice, Column, Listing, Section, Table, Text
from assay.report.html.wording import TONES, headed, interval, joined, probability, signed
from assay.report.names import visible

MOST_WORST = 6


def section(dossier: Dossier) -> Section:
    """Return the section "Slices"; it is empty where queries were not cut into groups."""
    slicings = dossier.slices or (dossier.comparison.slices if dossier.comparison is not None else ())
    several = len(dossier.labels) > 1
    blocks = [block for place, one in enumerate(slicings) for block in _blocks(place, one, several=several)]
    return Section("slices", "Slices", tuple(blocks))


def _blocks(place: int, slicing: Slicing, *, several: bool) -> Iterator[Block]:
    sizes = ", ".join(
        f"{visible(group)} ({counted(many, 'query', 'queries')})" for group, many in slicing.groups.items()
    )
    left = f" {counted(slicing.unassigned, 'query', 'queries')} in no group." if slicing.unassigned else ""
    yield Text(f"By {visible(slicing.column)}", "heading")
    yield Text(f"Groups: {sizes}.{left}")
    if slicing.reversals:
        yield Listing(tuple(map(visible, slicing.reversals)), "warning")
    worst = _worst(slicing)
    if worst:
        yield Text(worst)
    yield _chart(place, slicing, several=several)
    yield Cases(f"slices-{place}", "Measure", tuple(_tables(slicing)))
    if slicing.contrasts:
        yield _tests(slicing)


def _worst(slicing: Slicing) -> str:
    """Name the worst group by the first measure, with the runs of which it is the worst."""
    if not slicing.worst or not slicing.figures:
        return ""
    measure = slicing.figures[0].measure
    groups: dict[str, list[str]] = {}
    for (run, name), group in slicing.worst.items():
        if name == measure:
            groups.setdefault(group, []).append(visible(run))
    parts = [f"{visible(group)} for {joined(runs, MOST_WORST)}" for group, runs in groups.items()]
    return f"Worst group by {measure}: {'; '.join(parts)}." if parts else ""


def _chart(place: int, slicing: Slicing, *, several: bool) -> Chart:
    rows = tuple(
        (one.measure, visible(one.group), one.queries, visible(one.run), one.mean, one.interval.low, one.interval.high)
        for one in slicing.figures
    )
    return Chart(
        f"slices_{place}", f"Means by {visible(slicing.column)}",
        "The mean of each run within each group of queries, with its interval.",
        "Groups with few queries have wide intervals. Compare dots within a group, not across groups.",
        charts.slices(), ("measure", "group", "queries", "run", "mean", "low", "high"), rows,
        (Choice("measure", "Measure", _measures(slicing)),), paint="run", legend=several, only=True,
    )  # fmt: skip


def _measures(slicing: Slicing) -> tuple[str, ...]:
    return tuple(dict.fromkeys(figure.measure for figure in slicing.figures))


def _tables(slicing: Slicing) -> Iterator[Table]:
    for measure in _measures(slicing):
        figures = {(one.run, one.group): one for one in slicing.figures if one.measure == measure}
        runs = list(dict.fromkeys(run for run, _ in figures))
        columns = (Column("run", words=True), *(headed(visible(group)) for group in slicing.groups))
        rows = tuple(
            (Cell(visible(run)), *(_cell(figures.get((run, group)), slicing, measure) for group in slicing.groups))
            for run in runs
        )
        yield Table(
            f"{measure} by {visible(slicing.column)}; the worst group of each run marked", columns, rows, case=measure
        )


def _cell(figure: SliceFigure | None, slicing: Slicing, measure: str) -> Cell:
    if figure is None:
        return Cell("-")
    worst = (slicing.worst or {}).get((figure.run, measure)) == figure.group
    return Cell(number(figure.mean), interval(figure.interval), tone="bad" if worst else "")


def _tests(slicing: Slicing) -> Table:
    heads = ("group", "run", "against", "measure", "difference", "interval", "p", "verdict")
    columns = tuple(Column(head, words=head not in {"difference", "interval", "p"}) for head in heads)
    caption = "Differences within each group, corrected over all groups"
    return Table(caption, columns, tuple(map(_test, slicing.contrasts)), folded=True)


def _test(one: SliceContrast) -> tuple[Cell, ...]:
    texts = (visible(one.group), visible(one.run), visible(one.baseline), one.measure, signed(one.difference),
             interval(one.interval, sign=True) or "-", probability(one.significance.final))  # fmt: skip
    return (*map(Cell, texts), Cell(one.verdict, tone=TONES.get(one.verdict, "")))
