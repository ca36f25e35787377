"""`assay answers scaffold`: a suite of questions to begin with, from a graph or from a log of queries."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.answers.graphs import Asking, EndpointUrl, GraphFiles, Headers, Limit, Retries, asking_of
from assay.cli.options import Out, Seed
from assay.cli.output import chosen, deliver, notice
from assay.cli.progress import progress
from assay.cli.terms import whole
from assay.errors import ParameterError
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.answers import Suite

FORMS = ("yaml", "jsonl")

Log = Annotated[
    str | None,
    typer.Option(
        "--log", metavar="FILE", help="Draw from these: a query a line, a server's log, JSONL or CSV (query, count)."
    ),
]
Number = Annotated[str | None, typer.Option("-n", "--questions", metavar="N", help="How many [100; all of a log].")]
Hops = Annotated[str, typer.Option("--hops", metavar="1,2", help="How many links from what is named to the answer.")]
Classes = Annotated[list[str] | None, typer.Option("--class", metavar="IRI", help="Ask about entities of this class.")]
Least = Annotated[
    str, typer.Option("--least", metavar="N", help="Leave out properties that fewer entities of a class have.")
]
Most = Annotated[str, typer.Option("--most", metavar="N", help="Leave out questions with more answers.")]


def scaffold(
    *,
    graph: GraphFiles = None,
    endpoint: EndpointUrl = None,
    log: Log = None,
    questions: Number = None,
    hops: Hops = "1,2",
    classes: Classes = None,
    least: Least = "5",
    most: Most = "20",
    language: Annotated[
        str, typer.Option("--language", metavar="TAG", help="Of the names, where there are several.")
    ] = "en",
    limit: Limit = "60",
    retries: Retries = "3",
    header: Headers = None,
    seed: Seed = "0",
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FORM", help="yaml or jsonl [yaml].")] = None,
    out: Out = None,
) -> None:
    """Write a suite: questions that a graph answers today, or a draw from what was asked.

    Of a graph come one- and two-hop questions with SPARQL, answers and facts, to
    correct and add to. Of a log come queries with the demand that each stands for.

    Example: assay answers scaffold --graph graph.ttl -n 50 --out suite.yaml
    """
    form = _form(output, out)
    number = None if questions is None else whole("--questions", questions, lowest=1)
    drawn = whole("--seed", seed)
    if log is not None:
        made = _of_log(log, number, drawn, [*(graph or []), *([endpoint] if endpoint else [])])
    else:
        options: dict[str, Any] = {
            "questions": number or 100, "hops": [whole("--hops", one) for one in hops.split(",")],
            "classes": classes or (), "least": whole("--least", least), "most": whole("--most", most),
            "language": language, "seed": drawn,
        }  # fmt: skip
        made = _of_graph(asking_of(limit, retries, header), graph, endpoint, options)
    deliver(_written(made, form), out)


def _of_graph(asking: Asking, graph: list[str] | None, endpoint: str | None, options: dict[str, Any]) -> "Suite":
    from assay.tasks.answers.scaffold import suite_of_graph

    with asking.of(graph, endpoint) as opened, progress("questions") as bar:
        made = suite_of_graph(opened, **options, progress=bar)
    notice(
        f"Note: {counted(len(made), 'question')}; what the graph says today counts as right: "
        "read them before you trust them."
    )
    return made


def _form(output: str | None, out: str | None) -> str:
    """Return the form: as asked for, else by the ending of the file, else YAML."""
    endings = set(Path(out).name.lower().split(".")[1:]) if out else set()
    return chosen(output or ("jsonl" if endings & {"jsonl", "ndjson", "json"} else "yaml"), out, FORMS)


def _of_log(path: str, questions: int | None, seed: int, places: list[str]) -> "Suite":
    if places:
        raise ParameterError(f"--log: expected no graph beside it, found {', '.join(places)}")
    from assay.tasks.answers.query_log import suite_of_log

    found = suite_of_log(path, questions=questions, seed=seed)
    notice(f"Note: {len(found.suite)} of {counted(found.distinct, 'query')}, which were sent {found.demand:,g} times.")
    if found.other:
        notice(f"Note: what is no SELECT or ASK query is left out; it was sent {found.other:,g} times.")
    return found.suite


def _written(suite: "Suite", form: str) -> str:
    from assay.formats.suites import lines_of, yaml_of

    return yaml_of(suite) if form == "yaml" else lines_of(suite)
