"""`assay rag explain FILE [FILE2]`: where the number of one question comes from, item by item."""

from functools import partial
from typing import Annotated, Any

import typer

from assay.cli.explain import FORMS, check, explained
from assay.cli.options import Out, one_of
from assay.cli.output import chosen
from assay.cli.rag.options import WITHOUT, GoldOption, Match, Threshold, Unit, conventions, read_systems
from assay.cli.terms import Terms, on_terms


@partial(on_terms, without={*WITHOUT, "weights"})
def explain(
    systems: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="A system, or two: then what lies between them is explained.")
    ],
    *,
    terms: Terms,
    gold: GoldOption = None,
    unit: Unit = None,
    match: Match = "id",
    threshold: Threshold = None,
    query: Annotated[
        list[str] | None,
        typer.Option("--query", metavar="ID", help="The question to explain; else the worst, or the most changed."),
    ] = None,
    worst: Annotated[
        str | None, typer.Option("--worst", metavar="N", help="The N worst questions, or the N most changed.")
    ] = None,
    measures: Annotated[
        list[str] | None, typer.Option("-m", "--measures", metavar="TEXT", help='One measure, such as "R@8" [AP].')
    ] = None,
    places: Annotated[str, typer.Option("--places", metavar="N", help="How many places to show.")] = "20",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Show what was retrieved for a question, which of it is needed, and what of the needed was missed.

    Example: assay rag explain graph.jsonl --worst 3

    Example: assay rag explain vectors.jsonl graph.jsonl -m "R@8"
    """
    form = chosen(output, out, FORMS)
    check(terms, systems, query, worst)
    read = read_systems(systems, gold, unit, match, threshold)
    asked: dict[str, Any] = {"query": query, "worst": worst, "measure": " ".join(measures or ["AP"]), "places": places}
    explained(read.gold, read.runs, conventions(terms, read), form=form, out=out, **asked)
