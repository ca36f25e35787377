"""A diagnosis for the terminal, for Markdown and for tables: what it comes to, then the tables behind it."""

import textwrap
from collections.abc import Iterator, Sequence

import polars as pl

from assay.core.lexical_diagnosis import LexicalDiagnosis, QueryDiagnosis
from assay.report.amounts import percent
from assay.report.comparison import probability
from assay.report.comparison_tables import Titled
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.lexical_diagnosis_words import legend, paragraph, reading, relation, share, strength
from assay.report.names import shorten, visible
from assay.report.validity import markdown_table

WORST = 8
"""So many of the worst queries are named."""
RELATIONS = 8
"""So many figures are shown that go with a measure; JSON has all."""
TEXT = 24
"""So wide may the text of a query be."""
MISSED: dict[str, type[pl.DataType]] = {
    "query": pl.String, "item": pl.String, "grade": pl.Float64, "rank": pl.Int64, "searched": pl.Int64,
    "dense": pl.Int64, "blame": pl.String, "by": pl.String, "shared": pl.String, "lacks": pl.String,
    "weight": pl.Float64, "length": pl.Int64,
}  # fmt: skip
"""What the rows of missed documents hold."""
SPARE = ("query text", "queries", "tau")
"""Columns that a narrow terminal can do without."""


def render(found: LexicalDiagnosis, *, width: int = 80, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    parts = [textwrap.fill(visible(paragraph(found)), width, break_on_hyphens=False)]
    if found.findings:
        parts.append(f"WHAT STANDS OUT\n{listed(findings(found), width)}")
    for one in tables(found):
        below = listed(_below(found, one.title), width)
        drawn = one.table.fitted(width, SPARE).draw(colour=colour) if one.table.rows else below
        parts.append(f"{wrapped(visible(one.title), width)}\n{drawn}")
        parts += [below] if below and one.table.rows else []
    parts.append(f"HOW TO READ THIS\n{listed(legend(found), width)}")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(found: LexicalDiagnosis) -> str:
    """Return the same in Markdown."""
    lines = [markdown(visible(paragraph(found))), ""]
    lines += [f"- {markdown(visible(line))}" for line in findings(found)]
    for one in tables(found):
        lines += ["", f"**{markdown(visible(one.title))}**", "", markdown_table(one.table)]
        lines += ["", *(f"{markdown(visible(line))}  " for line in _below(found, one.title))]
    return "\n".join([*lines, "", *(f"{markdown(visible(line))}  " for line in legend(found))]) + "\n"


def to_frame(found: LexicalDiagnosis, rows: str) -> pl.DataFrame:
    """Return a row for each query ("queries") or for each missed document ("missed")."""
    if rows == "missed":
        table = [one.to_dict() | {"shared": " ".join(one.shared), "lacks": " ".join(one.lacks)} for one in found.missed]
        return pl.DataFrame(table, schema=MISSED)
    return pl.DataFrame([_row(one) for one in found.per_query], infer_schema_length=None)


def tables(found: LexicalDiagnosis) -> Iterator[Titled]:
    """Yield the tables, each with its title."""
    yield Titled(_title(found, "words"), overlaps_table(found))
    yield Titled(_title(found, "blames"), blames_table(found))
    if found.remedies:
        yield Titled(_title(found, "remedies"), remedies_table(found))
    yield Titled(_title(found, "related"), _related(found))
    yield Titled(_title(found, "worst"), _worst(found))


def worst(found: LexicalDiagnosis) -> list[QueryDiagnosis]:
    """Return the worst queries by the first measure that miss anything, of equal ones those that miss the most."""
    measure = found.run.figures[0]
    sign = 1 if measure.higher_is_better else -1
    some = [one for one in found.per_query if one.missed]
    return sorted(some, key=lambda one: (sign * (one.values.get(measure.name) or 0.0), -one.missed, one.query))[:WORST]


def _row(one: QueryDiagnosis) -> dict[str, str | int | float | None]:
    row = one.to_dict()
    for name in ("terms", "measures", "predictors", "blames"):
        del row[name]
    blames = " ".join(f"{name}:{count}" for name, count in one.blames.items())
    return row | dict(one.values) | dict(one.predictors) | {"blames": blames}


def _title(found: LexicalDiagnosis, part: str) -> str:
    missed = found.relevant - found.found
    documents = "DOCUMENT IS" if missed == 1 else "DOCUMENTS ARE"
    measure = found.run.figures[-1].name
    return {
        "words": "WORDS THAT QUERIES SHARE WITH THEIR RELEVANT DOCUMENTS, when texts are read",
        "blames": f"WHY {missed:,} RELEVANT {documents} MISSED (not in the first {found.cutoff}): one cause each",
        "remedies": "WHAT COULD BRING THEM",
        "related": f"WHAT GOES WITH {measure} OVER QUERIES, rank correlation, the strongest first",
        "worst": f"THE WORST QUERIES by {found.run.figures[0].name}",
    }[part]


def _below(found: LexicalDiagnosis, title: str) -> Iterator[str]:
    if title == _title(found, "words"):
        yield from reading(found)
    elif title == _title(found, "related"):
        yield from relation(found, found.run.figures[-1].name)


def findings(found: LexicalDiagnosis) -> Iterator[str]:
    """Yield what stands out, each with its level."""
    for one in found.findings:
        named = ", ".join(map(repr, one.examples))
        shown = "" if not named or one.examples[0] in one.detail else f" Such as {named}."
        yield f"{one.level.upper()}: {one.title}. {one.detail[:1].upper()}{one.detail[1:]}.{shown}"


def overlaps_table(found: LexicalDiagnosis) -> Table:
    """Return what is shared when texts are read with less and less of the analysis."""
    rows = [
        (one.name, number(one.coverage), number(one.weighted), percent(one.unknown),
         share(one.disjoint, one.pairs), percent(one.ceiling))
        for one in found.overlaps
    ]  # fmt: skip
    return Table(("read", "coverage", "by idf", "unknown", "share none", "ceiling"), tuple(rows))


def blames_table(found: LexicalDiagnosis) -> Table:
    """Return how many missed documents have which cause."""
    rows = [
        (one.name, f"{one.documents:,}", share(one.documents, one.of), f"{one.queries:,}",
         "" if one.dense is None else f"{one.dense:,}", one.meaning)
        for one in found.blames
    ]  # fmt: skip
    heads = ("blame", "documents", "share", "queries", "dense finds", "it")
    table = Table(heads, tuple(rows), frozenset({"it"}))
    return table if found.dense else table.without("dense finds")


def remedies_table(found: LexicalDiagnosis) -> Table:
    """Return what could bring missed documents, and what it would cost."""
    rows = [
        (one.meaning, f"{one.documents:,}" if one.measured else f"at most {one.documents:,}",
         UNDEFINED if one.costs is None else f"{one.costs:,}", "searched" if one.measured else "counted")
        for one in found.remedies
    ]  # fmt: skip
    return Table(("what", "brings", "costs", "known because"), tuple(rows), frozenset({"known because"}))


def _related(found: LexicalDiagnosis) -> Table:
    measure = found.run.figures[-1].name
    rows = [one for one in found.related if one.measure == measure and one.spearman is not None]
    rows.sort(key=lambda one: -strength(one))
    cells = [
        (one.figure + ("*" if one.judged else ""), f"{one.spearman:+.2f}", f"[{one.low:+.2f}, {one.high:+.2f}]",
         UNDEFINED if one.kendall is None else f"{one.kendall:+.2f}",
         probability(one.adjusted), one.meaning)
        for one in rows[:RELATIONS]
    ]  # fmt: skip
    heads = ("figure", "rho", f"[{100 * found.level:g} %]", "tau", "p", "it is")
    return Table(heads, tuple(cells), frozenset({"it is"}))


def _worst(found: LexicalDiagnosis) -> Table:
    measures = [one.name for one in found.run.figures]
    rows = [
        (visible(one.query), *(number(one.values.get(name)) for name in measures), number(one.coverage),
         f"{one.missed:,} of {one.relevant:,}", max(one.blames, key=lambda name: one.blames[name]), text_of(one))
        for one in worst(found)
    ]  # fmt: skip
    heads = ("query", *measures, "coverage", "missed", "mostly", "query text")
    return Table(heads, tuple(rows), frozenset({"mostly", "query text"}))


def text_of(one: QueryDiagnosis) -> str:
    """Return the text of a query in one short line."""
    text = visible(" ".join(one.text.split()))
    return text if len(text) <= TEXT else shorten(text[: TEXT - 1], TEXT - 1) + "…"


def of_queries(found: LexicalDiagnosis, queries: Sequence[str], *, width: int = 80, colour: bool = False) -> str:
    """Return all that is known of some queries: their words, and each document that they miss."""
    from assay.report.lexical_diagnosis_query import one_query

    known, missed = found.of_queries(queries)
    return "\n".join(one_query(found, one, missed, width=width, colour=colour) for one in known)
