"""`assay entities report GOLD PROPOSED... --out report.html`: one page on candidates of records."""

from functools import partial
from typing import Annotated

import typer

from assay.cli.entities.options import (
    DEFAULTS,
    WITHOUT,
    By,
    Members,
    Mode,
    Proposed,
    Sources,
    TruthPath,
    conventions,
    require_one_pipe,
)
from assay.cli.options import Baseline, MeasuresOption, Pairs, Seed
from assay.cli.output import chosen, deliver, notice
from assay.cli.terms import Terms, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

FORMS = ("html",)


@partial(on_terms, without=WITHOUT, defaults=DEFAULTS)
def report(
    gold: TruthPath,
    proposed: Proposed,
    *,
    terms: Terms,
    out: Annotated[
        str | None, typer.Option("--out", metavar="PATH", help="The page to write, such as report.html.")
    ] = None,
    measures: MeasuresOption = None,
    baseline: Baseline = None,
    pairs: Pairs = "baseline",
    mode: Mode = None,
    sources: Sources = None,
    members: Members = None,
    by: By = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The heading of the page.")] = None,
    seed: Seed = "0",
) -> None:
    """Write one HTML page on candidates: verdict, figures, curves, single records, slices, bounds.

    Example: assay entities report truth.csv old.csv new.csv --by size --out report.html
    """
    if out is None:
        msg = "report: expected a file to write, found no --out"
        raise ParameterError(msg, hint="assay entities report GOLD PROPOSED... --out report.html")
    chosen("html", out, FORMS)
    terms.require_one_order()
    from assay.dossier import dossier
    from assay.report.grid import merged_notices
    from assay.report.html import render
    from assay.tasks.entities.compare import COMPARED
    from assay.tasks.entities.evaluate import Inputs, judge_entities
    from assay.tasks.entities.request import Request

    require_one_pipe(gold, *proposed, sources, members, by, terms.weights, terms.exclude)
    request = Request(measures or COMPARED, conventions(terms), terms.weights, terms.exclude, rankings=True)
    judged = judge_entities(gold, proposed, Inputs(mode, sources, members), request)
    group = judged.rankings("report")
    found = dossier(
        group.gold, group.runs, group.measures, baseline=baseline, pairs=pairs, by=judged.columns(by), title=title,
        seed=whole("--seed", seed), command=("assay", *SETTINGS.argv), **group.options,
    )  # fmt: skip
    deliver(render(found), out)
    for line in (*merged_notices(found.evaluations), *(f"Note: {one}" for one in judged.evaluation.notices)):
        notice(line)
