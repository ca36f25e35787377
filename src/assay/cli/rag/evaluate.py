"""`assay rag evaluate FILE...`: how much of what each answer needs was retrieved, and how high up."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.evaluate import ROWS_ONLY
from assay.cli.options import Interval, MeasuresOption, Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, say_left_out, width
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
    from assay.core.rag import RagEvaluation
    from assay.tasks.rag.questions import Several

FORMS = ("table", "json", "csv", "tsv", "markdown", "latex", "parquet", "html")

Output = Annotated[str | None, one_of(FORMS)]


@partial(on_terms, without=WITHOUT)
def evaluate(
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
    per_query: Annotated[bool, typer.Option("-q", "--per-query", help="Also the value of each question.")] = False,
    interval: Interval = None,
    seed: Seed = "0",
    output: Output = None,
    out: Out = None,
) -> None:
    """Measure retrieval by what each answer needs: each file holds one system, an object for each question.

    An object has the keys question (or id), retrieved, needed, and may have proofs, answer, correct, hops, type.
    Unless said otherwise, --empty is skip here, and --ties is expected where items have scores.

    Example: assay rag evaluate vectors.jsonl graph.jsonl -m "Complete@8 Deducible@8 R@8 AP" --by hops
    """
    form = chosen(output, out, FORMS)
    from assay.report.grid import merged_notices
    from assay.tasks.rag.evaluate import DEFAULT, evaluate_several

    read = read_systems(systems, gold, unit, match, threshold)
    asked = conventions(terms, read) | {"interval": number("--interval", interval), "seed": whole("--seed", seed)}
    breakdowns, spent = wanted(by), budgets(tokens)
    found = evaluate_several(read, measures or DEFAULT, by=breakdowns, tokens=spent, tie_range=terms.tie_range, **asked)
    if form == "html":
        deliver(_page(read, found, measures or DEFAULT, asked, breakdowns), out)
        say_left_out(form, *(["tokens"] if spent else []))
    else:
        deliver(drawn(found, form, out, per_query=per_query), out)
        say_left_out(form, *(["slices"] if found.slices and form in ROWS_ONLY else []))
    for line in (*merged_notices(found.evaluations), *(f"Note: {one}" for one in found.notices)):
        notice(line)


def _page(read: "Several", found: "RagEvaluation", measures: Any, asked: dict[str, Any], by: Any) -> str:
    """Return the report in short, under a heading that says what was counted."""
    from assay.dossier import dossier
    from assay.report.html import render
    from assay.tasks.rag.evaluate import grouped

    if found.evaluations[0].options.tie_range:
        msg = "html: expected one order of tied items, found --ties range"
        raise ParameterError(msg, hint="-o table or json has them.")
    names = ", ".join(one.name for one in found.evaluations)
    title = f"{names} by {read.gold.name}: unit {read.unit}, matched by {read.matching}"
    options = asked | {"level": asked["interval"] or 0.95}
    del options["interval"]
    page = dossier(
        read.gold, read.runs, measures, title=title, command=("assay", *SETTINGS.argv), by=grouped(read, by), **options
    )
    return render(page, short=True)


def drawn(found: "RagEvaluation", form: str, out: str | None, *, per_query: bool) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay.report import documents, rag, terminal

    if form == "json":
        return documents.strict_json(found.to_dict(command=SETTINGS.argv))
    if form in {"csv", "tsv", "parquet"}:
        return documents.to_table(documents.to_frame(found.evaluations, per_query=per_query), form)
    if form in {"markdown", "latex"}:
        write = {"markdown": documents.to_markdown, "latex": documents.to_latex}[form]
        return write(found.evaluations)
    columns = 80 if out else width()
    rows = terminal.per_query(found.evaluations, width=columns) if per_query else ""
    return rows + rag.render(found, width=columns, colour=colour(out))
