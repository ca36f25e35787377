"""`assay graph validity GRAPH...`: which links keep the rules, each rule with what it was held against."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.graph.options import Graphs, Ontology, Shapes, open_beside, open_graph
from assay.cli.options import Out, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import progress
from assay.cli.terms import whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.validity import Validity

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet")


def validity(
    graphs: Graphs,
    *,
    ontology: Ontology = None,
    shapes: Shapes = None,
    full: Annotated[
        bool, typer.Option("--full", help="Have pySHACL check what of the shapes no rule here can.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="SOURCE", help="Rules of axioms, shapes or defaults alone [all three]."),
    ] = None,
    namespace: Annotated[
        list[str] | None,
        typer.Option("--namespace", metavar="IRI", help="Where the graph's own names begin, for dangling links."),
    ] = None,
    examples: Annotated[str, typer.Option("--examples", metavar="N", help="How many of the wrong to name.")] = "5",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Measure link validity: the share of statements that keep the rules of axioms, of shapes and of good sense.

    A rule that touched nothing is not evaluated. Wrong types stand apart from things without any type.

    Example: assay graph validity graph.ttl --ontology schema.ttl --shapes shapes.ttl
    """
    form = chosen(output, out, FORMS)
    sources = _sources(only, shapes)
    if full and not shapes:
        raise ParameterError("--full: expected shapes beside it, found none", hint="--shapes FILE names them.")
    from assay.graph.validity.validity import validity as judge

    with progress("rules") as told:
        found = judge(
            open_graph(graphs), open_beside(ontology), open_beside(shapes) if "shapes" in sources else None,
            axioms="axioms" in sources, defaults="defaults" in sources, namespaces=namespace,
            examples=whole("--examples", examples, lowest=0), full=full, progress=told,
        )  # fmt: skip
    deliver(_drawn(found, form, out), out)


def _sources(only: list[str] | None, shapes: list[str] | None) -> set[str]:
    known = {"axioms", "shapes", "defaults"}
    asked = {part.strip() for text in only for part in text.split(",")} if only else known
    if asked - known:
        raise ParameterError(f"--only: expected axioms, shapes or defaults, found {', '.join(sorted(asked - known))}")
    if only and "shapes" in asked and not shapes:
        raise ParameterError("--only shapes: expected shapes, found none", hint="--shapes FILE names them.")
    return asked


def _drawn(found: "Validity", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, validity

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "markdown":
        return validity.to_markdown(found)
    if form == "table":
        return validity.render(found, 80 if out else width(), colour=colour(out))
    return documents.to_table(validity.to_frame(found), form)
