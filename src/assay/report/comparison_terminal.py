"""A comparison for the terminal: the verdicts first, then the numbers, the queries, and how it was all reached."""

from collections.abc import Iterable, Iterator

from assay.core.comparison import Comparison
from assay.report.amounts import counted
from assay.report.comparison import has_ranks, method, title, verdicts
from assay.report.comparison_tables import SPARE, Titled, main_tables, movers_table
from assay.report.costs import render as render_costs
from assay.report.drawing import listed, wrapped
from assay.report.grid import conventions, heading
from assay.report.names import visible
from assay.report.slices import render as render_slicing

MOVED = 3
"""Of so many runs the most changed queries are shown; the JSON holds those of all."""


def render(comparison: Comparison, *, width: int = 80, colour: bool = False) -> str:
    """Return the whole comparison as text, no line wider than `width`."""
    parts = [
        wrapped(heading(comparison.evaluations), width),
        f"{wrapped(f'VERDICT {title(comparison)}', width)}\n" + listed(verdicts(comparison), width),
        "ALL MEASURES" if len(comparison.measures) > 1 else "IN NUMBERS",
        *_drawn(main_tables(comparison), width, colour=colour),
        *_queries(comparison, width, colour=colour),
        *(render_slicing(slicing, width, colour=colour) for slicing in comparison.slices),
        *(
            [render_costs(comparison.costs, comparison.measures[0], width=width, colour=colour)]
            if comparison.costs
            else []
        ),
        "HOW TO READ THIS\n" + listed((*method(comparison), conventions(comparison.evaluations[0])), width),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _queries(comparison: Comparison, width: int, *, colour: bool) -> Iterator[str]:
    """Yield the most helped and hurt queries: of each run, or of many runs of the best and the worst."""
    found = [one for one in comparison.of(comparison.measures[0]) if one.helped or one.hurt]
    if not found:
        return
    known = any(has_ranks((*one.helped, *one.hurt)) for one in found)
    ranks = ", with the ranks of their relevant items (best 5)" if known else ""
    yield wrapped(f"QUERIES HELPED AND HURT MOST{ranks}", width)
    shown = found
    if len(found) > MOVED:
        ordered = sorted(found, key=lambda one: one.difference or 0.0, reverse=found[0].higher_is_better)
        shown = [ordered[0], ordered[-1]]
    yield from _drawn(map(movers_table, shown), width, colour=colour)
    if len(found) > MOVED:
        yield wrapped(
            f"These are the best and the worst of {counted(len(found), 'run')}; -o json holds the queries of each.",
            width,
        )


def _drawn(tables: Iterable[Titled], width: int, *, colour: bool) -> Iterator[str]:
    for titled in tables:
        table = titled.table.fitted(width, SPARE)
        yield f"{wrapped(visible(titled.title), width)}\n{table.draw(colour=colour)}"
