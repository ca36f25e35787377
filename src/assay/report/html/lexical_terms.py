"""The words of expanded queries: what each weighed before and weighs now, where it stands, and what it does."""

from collections.abc import Iterator

from assay.core.lexical_expansion import HELPED, HURT, MEANINGS, Expansion, ExpansionTerm, QueryExpansion
from assay.report.amounts import counted, percent
from assay.report.grid import UNDEFINED, number
from assay.report.html.views import Block, Cell, Column, Table, Text
from assay.report.html.wording import signed
from assay.report.names import shorten, visible

MOST = 3
"""So many of the most helped and of the most hurt queries of each way are shown."""
TERMS = 10
"""So many terms of a query are shown, the heaviest first."""
LONG = 200
"""So much of the text of a query is shown."""


def blocks(found: Expansion) -> Iterator[Block]:
    """Yield the most hurt and the most helped queries of each way, each with its words."""
    shown = False
    for way in found.ways:
        for outcome in (HURT, HELPED):
            for one in way.of(outcome)[:MOST]:
                shown = True
                yield Text(f"{visible(one.query)}, {outcome} by {visible(way.name)}", "heading")
                yield Text(_told(one, outcome))
                if one.terms:
                    yield _terms(one)
    if shown:
        yield Text(
            "Weights are shares of the whole query. In relevant, in others: the share of the relevant documents, and "
            "of the others found first, that have the term. Effect: what the measure would lose without it.", "legend",
        )  # fmt: skip


def _told(one: QueryExpansion, outcome: str) -> str:
    text = shorten(visible(" ".join(one.text.split())), LONG)
    why = f": {MEANINGS[outcome, one.cause]}" if one.cause else ""
    learned = ""
    if one.feedback is not None:
        learned = (
            f" It learned from {counted(one.feedback, 'document')}, {one.feedback_relevant or 0:,} of them relevant."
        )
    return f"“{text}” goes from {number(one.before)} to {number(one.after)}{why}.{learned}"


def _terms(one: QueryExpansion) -> Table:
    heads = ("asked", "now", "documents", "in relevant", "in others", "effect")
    asked, now = sum(abs(term.asked) for term in one.terms), sum(abs(term.weight) for term in one.terms)
    kept = sorted(one.terms, key=lambda term: (-abs(term.weight), term.term))[:TERMS]
    few = f", the {len(kept)} heaviest" if len(kept) < len(one.terms) else ""
    rows = tuple(_row(term, asked, now) for term in kept)
    columns = (Column("term", words=True), *map(Column, heads))
    return Table(f"{counted(len(one.terms), 'term')}{few}", columns, rows, sortable=len(rows) > 1)


def _row(term: ExpansionTerm, asked: float, now: float) -> tuple[Cell, ...]:
    return (
        Cell(visible(term.term)),
        Cell(percent(term.asked / asked) if term.own and asked else "added"),
        Cell(percent(term.weight / now) if now else UNDEFINED), Cell(f"{term.documents:,}"),
        Cell(percent(term.relevant)), Cell(percent(term.others)),
        Cell(signed(term.effect), tone="bad" if (term.effect or 0) < 0 else ""),
    )  # fmt: skip
