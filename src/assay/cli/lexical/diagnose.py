"""`assay lexical diagnose GOLD RUN`: what queries share with their relevant documents, and why documents are missed."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.lexical.options import Searching, on_search
from assay.cli.options import GoldPath, Level, MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, say_left_out, width
from assay.cli.progress import progress, working
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from assay.core.lexical_diagnosis import LexicalDiagnosis

FORMS = ("table", "json", "csv", "tsv", "parquet", "markdown", "html")
ROWS = ("queries", "missed")


@partial(on_search, without={"index"})
@partial(on_terms, without={"profile", "weights"})
def diagnose(
    gold: GoldPath,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run whose misses are to be explained.")],
    *,
    terms: Terms,
    searching: Searching,
    dense: Annotated[
        str | None, typer.Option("--dense", metavar="RUN", help="A run by vectors: which of the missed does it find?")
    ] = None,
    measures: MeasuresOption = None,
    cutoff: Annotated[
        str, typer.Option("--cutoff", metavar="N", help="A relevant document below the first N places is missed.")
    ] = "10",
    depth: Annotated[str, typer.Option("--depth", metavar="N", help="How deep runs are looked at.")] = "1000",
    query: Annotated[
        list[str] | None,
        typer.Option("--query", metavar="ID", help="Show the words of this query, and each document that it misses."),
    ] = None,
    rows: Annotated[
        str, typer.Option("--rows", metavar="WHAT", help="What csv, tsv and parquet have as rows: queries or missed.")
    ] = "queries",
    level: Level = "0.95",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Say why relevant documents are not found: words that are not shared, another analyser, length, or better ones.

    Example: assay lexical diagnose gold.qrels bm25.run --documents corpus.jsonl --queries queries.tsv

    Example: assay lexical diagnose gold.qrels bm25.run --documents corpus.jsonl --queries queries.tsv --query 7
    """
    form = chosen(output, out, FORMS)
    terms.require_one_order()
    if rows not in ROWS:
        raise UnknownNameError.of("row", rows, ROWS)
    asked: dict[str, Any] = {
        "cutoff": whole("--cutoff", cutoff, lowest=1), "depth": whole("--depth", depth, lowest=1),
        "level": number("--level", level), "seed": whole("--seed", seed), "analyzer": searching.analyzer(),
        "model": searching.named_model(), "measures": measures,
    }  # fmt: skip
    from assay.tasks.lexical.diagnosis.diagnose import diagnose as of

    runs = [run] if dense is None else [run, dense]
    truth, answers = terms.read(gold, runs, *(path for _, path in searching.inputs()))
    options = {name: value for name, value in terms.options().items() if value is not None}
    queries, vectors = searching.read_queries(), None if dense is None else answers[1]
    with progress("reading documents") as bar:
        documents = searching.read_documents(bar)
    with working("diagnosing"):
        found = of(truth, answers[0], documents, queries, dense=vectors, **asked, **options)
    _check(query, found)
    given = [("gold", gold), ("run", run), ("dense", dense), *searching.inputs()]
    page = partial(_page, inputs=[(role, path) for role, path in given if path is not None], seed=asked["seed"])
    deliver(_drawn(found, form, out, query, rows, page=page), out)
    if form in {"csv", "tsv", "parquet"}:
        _say_beside(found, form)


def _say_beside(found: "LexicalDiagnosis", form: str) -> None:
    """Say what a table of rows has no place for."""
    from assay.report.lexical_diagnosis import findings

    say_left_out(form, "overlaps", "blames", "how the run reads texts")
    for line in (*findings(found), *(f"Note: {one}" for one in found.notices)):
        notice(line)


def _check(query: list[str] | None, found: "LexicalDiagnosis") -> None:
    known = {one.query for one in found.per_query}
    for one in query or ():
        if one not in known:
            msg = f"--query: expected a query with something relevant and a text, found {one!r}"
            raise ParameterError(msg, hint=f"such as {found.per_query[0].query!r}.")


def _drawn(
    found: "LexicalDiagnosis", form: str, out: str | None, query: list[str] | None, rows: str,
    *, page: Callable[["LexicalDiagnosis"], str],
) -> str | bytes:  # fmt: skip
    """Return the output in the form that was asked for; of named queries alone where some are."""
    from dataclasses import replace

    from assay.report import documents, lexical_diagnosis

    if query and form == "table":
        return lexical_diagnosis.of_queries(found, query, width=80 if out else width(), colour=colour(out))
    if query:
        known, missed = found.of_queries(query)
        found = replace(found, per_query=tuple(known), missed=tuple(missed))
    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "html":
        return page(found)
    if form == "markdown":
        return lexical_diagnosis.to_markdown(found)
    if form == "table":
        return lexical_diagnosis.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(lexical_diagnosis.to_frame(found, rows), form)


def _page(found: "LexicalDiagnosis", *, inputs: list[tuple[str, str]], seed: int) -> str:
    from assay.report.html.lexical import render

    return render(found, command=("assay", *SETTINGS.argv), inputs=inputs, seed=seed)
