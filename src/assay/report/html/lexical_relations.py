"""What goes with the score of a query, as dots and as numbers; and how well each way to read texts explains a run."""

from collections.abc import Iterator

from assay.core.lexical_diagnosis import LexicalDiagnosis, QueryDiagnosis, Related
from assay.report.amounts import percent
from assay.report.grid import UNDEFINED
from assay.report.html import charts
from assay.report.html.views import Block, Cases, Cell, Chart, Choice, Column, Listing, Table, Text
from assay.report.html.wording import between, probability, signed
from assay.report.lexical_diagnosis_words import relation, strength
from assay.report.names import visible

MOST_DOTS = 1000
"""Queries up to which each has a dot."""
MOST_MEASURES = 3
"""Measures that dots are drawn for."""
SHARES = {"coverage": "coverage", "weighted": "coverage by idf"}
"""Figures that are drawn always: what is known of a query, and what it is called."""
FORETELLING = 2
"""So many of the predictors that go with the score most are drawn as well."""


def blocks(found: LexicalDiagnosis) -> Iterator[Block]:
    """Yield dots of queries, the relation in words, and every relation as a number."""
    measures = [one.name for one in found.run.figures][::-1]
    yield _dots(found, measures[:MOST_MEASURES])
    for measure in measures[:1]:
        yield Listing(tuple(map(visible, relation(found, measure))))
    known = [one for one in found.related if one.spearman is not None]
    tables = [_table(found, measure) for measure in measures if any(one.measure == measure for one in known)]
    if tables:
        yield Cases("related", "Measure", tuple(tables))
        yield Text(
            "The dotted names say what each figure is. A star: it needs judgments, and predicts nothing.", "legend"
        )


def _dots(found: LexicalDiagnosis, measures: list[str]) -> Chart:
    figures = SHARES | {one.figure: one.meaning for one in _foretelling(found)}
    queries = found.per_query[:: -(-len(found.per_query) // MOST_DOTS) or 1]
    rows = tuple(
        (label, measure, visible(one.query), value, score)
        for name, label in figures.items()
        for measure in measures
        for one in queries
        if (value := _value(one, name)) is not None and (score := one.values.get(measure)) is not None
    )
    left = f" {len(queries):,} of {len(found.per_query):,} queries are drawn." if len(queries) < found.queries else ""
    return Chart(
        "dots", "What is known of a query, and its score",
        f"A dot for each query: the chosen figure to the right, the measure upwards.{left}",
        "Dots along a rising line mean that the figure tells the score; a cloud, that it does not. Coverage is the "
        "share of a query's words that its relevant documents have: low dots on the right are queries whose words are "
        "shared and that fail all the same.",
        charts.dots("the figure", "the measure"), ("figure", "measure", "query", "x", "y"), rows,
        (Choice("figure", "Figure", tuple(figures.values())), Choice("measure", "Measure", tuple(measures))),
        paint="accent",
    )  # fmt: skip


def _foretelling(found: LexicalDiagnosis) -> list[Related]:
    measure = found.run.figures[0].name
    some = [one for one in found.related if one.measure == measure and not one.judged and one.spearman is not None]
    return sorted(some, key=lambda one: -strength(one))[:FORETELLING]


def _value(one: QueryDiagnosis, name: str) -> float | None:
    known = {"coverage": one.coverage, "weighted": one.weighted, "unknown": one.unknown}
    return known[name] if name in known else one.predictors.get(name)


def _table(found: LexicalDiagnosis, measure: str) -> Table:
    rows = [one for one in found.related if one.measure == measure and one.spearman is not None]
    columns = (
        Column("figure", words=True), Column("rank correlation", "Spearman's rho"),
        Column(f"{100 * found.level:g} % interval"), Column("tau", "Kendall's tau"), Column("p"),
        Column("p adjusted", "Holm, over all figures of this measure"), Column("queries"),
    )  # fmt: skip
    cells = tuple(
        (
            Cell(one.figure + ("*" if one.judged else ""), visible(one.meaning)), Cell(signed(one.spearman)),
            Cell(between(one.low, one.high, sign=True) or UNDEFINED), Cell(signed(one.kendall)),
            Cell(probability(one.p)), Cell(probability(one.adjusted)), Cell(f"{one.queries:,}"),
        )
        for one in sorted(rows, key=lambda one: -strength(one))
    )  # fmt: skip
    return Table(f"What goes with {visible(measure)} over queries, the strongest first", columns, cells, case=measure,
                 sortable=True)  # fmt: skip


def readings(found: LexicalDiagnosis) -> Table:
    """Return how much of the first places of the run a search has that reads texts in each of several ways."""
    columns = (Column("texts are read", words=True), Column(f"shared of the first {found.cutoff}"), Column("queries"))
    rows = tuple(
        (Cell(visible(one.name)), Cell(percent(one.overlap)), Cell(f"{one.asked:,}")) for one in found.analysis.readings
    )
    return Table("Ways to read texts, by how well they explain the run", columns, rows)
