"""`assay compare GOLD RUN RUN...`: which run is better, by how much, how sure that is, and on which queries."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import (
    Alpha,
    Baseline,
    By,
    Correction,
    Costs,
    Level,
    Margin,
    MeasuresOption,
    Out,
    Pairs,
    Seed,
    Significance,
    one_of,
)
from assay.cli.output import chosen, colour, deliver, notice, say_left_out, width
from assay.cli.terms import Terms, number, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.comparison import Comparison

FORMS = ("table", "json", "csv", "tsv", "markdown", "latex", "parquet", "junit", "html")

Output = Annotated[str | None, one_of(FORMS)]


@on_terms
def compare(
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="The gold standard; or results of assay evaluate -o json, without it.")
    ],
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN...", help="Two or more runs.")] = None,
    *,
    terms: Terms,
    measures: MeasuresOption = None,
    baseline: Baseline = None,
    pairs: Pairs = "baseline",
    test: Significance = "flips",
    correction: Correction = "holm",
    alpha: Alpha = "0.05",
    level: Level = "0.95",
    flips: Annotated[str, typer.Option("--flips", metavar="N", help="How often signs are flipped.")] = "10000",
    seed: Seed = "0",
    margin: Margin = None,
    by: By = None,
    costs: Costs = None,
    movers: Annotated[
        str, typer.Option("--movers", metavar="N", help="How many queries helped and hurt most to name.")
    ] = "5",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Compare results of different gold or conventions all the same.")
    ] = False,
    output: Output = None,
    out: Out = None,
) -> None:
    """Compare runs: which is better, by how much, how sure, on which queries.

    Exit code 0 also when a run is worse; 3: results that cannot be compared, as they were made with different gold.

    Example: assay compare gold.qrels old.run new.run -m "nDCG@10 AP"

    Example: assay compare old.json new.json
    """
    form = chosen(output, out, FORMS)
    from assay.report.grid import merged_notices

    statistics = {
        "baseline": baseline, "pairs": pairs, "test": test, "correction": correction,
        "alpha": number("--alpha", alpha), "level": number("--level", level), "flips": whole("--flips", flips),
        "seed": whole("--seed", seed), "margin": number("--margin", margin), "movers": whole("--movers", movers),
    }  # fmt: skip
    results = _results([gold, *(runs or [])], measures, terms)
    if results:
        _nothing_to_cost(costs)
        found = _of_results(results, by, form, anyway=anyway, **statistics)
        deliver(drawn(found, form, out), out)
    else:
        inputs = terms.read(gold, _several(runs or [], terms), by, costs)
        asked = {"by": by, "costs": costs} | statistics | terms.options()
        found, content = _of_runs(inputs, measures, form, out, asked)
        deliver(content, out)
        _say_left_out(found, form)
    for line in (*merged_notices(found.evaluations), *(f"Note: {one}" for one in found.notices)):
        notice(line)


def _of_results(results: list[str], by: str | None, form: str, *, anyway: bool, **statistics: Any) -> "Comparison":
    """Return the comparison of results that are there already."""
    from assay.compare import compare_evaluations, read_results

    if form == "html":
        msg = "html: expected GOLD and runs, of which a page shows the rankings, found results"
        raise ParameterError(msg, hint="-o table, json, markdown, latex, csv or junit.")
    return compare_evaluations(read_results(results), by=by, anyway=anyway, **statistics)


def _of_runs(
    inputs: tuple[Any, list[Any]], measures: list[str] | None, form: str, out: str | None, asked: dict[str, Any]
) -> "tuple[Comparison, str | bytes]":
    """Return the comparison of runs, and it drawn in the form that was asked for."""
    from assay.compare import COMPARED

    if form != "html":
        from assay.compare import compare as compare_runs

        found = compare_runs(*inputs, measures or COMPARED, **asked)
        return found, drawn(found, form, out)
    from assay.dossier import dossier
    from assay.report.html import render

    page = dossier(*inputs, measures or COMPARED, command=("assay", *SETTINGS.argv), **asked)
    if page.comparison is None:  # never: there are two runs or more
        raise ParameterError("html: expected a comparison, found none")
    return page.comparison, render(page, short=True)


def _several(runs: list[str], terms: Terms) -> list[str]:
    """Refuse fewer runs than two, and a range of tie rules, under which no query has a single value."""
    if len(runs) < 2:
        msg = f"compare: expected two runs or more, found {len(runs)}"
        raise ParameterError(msg, hint="assay evaluate GOLD RUN measures a single run.")
    terms.require_one_order()
    return runs


def _say_left_out(found: "Comparison", form: str) -> None:
    """Say which parts of a comparison the form does not hold."""
    costs = ["costs"] if found.costs and form in {"csv", "tsv", "parquet", "latex", "junit"} else []
    slices = ["slices"] if found.slices and form == "latex" else []
    say_left_out(form, *slices, *costs)


def _nothing_to_cost(costs: str | None) -> None:
    """Refuse costs beside results, which do not hold what their runs cost."""
    if costs is not None:
        msg = f"--costs: expected GOLD and runs to show costs beside, found results and {costs}"
        raise ParameterError(msg, hint="assay compare GOLD RUN RUN --costs FILE shows them.")


def drawn(found: "Comparison", form: str, out: str | None) -> str | bytes:
    """Return the output in the form that was asked for."""
    from assay.report import comparison_documents, comparison_terminal, documents, junit

    if form == "json":
        return comparison_documents.to_json(found, SETTINGS.argv)
    if form in {"csv", "tsv", "parquet"}:
        return documents.to_table(comparison_documents.to_frame(found), form)
    if form == "table":
        return comparison_terminal.render(found, width=80 if out else width(), colour=colour(out))
    write = {
        "markdown": comparison_documents.to_markdown, "latex": comparison_documents.to_latex, "junit": junit.render,
    }  # fmt: skip
    return write[form](found)


def _results(paths: list[str], measures: list[str] | None, terms: Terms) -> list[str]:
    """Return the paths where they are results; refuse runs among them, and conventions that results have already."""
    from assay.compare import is_result

    if not is_result(paths[0]):
        return []
    other = next((path for path in paths if not is_result(path)), None)
    if other is not None:
        msg = f"{other}: expected a result of assay evaluate -o json beside {paths[0]}, found another file"
        raise ParameterError(msg, hint="compare results with results, or GOLD with runs.")
    if measures or terms != Terms({}):
        msg = "compare: expected results as they are, found measures or conventions for them"
        raise ParameterError(msg, hint="they are part of a result; evaluate the runs again to change them.")
    return paths
