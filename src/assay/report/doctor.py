"""What of Assay is installed, for the terminal."""

import textwrap
from collections.abc import Iterator

from assay._version import __version__
from assay.core.installation import Extra, Installation
from assay.report.drawing import Table, wrapped
from assay.report.names import visible

BRINGS = {
    "stats": "Intervals, tests and correlations that need distributions: t, Wilcoxon, Kendall.",
    "report": "Pages in HTML with charts that work offline.",
    "links": "Embeddings of other tools, and compiled ranking of large models of links.",
    "pykeen": "Models of PyKEEN, asked as they are.",
    "graph": "RDF files and SPARQL, endpoints by HTTP, SHACL shapes, and suites in YAML.",
    "lexical": "Search by words: BM25 and stemmers.",
    "web": "The judging app in a browser.",
    "store": "Judgments kept in SQLite or PostgreSQL.",
    "history": "Evaluations over time: store, dashboard, drift and gates.",
    "rag": "Texts that were retrieved matched with those needed, where they differ a little.",
    "duckdb": "Runs in Parquet folders, lakes and DuckDB databases, counted by DuckDB.",
    "spark": "Runs on a cluster, counted by Spark; half a gigabyte.",
    "dask": "Runs counted by Dask.",
    "ibis": "Runs in PostgreSQL or another database, counted there by Ibis.",
    "all": "The extras that most people want, at once.",
}
"""What each extra brings, in one sentence."""
SERVES = {
    "java": "Spark runs on it, 17 or later (extra spark).",
    "psql": "Shows a PostgreSQL where judgments or runs may lie (extras store, ibis); a server elsewhere will do.",
    "chromium": "Prints a page of assay report as PDF; any browser shows it.",
    "trec_eval": "To hold numbers beside; assay trec_eval prints the same without it.",
}
"""Programs that are never needed, and what each would serve."""

GAP = 10
"""Where the sentence of an extra begins."""


def render(found: Installation, width: int = 80, *, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    packages = Table(
        ("library", "wanted", "here"),
        tuple((one.name, one.wanted or "any", _here(one.version, one.state)) for one in found.packages),
        frozenset({"wanted", "here"}),
    )
    parts = [
        "\n".join(wrapped(visible(line), width) for line in _head(found)),
        "CHECKS\n"
        + "\n".join(wrapped(visible(f"{one.state:<6}  {one.name}: {one.found}"), width) for one in found.checks),
        packages.draw(colour=colour) if packages.rows else "",
        "EXTRAS\n" + "\n".join(line for one in found.extras for line in _extra(one, width)) if found.extras else "",
        "PROGRAMS, none of them needed\n" + "\n".join(_programs(found, width)),
        wrapped(summary(found), width),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def summary(found: Installation) -> str:
    """Return one sentence on the whole."""
    broken = [one.name for one in found.checks if one.state == "broken"]
    if broken:
        return f"Broken: {', '.join(broken)}."
    lacking = [one.name for one in found.extras if one.state != "complete"]
    return "Assay works." + (f" Extras that are not complete: {', '.join(lacking)}." if lacking else "")


def _head(found: Installation) -> Iterator[str]:
    yield f"Assay {__version__}, {found.place['source']}"
    yield f"  in {found.place['path']}"
    yield f"Python {found.place['python']} on {found.place['platform']}"
    yield f"  {found.place['executable']}"


def _here(version: str | None, state: str) -> str:
    return "missing" if version is None else version + ("" if state == "here" else " (does not fit)")


def _extra(one: Extra, width: int) -> Iterator[str]:
    lines = [f"{one.name}: {one.brings}"]
    if one.state == "partly":
        lines.append(f"lacks {', '.join(f'{part.name} {_here(part.version, part.state)}' for part in one.lacking)}")
    if one.state != "complete":
        lines.append(one.install)
    for place, line in enumerate(lines):
        head = f"{'' if place else one.state:<{GAP}}"
        yield textwrap.fill(visible(line), width, initial_indent=head, subsequent_indent=" " * GAP)


def _programs(found: Installation, width: int) -> Iterator[str]:
    for one in found.programs:
        yield wrapped(visible(f"{one.name}: {one.path or 'not found'}. {one.serves}"), width)
