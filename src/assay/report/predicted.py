"""What people would say of all queries, from their judgments of a few and a machine's of all: for the terminal."""

from collections.abc import Sequence
from itertools import groupby

from assay.core.predicted import PredictedFigure
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import visible

WARNINGS = {
    "few": "fewer than 20 queries are judged by people: the intervals are rough.",
    "weak": "the machine hardly agrees with people, query by query: little is gained by it.",
    "unlike": "the machine rates the queries that people judged unlike the others: are they a random sample?",
}


def render(figures: Sequence[PredictedFigure], *, width: int = 80, colour: bool = False) -> str:
    """Return the estimates as text, one table for each run."""
    first = figures[0].predicted
    title = (
        f"{counted(first.queries_human, 'query')} judged by people, {first.queries_machine:,} by a machine: "
        "what people would say of all"
    )
    parts = [wrapped(title, width)]
    for run, group in groupby(figures, key=lambda figure: figure.run):
        parts.append(f"{visible(run)}\n{_table(list(group)).fitted(width, ('machine', 'worth')).draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(figures), width))
    return "\n\n".join(parts) + "\n"


def _table(figures: Sequence[PredictedFigure]) -> Table:
    heads = ("measure", "estimate", "people alone", "machine", "worth")
    return Table(heads, tuple(_row(figure) for figure in figures))


def _row(figure: PredictedFigure) -> tuple[str, ...]:
    found = figure.predicted
    worth = UNDEFINED if found.effective is None else f"{found.effective:.0f} ({round(found.saved or 0.0):+d})"
    return (
        figure.measure,
        f"{number(found.estimate)} [{number(found.low)}, {number(found.high)}]",
        f"{number(found.human)} [{number(found.human_interval.low)}, {number(found.human_interval.high)}]",
        number(found.machine),
        worth,
    )


def _reading(figures: Sequence[PredictedFigure]) -> list[str]:
    level = percent(figures[0].predicted.level, None)
    codes = dict.fromkeys(code for figure in figures for code in figure.predicted.warnings)
    return [
        f"estimate: the machine's mean, corrected by the queries that people judged [{level} interval].",
        "people alone: the mean over the queries that people judged, and its interval.",
        "machine: the mean by the machine's judgments alone, which is as wrong as the machine is.",
        "worth: as many queries judged by people would say as much (in brackets: how many are saved).",
        *(WARNINGS[code] for code in codes),
    ]
