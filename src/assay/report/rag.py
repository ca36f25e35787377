"""Retrieval systems judged by what answers need, for the terminal: the figures, and what each system brought."""

from collections.abc import Iterator

from assay.core.beside import Beside
from assay.core.rag import RagEvaluation, SystemFacts
from assay.report import terminal
from assay.report.drawing import Table, wrapped
from assay.report.names import visible

RULES = {"id": "ids", "exact": "texts", "fuzzy": "texts with a similarity of at least {threshold:g}"}


def render(found: RagEvaluation, *, width: int = 80, colour: bool = False) -> str:
    """Return the whole evaluation as text, no line wider than `width`."""
    figures = terminal.render(found.evaluations, Beside(slices=found.slices), width=width, colour=colour)
    return f"{wrapped(matched(found), width)}\n\n{figures}\n{_systems(found, width, colour=colour)}"


def matched(found: RagEvaluation) -> str:
    """Say what counts as one item, and when a retrieved item is a needed one."""
    alike = RULES[found.matching["rule"]].format(threshold=found.matching["threshold"] or 0)
    return f"Unit {found.unit}, each counted once for a question; retrieved and needed ones are matched by {alike}."


def _systems(found: RagEvaluation, width: int, *, colour: bool) -> str:
    heads = ("system", "questions", "empty", "absent", "items", "needed", "twice", "longest", "ranked by")
    table = Table(heads, tuple(_row(one) for one in found.systems), frozenset({"ranked by"}))
    drawn = table.fitted(width, ("longest", "ranked by", "absent", "items")).draw(colour=colour)
    return f"WHAT WAS RETRIEVED\n{drawn}\n" + "\n".join(wrapped(line, width) for line in _reading(found)) + "\n"


def _row(one: SystemFacts) -> tuple[str, ...]:
    counts = (one.questions, one.without, one.absent, one.retrieved, one.found, one.duplicates, one.longest)
    return (visible(one.name), *(f"{count:,}" for count in counts), "score" if one.scored else "place")


def _reading(found: RagEvaluation) -> Iterator[str]:
    yield (
        "empty: questions for which nothing was retrieved, which count as 0; absent: questions that the file does not "
        "hold; needed: items that are; twice: items that stood higher up already, and were left out."
    )
    if any(one.scored for one in found.systems):
        yield "Items with equal scores share their places: figures are means over all orders of these (ties expected)."
