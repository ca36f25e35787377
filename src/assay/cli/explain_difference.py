"""`assay explain-difference GOLD RUN`: which convention makes two tools, or two numbers, differ."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import Format, GoldFormat, GoldPath, MeasuresOption, Out, Rel, TableOrJson
from assay.cli.output import PROSE, chosen, deliver, width
from assay.cli.terms import number
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.difference import Difference

FORMS = ("table", "json")
UNEXPLAINED = 3


def explain_difference(
    gold: GoldPath,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run that both sides measure.")],
    *,
    profile: Annotated[
        list[str] | None, typer.Option("--profile", metavar="NAME", help="Whose conventions; twice for two tools.")
    ] = None,
    measures: MeasuresOption = None,
    their_number: Annotated[
        str | None, typer.Option("--their-number", metavar="X", help="What the other tool says, with all its decimals.")
    ] = None,
    tolerance: Annotated[
        str | None, typer.Option("--tolerance", metavar="X", help="How near is equal; else half its last decimal.")
    ] = None,
    rel: Rel = None,
    format: Format = None,  # noqa: A002 - the name of the option
    gold_format: GoldFormat = None,
    output: TableOrJson = None,
    out: Out = None,
) -> int:
    """Name the convention that makes two numbers differ.

    Example: assay explain-difference gold.qrels bm25.run --profile trec_eval-9 --profile beir

    Example: assay explain-difference gold.qrels bm25.run -m AP --their-number 0.2193
    """
    form = chosen(output, out, FORMS)
    asked = _asked(profile or [], measures, their_number)
    from assay.difference import explain_difference as explain
    from assay.formats import read_gold, read_run
    from assay.report import sentences
    from assay.report.documents import strict_json

    found: Difference = explain(
        read_gold(gold, gold_format), read_run(run, format),
        tolerance=number("--tolerance", tolerance), rel=number("--rel", rel), **asked,
    )  # fmt: skip
    deliver(strict_json(found.to_dict()) if form == "json" else sentences.of_difference(found, width(PROSE)), out)
    return 0 if found.explained else UNEXPLAINED


def _asked(profiles: list[str], measures: list[str] | None, their_number: str | None) -> dict[str, Any]:
    """Return what the verb of the library is asked: two profiles, or a profile and a number."""
    if their_number is None and len(profiles) == 2:
        return {"profiles": tuple(profiles)} | ({"measures": measures} if measures else {})
    if their_number is not None and measures and len(profiles) < 2:
        return {"measure": measures, "their_number": their_number, "profile": (profiles or ["assay"])[0]}
    said = f"{len(profiles)} profiles and {'no' if their_number is None else 'a'} number"
    msg = f"expected two --profile, or one measure (-m) and --their-number, found {said}"
    raise ParameterError(msg, hint="assay explain-difference --help")
