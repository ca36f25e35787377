"""`assay answers check SUITE`: which right answers may be trusted, before anything is measured by them."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.answers.graphs import Asking, EndpointUrl, GraphFiles, Headers, Limit, Retries, headers_of
from assay.cli.options import Out, one_of
from assay.cli.output import PROSE, chosen, colour, deliver, width
from assay.cli.progress import progress
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.suite_health import SuiteHealth
    from assay.graph.sparql.asking import Graph

FORMS = ("table", "json", "csv", "tsv", "parquet", "markdown")
SECOND = "rdflib"


def check(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="Questions: YAML, JSON or JSON Lines, or - .")],
    *,
    graph: GraphFiles = None,
    endpoint: EndpointUrl = None,
    second_engine: Annotated[
        str | None,
        typer.Option(
            "--second-engine", metavar="NAME", help="rdflib, or the URL of an endpoint with the same data: ask it too."
        ),
    ] = None,
    limit: Limit = "60",
    retries: Retries = "3",
    header: Headers = None,
    format: Annotated[  # noqa: A002 - the name of the option
        str | None, typer.Option("--format", metavar="NAME", help="The form of the suite; else recognised.")
    ] = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Ask all gold queries again; list answers that are empty, stale, cut from ties, or other in another engine.

    Such questions are to leave the mean: assay answers evaluate --leave-out takes the JSON of this.

    Example: assay answers check questions.yml --graph products.ttl
    """
    form = chosen(output, out, FORMS)
    asking = Asking(
        number("--limit", limit) or 0.0, retries=whole("--retries", retries, lowest=0), headers=headers_of(header)
    )
    from assay.formats.suites import read_suite
    from assay.tasks.answers.check import check_suite

    read = read_suite(suite, format)
    with (
        asking.of(graph, endpoint) if graph or endpoint else nullcontext() as asked,
        _second(second_engine, graph, asking.limit_s) as other,
        progress("asking") as told,
    ):
        found = check_suite(read, asked, other, progress=told)
    deliver(_drawn(found, form, out), out)


@contextmanager
def _second(name: str | None, files: list[str] | None, limit: float) -> "Iterator[Graph | None]":
    """Open the second engine; headers are for the first alone."""
    if name is None:
        yield None
    elif name != SECOND:
        with Asking(limit).of(None, name) as graph:
            yield graph
    elif not files:
        msg = f"--second-engine {SECOND}: expected files to read, found no --graph"
        raise ParameterError(msg)
    else:
        from assay.graph.sparql.rdflib_graph import RdflibGraph

        yield RdflibGraph.open(files, limit_s=limit)


def _drawn(found: "SuiteHealth", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, suite_health

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "markdown":
        return suite_health.to_markdown(found)
    if form == "table":
        return suite_health.render(found, width=80 if out else width(PROSE), colour=colour(out))
    return documents.to_table(suite_health.to_frame(found), form)
