"""Comparisons for programs and papers: JSON, CSV, TSV, Parquet, Markdown, LaTeX."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from assay.core.comparison import Comparison, Contrast, letter
from assay.core.estimates import Interval, Significance
from assay.core.slices import Slicing
from assay.report import costs, slices
from assay.report.comparison import method, title, verdicts
from assay.report.comparison_tables import main_tables, movers_table
from assay.report.documents import latex, markdown, strict_json
from assay.report.drawing import Table
from assay.report.grid import conventions, heading, number
from assay.report.names import visible

CONTRAST: dict[str, type[pl.DataType]] = {
    "run": pl.String, "baseline": pl.String, "measure": pl.String, "mean": pl.Float64, "baseline_mean": pl.Float64,
    "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "p_adjusted": pl.Float64,
    "verdict": pl.String, "test": pl.String, "interval": pl.String, "effect": pl.Float64, "wins": pl.Int64,
    "ties": pl.Int64, "losses": pl.Int64, "queries": pl.Int64, "left_out": pl.Int64, "detectable": pl.Float64,
    "queries_needed": pl.Int64,
}  # fmt: skip
"""The columns of the long form: one row for each contrast."""
WIDE = 100_000
"""So many columns fit everything: Markdown wraps by itself."""
GROUP: dict[str, type[pl.DataType]] = {"slice": pl.String, "group": pl.String}
"""The columns before them where there are slices; both are null for all queries together."""


def to_json(comparison: Comparison, command: list[str]) -> str:
    """Return one document: the evaluations of all runs, and the comparison beside them."""
    return strict_json(comparison.to_dict(command=command))


def to_frame(comparison: Comparison) -> pl.DataFrame:
    """Return one row for each contrast; where there are slices, also for each group, with the columns slice, group."""
    rows = [_row(one) for one in comparison.contrasts]
    if not comparison.slices:
        return pl.DataFrame(rows, schema=CONTRAST)
    groups = [
        {"slice": slicing.column, "group": one.group}
        | dict.fromkeys(CONTRAST)
        | {"run": one.run, "baseline": one.baseline, "measure": one.measure, "verdict": one.verdict}
        | {"difference": one.difference}
        | _sure(one.interval, one.significance)
        for slicing in comparison.slices
        for one in slicing.contrasts
    ]
    whole = [{"slice": None, "group": None} | row for row in rows]
    return pl.DataFrame([*whole, *groups], schema=GROUP | CONTRAST)


def to_markdown(comparison: Comparison) -> str:
    """Return verdicts, tables, the most changed queries and how it was all reached."""
    lines = [f"**Verdict {markdown(title(comparison))}**", ""]
    lines += [f"- {markdown(sentence)}" for sentence in verdicts(comparison)]
    for titled in main_tables(comparison):
        lines += ["", f"**{markdown(visible(titled.title))}**", "", *_markdown_table(titled.table)]
    moved = [one for one in comparison.of(comparison.measures[0]) if one.helped or one.hurt]
    for one in moved:
        titled = movers_table(one)
        lines += ["", f"**Queries changed most: {markdown(visible(titled.title))}**", ""]
        lines += _markdown_table(titled.table)
    lines += [line for slicing in comparison.slices for line in _markdown_slicing(slicing)]
    if comparison.costs:
        note = costs.note(comparison.measures[0])
        lines += ["", "**Cost of a query**", "", *_markdown_table(costs.table(comparison.costs)), "", markdown(note)]
    notes = [heading(comparison.evaluations), *method(comparison), conventions(comparison.evaluations[0])]
    notes += comparison.notices
    return "\n".join([*lines, "", *(f"{markdown(note)}  " for note in notes)]) + "\n"


def to_latex(comparison: Comparison) -> str:
    """Return a tabular with the rules of booktabs: runs × measures, with the letters of the runs that each beats."""
    marks = [letter(place) for place in range(len(comparison.labels))]
    lines = [
        r"% \usepackage{booktabs}",
        *(f"% {visible(note)}" for note in (heading(comparison.evaluations), *method(comparison))),
        "% Superscript letters: significantly better than the run of that letter. Bold: the best of its measure.",
        rf"\begin{{tabular}}{{ll{'r' * len(comparison.measures)}}}",
        r"\toprule",
        " & ".join(["", "run", *map(latex, comparison.measures)]) + r" \\",
        r"\midrule",
    ]
    columns = [list(_latex_column(comparison, measure)) for measure in comparison.measures]
    for label, mark, *cells in zip(comparison.labels, marks, *columns, strict=True):
        lines.append(" & ".join([mark, latex(visible(label)), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _row(one: Contrast) -> dict[str, Any]:
    return {
        "run": one.run, "baseline": one.baseline, "measure": one.measure, "mean": one.mean,
        "baseline_mean": one.baseline_mean, "difference": one.difference, **_sure(one.interval, one.significance),
        "verdict": one.verdict, "effect": one.effect, "wins": one.wins, "ties": one.ties, "losses": one.losses,
        "queries": one.queries, "left_out": one.left_out, "detectable": one.power.detectable,
        "queries_needed": one.power.needed,
    }  # fmt: skip


def _sure(interval: Interval, test: Significance) -> dict[str, Any]:
    """Return the columns that say how sure a difference is."""
    return {
        "low": interval.low, "high": interval.high, "p": test.p, "p_adjusted": test.adjusted,
        "test": test.method, "interval": interval.method,
    }  # fmt: skip


def _markdown_slicing(slicing: Slicing) -> Iterator[str]:
    """Yield the groups of queries by one column: their sizes, tables, the worst."""
    yield from ["", f"**By {markdown(visible(slicing.column))}**: {markdown(visible(slices.sizes(slicing)))}"]
    for named, table in slices.tables(slicing, WIDE):
        yield from ["", markdown(named), "", *_markdown_table(table)]
    if notes := slices.notes_on(slicing):
        yield from ["", *(f"{markdown(visible(line))}  " for line in notes)]


def _markdown_table(table: Table) -> Iterator[str]:
    left = {table.heads[0], *table.left}
    yield "| " + " | ".join(map(markdown, table.heads)) + " |"
    yield "|" + "|".join("---" if head in left else "---:" for head in table.heads) + "|"
    for row in table.rows:
        yield "| " + " | ".join(markdown(visible(cell)) for cell in row) + " |"


def _latex_column(comparison: Comparison, measure: str) -> Iterator[str]:
    """Yield the cell of each run for one measure."""
    beaten = comparison.letters(measure)
    figures = [one.figure(measure) for one in comparison.evaluations]
    known = [figure.mean for figure in figures if figure.mean is not None]
    best = (max if figures[0].higher_is_better else min)(known, default=None)
    for label, figure in zip(comparison.labels, figures, strict=True):
        text = number(figure.mean, counted=figure.summed)
        text = rf"\textbf{{{text}}}" if figure.mean is not None and figure.mean == best else text
        yield text + (f"$^{{{beaten[label]}}}$" if beaten[label] else "")
