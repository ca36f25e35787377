"""`assay graph gaps GRAPH... --suite SUITE`: what to fetch or mend first, by the answers that it costs."""

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.answers.graphs import Limit
from assay.cli.graph.options import Graphs, Ontology, Shapes, open_beside
from assay.cli.graph.questions import (
    Answers,
    CurveShares,
    References,
    Repeats,
    indexed_of,
    judged,
    opened,
    shares_of,
)
from assay.cli.options import Level, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import progress, working
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.answers import Suite
    from assay.core.gaps import Gaps

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet")


def gaps(
    graphs: Graphs,
    *,
    suite: Annotated[str, typer.Option("--suite", metavar="SUITE", help="The questions: YAML, JSON or JSON Lines.")],
    answers: Answers = None,
    reference: References = None,
    shapes: Shapes = None,
    ontology: Ontology = None,
    indexed: Annotated[
        str | None,
        typer.Option("--indexed", metavar="FILE", help="Where text was searched: the IRIs that it can return."),
    ] = None,
    curve: CurveShares = None,
    repeats: Repeats = "5",
    seed: Seed = "0",
    level: Level = "0.95",
    limit: Limit = "60",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Say why questions failed and which facts to fetch first: those that cost most answers, by demand.

    A reference, or the facts of the suite, name them; else the place where a query breaks off.

    Example: assay graph gaps graph.ttl --suite questions.yml --reference full.ttl --curve .95,.9
    """
    form = chosen(output, out, FORMS)
    from assay.graph.completeness.completeness import completeness
    from assay.graph.gaps.gaps import gaps as join
    from assay.graph.validity.validity import validity

    asked: dict[str, Any] = {"shares": shares_of(curve), "repeats": whole("--repeats", repeats, lowest=1)}
    asked |= {"seed": whole("--seed", seed, lowest=0), "indexed": indexed_of(indexed)}
    sure = number("--level", level) or 0.0
    with opened(graphs, limit) as graph, opened(reference, limit) if reference else nullcontext() as fuller:
        made = judged(suite, graph, answers, fuller)
        axioms, stated = open_beside(ontology), open_beside(shapes)
        with working("rules"):
            rules = validity(graph, axioms, stated)
            complete = completeness(graph, shapes=stated, ontology=axioms, suite=_with_queries(made.suite))
        with progress("curve") as told:
            found = join(
                graph, made.suite, made.answers, made.evaluation, gold=made.gold, reference=fuller,
                completeness=complete, validity=rules, level=sure, progress=told, **asked,
            )  # fmt: skip
    found = replace(found, notices=(*made.notices, *found.notices))
    deliver(_drawn(found, form, out), out)


def _with_queries(suite: "Suite") -> "Suite | None":
    """Return the suite where its questions have SPARQL, which says what is in demand."""
    return suite if any(one.asked.strip() for one in suite.questions) else None


def _drawn(found: "Gaps", form: str, out: str | None) -> str | bytes:
    from assay.report import documents, gaps

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "markdown":
        return gaps.to_markdown(found)
    if form == "table":
        return gaps.render(found, 80 if out else width(), colour=colour(out))
    return documents.to_table(gaps.to_frame(found), form)
