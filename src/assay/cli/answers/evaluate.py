"""`assay answers evaluate GOLD ANSWERS...`: how many questions are answered, and how rightly."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.answers.options import (
    By,
    Convention,
    EachQuestion,
    Interval,
    Labels,
    Language,
    LeaveOut,
    SuiteForm,
    left_out,
    numbers,
)
from assay.cli.options import MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.core.answers import Answer
    from assay.core.answers_evaluation import AnswersEvaluation

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet", "html")

Output = Annotated[str | None, one_of(FORMS)]


def evaluate(
    suite: Annotated[str, typer.Argument(metavar="GOLD", help="The questions with their right answers.")],
    answers: Annotated[list[str], typer.Argument(metavar="ANSWERS...", help="What each system answered, a file each.")],
    *,
    gold_answers: Annotated[
        str | None,
        typer.Option(
            "--gold-answers", metavar="FILE", help="The right answers, where the suite has only gold queries."
        ),
    ] = None,
    convention: Convention = "row-major",
    language: Language = "ignore",
    labels: Labels = "leave-out",
    measures: MeasuresOption = None,
    leave_out: LeaveOut = "none",
    by: By = None,
    per_query: EachQuestion = False,
    interval: Interval = "0.95",
    seed: Seed = "0",
    format: SuiteForm = None,  # noqa: A002 - the name of the option
    output: Output = None,
    out: Out = None,
) -> None:
    """Measure answers by the right ones: counts first, then the chosen convention with the others beside it.

    An error or a time-out scores 0 and is counted; it is never taken for an empty answer.

    Example: assay answers evaluate questions.yaml answers.jsonl --convention gerbil
    """
    form = chosen(output, out, FORMS)
    from assay.formats.answer_files import read_answers
    from assay.formats.suites import read_suite
    from assay.tasks.answers.evaluate import evaluate_answers
    from assay.tasks.answers.ranked import DEFAULT

    found = evaluate_answers(
        read_suite(suite, format),
        _systems(answers),
        gold=None if gold_answers is None else read_answers(gold_answers).answers,
        convention=convention,
        language=language,
        labels=labels,
        measures=measures or DEFAULT,
        left_out=left_out(leave_out),
        by=by or (),
        **numbers(interval, seed),
    )
    deliver(drawn(found, form, out, per_query=per_query), out)
    for line in found.notices:
        notice(f"Note: {line}")


def _systems(paths: list[str]) -> "Mapping[str, Mapping[str, Answer]]":
    """Return the systems by their names; where two files have one name, by their paths."""
    from assay.formats.answer_files import read_answers
    from assay.report.names import labels

    read = [read_answers(path) for path in paths]
    names = labels([one.name for one in read], [one.path for one in read])
    for name, one in zip(names, read, strict=True):
        if one.torn:
            notice(f"Note: {name}: the last line is cut short and left out.")
    return {name: one.answers for name, one in zip(names, read, strict=True)}


def drawn(found: "AnswersEvaluation", form: str, out: str | None, *, per_query: bool) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay.report import answers, answers_documents, documents

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "html":
        from assay.report.html.answers import render

        return render(found, command=("assay", *SETTINGS.argv), inputs=[("suite", found.path)])
    if form == "markdown":
        return answers_documents.to_markdown(found)
    if form != "table":
        return documents.to_table(answers_documents.to_frame(found), form)
    return answers.render(found, width=80 if out else width(), colour=colour(out), every=per_query)
