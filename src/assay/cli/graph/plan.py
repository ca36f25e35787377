"""`assay graph plan [GRAPH...]`: how many statements people must judge, and what that costs."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Level, Out, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.accuracy_plan import Plan

FORMS = ("table", "json", "csv", "tsv", "parquet")


def plan(
    graph: Annotated[
        list[str] | None, typer.Argument(metavar="GRAPH...", help="The graph, which says how large its subjects are.")
    ] = None,
    *,
    margin: Annotated[str, typer.Option("--margin", metavar="X", help="How near the truth is wanted: ± X.")] = "0.05",
    expect: Annotated[
        str | None, typer.Option("--expect", metavar="P", help="The accuracy that is expected [the worst case, 0.5].")
    ] = None,
    alike: Annotated[
        str | None,
        typer.Option(
            "--alike", metavar="R", help="How alike statements of a subject are, 0 to 1 [0.5, or the pilot's]."
        ),
    ] = None,
    pilot: Annotated[
        str | None, typer.Option("--pilot", metavar="FILE", help="A label file that is filled in part: says both.")
    ] = None,
    per_subject: Annotated[
        str, typer.Option("--per-subject", metavar="N,N", help="Statements of a subject, at most, to weigh up.")
    ] = "1,2,3,5,10",
    seconds: Annotated[
        str, typer.Option("--seconds", metavar="S,S", help="To get to know a subject, and to judge a statement.")
    ] = "45,25",
    price: Annotated[str | None, typer.Option("--price", metavar="X", help="Of an hour of work.")] = None,
    method: Annotated[
        str, typer.Option("--interval", metavar="NAME", help="wilson, exact, agresti-coull, jeffreys, hpd or ahpd.")
    ] = "wilson",
    level: Level = "0.95",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Say how many statements to judge to know a graph's accuracy, how long that takes, and what it costs.

    Example: assay graph plan company.ttl --margin 0.05 --expect 0.9 --price 30
    """
    form = chosen(output, out, FORMS)
    from assay.graph.accuracy.accuracy import estimate_accuracy
    from assay.graph.accuracy.accuracy_plan import plan_accuracy
    from assay.graph.accuracy.statements import read_statements

    a_subject, a_statement = _costs(seconds)
    found = plan_accuracy(
        read_statements(graph) if graph else None,
        margin=number("--margin", margin) or 0.0,
        accuracy=number("--expect", expect),
        alike=number("--alike", alike),
        pilot=estimate_accuracy([pilot], level=number("--level", level) or 0.0) if pilot else None,
        per_subject=[whole("--per-subject", one, lowest=1) for one in per_subject.split(",")],
        seconds_per_subject=a_subject,
        seconds_per_statement=a_statement,
        price_per_hour=number("--price", price),
        level=number("--level", level) or 0.0,
        method=method,
    )
    deliver(_drawn(found, form, out), out)


def _costs(seconds: str) -> tuple[float, float]:
    from assay.errors import ParameterError

    parts = [number("--seconds", one) for one in seconds.split(",")]
    if len(parts) != 2:
        raise ParameterError(f"--seconds: expected two numbers such as 45,25, found {seconds!r}")
    return parts[0] or 0.0, parts[1] or 0.0


def _drawn(found: "Plan", form: str, out: str | None) -> str | bytes:
    from assay.report import accuracy_plan, documents

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return accuracy_plan.render(found, width=80 if out else width(), colour=colour(out))
    return documents.to_table(accuracy_plan.to_frame(found), form)
