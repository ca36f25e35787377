"""`assay graph report GRAPH...`: one HTML page about a graph and the questions that it answers."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.answers.graphs import Limit
from assay.cli.graph.options import Graphs, Ontology, Shapes, open_beside
from assay.cli.graph.questions import Answers, CurveShares, Judged, References, Repeats, judged, opened, shares_of
from assay.cli.options import Level, Seed
from assay.cli.output import chosen, deliver
from assay.cli.progress import progress, working
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.accuracy import Accuracy
    from assay.core.graph_dossier import GraphDossier
    from assay.core.suspects import Suspects
    from assay.graph.sparql.asking import Graph

DEFAULT = "graph.html"


def report(
    graphs: Graphs,
    *,
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="SUITE", help="Questions, and so answers and gaps.")
    ] = None,
    answers: Answers = None,
    reference: References = None,
    shapes: Shapes = None,
    ontology: Ontology = None,
    labels: Annotated[
        list[str] | None, typer.Option("--labels", metavar="FILE", help="Label files of assay graph sample, filled.")
    ] = None,
    curve: CurveShares = None,
    repeats: Repeats = "5",
    seed: Seed = "0",
    level: Level = "0.95",
    limit: Limit = "60",
    out: Annotated[str, typer.Option("--out", metavar="PATH", help="Where to write the page.")] = DEFAULT,
) -> None:
    """Write one HTML page: answers, gold, gaps, completeness, validity, suspects, accuracy. It needs no network.

    Example: assay graph report graph.ttl --suite questions.yml --curve .95,.9 --out graph.html
    """
    chosen("html", out, ("html",))
    alone = (("--answers", answers), ("--reference", reference), ("--curve", curve))
    if suite is None and (extra := [name for name, given in alone if given]):
        raise ParameterError(f"{', '.join(extra)}: expected --suite beside it, found none")
    from assay.report.html.graph import render

    asked: dict[str, Any] = {"shares": shares_of(curve), "repeats": whole("--repeats", repeats, lowest=1)}
    asked |= {"seed": whole("--seed", seed, lowest=0), "level": number("--level", level) or 0.0}
    with opened(graphs, limit) as graph, opened(reference, limit) if reference else nullcontext() as fuller:
        made = judged(suite, graph, answers, fuller) if suite else None
        found = _measured((graph, fuller), made, (open_beside(shapes), open_beside(ontology)), asked, _accuracy(labels))
    inputs = [("graph", place) for place in graphs]
    beside = {"suite": suite, "answers": answers, "reference": reference, "shapes": shapes, "ontology": ontology}
    for role, places in (beside | {"labels": labels}).items():
        inputs += [(role, place) for place in ([places] if isinstance(places, str) else places or ())]
    deliver(render(found, command=("assay", *SETTINGS.argv), inputs=inputs, seed=asked["seed"]), out)


def _measured(
    graphs: "tuple[Graph, Graph | None]",
    made: Judged | None,
    beside: "tuple[Graph | None, Graph | None]",
    asked: dict[str, Any],
    accuracy: "Accuracy | None",
) -> "GraphDossier":
    """Measure a graph, with the reference and the answers that there are."""
    from assay.core.graph_dossier import GraphDossier
    from assay.graph.completeness.completeness import completeness
    from assay.graph.gaps.gaps import gaps
    from assay.graph.validity.validity import validity
    from assay.tasks.answers.check import check_suite

    (graph, fuller), (shapes, ontology) = graphs, beside
    suite = made.suite if made and any(one.asked.strip() for one in made.suite.questions) else None
    with working("graph"):
        rules = validity(graph, ontology, shapes)
        complete = completeness(graph, shapes=shapes, ontology=ontology, suite=suite)
        suspects = _suspects(graph)
    name = ", ".join(Path(part).name or part for part in graph.name.split(", "))
    if made is None:
        return GraphDossier(name, None, None, complete, rules, suspects, accuracy)
    with progress("curve") as told:
        joined = gaps(
            graph, made.suite, made.answers, made.evaluation, gold=made.gold, reference=fuller, completeness=complete,
            validity=rules, progress=told, **asked,
        )  # fmt: skip
    health = check_suite(made.suite, graph if fuller is None else fuller)
    return GraphDossier(name, made.evaluation, health, complete, rules, suspects, accuracy, joined, made.notices)


def _suspects(graph: "Graph") -> "Suspects":
    from assay.graph.accuracy.statements import graph_statements
    from assay.graph.validity.suspects import rank_suspects

    return rank_suspects(graph_statements(graph), name=graph.name)


def _accuracy(labels: list[str] | None) -> "Accuracy | None":
    if not labels:
        return None
    from assay.graph.accuracy.accuracy import estimate_accuracy

    return estimate_accuracy(labels)
