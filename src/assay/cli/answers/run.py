"""`assay answers run SUITE`: ask a graph all questions of a suite, and measure what it answers."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.answers.evaluate import FORMS, Output, drawn
from assay.cli.answers.graphs import (
    Asking,
    Concurrency,
    EndpointUrl,
    GraphFiles,
    Headers,
    Limit,
    Retries,
    asking_of,
)
from assay.cli.answers.options import (
    By,
    Convention,
    EachQuestion,
    Interval,
    Labels,
    Language,
    SuiteForm,
    left_out,
    numbers,
)
from assay.cli.options import MeasuresOption, Out, Seed
from assay.cli.output import chosen, deliver, notice
from assay.cli.progress import progress
from assay.errors import ParameterError
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.answers import Answer, Suite
    from assay.core.suite_health import Ties
    from assay.graph.sparql.asking import Graph
    from assay.tasks.answers.run import Ask

UNHEALTHY = "unhealthy"
GoldFiles = Annotated[
    list[str] | None,
    typer.Option("--gold-graph", metavar="FILE", help="Take right answers from the gold queries on this graph."),
]


def run(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="Questions: YAML, JSON or JSON Lines, or - .")],
    *,
    graph: GraphFiles = None,
    endpoint: EndpointUrl = None,
    gold_graph: GoldFiles = None,
    search: Annotated[
        str | None,
        typer.Option(
            "--search",
            metavar="WHAT",
            help="Search by text, not SPARQL: labels, URL, or FILE,FILE: vectors of things, questions.",
        ),
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option("--answers", metavar="FILE", help="Keep answers there, line by line; a run goes on from them."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Ask errors and time-outs of --answers again.")] = False,
    limit: Limit = "60",
    concurrency: Concurrency = "1",
    retries: Retries = "3",
    header: Headers = None,
    convention: Convention = "row-major",
    language: Language = "ignore",
    labels: Labels = "leave-out",
    measures: MeasuresOption = None,
    leave_out: Annotated[
        str | None,
        typer.Option(
            "--leave-out",
            metavar="WHAT",
            help="Questions out of all figures: none, FILE, or unhealthy (the default with --gold-graph).",
        ),
    ] = None,
    by: By = None,
    per_query: EachQuestion = False,
    interval: Interval = "0.95",
    seed: Seed = "0",
    format: SuiteForm = None,  # noqa: A002 - the name of the option
    output: Output = None,
    out: Out = None,
) -> None:
    """Ask a graph or an endpoint all questions of a suite, and measure the answers by the right ones.

    Right answers are those of the gold queries on --gold-graph; else those that the suite gives, and for questions
    without any the gold query on the same graph.

    Example: assay answers run questions.yml --graph products.ttl
    """
    form = chosen(output, out, FORMS)
    from assay.formats.suites import read_suite
    from assay.tasks.answers.evaluate import evaluate_answers
    from assay.tasks.answers.ranked import DEFAULT

    asking = asking_of(limit, retries, header, concurrency)
    terms: dict[str, Any] = {"convention": convention, "language": language, "labels": labels}
    terms |= {"measures": measures or DEFAULT, **numbers(interval, seed)}
    leave_out = leave_out or (UNHEALTHY if gold_graph else "none")
    _check(again, answers, leave_out, gold_graph)
    _rehearse(terms)
    read, left = read_suite(suite, format), {} if leave_out == UNHEALTHY else left_out(leave_out)
    with asking.of(graph, endpoint, needed=search is None) as asked:
        asks = _search(search, asked, asking.limit_s)
        found = _answered(read, asked, asks, answers, again=again, concurrency=asking.concurrency)
        gold = None if gold_graph else _gold(read, asked, found, asking, searched=search is not None)
    if gold_graph:
        gold, unhealthy, ties = _gold_elsewhere(read, gold_graph, asking, checked=leave_out == UNHEALTHY)
        left, terms = left | unhealthy, terms | {"ties": ties}
    name = str(getattr(asks, "name", "")) or _short(asked.name, graph)
    result = evaluate_answers(read, found, gold=gold, left_out=left, name=name, by=by or (), **terms)
    deliver(drawn(result, form, out, per_query=per_query), out)
    for line in result.notices:
        notice(f"Note: {line}")


def _short(name: str, files: list[str] | None) -> str:
    """Return what a graph is called in a table: files without their folders."""
    return ", ".join(Path(one).name for one in files) if files else name


def _check(again: bool, answers: str | None, leave_out: str, gold_graph: list[str] | None) -> None:
    """Refuse options that say nothing without another one."""
    if again and answers is None:
        raise ParameterError("--again: expected --answers FILE, whose errors are asked again, found none")
    if leave_out == UNHEALTHY and not gold_graph:
        msg = "--leave-out unhealthy: expected --gold-graph, on which right answers are checked, found none"
        raise ParameterError(msg, hint="assay answers check says what is wrong on the graph itself.")


def _search(how: str | None, graph: "Graph", limit_s: float) -> "Ask | None":
    """Return what answers questions in place of SPARQL, where a search was asked for."""
    if how is None:
        return None
    from assay.tasks.answers.search import search_graph

    return search_graph(how, graph, limit_s=limit_s)


def _answered(
    suite: "Suite", graph: "Graph", search: "Ask | None", kept: str | None, **options: Any
) -> "dict[str, Answer]":
    """Ask the questions, by SPARQL or by a search."""
    from assay.tasks.answers.run import run_suite

    with progress("asking") as told:
        return run_suite(suite, graph, search=search, resume=kept, progress=told, **options)


def _rehearse(terms: dict[str, Any]) -> None:
    """Refuse a convention or a measure that does not exist before anything is asked."""
    from assay.core.answers import Answer, Question, Suite
    from assay.core.terms import iri
    from assay.tasks.answers.evaluate import evaluate_answers

    right = Answer("answered", ("x",), ((iri("urn:x"),),))
    evaluate_answers(Suite("rehearsal", (Question("1", gold=right),)), {"1": right}, **terms)


def _gold(
    suite: "Suite", graph: "Graph", found: "Mapping[str, Answer]", asking: Asking, *, searched: bool
) -> "Mapping[str, Answer]":
    """Return right answers beyond those of the suite: what the same graph answers to gold queries."""
    from assay.tasks.answers.run import gold_answers

    gold, same = gold_answers(suite, graph, found, searched=searched, concurrency=asking.concurrency)
    if same:
        notice(
            f"Note: {counted(same, 'question has', 'questions have')} no right answers but those of the "
            "query that was asked, on the same graph: "
            "they tell whether queries are answered, not whether rightly. --gold-graph FILE does."
        )
    return gold


def _gold_elsewhere(
    suite: "Suite", files: list[str], asking: Asking, *, checked: bool
) -> "tuple[Mapping[str, Answer], dict[str, str], Mapping[str, Ties]]":
    """Return what another graph answers to gold queries, which of it may not be trusted, and where ties were cut."""
    from assay.tasks.answers.check import check_suite
    from assay.tasks.answers.run import run_suite

    with asking.of(files, None) as graph, progress("asking for right answers") as told:
        gold = run_suite(suite, graph, which="gold", concurrency=asking.concurrency, progress=told)
        if not checked:
            return gold, {}, {}
        health = check_suite(suite, graph, progress=told)
    return gold, health.left_out(but={"tie-cut"}), health.choices()
