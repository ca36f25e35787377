"""`assay answers probe [URL]`: whether an engine answers as SPARQL says, before its answers are trusted."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.answers.graphs import Asking, Headers, Limit, Retries, asking_of
from assay.cli.options import Out, one_of
from assay.cli.output import PROSE, chosen, deliver, width
from assay.cli.progress import progress
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.probes import Conformance

FORMS = ("table", "json", "csv", "tsv", "parquet", "markdown")
EMBEDDED = "the embedded engine"


def probe(
    endpoint: Annotated[
        str | None, typer.Argument(metavar="URL", help="A SPARQL endpoint; without one, the embedded engine.")
    ] = None,
    *,
    limit: Limit = "60",
    retries: Retries = "3",
    header: Headers = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Ask an engine queries whose right answers are known; nothing is written to it, and nothing need be in it.

    Exits with 1 where an answer is not the right one.

    Example: assay answers probe https://example.org/sparql
    """
    form = chosen(output, out, FORMS)
    asking = asking_of(limit, retries, header)
    found = _probed(endpoint, asking)
    deliver(_drawn(found, form, out), out)
    if found.failed:
        raise typer.Exit(1)


def _probed(url: str | None, asking: Asking) -> "Conformance":
    from assay.core.probes import Conformance
    from assay.graph.sparql.conformance import probe as ask_all
    from assay.graph.sparql.conformance import probe_data
    from assay.graph.sparql.store import Store

    if url is None:
        alone, data = ask_all(Store.of("", EMBEDDED)), probe_data(Store.of)
        return Conformance(EMBEDDED, [*alone.results, *data.results])
    with asking.of(None, url) as graph, progress("asking") as told:
        return ask_all(graph, progress=told)


def _drawn(found: "Conformance", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, probes

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "markdown":
        return probes.to_markdown(found)
    if form == "table":
        return probes.render(found, width=80 if out else width(PROSE))
    return documents.to_table(probes.to_frame(found), form)
