"""`assay gold clicks LOG...`: grades from what people clicked."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Level, Out, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.progress import progress
from assay.cli.terms import number
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError
from assay.report.amounts import counted

if TYPE_CHECKING:
    from assay.core.clicks import ClickGrades

TABLES = ("csv", "tsv", "jsonl", "parquet")
FORMS = ("table", "json", *TABLES)


def clicks(
    log: Annotated[
        list[str],
        typer.Argument(
            metavar="LOG...",
            help="Columns query, item, click, rank, session: CSV, TSV, JSONL, Parquet; several files are one log.",
        ),
    ],
    *,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="ctr, coec, pbm, ipw, cascade or sdbn.")
    ] = "pbm",
    min_exposure: Annotated[
        str, typer.Option("--min-exposure", metavar="N", help="Pairs looked at less often get no grade.")
    ] = "10",
    prior: Annotated[
        str, typer.Option("--prior", metavar="N", help="How many looks the mean of all pairs counts for, in each.")
    ] = "20",
    interval: Annotated[str, typer.Option("--interval", metavar="NAME", help="wilson or beta.")] = "wilson",
    level: Level = "0.95",
    propensities: Annotated[
        str | None,
        typer.Option("--propensities", metavar="FILE", help="For pbm and ipw: columns rank and propensity [by EM]."),
    ] = None,
    clip: Annotated[
        str | None, typer.Option("--clip", metavar="P", help="For ipw: the lowest propensity that counts [0.05].")
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option("--columns", metavar="TEXT", help='Where names are not recognised: "query=keyword item=sku".'),
    ] = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Grade items by their clicks, each with its interval; as csv, jsonl or parquet the grades are a gold standard.

    Every row of the log is one item that was shown for a query: where (rank, 1 is the top), in which search
    (session), and whether it was clicked (1 or 0). ctr needs no rank, coec, pbm and ipw need no session.

    Example: assay gold clicks log.parquet --model pbm --out gold.csv
    """
    form = chosen(output, out, FORMS)
    if log.count("-") > 1 or (propensities == "-" and "-" in log):
        raise ParameterError("standard input (-): expected once, found several times")
    from assay.judging.clicks import grade_clicks, model_of
    from assay.judging.clicks.propensity import read_propensities

    given = None if propensities is None else read_propensities(propensities)
    with progress("Reading") as told:
        found = grade_clicks(
            log, model_of(model, given, number("--clip", clip)), columns=_columns(columns), interval=interval,
            min_exposure=number("--min-exposure", min_exposure) or 0.0, prior=number("--prior", prior) or 0.0,
            level=number("--level", level) or 0.0, progress=told,
        )  # fmt: skip
    if form in TABLES:
        for line in found.notices:
            notice(f"Note: {line}")
        notice(
            f"{counted(found.table.height, 'pair')} graded, {found.few:,} looked at too seldom, "
            f"{found.undefined:,} undefined."
        )
    deliver(_drawn(found, form, out), out)


def _drawn(found: "ClickGrades", form: str, out: str | None) -> str | bytes:
    from assay.report import clicks as drawn
    from assay.report import documents

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "table":
        return drawn.render(found, width=80 if out else width(), colour=colour(out))
    return drawn.to_gold(found, form)


def _columns(text: str | None) -> dict[str, str]:
    """Read which column is what."""
    known = ("query", "item", "click", "rank", "session")
    made = {}
    for word in (text or "").split():
        name, equals, column = word.partition("=")
        if name not in known or not (equals and column):
            raise ParameterError(f"--columns: expected {' '.join(f'{one}=NAME' for one in known)}, found {word!r}")
        made[name] = column
    return made
