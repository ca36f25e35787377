"""`assay evaluate GOLD RUN...`: the measures of each run, with policy and audit."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import By, Costs, GoldPath, Interval, MeasuresOption, Out, RunPaths, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, say_left_out, width
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.beside import Beside
    from assay.core.evaluation import Evaluation
    from assay.core.facts import Options
    from assay.core.gold import Gold
    from assay.core.health import Health
    from assay.core.run import Run
    from assay.core.slices import Slicing

FORMS = ("table", "json", "jsonl", "csv", "tsv", "markdown", "latex", "parquet", "html")

ROWS_ONLY = frozenset({"csv", "tsv", "parquet", "markdown", "latex"})
"""Forms that hold the figures, and nothing that stands beside them."""

Output = Annotated[str | None, one_of(FORMS)]


@on_terms
def evaluate(
    gold: GoldPath,
    runs: RunPaths,
    *,
    terms: Terms,
    measures: MeasuresOption = None,
    per_query: Annotated[bool, typer.Option("-q", "--per-query", help="Also the value of each query.")] = False,
    aggregate: Annotated[
        str,
        typer.Option(
            "--aggregate", metavar="HOW", help="macro (means of queries), micro (sums of hits) or pooled (one list)."
        ),
    ] = "macro",
    interval: Interval = None,
    by: By = None,
    costs: Costs = None,
    judged: Annotated[bool, typer.Option("--judged", help="Also Judged@k for each cutoff.")] = False,
    bounds: Annotated[
        bool,
        typer.Option("--bounds", help="Also how far the gold carries each figure: what any judging could give ..."),
    ] = False,
    jobs: Annotated[
        str | None, typer.Option("--jobs", metavar="N", help="How many runs to work on at once [all cores].")
    ] = None,
    cache: Annotated[
        str | None,
        typer.Option("--cache", metavar="DIR", help="A folder that keeps ranks: unchanged runs are not judged again."),
    ] = None,
    seed: Seed = "0",
    output: Output = None,
    out: Out = None,
) -> None:
    """Measure runs by a gold standard.

    Example: assay evaluate gold.qrels bm25.run dense.run -m "P@10 nDCG@10"

    Example: assay evaluate gold.qrels runs/*.run --cache judged -o parquet --out all.parquet
    """
    form = chosen(output, out, FORMS)
    from assay.core.beside import Beside
    from assay.evaluate import Cache, evaluate_all
    from assay.evaluate.costs import costs_beside
    from assay.report.grid import merged_notices

    truth, answers = terms.read(gold, runs, by, costs)
    wanted, kept = _wanted(measures, judged=judged), None if cache is None else Cache.open(cache)
    found = evaluate_all(
        truth, answers, wanted, tie_range=terms.tie_range, aggregate=aggregate,
        interval=number("--interval", interval), seed=whole("--seed", seed),
        jobs=None if jobs is None else whole("--jobs", jobs, lowest=1), cache=kept, **terms.options(),
    )  # fmt: skip
    if form == "html":
        deliver(_page(truth, answers, wanted, {"by": by, "costs": costs} | terms.options(), found[0].options), out)
    else:
        beside = Beside(
            _slices(found, truth, by),
            _health(truth, answers, wanted, terms, aggregate) if bounds else None,
            costs_beside(found, answers, costs),
        )
        deliver(drawn(found, beside, form, out, per_query=per_query), out)
        say_left_out(form, *(beside.to_dict() if form in ROWS_ONLY else ()))
    for line in (*merged_notices(found), *(f"Note: {one}" for one in (kept.notices() if kept else ()))):
        notice(line)


def _slices(found: "list[Evaluation]", gold: "Gold", by: str | None) -> "tuple[Slicing, ...]":
    if not by:
        return ()
    from assay.compare import slices_of

    return slices_of(found, gold, by, contrasts=False)


def _page(gold: "Gold", runs: "list[Run]", measures: Any, asked: dict[str, Any], options: "Options") -> str:
    """Return the report in short."""
    from assay.dossier import dossier
    from assay.report.html import render

    if options.aggregate != "macro" or options.tie_range:
        found = "--ties range" if options.tie_range else f"--aggregate {options.aggregate}"
        msg = f"html: expected means over queries, found {found}"
        raise ParameterError(msg, hint="-o table or json has them.")
    chance: dict[str, Any] = {"level": options.interval or 0.95, "seed": options.seed or 0}
    page = dossier(gold, runs, measures, command=("assay", *SETTINGS.argv), **asked, **chance)
    return render(page, short=True)


def _health(gold: "Gold", runs: "list[Run]", measures: Any, terms: Terms, aggregate: str) -> "Health":
    from assay.health import health

    if aggregate != "macro":
        msg = f"--bounds: expected means over queries, found --aggregate {aggregate}"
        raise ParameterError(msg, hint="without --aggregate the bounds are those of the mean.")
    return health(gold, runs, measures, **terms.options())


def drawn(found: "list[Evaluation]", beside: "Beside", form: str, out: str | None, *, per_query: bool) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay.report import documents, terminal

    if form in {"json", "jsonl"}:
        write = documents.to_json if form == "json" else documents.to_jsonl
        return write(found, SETTINGS.argv, beside)
    if form in {"csv", "tsv", "parquet"}:
        return documents.to_table(documents.to_frame(found, per_query=per_query), form)
    if form in {"markdown", "latex"}:
        return {"markdown": documents.to_markdown, "latex": documents.to_latex}[form](found)
    columns = 80 if out else width()
    rows = terminal.per_query(found, width=columns) if per_query else ""
    return rows + terminal.render(found, beside, width=columns, colour=colour(out))


def _wanted(measures: list[str] | None, *, judged: bool) -> Any:
    from assay.evaluate import DEFAULT
    from assay.measures import MEASURES, parse_many

    wanted = measures or [DEFAULT]
    if not judged:
        return wanted
    cutoffs = sorted({one.measure.k for one in parse_many(wanted) if getattr(one.measure, "k", None)})  # type: ignore[attr-defined]
    return [*wanted, *(MEASURES["Judged"] @ k for k in cutoffs)]
