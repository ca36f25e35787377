"""`assay graph estimate LABELS...`: the accuracy of a graph, from the statements that people judged."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Level, Out, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import number
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.accuracy import Accuracy

FORMS = ("table", "json", "markdown", "csv", "tsv", "parquet")


def estimate(
    labels: Annotated[
        list[str], typer.Argument(metavar="LABELS...", help="Filled label files of one sample, one or more judges.")
    ],
    *,
    margin: Annotated[
        str, typer.Option("--margin", metavar="X", help="Enough is judged once the interval is ± X or less.")
    ] = "0.05",
    method: Annotated[
        str,
        typer.Option("--interval", metavar="NAME", help="wilson, exact, agresti-coull; beliefs: jeffreys, hpd, ahpd."),
    ] = "wilson",
    level: Level = "0.95",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Estimate the share of right statements, with an interval, and say whether enough were judged.

    Example: assay graph estimate labels.csv --margin 0.03
    """
    form = chosen(output, out, FORMS)
    if labels.count("-") > 1:
        raise ParameterError(f"standard input (-): expected once, found {labels.count('-')} times")
    from assay.graph.accuracy.accuracy import estimate_accuracy

    found = estimate_accuracy(
        labels, margin=number("--margin", margin) or 0.0, level=number("--level", level) or 0.0, method=method
    )
    deliver(_drawn(found, form, out), out)


def _drawn(found: "Accuracy", form: str, out: str | None) -> str | bytes:
    from assay.report import accuracy, documents

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return accuracy.render(found, width=80 if out else width(), colour=colour(out))
    if form == "markdown":
        return accuracy.to_markdown(found)
    return documents.to_table(accuracy.to_frame(found), form)
