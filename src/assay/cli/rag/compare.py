"""`assay rag compare FILE FILE...`: which system brings more of what answers need, and how sure that is."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.compare import FORMS, drawn
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
from assay.cli.output import chosen, deliver, notice, say_left_out
from assay.cli.rag.options import (
    WITHOUT,
    By,
    GoldOption,
    Match,
    Systems,
    Threshold,
    Tokens,
    Unit,
    budgets,
    conventions,
    read_systems,
    wanted,
)
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.comparison import Comparison
    from assay.tasks.rag.questions import Several


@partial(on_terms, without=WITHOUT)
def compare(
    systems: Systems,
    *,
    terms: Terms,
    gold: GoldOption = None,
    measures: MeasuresOption = None,
    unit: Unit = None,
    match: Match = "id",
    threshold: Threshold = None,
    by: By = None,
    tokens: Tokens = None,
    baseline: Baseline = None,
    pairs: Pairs = "baseline",
    test: Significance = "flips",
    correction: Correction = "holm",
    alpha: Alpha = "0.05",
    level: Level = "0.95",
    margin: Margin = None,
    movers: Annotated[
        str, typer.Option("--movers", metavar="N", help="How many questions helped and hurt most to name.")
    ] = "5",
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Compare retrieval systems by what each answer needs, question by question.

    Unless said otherwise, --empty is skip here, and --ties is expected where items have scores.

    Example: assay rag compare vectors.jsonl graph.jsonl -m "Complete@8 R@8 AP"
    """
    form = chosen(output, out, FORMS)
    if len(systems) < 2:
        msg = f"compare: expected two systems or more, found {len(systems)}"
        raise ParameterError(msg, hint="assay rag evaluate FILE measures a single one.")
    terms.require_one_order()
    read = read_systems(systems, gold, unit, match, threshold)
    asked = conventions(terms, read) | {
        "baseline": baseline, "pairs": pairs, "test": test, "correction": correction,
        "alpha": number("--alpha", alpha), "level": number("--level", level), "margin": number("--margin", margin),
        "movers": whole("--movers", movers, lowest=0), "seed": whole("--seed", seed), "by": wanted(by),
        "tokens": budgets(tokens),
    }  # fmt: skip
    found, content = _compared(read, measures, form, out, asked)
    deliver(content, out)
    for line in found.notices:
        notice(f"Note: {line}")


def _compared(
    read: "Several", measures: Any, form: str, out: str | None, asked: dict[str, Any]
) -> "tuple[Comparison, str | bytes]":
    """Return the comparison, and it drawn in the form that was asked for."""
    from assay.tasks.rag.compare import COMPARED, compare_several
    from assay.tasks.rag.evaluate import grouped

    if form != "html":
        found = compare_several(read, measures or COMPARED, **asked)
        return found, drawn(found, form, out)
    from assay.dossier import dossier
    from assay.report.html import render

    if asked.pop("tokens"):
        say_left_out(form, "tokens")
    asked = asked | {"by": grouped(read, asked["by"]), "command": ("assay", *SETTINGS.argv)}
    page = dossier(read.gold, read.runs, measures or COMPARED, **asked)
    if page.comparison is None:  # never: there are two systems or more
        raise ParameterError("html: expected a comparison, found none")
    return page.comparison, render(page, short=True)
