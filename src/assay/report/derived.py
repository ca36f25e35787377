"""Derived grades for the terminal, for Markdown and as a gold standard."""

from collections.abc import Iterator

import polars as pl

from assay.core.derived import Derived
from assay.report.amounts import counted
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.names import visible

SHOWN = 10
"""So many queries are shown; JSON holds all."""
MEANING = {
    "stated": "the source has it",
    "chain": "links lead there, over more than one",
    "other values": "the source has others in its place",
    "not covered": "no source tells",
    "contradicted": "sources contradict each other",
}


def render(found: Derived, *, width: int = 80, colour: bool = False) -> str:
    """Return what was derived as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(visible(_head(found)), width)]
    for title, table in sections(found):
        parts.append(f"{wrapped(title, width)}\n{table.fitted(width, ('meaning',)).draw(colour=colour)}")
    if found.notices:
        parts.append("HOW TO READ THIS\n" + listed(found.notices, width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(found: Derived) -> str:
    """Return what was derived as Markdown."""
    parts = [markdown(visible(_head(found)))]
    for title, table in sections(found):
        rows = [" | ".join(markdown(visible(cell)) for cell in row) for row in (table.heads, *table.rows)]
        aligned = "|".join("---" if not at or head in table.left else "---:" for at, head in enumerate(table.heads))
        body = "\n".join(f"| {row} |" for row in rows[1:])
        parts.append(f"**{markdown(title)}**\n\n| {rows[0]} |\n|{aligned}|\n{body}")
    parts += ["\n".join(f"- {markdown(line)}" for line in found.notices)] if found.notices else []
    return "\n\n".join(parts) + "\n"


def to_frame(found: Derived) -> pl.DataFrame:
    """Return a row for each pair with a grade, and what the grade rests on: a gold standard."""
    return found.covered


def sections(found: Derived) -> Iterator[tuple[str, Table]]:
    """Yield the tables with their titles."""
    counts = found.rules()
    rules = tuple((rule, f"{counts[rule]:,}", MEANING[rule]) for rule in MEANING if rule in counts)
    yield "HOW GRADES FOLLOW", Table(("rule", "pairs", "meaning"), rules, frozenset({"meaning"}))
    if found.pooled:
        least = found.by_query.head(SHOWN)
        rows = tuple(
            (visible(query), f"{pairs:,}", f"{covered:,}", f"{relevant:,}")
            for query, pairs, covered, relevant in least.iter_rows()
        )
        title = f"COVERAGE: the {least.height} of {counted(found.by_query.height, 'query')} that are covered least"
        yield title, Table(("query", "pairs", "covered", "relevant"), rows)


def _head(found: Derived) -> str:
    share = "" if found.coverage is None else f" ({number(found.coverage)})"
    relevant = found.covered.filter(pl.col("grade") > 0).height
    return (
        f"{found.name}: {found.covered.height:,} of {counted(found.table.height, 'pair')} "
        f"covered{share} by {found.basis}, "
        f"{relevant:,} of them relevant"
    )
