"""`assay entities evaluate GOLD PROPOSED...`: candidates, pairs or clusters held against true entities."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

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
from assay.cli.options import Interval, MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.entities_evaluation import EntitiesEvaluation
    from assay.tasks.entities.evaluate import Judged

FORMS = ("table", "json", "csv", "tsv", "markdown", "latex", "parquet", "html")

Output = Annotated[str | None, one_of(FORMS)]


@partial(on_terms, without=WITHOUT, defaults=DEFAULTS)
def evaluate(
    gold: TruthPath,
    proposed: Proposed,
    *,
    terms: Terms,
    measures: MeasuresOption = None,
    mode: Mode = None,
    sources: Sources = None,
    blocked: Annotated[
        str | None,
        typer.Option("--blocked", metavar="FILE", help="What blocking kept: judged apart from the scorer of pairs."),
    ] = None,
    threshold: Annotated[
        str | None, typer.Option("--threshold", metavar="X", help="The score from which on pairs are matches.")
    ] = None,
    members: Members = None,
    nil: Annotated[
        str, typer.Option("--nil", metavar="NAME", help="What stands for no entity where mentions are linked.")
    ] = "NIL",
    per_query: Annotated[bool, typer.Option("-q", "--per-query", help="Also the value of each record.")] = False,
    interval: Interval = None,
    by: By = None,
    bounds: Annotated[
        bool, typer.Option("--bounds", help="Also what labels for candidates without one could change.")
    ] = False,
    seed: Seed = "0",
    output: Output = None,
    out: Out = None,
) -> None:
    """Judge entity resolution, record by record and as a whole, by all that the files allow.

    Lists and scored pairs: per-record measures and those of blocking. Pairs: precision and recall, by threshold.
    Clusters: pairwise, B-cubed, exact, MUC, CEAF, LEA, V-measure, adjusted Rand index; splits and merges. Candidates
    that are entities of GOLD: mentions linked to entities.

    Example: assay entities evaluate truth.csv candidates.csv -m "R@10 Complete@10 P@10"

    Example: assay entities evaluate truth.csv scored.csv --blocked candidates.csv --sources sources.csv
    """
    form = chosen(output, out, FORMS)
    from assay.report.grid import merged_notices
    from assay.tasks.entities.evaluate import Inputs, judge_entities
    from assay.tasks.entities.request import Request

    require_one_pipe(gold, *proposed, sources, blocked, members, by, terms.weights, terms.exclude)
    request = Request(
        measures, conventions(terms), terms.weights, terms.exclude, number("--interval", interval),
        whole("--seed", seed), by, bounds, terms.tie_range,
    )  # fmt: skip
    files = Inputs(mode, sources, members, blocked, number("--threshold", threshold), nil)
    judged = judge_entities(gold, proposed, files, request)
    found = judged.evaluation
    if form == "html":
        terms.require_one_order()
        deliver(_page(judged, request.interval, request.seed, by), out)
    else:
        deliver(drawn(found, form, out, per_query=per_query), out)
    for line in (*merged_notices(found.evaluations), *(f"Note: {one}" for one in found.notices)):
        notice(line)


def _page(judged: "Judged", interval: float | None, seed: int, by: str | None) -> str:
    """Return the report in short, of proposals with candidates."""
    from assay.dossier import dossier
    from assay.report.html import render

    group = judged.rankings("html")
    page = dossier(
        group.gold, group.runs, group.measures, command=("assay", *SETTINGS.argv), by=judged.columns(by),
        level=interval or 0.95, seed=seed, **group.options,
    )  # fmt: skip
    return render(page, short=True)


def drawn(found: "EntitiesEvaluation", form: str, out: str | None, *, per_query: bool) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay.report import documents, entities, terminal

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    groups = entities.alike(found.evaluations)
    if form in {"csv", "tsv", "parquet"}:
        table = documents.to_frame(found.evaluations, per_query=True) if per_query else entities.to_frame(found)
        return documents.to_table(table, form)
    if form in {"markdown", "latex"}:
        write: Any = {"markdown": documents.to_markdown, "latex": documents.to_latex}[form]
        return "\n".join(write(group) for group in groups)
    columns = 80 if out else width()
    rows = "".join(terminal.per_query(group, width=columns) for group in groups) if per_query else ""
    return rows + entities.render(found, columns, colour=colour(out))
