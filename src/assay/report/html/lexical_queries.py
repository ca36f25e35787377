"""The queries of a lexical diagnosis: the worst with each document that they miss, and all in one table."""

from collections.abc import Iterator

from assay.core.lexical_diagnosis import LexicalDiagnosis, Missed, QueryDiagnosis
from assay.report.amounts import counted, percent
from assay.report.grid import UNDEFINED, number
from assay.report.html.views import Block, Cell, Column, Table, Text
from assay.report.lexical_diagnosis import worst as worst_of
from assay.report.names import visible

MOST_DOCUMENTS = 10
"""Missed documents of a query that are listed."""
MOST_QUERIES = 500
"""Queries up to which each has a row."""
LONG = 120
"""So much of the text of a query is shown."""


def worst(found: LexicalDiagnosis) -> Iterator[Block]:
    """Yield the worst queries, each with its words and the documents that it misses."""
    queries = worst_of(found)
    if not queries:
        return
    yield Text(f"The {counted(len(queries), 'query', 'queries')} with the lowest {visible(found.run.figures[0].name)}.")
    for one in queries:
        yield Text(f"{visible(one.query)}: {_text(one)}", "heading")
        yield Text(_standing(found, one))
        yield _words(one, found.documents)
        yield _missed(found, one)
    yield Text(
        f"Rank: in the run, looked at to place {found.depth:,}; by words: in a search by words of all documents. "
        "Lacks: words that the document has not and at least half of the first documents have.", "legend",
    )  # fmt: skip


def _standing(found: LexicalDiagnosis, one: QueryDiagnosis) -> str:
    figures = ", ".join(f"{visible(name)} {number(value)}" for name, value in one.values.items())
    blames = {blame.name: blame.meaning for blame in found.blames}
    most = max(one.blames, key=lambda name: one.blames[name])
    return (
        f"{figures}; {one.found:,} of {counted(one.relevant, 'relevant document')} found. Its relevant documents have "
        f"{percent(one.coverage)} of its words. What is missed, mostly: {blames[most]}."
    )


def _words(one: QueryDiagnosis, documents: int) -> Table:
    columns = (
        Column("word", words=True),
        Column("term", words=True),
        Column("documents"),
        Column("share"),
        Column("idf"),
    )
    rows = tuple(
        (Cell(visible(term.word)), Cell(visible(term.term)), Cell(f"{term.documents:,}"),
         Cell(percent(term.documents / documents)), Cell(f"{term.idf:.2f}"))
        for term in sorted(one.terms, key=lambda term: -term.idf)
    )  # fmt: skip
    return Table(f"Its {counted(len(rows), 'word')}", columns, rows, folded=True)


def _missed(found: LexicalDiagnosis, one: QueryDiagnosis) -> Table:
    own = [missed for missed in found.missed if missed.query == one.query]
    heads = ["document", "rank", "by words", *(["dense"] if found.dense else []), "blame", "shares", "lacks", "length"]
    columns = tuple(Column(head, words=head in {"document", "blame", "shares", "lacks"}) for head in heads)
    rows = tuple(_document(missed, dense=found.dense is not None) for missed in own[:MOST_DOCUMENTS])
    few = f", the first {len(rows)}; --query shows all" if len(rows) < len(own) else ""
    return Table(f"{counted(len(own), 'missed document')}{few}", columns, rows, sortable=len(rows) > 1)


def _document(one: Missed, *, dense: bool) -> tuple[Cell, ...]:
    return (
        Cell(visible(one.item)), Cell(_rank(one.rank)), Cell(_rank(one.searched)),
        *((Cell(_rank(one.dense)),) if dense else ()), Cell(one.blame),
        Cell(visible(" ".join(one.shared)) or UNDEFINED), Cell(visible(" ".join(one.lacks)) or UNDEFINED),
        Cell(UNDEFINED if one.length is None else f"{one.length:,}"),
    )  # fmt: skip


def every(found: LexicalDiagnosis) -> Iterator[Block]:
    """Yield one table with a row for each query, the first so many where there are more."""
    measures = [figure.name for figure in found.run.figures]
    heads = (*map(visible, measures), "coverage", "by idf", "found", "relevant")
    columns = (
        Column("query", words=True),
        Column("text", words=True),
        *map(Column, heads),
        Column("missed, mostly", words=True),
    )
    rows = tuple(_row(one, measures) for one in found.per_query[:MOST_QUERIES])
    few = f", the first {len(rows):,} of {len(found.per_query):,}" if len(rows) < len(found.per_query) else ""
    yield Table(f"Each query{few}", columns, rows, sortable=len(rows) > 1)
    if few:
        yield Text("assay lexical diagnose -o csv has all.", "legend")


def _row(one: QueryDiagnosis, measures: list[str]) -> tuple[Cell, ...]:
    mostly = max(one.blames, key=lambda name: one.blames[name]) if one.missed else UNDEFINED
    return (
        Cell(visible(one.query)), Cell(_text(one)), *(Cell(number(one.values.get(name))) for name in measures),
        Cell(number(one.coverage)), Cell(number(one.weighted)), Cell(f"{one.found:,}"), Cell(f"{one.relevant:,}"),
        Cell(mostly),
    )  # fmt: skip


def _text(one: QueryDiagnosis) -> str:
    text = visible(" ".join(one.text.split()))
    return text if len(text) <= LONG else text[: LONG - 1] + "…"


def _rank(rank: int | None) -> str:
    return UNDEFINED if rank is None else f"{rank:,}"
