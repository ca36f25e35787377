"""The questions that a graph is judged by: read, asked, and measured."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.progress import progress
from assay.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.core.answers import Answer, Suite
    from assay.core.answers_evaluation import AnswersEvaluation
    from assay.graph.sparql.asking import Graph

SAME = (
    "{:,} questions have no right answers but those of the query that was asked, on this graph: what is missing does "
    "not show. --reference FILE, or answers in the suite, tell."
)
Answers = Annotated[
    str | None, typer.Option("--answers", metavar="FILE", help="What was answered; else the questions are asked.")
]
References = Annotated[
    list[str] | None,
    typer.Option("--reference", metavar="FILE", help="A more complete graph: RDF that says what is missing."),
]
CurveShares = Annotated[
    str | None,
    typer.Option("--curve", metavar="SHARES", help="Measure what is left when facts are lost: .95,.9,.8 are kept."),
]
Repeats = Annotated[str, typer.Option("--repeats", metavar="N", help="How often each share of --curve is drawn.")]


@dataclass(frozen=True, slots=True)
class Judged:
    """A suite with what was answered, what is right, and the measures of it."""

    suite: "Suite"
    answers: "Mapping[str, Answer]"
    gold: "Mapping[str, Answer]"
    evaluation: "AnswersEvaluation"
    notices: tuple[str, ...] = ()


def opened(places: list[str], limit: str) -> "AbstractContextManager[Graph]":
    """Open a graph whose queries have a time limit: files in a process of their own, or one endpoint.

    Raises
    ------
    ParameterError
        An address beside other places.
    """
    from assay.cli.answers.graphs import asking_of

    remote = [place for place in places if place.startswith(("http://", "https://"))]
    if remote and len(places) > 1:
        raise ParameterError(f"graph: expected files, or one address alone, found {', '.join(places)}")
    asking = asking_of(limit, "3", None)
    return asking.of(None, remote[0]) if remote else asking.of(places, None)


def judged(suite: str, graph: "Graph", answers: str | None, reference: "Graph | None") -> Judged:
    """Read a suite, ask its questions where no file of answers is named, and measure.

    Right answers are those of the suite; of questions without, those of the gold query on the reference, and without
    one on the graph itself.
    """
    from assay.formats.suites import read_suite
    from assay.tasks.answers.evaluate import evaluate_answers
    from assay.tasks.answers.run import gold_answers, run_suite

    read = read_suite(suite)
    if answers is None:
        with progress("asking") as told:
            found: Mapping[str, Answer] = run_suite(read, graph, progress=told)
    else:
        from assay.formats.answer_files import read_answers

        found = read_answers(answers).answers
    said: tuple[str, ...] = ()
    if reference is not None:
        right = run_suite(read, reference, which="gold")
        gold = {one.name: right[one.name] for one in read.questions if one.gold is None and one.name in right}
    else:
        gold, same = gold_answers(read, graph, found)
        if same:
            said = (SAME.format(same),)
    return Judged(read, found, gold, evaluate_answers(read, found, gold=gold), said)


def shares_of(said: str | None) -> tuple[float, ...]:
    """Return the shares of a curve, as they were typed.

    >>> shares_of(".95,.9")
    (0.95, 0.9)
    """
    try:
        return tuple(float(part) for part in said.split(",")) if said else ()
    except ValueError:
        raise ParameterError(f"--curve: expected shares such as .95,.9,.8, found {said!r}") from None


def indexed_of(path: str | None) -> frozenset[str] | None:
    """Return the IRIs that a search can return: one a line.

    Raises
    ------
    InputError
        No such file.
    """
    if path is None:
        return None
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: expected IRIs, one a line, found {getattr(error, 'strerror', None) or error}"
        raise InputError(msg) from None
    return frozenset(line.strip().removeprefix("<").removesuffix(">") for line in lines if line.strip())
