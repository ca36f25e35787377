"""What the pages of vectors share: tables of the terminal as tables of a page, bars by group, spreads of values."""

from collections import Counter
from collections.abc import Sequence

from assay.core.evaluation import Evaluation
from assay.report import drawing
from assay.report.amounts import counted, percent
from assay.report.html import charts
from assay.report.html.views import Cell, Chart, Column, Table
from assay.report.names import visible

MOST = 30
"""Groups that a chart shows."""
MOST_STEPS = 20
"""Up to so many neighbours each number of them has a bar of its own; beyond, each tenth has one."""


def gridded(caption: str, table: drawing.Table) -> Table:
    """Return a table of the terminal as one of a page."""
    columns = tuple(
        Column(visible(head), words=not place or head in table.left) for place, head in enumerate(table.heads)
    )
    return Table(caption, columns, tuple(tuple(Cell(visible(text)) for text in row) for row in table.rows))


def by_group(
    name: str, title: str, head: str, groups: Sequence[tuple[str, float, float | None, int]], about: tuple[str, str]
) -> Chart:
    """Return a bar for each group: its name, share, share by chance, and how many items it has.

    `about` is what the chart shows, and how to read it.
    """
    few = f" The first {MOST} of {len(groups):,}; the table has all." if len(groups) > MOST else ""
    rows = tuple((visible(group), share, chance, items) for group, share, chance, items in groups[:MOST])
    return Chart(
        name, title, about[0] + few, about[1], charts.bars(head, "items"), (head, "share", "chance", "items"), rows,
        paint="accent",
    )  # fmt: skip


def spread(name: str, evaluation: Evaluation, measure: str, k: int, what: str) -> Chart | None:
    """Return how many items have which value of a measure that is a share of k neighbours; None without values."""
    scores = evaluation.scores.table
    values = [value for _, kind, _, value in scores.iter_rows() if kind == measure and value is not None]
    return spread_of(name, values, k, what) if values else None


def spread_of(name: str, values: Sequence[float], k: int, what: str) -> Chart:
    """Return how many items have which share of their k neighbours."""
    steps = k if k <= MOST_STEPS else 10
    counts = Counter(round(value * steps) for value in values)
    labels = {
        step: f"{step} of {k}" if steps == k else (f"about {percent(step / steps, 0)}") for step in range(steps + 1)
    }
    rows = tuple((labels[step], counts[step] / len(values), counts[step]) for step in range(steps, -1, -1))
    cells = tuple((Cell(label), Cell(f"{many:,}"), Cell(percent(share))) for label, share, many in rows)
    columns = (Column("neighbours", words=True), Column("items"), Column("share"))
    return Chart(
        name, f"How many {what}, item by item",
        f"The share of {counted(len(values), 'item')} of which so many of the {k} {what}.",
        "Two heaps, one at either end, mean that the mean speaks for no single item.",
        charts.bars("neighbours", "items"), ("neighbours", "share", "items"), rows, paint="accent",
        table=Table("The values as numbers", columns, cells, folded=True),
    )  # fmt: skip
