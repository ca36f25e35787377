"""`assay history drift --store URL`: which figures fell over time, since when, and because of what."""

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.history.options import Dashboard, Measure, Store, Webhook, moment
from assay.cli.history.telling import require_webhook, tell
from assay.cli.options import Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.history_drift import Drift

FORMS = ("table", "json", "csv", "tsv", "markdown", "parquet")


def drift(
    *,
    store: Store,
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="NAME", help="The suite [the only one of the store].")
    ] = None,
    measure: Measure = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="COLUMN", help="The slices of a column as well; slice: all slices.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="TEXT", help="The evaluations of one name, such as a system.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Where series begin [the pinned baseline].")
    ] = None,
    baseline_points: Annotated[
        str | None,
        typer.Option("--baseline-points", metavar="N", help="How many first points are the norm [30 of 40, 10 of 15]."),
    ] = None,
    method: Annotated[str, typer.Option("--method", metavar="NAME", help="cusum, ewma, or both.")] = "both",
    alpha: Annotated[
        str, typer.Option("--alpha", metavar="P", help="The share of stable series with a false alarm.")
    ] = "0.05",
    horizon: Annotated[
        str, typer.Option("--horizon", metavar="N", help="Within so many evaluations; then charts begin anew.")
    ] = "90",
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="FILE", help="The gold of now: tells its change from the answers'.")
    ] = None,
    old_gold: Annotated[
        str | None, typer.Option("--old-gold", metavar="FILE", help="The gold of before, for the reverse.")
    ] = None,
    corpus_items: Annotated[
        str | None, typer.Option("--corpus-items", metavar="FILE", help="The ids in the index now, one a line.")
    ] = None,
    invalid: Annotated[
        str | None,
        typer.Option("--invalid", metavar="FILE", help="Invalid links: ids, or JSON of assay graph validity."),
    ] = None,
    moved: Annotated[
        str | None, typer.Option("--drift", metavar="FILE", help="Embeddings: JSON of assay neighbours drift.")
    ] = None,
    webhook: Webhook = None,
    dashboard: Dashboard = None,
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Tell whether quality fell over time, since when, and because of what: queries, gold, or answers.

    Exit code 0: no alarm. 1: an alarm. 2: a mistake in usage or input. 3: cannot decide,
    as evaluations are too few.

    Example: assay history drift --store history.db --suite web --by slice

    Example: assay history drift --store history.db --gold gold.qrels --corpus-items ids.txt
    """
    form = chosen(output, out, FORMS)
    require_webhook(webhook)
    from assay.history.alerts import of_drift
    from assay.history.drift import drift as followed

    found = followed(
        store, suite, measure=measure, by=by, name=name, since=moment("--since", since),
        baseline_points=None if baseline_points is None else whole("--baseline-points", baseline_points),
        method=method, alpha=number("--alpha", alpha) or 0.0, horizon=whole("--horizon", horizon, lowest=1),
        gold=gold, old_gold=old_gold, corpus_items=corpus_items, invalid=invalid, moved=moved,
        seed=whole("--seed", seed),
    )  # fmt: skip
    deliver(_drawn(found, form, out), out)
    tell(webhook, store, lambda: of_drift(found, dashboard))
    raise typer.Exit(found.exit_code)


def _drawn(found: "Drift", form: str, out: str | None) -> str | bytes:
    from assay.report import documents
    from assay.report import history_drift_documents as drawing

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "markdown":
        return drawing.to_markdown(found)
    if form == "table":
        return drawing.render(found, 80 if out else min(width(), 100), colour=colour(out))
    return documents.to_table(drawing.to_frame(found), form)
