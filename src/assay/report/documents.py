"""Evaluations for programs and papers: JSON, JSON lines, CSV, TSV, Parquet, Markdown, LaTeX."""

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import polars as pl

from assay.core.beside import Beside
from assay.core.evaluation import Evaluation, Figure, evaluations_to_dict
from assay.errors import UnsupportedError
from assay.report.grid import Grid, footing, heading, labels_of

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def strict_json(document: Any, indent: int | None = 2) -> str:
    """Return JSON that every reader takes: no NaN, no infinity, UTF-8.

    Raises
    ------
    UnsupportedError
        A number that is not finite.
    """
    try:
        return json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"
    except ValueError:
        msg = "JSON holds finite numbers only, and a result is infinite"
        raise UnsupportedError(msg, hint="is a grade or a gain infinite? -o csv writes such numbers.") from None


def to_json(evaluations: Sequence[Evaluation], command: list[str], beside: Beside | None = None) -> str:
    """Return one document for all runs."""
    return strict_json(evaluations_to_dict(list(evaluations), command=command, beside=beside))


def to_jsonl(evaluations: Sequence[Evaluation], command: list[str], beside: Beside | None = None) -> str:
    """Return a line for each run, each a whole document of one run; what stands beside all is in each."""
    return "".join(strict_json(evaluations_to_dict([one], command=command, beside=beside), None) for one in evaluations)


def to_frame(evaluations: Sequence[Evaluation], *, per_query: bool) -> pl.DataFrame:
    """Return the long form: run, measure, mean, queries, undefined; or run, measure, query, value."""
    names = labels_of(evaluations)
    if per_query:
        tables = [one.scores.table.with_columns(run=pl.lit(name)) for name, one in zip(names, evaluations, strict=True)]
        return pl.concat(tables)
    rows = [_row(name, figure) for name, one in zip(names, evaluations, strict=True) for figure in one.figures]
    text, real, whole = pl.String, pl.Float64, pl.Int64
    kinds = dict(zip(rows[0], (text, text, real, whole, whole, real, real, real, real), strict=True))
    frame = pl.DataFrame(rows, schema=kinds)
    asked = [pair for pair in (("low", "high"), ("pessimistic", "optimistic")) if frame[pair[1]].is_not_null().any()]
    return frame.select("run", "measure", "mean", "queries", "undefined", *(name for pair in asked for name in pair))


def _row(run: str, figure: Figure) -> dict[str, Any]:
    interval = figure.interval
    return {
        "run": run, "measure": figure.name, "mean": figure.mean, "queries": figure.queries,
        "undefined": figure.undefined, "low": interval and interval.low, "high": interval and interval.high,
        "pessimistic": figure.pessimistic, "optimistic": figure.optimistic,
    }  # fmt: skip


def to_table(frame: pl.DataFrame, form: str) -> bytes:
    """Return a frame as CSV, TSV or Parquet."""
    out = BytesIO()
    if form == "parquet":
        frame.write_parquet(out)
    else:
        frame.write_csv(out, separator="\t" if form == "tsv" else ",")
    return out.getvalue()


def to_markdown(evaluations: Sequence[Evaluation]) -> str:
    """Return a table in Markdown, the best in bold, with its footing below."""
    corner, heads, rows = Grid.of(evaluations).laid_out()
    lines = [_markdown_row([corner, *map(markdown, heads)]), "|---|" + "---:|" * len(heads)]
    for name, row in rows:
        lines.append(_markdown_row([markdown(name), *(f"**{c.text}**" if c.best else c.text for c in row)]))
    notes = [heading(evaluations), *_footing(evaluations)]
    return "\n".join([*lines, "", *(f"{markdown(note)}  " for note in notes)]) + "\n"


def to_latex(evaluations: Sequence[Evaluation]) -> str:
    """Return a tabular for LaTeX with the rules of booktabs, the best in bold, its footing as comments."""
    corner, heads, rows = Grid.of(evaluations).laid_out()
    lines = [
        r"% \usepackage{booktabs}",
        *(f"% {note}" for note in (heading(evaluations), *_footing(evaluations))),
        rf"\begin{{tabular}}{{l{'r' * len(heads)}}}",
        r"\toprule",
        " & ".join([corner, *map(latex, heads)]) + r" \\",
        r"\midrule",
    ]
    for name, row in rows:
        cells = [rf"\textbf{{{cell.text}}}" if cell.best else cell.text for cell in row]
        lines.append(" & ".join([latex(name), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _footing(evaluations: Sequence[Evaluation]) -> list[str]:
    return [line.replace("* best of its measure", "Bold: best of its measure") for line in footing(evaluations)]


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def markdown(text: str) -> str:
    """Return text so that Markdown shows it as it is."""
    for char in "\\`*_[]<>|":
        text = text.replace(char, f"\\{char}")
    return text


def latex(text: str) -> str:
    """Return text so that LaTeX sets it as it is."""
    return "".join(LATEX.get(char, char) for char in text)
