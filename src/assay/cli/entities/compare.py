"""`assay entities compare GOLD PROPOSED PROPOSED...`: which resolution is better, and how sure that is."""

from functools import partial
from typing import Annotated

import typer

from assay.cli.compare import drawn
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
from assay.cli.options import (
    Alpha,
    Baseline,
    Correction,
    Level,
    Margin,
    MeasuresOption,
    Out,
    Pairs,
    Seed,
    Significance,
    one_of,
)
from assay.cli.output import chosen, deliver, notice
from assay.cli.terms import Terms, number, on_terms, whole

FORMS = ("table", "json", "csv", "tsv", "markdown", "latex", "parquet", "junit")

Output = Annotated[str | None, one_of(FORMS)]


@partial(on_terms, without=WITHOUT, defaults=DEFAULTS)
def compare(
    gold: TruthPath,
    proposed: Proposed,
    *,
    terms: Terms,
    measures: MeasuresOption = None,
    mode: Mode = None,
    sources: Sources = None,
    members: Members = None,
    by: By = None,
    baseline: Baseline = None,
    pairs: Pairs = "baseline",
    test: Significance = "flips",
    correction: Correction = "holm",
    alpha: Alpha = "0.05",
    level: Level = "0.95",
    margin: Margin = None,
    movers: Annotated[
        str, typer.Option("--movers", metavar="N", help="How many records helped and hurt most to name.")
    ] = "5",
    seed: Seed = "0",
    output: Output = None,
    out: Out = None,
) -> None:
    """Compare resolutions by the same records; records of one true entity count as one unit.

    Example: assay entities compare truth.csv old.csv new.csv -m "Complete@10 R@10"
    """
    form = chosen(output, out, FORMS)
    from assay.report.grid import merged_notices
    from assay.tasks.entities.compare import compare_entities

    terms.require_one_order()
    require_one_pipe(gold, *proposed, sources, members, by, terms.weights, terms.exclude)
    found = compare_entities(
        gold, proposed, measures, conventions=conventions(terms), weights=terms.weights, exclude=terms.exclude,
        by=by, mode=mode, sources=sources, members=members,
        baseline=baseline, pairs=pairs, test=test, correction=correction, alpha=number("--alpha", alpha),
        level=number("--level", level), margin=number("--margin", margin),
        movers=whole("--movers", movers, lowest=0), seed=whole("--seed", seed),
    )  # fmt: skip
    deliver(drawn(found, form, out), out)
    for line in (*merged_notices(found.evaluations), *(f"Note: {one}" for one in found.notices)):
        notice(line)
