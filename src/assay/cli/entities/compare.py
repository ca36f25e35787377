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
from assay.cli.options import Baseline, MeasuresOption, Out, Pairs, Seed
from assay.cli.output import chosen, deliver, notice
from assay.cli.terms import Terms, number, on_terms, whole

FORMS = ("table", "json", "csv", "tsv", "markdown", "latex", "parquet", "junit")

Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FORM", help=f"{', '.join(FORMS)}.", autocompletion=lambda: list(FORMS)),
]


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
    test: Annotated[
        str, typer.Option("--test", metavar="NAME", help="flips (randomisation), t, wilcoxon or wilcoxon-approx.")
    ] = "flips",
    correction: Annotated[
        str, typer.Option("--correction", metavar="NAME", help="For many tests: holm, hommel, bonferroni, bh or none.")
    ] = "holm",
    alpha: Annotated[str, typer.Option("--alpha", metavar="P", help="Below which p a difference counts.")] = "0.05",
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="Confidence of the intervals.")] = "0.95",
    margin: Annotated[
        str | None, typer.Option("--margin", metavar="X", help="A difference that does not matter.")
    ] = None,
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
