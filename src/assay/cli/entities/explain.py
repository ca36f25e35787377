"""`assay entities explain GOLD PROPOSED [PROPOSED]`: where the number of one record comes from, place by place."""

from functools import partial
from typing import Annotated

import typer

from assay.cli.entities.options import (
    DEFAULTS,
    WITHOUT,
    Members,
    Mode,
    Proposed,
    Sources,
    TruthPath,
    conventions,
    require_one_pipe,
)
from assay.cli.explain import FORMS, check, explained
from assay.cli.options import Out, one_of
from assay.cli.output import chosen
from assay.cli.terms import Terms, on_terms


@partial(on_terms, without={*WITHOUT, "weights"}, defaults=DEFAULTS)
def explain(
    gold: TruthPath,
    proposed: Proposed,
    *,
    terms: Terms,
    record: Annotated[
        list[str] | None,
        typer.Option(
            "--record", "--query", metavar="ID", help="The record to explain; else the worst, or the most changed."
        ),
    ] = None,
    worst: Annotated[
        str | None, typer.Option("--worst", metavar="N", help="The N worst records, or the N most changed.")
    ] = None,
    measures: Annotated[
        list[str] | None, typer.Option("-m", "--measures", metavar="TEXT", help='One measure, such as "R@5" [AP].')
    ] = None,
    places: Annotated[str, typer.Option("--places", metavar="N", help="How many places to show.")] = "20",
    mode: Mode = None,
    sources: Sources = None,
    members: Members = None,
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Show where the number of one record comes from: its candidates in order, and the matches it missed.

    Example: assay entities explain truth.csv candidates.csv --record r17 -m "R@5"
    """
    form = chosen(output, out, FORMS)
    from assay.tasks.entities.evaluate import Inputs, judge_entities
    from assay.tasks.entities.request import Request

    check(terms, proposed, record, worst)
    require_one_pipe(gold, *proposed, sources, members, terms.exclude)
    measure = " ".join(measures or ["AP"])
    request = Request(measure, conventions(terms), exclude=terms.exclude, rankings=True)
    group = judge_entities(gold, proposed, Inputs(mode, sources, members), request).rankings("explain")
    explained(
        group.gold, list(group.runs), dict(group.options),
        query=record, worst=worst, measure=measure, places=places, form=form, out=out,
    )  # fmt: skip
