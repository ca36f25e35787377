"""`assay evaluate GOLD RUN...`: the measures of each run, with policy and audit."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.verbs import SETTINGS, convention
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.evaluation import Evaluation
    from assay.core.profiles import Profile

FORMS = ("table", "json", "jsonl", "csv", "tsv", "markdown", "latex", "parquet")

GoldPath = Annotated[str, typer.Argument(metavar="GOLD", help="The gold standard: a file, or - for standard input.")]
RunPaths = Annotated[list[str], typer.Argument(metavar="RUN...", help="One or more runs.")]
MeasuresOption = Annotated[
    list[str] | None,
    typer.Option("-m", "--measures", metavar="TEXT", help='Such as "P@{1,5,10} nDCG@10 AP"; assay measures lists all.'),
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The format of the runs: trec, csv, jsonl ...; else recognised."),
]
GoldFormat = Annotated[str | None, typer.Option("--gold-format", metavar="NAME", help="The format of the gold.")]
Out = Annotated[str | None, typer.Option("--out", metavar="PATH", help="Write a file instead of printing.")]
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FORM", help=f"{', '.join(FORMS)}.", autocompletion=lambda: list(FORMS)),
]
Rel = Annotated[str | None, typer.Option("--rel", metavar="N", help="The lowest grade that is relevant [1].")]
TableOrJson = Annotated[str | None, typer.Option("-o", "--output", metavar="FORM", help="table or json.")]


def evaluate(
    gold: GoldPath,
    runs: RunPaths,
    *,
    measures: MeasuresOption = None,
    per_query: Annotated[bool, typer.Option("-q", "--per-query", help="Also the value of each query.")] = False,
    ties: Annotated[str | None, convention("ties")] = None,
    missing: Annotated[str | None, convention("missing")] = None,
    empty: Annotated[str | None, convention("empty")] = None,
    extra: Annotated[str | None, convention("extra")] = None,
    duplicates: Annotated[str | None, convention("duplicates")] = None,
    unjudged: Annotated[str | None, convention("unjudged")] = None,
    negative: Annotated[str | None, convention("negative")] = None,
    nan: Annotated[str | None, convention("nan")] = None,
    self_match: Annotated[str | None, convention("self_match")] = None,
    precision: Annotated[str | None, convention("precision")] = None,
    rel: Rel = None,
    weights: Annotated[str | None, typer.Option(metavar="FILE", help="Query weights: columns query, weight.")] = None,
    exclude: Annotated[
        str | None, typer.Option(metavar="FILE", help="Pairs taken out of every ranking: columns query, item.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another tool's conventions, such as trec_eval-9.")
    ] = None,
    aggregate: Annotated[
        str,
        typer.Option(
            "--aggregate", metavar="HOW", help="macro (means of queries), micro (sums of hits) or pooled (one list)."
        ),
    ] = "macro",
    judged: Annotated[bool, typer.Option("--judged", help="Also Judged@k for each cutoff.")] = False,
    format: Format = None,  # noqa: A002 - the name of the option
    gold_format: GoldFormat = None,
    output: Output = None,
    out: Out = None,
) -> None:
    """Measure runs by a gold standard.

    Example: assay evaluate gold.qrels bm25.run dense.run -m "P@10 nDCG@10"
    """
    form = chosen(output, out, FORMS)
    said = {
        "ties": None if ties == "range" else ties, "missing": missing, "empty": empty, "extra": extra,
        "duplicates": duplicates, "unjudged": unjudged, "negative": negative, "nan": nan,
        "self_match": self_match, "precision": precision,
    }  # fmt: skip
    _check_standard_input([gold, *runs, weights, exclude])
    found = judge(
        (gold, gold_format), (runs, format), _wanted(measures, judged=judged),
        conventions({name: value for name, value in said.items() if value is not None}, profile),
        rel=number("--rel", rel), weights=weights, exclude=exclude, tie_range=ties == "range",
        aggregate=aggregate,
    )  # fmt: skip
    deliver(drawn(found, form, out, per_query=per_query), out)
    from assay.report.grid import merged_notices

    for line in merged_notices(found):
        notice(line)


def judge(
    gold: tuple[str, str | None],
    runs: tuple[list[str], str | None],
    measures: Any,
    conventions: "dict[str, Profile]",
    **options: Any,
) -> "list[Evaluation]":
    """Read the files, each with its format if one is named, and evaluate."""
    from assay.evaluate import evaluate_all
    from assay.formats import read_gold, read_run

    paths, format_of_runs = runs
    truth = read_gold(*gold)
    answers = [read_run(path, format_of_runs) for path in paths]
    return evaluate_all(truth, answers, measures, **conventions, **options)


def conventions(said: dict[str, str], profile: str | None) -> dict[str, Any]:
    """Return the policy or, where one is named, the profile; what was said outright wins."""
    from assay.core.policy import Policy
    from assay.core.profiles import PROFILES

    if profile is None:
        return {"policy": Policy().but(**said)}
    return {"profile": PROFILES[profile].but(**said)}


def drawn(found: "list[Evaluation]", form: str, out: str | None, *, per_query: bool) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay.report import documents, terminal

    if form in {"json", "jsonl"}:
        write = documents.to_json if form == "json" else documents.to_jsonl
        return write(found, SETTINGS.argv)
    if form in {"csv", "tsv", "parquet"}:
        return documents.to_table(documents.to_frame(found, per_query=per_query), form)
    if form in {"markdown", "latex"}:
        return {"markdown": documents.to_markdown, "latex": documents.to_latex}[form](found)
    columns = 80 if out else width()
    rows = terminal.per_query(found, width=columns) if per_query else ""
    return rows + terminal.render(found, width=columns, colour=colour(out))


def _wanted(measures: list[str] | None, *, judged: bool) -> Any:
    from assay.evaluate import DEFAULT
    from assay.measures import MEASURES, parse_many

    wanted = measures or [DEFAULT]
    if not judged:
        return wanted
    cutoffs = sorted({one.measure.k for one in parse_many(wanted) if getattr(one.measure, "k", None)})  # type: ignore[attr-defined]
    return [*wanted, *(MEASURES["Judged"] @ k for k in cutoffs)]


def number(option: str, text: str | None) -> float | None:
    """Read the number that an option was given."""
    try:
        return None if text is None else float(text)
    except ValueError:
        msg = f"{option}: expected a number, found {text!r}"
        raise ParameterError(msg) from None


def _check_standard_input(paths: list[str | None]) -> None:
    if paths.count("-") > 1:
        msg = f"standard input (-): expected once, found {paths.count('-')} times"
        raise ParameterError(msg)
