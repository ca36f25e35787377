"""`assay worklist GOLD RUN [RUN2]`: which unjudged items to judge next."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import GoldPath, Out, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import Terms, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.health import Health

FORMS = ("table", "json", "csv", "tsv")


@on_terms
def worklist(
    gold: GoldPath,
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="A run, or two: then it is their difference that matters.")
    ],
    *,
    terms: Terms,
    most: Annotated[str, typer.Option("-n", "--most", metavar="N", help="How many items to name.")] = "20",
    measures: Annotated[
        list[str] | None, typer.Option("-m", "--measures", metavar="TEXT", help='One measure, such as "nDCG@10" [AP].')
    ] = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Name the items without a judgment that could move a figure, or the difference of two runs, most.

    Example: assay worklist gold.qrels bm25.run dense.run -m nDCG@10 -n 50 -o csv
    """
    form = chosen(output, out, FORMS)
    if terms.tie_range:
        msg = "worklist: expected one order of tied items, found --ties range"
        raise ParameterError(msg)
    from assay.health import worklist as work_of

    truth, answers = terms.read(gold, runs)
    found = work_of(truth, answers, " ".join(measures or ["AP"]), whole("--most", most), **terms.options())
    deliver(_drawn(found, form, out), out)


def _drawn(found: "Health", form: str, out: str | None) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay._version import __version__
    from assay.report import health
    from assay.report.documents import strict_json, to_table

    if form == "json":
        told = found.to_dict()
        work = {name: told[name] for name in ("work", "work_runs", "work_measure")}
        return strict_json({"assay": __version__, "command": SETTINGS.argv} | work)
    if form in {"csv", "tsv"}:
        return to_table(health.work_frame(found), form)
    return health.render_work(found, width=80 if out else width(), colour=colour(out))
