"""Answers to a suite for programs and papers: a row for each question, Markdown."""

from typing import Any

import polars as pl

from assay.core.answers_evaluation import AnswersEvaluation
from assay.report import answers
from assay.report.documents import markdown
from assay.report.drawing import Table
from assay.report.names import numbered, visible

WIDE = 1_000
"""Columns of a table that is not drawn for a terminal."""

KINDS: dict[str, Any] = {
    "system": pl.String, "question": pl.String, "outcome": pl.String, "empty": pl.Boolean, "found": pl.Int64,
    "gold": pl.Int64, "hits": pl.Float64, "precision": pl.Float64, "recall": pl.Float64, "f1": pl.Float64,
    "order": pl.Float64, "seconds": pl.Float64, "truncated": pl.Boolean, "weight": pl.Float64, "text": pl.String,
    "message": pl.String,
}  # fmt: skip


def to_frame(found: AnswersEvaluation) -> pl.DataFrame:
    """Return a row for each system and question: what came of it, F1 under each convention, ranking measures."""
    names = numbered([one.name for one in found.systems])
    rows = []
    for name, system in zip(names, found.systems, strict=True):
        ranked = system.ranked.run_dict()["per_query"] if system.ranked else {}
        for one in system.questions:
            kept = {key: value for key, value in one.to_dict().items() if key in KINDS}
            by = {f"f1 ({convention})": value for convention, value in one.f1_by.items()}
            rows.append({"system": name} | kept | by | ranked.get(one.name, {}))
    measures = [figure.name for figure in found.systems[0].ranked.figures] if found.systems[0].ranked else []
    more = dict.fromkeys([*(f"f1 ({one})" for one in found.says), *measures], pl.Float64)
    return pl.DataFrame(rows, schema=KINDS | more)


def to_markdown(found: AnswersEvaluation) -> str:
    """Return all tables in Markdown, with what is said above and below them."""
    parts = ["  \n".join(markdown(line) for line in answers.heading(found))]
    parts += [f"**{markdown(title)}**\n\n{_table(table)}" for title, table in answers.sections(found, WIDE)]
    return "\n\n".join([*parts, "  \n".join(markdown(line) for line in answers.footing(found))]) + "\n"


def _table(table: Table) -> str:
    rule = ["---" if place == 0 or head in table.left else "---:" for place, head in enumerate(table.heads)]
    rows = [[markdown(visible(cell)) for cell in row] for row in (table.heads, *table.rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], rule, *rows[1:]))
