"""`assay history add GOLD RUN... --store URL`: evaluations into a store."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.history.added import deliver_added
from assay.cli.history.options import Store, moment, tags
from assay.cli.options import By, MeasuresOption, Seed, TableOrJson
from assay.cli.output import chosen, notice
from assay.cli.terms import Terms, number, on_terms, whole
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.history import Recorded
    from assay.history.mlflow import Tracking


@on_terms
def add(
    gold: Annotated[
        str | None, typer.Argument(metavar="GOLD", help="The gold standard: a file, or - for standard input.")
    ] = None,
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN...", help="One or more runs.")] = None,
    *,
    terms: Terms,
    store: Store,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite", metavar="NAME", help="What evaluations are followed together [the gold's name, or the task]."
        ),
    ] = None,
    baseline: Annotated[bool, typer.Option("--baseline", help="Pin it as the baseline of its suite.")] = False,
    result: Annotated[
        list[str] | None,
        typer.Option("--result", metavar="JSON", help="Instead of GOLD RUN: what any verb that evaluates wrote ..."),
    ] = None,
    mlflow_json: Annotated[
        str | None, typer.Option("--mlflow-json", metavar="JSON", help="Runs of MLflow, as its API lists them.")
    ] = None,
    log_mlflow: Annotated[
        str | None, typer.Option("--log-mlflow", metavar="URL", help="Also log to the MLflow server there.")
    ] = None,
    measures: MeasuresOption = None,
    by: By = None,
    interval: Annotated[
        str, typer.Option("--interval", metavar="LEVEL", help="Confidence of the intervals, or none.")
    ] = "0.95",
    head: Annotated[
        str, typer.Option("--head", metavar="K", help="Items of each query to keep, for new gold; 0: none.")
    ] = "10",
    name: Annotated[
        str | None, typer.Option("--name", metavar="TEXT", help="What to call it [the run's name].")
    ] = None,
    time: Annotated[
        str | None, typer.Option("--time", metavar="TIME", help="When it was made, ISO 8601 [now].")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="NAME=VALUE", help="Such as branch=main ...")
    ] = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="FILE", help="What was searched; its digest is kept.")
    ] = None,
    code: Annotated[
        str | None,
        typer.Option("--code", metavar="REV", help="The revision judged [that of Git here; none with --time]."),
    ] = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="A remark.")] = "",
    seed: Seed = "0",
    output: TableOrJson = None,
) -> None:
    """Record evaluations in a store: figures, the value of each query, the first items, and what they were made of.

    Example: assay history add gold.qrels nightly.run --store history.db -m "AP nDCG@10" --tag branch=main

    Example: assay history add --result validity.json --store postgresql://ci@db/quality --suite graph
    """
    form = chosen(output, None, ("table", "json"))
    said: dict[str, Any] = {
        "suite": suite, "name": name, "time": moment("--time", time), "tags": tags(tag), "baseline": baseline,
        "note": note,
    }  # fmt: skip
    _require_one_source(gold, result, mlflow_json)
    if gold is None:
        _require_gold({"RUN": runs, "-m": measures, "--by": by})
    tracking = None if log_mlflow is None else _tracking(log_mlflow)
    if mlflow_json is not None:
        _require_gold({"--corpus": corpus}, "GOLD RUN or --result")
        found = _of_mlflow(mlflow_json, said | {"code": code})
    else:
        said |= {"corpus": corpus, "code": code or (_code() if time is None else None)}
        chance = {"interval": None if interval == "none" else number("--interval", interval)}
        asked = chance | {"seed": whole("--seed", seed), "measures": measures, "by": by}
        kept = whole("--head", head, lowest=0)
        given = (gold or "", runs or [])
        found = _of_results(result, said) if result else _of_runs(terms, given, asked, said | {"head": kept})
    _require_one_baseline(found)
    added = _stored(store, found)
    if tracking is not None:
        _log(tracking, added)
    deliver_added(store, added, form)


def _require_one_source(gold: str | None, result: list[str] | None, mlflow_json: str | None) -> None:
    given = [
        what for what, there in (("GOLD RUN", gold), ("--result", result), ("--mlflow-json", mlflow_json)) if there
    ]
    if len(given) != 1:
        msg = f"expected one of GOLD RUN, --result and --mlflow-json, found {' and '.join(given) or 'none'}"
        raise ParameterError(msg, hint="assay history add GOLD RUN --store history.db")


def _require_gold(given: dict[str, Any], what: str = "GOLD RUN") -> None:
    """Refuse what has no meaning without them."""
    if named := [name for name, value in given.items() if value]:
        raise ParameterError(f"{named[0]}: expected {what} beside it, found none")


def _require_one_baseline(found: "list[Recorded]") -> None:
    pinned: dict[str, int] = {}
    for one in found:
        pinned[one.suite] = pinned.get(one.suite, 0) + one.baseline
    if many := [count for count in pinned.values() if count > 1]:
        raise ParameterError(f"--baseline: expected one evaluation of a suite, found {many[0]}")


def _code() -> str | None:
    from assay.history.circumstances import code_version

    return code_version()


def _of_runs(
    terms: Terms, files: tuple[str, list[str]], asked: dict[str, Any], said: dict[str, Any]
) -> "list[Recorded]":
    """Return the evaluation of each run."""
    from assay.evaluate import DEFAULT, evaluate_all
    from assay.history.record import record
    from assay.report.grid import merged_notices

    gold, runs = files
    if not runs:
        raise ParameterError("RUN: expected a run beside the gold, found none")
    terms.require_one_order()
    by, measures = asked.pop("by"), asked.pop("measures") or DEFAULT
    truth, answers = terms.read(gold, runs, by, said["corpus"])
    options = terms.options()
    found = evaluate_all(truth, answers, measures, **asked, **options)
    for line in merged_notices(found):
        notice(line)
    more = said | {"suite": said["suite"] or truth.name, "gold": truth, "by": by}
    more |= {name: options[name] for name in ("exclude", "weights")}
    return [record(one, run=run, **more) for run, one in zip(answers, found, strict=True)]


def _of_results(paths: list[str], said: dict[str, Any]) -> "list[Recorded]":
    from assay.history.results import results

    return [one for path in paths for one in results(path, **said)]


def _of_mlflow(path: str, said: dict[str, Any]) -> "list[Recorded]":
    from assay.history.mlflow_runs import mlflow_runs

    return list(mlflow_runs(path, **said))


def _stored(store: str, found: "list[Recorded]") -> "list[Recorded]":
    from assay.store.evaluations import HistoryStore

    with HistoryStore.open(store) as opened:
        return list(opened.add_all(found))


def _tracking(url: str) -> "Tracking":
    from assay.history.mlflow import Tracking

    return Tracking.open(url)


def _log(tracking: "Tracking", added: "list[Recorded]") -> None:
    with tracking:
        for one in added:
            notice(f"{one.name}: logged as run {tracking.log(one)} of experiment {one.suite}.")
