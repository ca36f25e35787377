"""Evaluations for programs and papers: JSON, JSON lines, CSV, TSV, Parquet, Markdown, LaTeX."""

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import polars as pl

from assay.core.evaluation import Evaluation, evaluations_to_dict
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


def to_json(evaluations: Sequence[Evaluation], command: list[str]) -> str:
    """Return one document for all runs."""
    return strict_json(evaluations_to_dict(list(evaluations), command=command))


def to_jsonl(evaluations: Sequence[Evaluation], command: list[str]) -> str:
    """Return a line for each run, each a whole document of one run."""
    return "".join(strict_json(evaluations_to_dict([one], command=command), None) for one in evaluations)


def to_frame(evaluations: Sequence[Evaluation], *, per_query: bool) -> pl.DataFrame:
    """Return the long form: run, measure, mean, queries, undefined; or run, measure, query, value."""
    names = labels_of(evaluations)
    if per_query:
        tables = [one.scores.table.with_columns(run=pl.lit(name)) for name, one in zip(names, evaluations, strict=True)]
        return pl.concat(tables)
    rows = [
        {
            "run": name, "measure": figure.name, "mean": figure.mean, "queries": figure.queries,
            "undefined": figure.undefined, "pessimistic": figure.pessimistic, "optimistic": figure.optimistic,
        }
        for name, one in zip(names, evaluations, strict=True)
        for figure in one.figures
    ]  # fmt: skip
    text, real, whole = pl.String, pl.Float64, pl.Int64
    kinds = dict(zip(rows[0], (text, text, real, whole, whole, real, real), strict=True))
    frame = pl.DataFrame(rows, schema=kinds)
    ranged = frame["optimistic"].is_not_null().any()
    return frame if ranged else frame.drop("pessimistic", "optimistic")


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
    grid = Grid.of(evaluations)
    lines = [_markdown_row(["measure", *map(_markdown, grid.runs)]), "|---|" + "---:|" * len(grid.runs)]
    for name, row in zip(grid.measures, grid.cells, strict=True):
        lines.append(_markdown_row([_markdown(name), *(f"**{c.text}**" if c.best else c.text for c in row)]))
    notes = [heading(evaluations), *_footing(evaluations)]
    return "\n".join([*lines, "", *(f"{_markdown(note)}  " for note in notes)]) + "\n"


def to_latex(evaluations: Sequence[Evaluation]) -> str:
    """Return a tabular for LaTeX with the rules of booktabs, the best in bold, its footing as comments."""
    grid = Grid.of(evaluations)
    lines = [
        r"% \usepackage{booktabs}",
        *(f"% {note}" for note in (heading(evaluations), *_footing(evaluations))),
        rf"\begin{{tabular}}{{l{'r' * len(grid.runs)}}}",
        r"\toprule",
        " & ".join(["measure", *map(_latex, grid.runs)]) + r" \\",
        r"\midrule",
    ]
    for name, row in zip(grid.measures, grid.cells, strict=True):
        cells = [rf"\textbf{{{cell.text}}}" if cell.best else cell.text for cell in row]
        lines.append(" & ".join([_latex(name), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _footing(evaluations: Sequence[Evaluation]) -> list[str]:
    return [line.replace("* best of its measure", "Bold: best of its measure") for line in footing(evaluations)]


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown(text: str) -> str:
    for char in "\\`*_[]<>|":
        text = text.replace(char, f"\\{char}")
    return text


def _latex(text: str) -> str:
    return "".join(LATEX.get(char, char) for char in text)
