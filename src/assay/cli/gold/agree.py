"""`assay gold agree GOLD GOLD...`: how far judges agree, and what disagreement does to the order of systems."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.agreement import Agreement

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet")
WITHOUT = ("gold_format", "exclude", "weights", "memory", "engine", "engine_option")


@partial(on_terms, without=WITHOUT)
def agree(
    gold: Annotated[
        list[str],
        typer.Argument(metavar="GOLD...", help="Files of two judges or more, or one file with a column for the judge."),
    ],
    *,
    terms: Terms,
    judge_column: Annotated[
        str | None, typer.Option("--judge-column", metavar="NAME", help="The column that says who judged [judge].")
    ] = None,
    reference: Annotated[
        str | None, typer.Option("--reference", metavar="JUDGE", help="Hold all others against this judge.")
    ] = None,
    alpha: Annotated[
        str, typer.Option("--alpha", metavar="LEVEL", help="What grades say: nominal, ordinal, interval or ratio.")
    ] = "ordinal",
    scale: Annotated[
        str | None, typer.Option("--scale", metavar="N,N", help="All grades that there are [those that were given].")
    ] = None,
    over_time: Annotated[
        str, typer.Option("--over-time", metavar="PERIOD", help="guideline (versions), month, week, day, none or auto.")
    ] = "auto",
    disputed: Annotated[
        str, typer.Option("--disputed", metavar="N", help="How many disputed pairs and queries to name.")
    ] = "20",
    runs: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="RUN", help="A run to score by each judge's grades; two or more."),
    ] = None,
    measures: MeasuresOption = None,
    unit: Annotated[
        str, typer.Option("--unit", metavar="WHAT", help="What the bootstrap draws: pairs, or queries with theirs.")
    ] = "pairs",
    level: Annotated[
        str, typer.Option("--level", metavar="LEVEL", help="Confidence of the intervals; none: without them.")
    ] = "0.95",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Measure how far judges agree: percent, kappa, weighted kappa, alpha, AC1, each with an interval.

    A file of one judge gives him its name. Runs show what disagreement does to the order of systems.

    Example: assay gold agree ann.qrels bob.qrels

    Example: assay gold agree judgments.csv --reference ann --run bm25.run --run dense.run -m nDCG@10
    """
    form = chosen(output, out, FORMS)
    from assay.formats.labels import read_labels
    from assay.judging.agree import MEASURES
    from assay.judging.agree import agree as measure

    if [*gold, *(runs or ())].count("-") > 1:
        raise ParameterError("standard input (-): expected once, found several times")
    asked: dict[str, Any] = {"level": alpha, "over_time": over_time, "unit": unit, "reference": reference}
    if runs:
        terms.require_one_order()
        asked |= {"runs": _opened(runs, terms), "measures": measures or MEASURES, "rel": number("--rel", terms.rel)}
        asked |= terms.conventions()
    found = measure(
        read_labels(gold, judge_column), scale=_grades(scale), most=whole("--disputed", disputed, lowest=0),
        interval=None if level == "none" else number("--level", level), seed=whole("--seed", seed), **asked,
    )  # fmt: skip
    deliver(_drawn(found, form, out), out)
    if form in {"csv", "tsv", "parquet"}:
        for line in found.notices:
            notice(f"Note: {line}")


def _opened(runs: Sequence[str], terms: Terms) -> list[Any]:
    from assay.inputs import open_run

    return [open_run(path, format=terms.format) for path in runs]


def _grades(scale: str | None) -> list[float]:
    return [] if scale is None else [number("--scale", one) or 0.0 for one in scale.split(",")]


def _drawn(found: "Agreement", form: str, out: str | None) -> str | bytes:
    from assay.report import agreement, documents

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return agreement.render(found, width=80 if out else width(), colour=colour(out))
    if form == "markdown":
        return agreement.to_markdown(found)
    return documents.to_table(agreement.to_frame(found), form)
