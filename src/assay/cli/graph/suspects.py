"""`assay graph suspects GRAPH...`: the statements that look least like others of their kind."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.graph.options import Graphs, open_graph
from assay.cli.options import MeasuresOption, Out, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import working
from assay.cli.terms import whole
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.suspects import Suspects
    from assay.graph.accuracy.statements import Statements

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet")


def suspects(
    graphs: Graphs,
    *,
    labels: Annotated[
        str | None,
        typer.Option("--labels", metavar="FILE", help="Statements judged by people, to measure the list by."),
    ] = None,
    most: Annotated[str, typer.Option("-n", "--most", metavar="N", help="How many to list.")] = "100",
    measures: MeasuresOption = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Rank the statements that look wrong: by the types at both ends, rare values, far numbers and dates, degrees.

    Labels (subject,predicate,object,label; as assay graph sample writes them) say how good the list is: P@K.
    Files may be RDF, or tables and JSON of subject, predicate, object.

    Example: assay graph suspects graph.ttl --labels judged.csv
    """
    form = chosen(output, out, FORMS)
    from assay.graph.validity.suspects import MEASURES, rank_suspects, read_labels

    known = None if labels is None else read_labels(labels)
    listed = whole("--most", most, lowest=1)
    with working("statements"):
        name = ", ".join(graphs)
        found = rank_suspects(_statements(graphs), known, most=listed, measures=measures or MEASURES, name=name)
    deliver(_drawn(found, form, out), out)


def _statements(graphs: list[str]) -> "Statements":
    from assay.graph.accuracy.statements import graph_statements, read_statements

    if any(place.startswith(("http://", "https://")) for place in graphs):
        return graph_statements(open_graph(graphs))
    return read_statements(graphs)


def _drawn(found: "Suspects", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, suspects

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "markdown":
        return suspects.to_markdown(found)
    if form == "table":
        return suspects.render(found, 80 if out else width(), colour=colour(out))
    return documents.to_table(suspects.to_frame(found), form)
