"""Health of the gold: how much is judged, what judging the rest could change, and what to judge next."""

from collections.abc import Iterator

from assay.core.dossier import Dossier
from assay.core.health import FigureHealth, Health, LeftOut
from assay.report.amounts import counted, percent
from assay.report.grid import number
from assay.report.html import charts
from assay.report.html.views import Block, Cases, Cell, Chart, Choice, Column, Section, Table, Text
from assay.report.html.wording import headed, signed
from assay.report.names import visible


def section(dossier: Dossier) -> Section:
    """Return the section "Health of the gold"; it is empty where nothing was asked about it."""
    health = dossier.health or (dossier.comparison.health if dossier.comparison is not None else None)
    return Section("health", "Health of the gold", tuple(_blocks(health)) if health is not None else ())


def _blocks(health: Health) -> Iterator[Block]:
    measures = tuple(dict.fromkeys(one.measure for one in health.figures))
    if health.figures:
        yield _chart(health, measures)
        yield Cases("health", "Measure", tuple(_figures(health, measure) for measure in measures))
    if health.left_out:
        yield from _left_out(health)
    if health.work:
        yield from _work(health)


def _chart(health: Health, measures: tuple[str, ...]) -> Chart:
    rows = tuple(
        (one.measure, visible(one.run), one.mean, one.bounds.low, one.bounds.high, one.condensed, one.ceiling)
        for one in health.figures
    )
    return Chart(
        "health", "What judging the rest could change",
        "The figure of each run (dot) within the lowest and highest that any judging of the rest could give (bar).",
        "Tick: unjudged items taken out of the ranking. Diamond: the highest that any ranking could reach. "
        "Two runs whose bars overlap could change places.",
        charts.health(), ("measure", "run", "mean", "low", "high", "condensed", "ceiling"), rows,
        (Choice("measure", "Measure", measures),), paint="accent",
    )  # fmt: skip


def _figures(health: Health, measure: str) -> Table:
    columns = (
        Column("run", words=True), Column("figure"), Column("judged", "mean share of judged items within the cutoff"),
        Column("lowest", "no unjudged item is relevant where that is lowest"), Column("highest"),
        Column("condensed", "unjudged items taken out"), Column("ceiling", "the highest that any ranking could reach"),
        Column("decided by ties", "queries whose value depends on the order of tied items"),
    )  # fmt: skip
    rows = tuple(_figure(one) for one in health.figures if one.measure == measure)
    return Table(f"Health of {measure}", columns, rows, case=measure)


def _figure(one: FigureHealth) -> tuple[Cell, ...]:
    mark = "" if one.bounds.exact or one.bounds.low is None else "outer"
    texts = (
        number(one.mean), percent(one.judged), number(one.bounds.low), number(one.bounds.high),
        number(one.condensed), number(one.ceiling), percent(one.tied),
    )  # fmt: skip
    cells = list(map(Cell, texts))
    for place in (2, 3):
        cells[place] = Cell(texts[place], mark and "outer bound")
    return (Cell(visible(one.run)), *cells)


def _left_out(health: Health) -> Iterator[Block]:
    measures = tuple(dict.fromkeys(one.measure for one in health.left_out))
    depth = f" within the first {counted(health.depth, 'place')}" if health.depth else ""
    yield Text("Would a new run be judged fairly?", "heading")
    yield Text(f"Each run judged as if it had not helped to find the gold: without the items that it alone has{depth}.")
    taus = [f"{visible(name)} {number(tau)}" for name, tau in (health.tau or {}).items() if tau is not None]
    if taus:
        yield Text(f"How alike the order of the runs stays (Kendall's tau; 1 is the same order): {', '.join(taus)}.")
    yield Cases("left-out", "Measure", tuple(_left_out_table(health, measure) for measure in measures))


def _left_out_table(health: Health, measure: str) -> Table:
    heads = ("run", "found alone", "figure", "without", "change", "place", "place without")
    columns = tuple(Column(head, words=head == "run") for head in heads)
    rows = tuple(_one_left_out(one) for one in health.left_out if one.measure == measure)
    return Table(f"{measure}, each run without its own finds", columns, rows, case=measure)


def _one_left_out(one: LeftOut) -> tuple[Cell, ...]:
    change = None if one.mean is None or one.without is None else one.without - one.mean
    moved = "bad" if one.place_without > one.place else ""
    texts = (
        visible(one.run),
        f"{one.unique:,}",
        number(one.mean),
        number(one.without),
        signed(change),
        f"{one.place:,}",
    )
    return (*map(Cell, texts), Cell(f"{one.place_without:,}", tone=moved))


def _work(health: Health) -> Iterator[Block]:
    runs = [visible(run) for run in health.work_runs]
    yield Text("What to judge next", "heading")
    between = f" between {' and '.join(runs)}" if runs else ""
    yield Text(
        f"{counted(len(health.work), 'unjudged item')} whose judgment could move the difference by "
        f"{health.work_measure or 'the measure'}{between} most."
    )
    heads = (Column("query", words=True), Column("item", words=True), Column("could move it by"),
             *(headed(run, "rank in ") for run in runs))  # fmt: skip
    rows = tuple(
        (
            Cell(visible(one.query)), Cell(visible(one.item)), Cell(number(one.gain)),
            *(Cell("-" if rank is None else f"{rank:g}") for rank in one.ranks[: len(runs)]),
        )
        for one in health.work
    )  # fmt: skip
    yield Table("Work-list", heads, rows, folded=len(rows) > 10)
