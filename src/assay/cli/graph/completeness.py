"""`assay graph completeness GRAPH...`: how much of what should be in a graph is there."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.graph.options import Graphs, Ontology, Shapes, open_beside, open_graph
from assay.cli.options import Level, Out, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import working
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.answers import Suite
    from assay.core.completeness import Completeness

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet")


def completeness(
    graphs: Graphs,
    *,
    shapes: Shapes = None,
    ontology: Ontology = None,
    expect: Annotated[
        str, typer.Option("--expect", metavar="RULE", help="What a class should have: stated, usage, all, or auto.")
    ] = "auto",
    threshold: Annotated[
        str, typer.Option("--threshold", metavar="SHARE", help="For usage: the share of a class that has it.")
    ] = "0.5",
    direct: Annotated[
        bool, typer.Option("--direct", help="Count entities by their stated type alone, without subclasses.")
    ] = False,
    empty: Annotated[bool, typer.Option("--empty-strings", help="An empty string is a value.")] = False,
    no_value: Annotated[
        list[str] | None,
        typer.Option("--no-value", metavar="TEXT|FILE", help='What says there is none: "n/a", or pairs in a file.'),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option("--reference", metavar="FILE", help="Facts or entities that should be there: RDF, CSV, JSONL."),
    ] = None,
    sample_of: Annotated[
        str | None,
        typer.Option("--sample-of", metavar="N", help="The reference is a sample of N, or of unknown many."),
    ] = None,
    key: Annotated[
        str | None, typer.Option("--key", metavar="IRI", help="The property that holds what the reference lists.")
    ] = None,
    recapture: Annotated[
        bool, typer.Option("--recapture", help="Estimate how many there are, by graph and reference.")
    ] = False,
    class_name: Annotated[
        str | None, typer.Option("--class", metavar="IRI", help="For recapture: whose entities the reference lists.")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="NAMES", help="Also relations, by cwa, pca or a number of values: pca,2."),
    ] = None,
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="FILE", help="Questions that say what is in demand.")
    ] = None,
    log: Annotated[
        str | None, typer.Option("--log", metavar="FILE", help="Instead: the SPARQL that people have sent.")
    ] = None,
    level: Level = "0.95",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Measure completeness: of the entities of a class, how many have what the class should have.

    A reference adds the domain level, --rule the relations, --suite or --log the demand of questions.

    Example: assay graph completeness graph.ttl --shapes shapes.ttl --suite questions.yml
    """
    form = chosen(output, out, FORMS)
    from assay.graph.completeness.completeness import completeness as measure
    from assay.graph.completeness.no_value import read_marks

    files = [one for one in no_value or () if Path(one).is_file()]
    asked: Any = expect
    with working("completeness"):
        found = measure(
            open_graph(graphs), shapes=open_beside(shapes), ontology=open_beside(ontology), expect=asked,
            threshold=number("--threshold", threshold) or 0.0, subclasses=not direct, empty=empty,
            no_value=[one for one in no_value or () if one not in files],
            marks=[pair for file in files for pair in read_marks(file)], reference=reference,
            drawn_from=_drawn_from(sample_of), key=key, recapture=recapture, class_name=class_name,
            rules=[part.strip() for text in rule for part in text.split(",")] if rule else None,
            suite=_demand(suite, log), level=number("--level", level) or 0.0,
        )  # fmt: skip
    places = {
        "graph": [found.name] if graphs[0].startswith("http") else graphs, "shapes": shapes, "ontology": ontology,
        "no_value": files, "reference": reference and [reference], "suite": suite and [suite], "log": log and [log],
    }  # fmt: skip
    inputs = [(role, place) for role, some in places.items() for place in some or ()]
    deliver(_drawn(found, form, out, inputs), out)


def _demand(suite: str | None, log: str | None) -> "str | Suite | None":
    """Return the questions that say what is in demand: a suite, or all queries of a log."""
    if log is None:
        return suite
    if suite is not None:
        raise ParameterError("demand: expected --suite or --log, found both")
    from assay.tasks.answers.query_log import suite_of_log

    return suite_of_log(log).suite


def _drawn_from(sample_of: str | None) -> int | None:
    """Return the size of the list that the reference was drawn from: 0 where nobody knows it, None for the whole."""
    if sample_of is None:
        return None
    if sample_of == "unknown":
        return 0
    return whole("--sample-of", sample_of, lowest=1)


def _drawn(found: "Completeness", form: str, out: str | None, inputs: list[tuple[str, str]]) -> str | bytes:
    from assay.report import completeness, documents

    if form == "json":
        from assay.verify.commands import digested

        return documents.strict_json(found.to_dict(command=SETTINGS.argv, inputs=digested(inputs)))
    if form == "markdown":
        return completeness.to_markdown(found)
    if form == "table":
        return completeness.render(found, 80 if out else width(), colour=colour(out))
    return documents.to_table(completeness.to_frame(found), form)
