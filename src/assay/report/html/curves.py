"""Measures over the cutoff, and precision over recall."""

from collections.abc import Iterable

from assay.core.dossier import Dossier
from assay.report.grid import number
from assay.report.html import charts
from assay.report.html.views import Block, Cell, Chart, Column, Section, Table
from assay.report.html.wording import headed
from assay.report.names import visible


def section(dossier: Dossier) -> Section:
    """Return the section "Curves"; without points it is empty."""
    blocks: list[Block] = []
    if dossier.curves:
        blocks.append(_curves(dossier))
    if dossier.precision_recall:
        blocks.append(_precision_recall(dossier))
    return Section("curves", "Curves", tuple(blocks))


def _curves(dossier: Dossier) -> Chart:
    rows = tuple(
        (
            _family(point.measure),
            visible(point.run),
            point.k,
            f"{_family(point.measure)}@{point.k}",
            point.mean,
            point.ceiling,
        )
        for point in dossier.curves
    )
    depths = sorted({point.k for point in dossier.curves})
    return Chart(
        "curves", "Over many cutoffs",
        "Each measure when only the first K places count, from K = 1 to the deepest.",
        "The dashed line is the ceiling: no ranking can be higher by this gold. Where two lines cross, the better run "
        "depends on how far people read.",
        charts.curves(depths), ("measure", "run", "k", "name", "mean", "ceiling"), rows,
        panels="measure", paint="run", legend=len(dossier.labels) > 1,
        table=_pivot("The curves as numbers", ("measure",), [(row[3], row[1], row[4]) for row in rows]),
    )  # fmt: skip


def _precision_recall(dossier: Dossier) -> Chart:
    rows = tuple((visible(point.run), point.recall, point.precision) for point in dossier.precision_recall)
    return Chart(
        "precision_recall", "Precision over recall",
        "The highest precision that is reached at this recall or a higher one, as mean over the queries.",
        "Left: how clean the first finds are. Right: what it costs to find everything.",
        charts.precision_recall(), ("run", "recall", "precision"), rows,
        paint="run", legend=len(dossier.labels) > 1,
        table=_pivot("Precision over recall as numbers", ("recall",), [(f"{r:.1f}", run, p) for run, r, p in rows]),
    )  # fmt: skip


def _family(measure: str) -> str:
    """Return the measure without its cutoff.

    >>> _family("nDCG(gain='exp')@10"), _family("P")
    ("nDCG(gain='exp')", 'P')
    """
    name, at, k = measure.rpartition("@")
    return name if at and k.isdigit() else measure


def _pivot(caption: str, head: tuple[str], points: Iterable[tuple[str, str, float | None]]) -> Table:
    """Return a row for each first part, a column for each run."""
    runs: dict[str, None] = {}
    found: dict[str, dict[str, float | None]] = {}
    for name, run, value in points:
        runs[run] = None
        found.setdefault(name, {})[run] = value
    rows = tuple((Cell(name), *(Cell(number(values.get(run))) for run in runs)) for name, values in found.items())
    return Table(caption, (Column(head[0], words=True), *map(headed, runs)), rows, folded=True)
