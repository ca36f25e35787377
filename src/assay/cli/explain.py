"""`assay explain GOLD RUN [RUN2]`: where the number of one query comes from, place by place."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import GoldPath, Out, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.terms import Terms, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.explanation import ExplainedChange
    from assay.core.explanation import Explanation as Explained

FORMS = ("table", "json", "markdown")
MOST_RUNS = 2


@partial(on_terms, without={"weights"})
def explain(
    gold: GoldPath,
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="A run, or two: then what lies between them is explained.")
    ],
    *,
    terms: Terms,
    query: Annotated[
        list[str] | None,
        typer.Option("--query", metavar="ID", help="The query to explain; else the worst, or the most changed."),
    ] = None,
    worst: Annotated[
        str | None, typer.Option("--worst", metavar="N", help="The N worst queries, or the N most changed.")
    ] = None,
    measures: Annotated[
        list[str] | None, typer.Option("-m", "--measures", metavar="TEXT", help='One measure, such as "nDCG@10" [AP].')
    ] = None,
    places: Annotated[str, typer.Option("--places", metavar="N", help="How many places to show.")] = "20",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Show where the number of one query comes from: what each place contributes, what was missed.

    Example: assay explain gold.qrels bm25.run --query q7 -m nDCG@10

    Example: assay explain gold.qrels bm25.run dense.run --worst 3
    """
    form = chosen(output, out, FORMS)
    check(terms, runs, query, worst)
    truth, answers = terms.read(gold, runs)
    asked: dict[str, Any] = {"query": query, "worst": worst, "measure": " ".join(measures or ["AP"]), "places": places}
    explained(truth, answers, terms.options(), form=form, out=out, **asked)


def explained(
    truth: Any,
    answers: list[Any],
    options: dict[str, Any],
    *,
    query: list[str] | None,
    worst: str | None,
    measure: str,
    places: str,
    form: str,
    out: str | None,
) -> None:
    """Write the explanation of one run, or of what lies between two."""
    from assay.explain import explain_changes, explain_many, require_places

    options = {name: value for name, value in options.items() if name != "weights"}
    shown = whole("--places", places)
    require_places(shown)
    queries, why = (query, "") if query else _chosen(truth, answers, measure, worst, options)
    options["places"] = shown
    found: Sequence[Explained | ExplainedChange]
    if len(answers) == 1:
        found = explain_many(truth, answers[0], queries, measure, **options)
    else:
        found = explain_changes(truth, answers[0], answers[1], queries, measure, **options)
    if why:
        notice(why)
    deliver(_drawn(found, form, out), out)


def check(terms: Terms, runs: list[str], query: list[str] | None, worst: str | None) -> None:
    """Refuse what has no meaning for one query of one or two runs."""
    if len(runs) > MOST_RUNS:
        msg = f"explain: expected one run or two, found {len(runs)}"
        raise ParameterError(msg)
    if query and worst is not None:
        msg = "explain: expected --query or --worst, found both"
        raise ParameterError(msg)
    if terms.tie_range:
        msg = "explain: expected one order of tied items, found --ties range"
        raise ParameterError(msg)


def _chosen(gold: Any, runs: list[Any], measure: str, worst: str | None, options: Any) -> tuple[list[str], str]:
    """Return the worst queries, or the most changed, and a sentence that says so."""
    from assay.evaluate import evaluate_all
    from assay.explain import most_changed
    from assay.explain import worst as worst_of

    many = 1 if worst is None else whole("--worst", worst)
    if many < 1:
        msg = f"--worst: expected a number of at least 1, found {many}"
        raise ParameterError(msg)
    found = evaluate_all(gold, runs, measure, **options)
    name = found[0].figures[0].name
    queries = worst_of(found[0], name, many) if len(found) == 1 else most_changed(found[0], found[1], name, many)
    if not queries:
        msg = f"{name}: expected a query with a value, found none"
        raise ParameterError(msg, hint="--query names a query to look at.")
    kind = "worst" if len(found) == 1 else "most changed"
    count = f"{kind} query" if len(queries) == 1 else f"{len(queries)} {kind} queries"
    of = f"of {found[0].figures[0].queries:,} by {name} (of equal ones the first by id)"
    return queries, f"Note: the {count} {of}; --query names another."


def _drawn(found: "Sequence[Explained | ExplainedChange]", form: str, out: str | None) -> str:
    """Return the output in the form that was asked for."""
    from assay._version import __version__
    from assay.core.explanation import Explanation
    from assay.report import explanation
    from assay.report.documents import strict_json

    if form == "json":
        kinds: dict[str, list[Any]] = {"explanations": [], "changes": []}
        for one in found:
            kinds["explanations" if isinstance(one, Explanation) else "changes"].append(one.to_dict())
        return strict_json({"assay": __version__, "command": SETTINGS.argv} | kinds)
    if form == "markdown":
        return "\n".join(explanation.to_markdown(one) for one in found)
    columns = 80 if out else width()
    return "\n\n".join(explanation.render(one, width=columns, colour=colour(out)) for one in found)
