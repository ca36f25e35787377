"""`assay gold adjudicate JUDGMENTS...`: one grade for each pair, how sure it is, and what to look at again."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.adjudication import Adjudication

FORMS = ("table", "json", "csv", "tsv", "parquet", "markdown", "trec")
ROWS = ("csv", "tsv", "parquet", "trec")
WITHOUT = ("exclude", "weights", "memory", "engine", "engine_option", "profile")


@partial(on_terms, without=WITHOUT)
def adjudicate(
    judgments: Annotated[
        list[str],
        typer.Argument(metavar="JUDGMENTS...", help="A file for each judge, or one file with a column for the judge."),
    ],
    *,
    terms: Terms,
    machines: Annotated[
        list[str] | None,
        typer.Option("--machines", metavar="FILE", help="What machines (LLM judges) say: further judges, marked so."),
    ] = None,
    judge_column: Annotated[
        str | None, typer.Option("--judge-column", metavar="NAME", help="The column that says who judged [judge].")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help="majority, dawid-skene, or auto: as judges allow.")
    ] = "auto",
    known: Annotated[
        str | None, typer.Option("--known", metavar="FILE", help="Grades that are settled, and teach how judges err.")
    ] = None,
    check: Annotated[
        str | None, typer.Option("--check", metavar="FILE", help="Right grades, used only to say what is right.")
    ] = None,
    scale: Annotated[
        str | None, typer.Option("--scale", metavar="N,N", help="The grades that there are [those that were given].")
    ] = None,
    runs: Annotated[
        list[str] | None, typer.Option("--run", metavar="RUN", help="A run whose figure the queue is ordered by.")
    ] = None,
    measures: MeasuresOption = None,
    most: Annotated[str, typer.Option("-n", "--most", metavar="N", help="How many pairs to look at again.")] = "20",
    queue: Annotated[
        str | None, typer.Option("--queue", metavar="FILE", help="Write these pairs as CSV, for gold judge.")
    ] = None,
    smoothing: Annotated[
        str, typer.Option("--smoothing", metavar="X", help="What Dawid-Skene adds to each count.")
    ] = "0.01",
    iterations: Annotated[
        str, typer.Option("--iterations", metavar="N", help="The most steps of Dawid-Skene.")
    ] = "1000",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Settle what judges disagree about: the majority, or Dawid and Skene's model, which learns how each judge errs.

    csv, tsv, parquet and trec hold the settled grades: a gold standard. Open pairs stand in the queue.

    Example: assay gold adjudicate ann.qrels bob.qrels eve.qrels --out gold.csv --queue again.csv

    Example: assay gold adjudicate people.csv --machines llm.csv --check expert.qrels --run bm25.run
    """
    form = chosen(output, out, FORMS, queue)
    files = [*judgments, *(machines or ()), *(one for one in (known, check) if one), *(runs or ())]
    if files.count("-") > 1:
        raise ParameterError(f"standard input (-): expected once, found {files.count('-')} times")
    from assay.formats.labels import read_labels
    from assay.judging.adjudicate import DEFAULT
    from assay.judging.adjudicate import adjudicate as settle

    chosen_method: Any = method
    asked = _measured(runs, measures or [DEFAULT], terms) if runs else {}
    found = settle(
        read_labels(judgments, judge_column), machines=read_labels(machines, judge_column) if machines else None,
        method=chosen_method, known=_gold(known, terms), check=_gold(check, terms),
        scale=_grades(scale), most=whole("--most", most, lowest=0),
        smoothing=number("--smoothing", smoothing) or 0.0, iterations=whole("--iterations", iterations, lowest=1),
        seed=whole("--seed", seed), **asked,
    )  # fmt: skip
    roles = {"judgments": judgments, "machines": machines, "known": [known], "check": [check], "run": runs}
    inputs = [(role, path) for role, paths in roles.items() for path in paths or () if path]
    deliver(_drawn(found, form, out, inputs), out)
    _deliver_queue(found, queue)
    if form in ROWS:
        _tell(found)


def _measured(runs: list[str], measures: list[str], terms: Terms) -> dict[str, Any]:
    """Return what effects are measured by."""
    from assay.inputs import open_run

    terms.require_one_order()
    opened = [open_run(path, format=terms.format) for path in runs]
    rel = number("--rel", terms.rel)
    return {"runs": opened, "measure": " ".join(measures), "rel": rel, **terms.conventions()}


def _grades(scale: str | None) -> list[float]:
    return [] if scale is None else [number("--scale", one) or 0.0 for one in scale.split(",")]


def _gold(path: str | None, terms: Terms) -> Any:
    from assay.formats import read_gold

    return None if path is None else read_gold(path, terms.gold_format)


def _deliver_queue(found: "Adjudication", path: str | None) -> None:
    if path is not None:
        from assay.report import adjudication, documents

        deliver(documents.to_table(adjudication.to_queue(found), "csv"), path)


def _tell(found: "Adjudication") -> None:
    if found.open:
        notice(f"Note: {found.open:,} open pairs are left out; --queue FILE or -o json names them.")
    for line in found.notices:
        notice(f"Note: {line}")


def _drawn(found: "Adjudication", form: str, out: str | None, inputs: list[tuple[str, str]]) -> str | bytes:
    from assay.report import adjudication, documents

    if form == "json":
        from assay.verify.commands import digested

        return documents.strict_json(found.to_dict(command=SETTINGS.argv, inputs=digested(inputs)))
    if form == "table":
        return adjudication.render(found, width=80 if out else width(), colour=colour(out))
    if form == "markdown":
        return adjudication.to_markdown(found)
    if form == "trec":
        return adjudication.to_trec(found)
    return documents.to_table(adjudication.to_frame(found), form)
