"""`assay report GOLD RUN... --out report.html`: one page that says how good the runs are, how sure that is, and why."""

from typing import Annotated

import typer

from assay.cli.options import Baseline, By, Costs, GoldPath, MeasuresOption, Pairs, RunPaths, Seed
from assay.cli.output import chosen, deliver, notice
from assay.cli.terms import Terms, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

FORMS = ("html",)


@on_terms
def report(
    gold: GoldPath,
    runs: RunPaths,
    *,
    terms: Terms,
    out: Annotated[
        str | None, typer.Option("--out", metavar="PATH", help="The page to write, such as report.html.")
    ] = None,
    measures: MeasuresOption = None,
    baseline: Baseline = None,
    pairs: Pairs = "baseline",
    by: By = None,
    costs: Costs = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The heading of the page.")] = None,
    seed: Seed = "0",
) -> None:
    """Write one HTML page that works offline: verdict, figures, curves, queries, slices, health of the gold.

    Example: assay report gold.qrels bm25.run dense.run --out report.html
    """
    if out is None:
        msg = "report: expected a file to write, found no --out"
        raise ParameterError(msg, hint="assay report GOLD RUN... --out report.html")
    chosen("html", out, FORMS)
    if terms.tie_range:
        msg = "report: expected one order of tied items, found --ties range"
        raise ParameterError(msg, hint="assay evaluate has the range.")
    from assay.compare import COMPARED
    from assay.dossier import dossier
    from assay.report.grid import merged_notices
    from assay.report.html import render

    truth, answers = terms.read(gold, runs, by, costs)
    found = dossier(
        truth, answers, measures or COMPARED, baseline=baseline, pairs=pairs, by=by, costs=costs, title=title,
        seed=whole("--seed", seed), command=("assay", *SETTINGS.argv), **terms.options(),
    )  # fmt: skip
    deliver(render(found), out)
    for line in merged_notices(found.evaluations):
        notice(line)
