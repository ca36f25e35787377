"""`assay history gate GOLD RUN`: may this change pass? It blocks real drops alone, and names the queries that lost."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.history.options import Dashboard, Webhook, kept
from assay.cli.history.telling import require_webhook, tell
from assay.cli.options import Out, Seed, one_of
from assay.cli.output import chosen, colour, deliver, notice, width
from assay.cli.terms import Terms, on_terms, whole
from assay.cli.verbs import SETTINGS
from assay.errors import InputError, ParameterError

if TYPE_CHECKING:
    from assay.core.gate import Gate

FORMS = ("table", "json", "junit", "markdown", "github")


@on_terms
def gate(
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="The gold standard; or the result of a task (-o json), without RUN.")
    ],
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="The run to judge: a file, a folder of Parquet files.")
    ] = None,
    *,
    terms: Terms,
    config: Annotated[
        str, typer.Option("--config", metavar="FILE", help="The settings: a TOML file with a table [gate].")
    ] = "assay.toml",
    baseline_file: Annotated[
        str | None,
        typer.Option("--baseline-file", metavar="FILE", help="The baseline [assay.baseline.json, beside assay.toml]."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="URL",
            callback=kept,
            help="The store whose pinned baseline is taken: a file or postgresql://.",
        ),
    ] = None,
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="NAME", help="The suite of the store [the name of the gold].")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Make this run the baseline, and decide nothing.")
    ] = False,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept", metavar="WHAT", help="May differ from the baseline: gold, queries, corpus, policy ..."
        ),
    ] = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="FILE", help="What was searched, or a file that stands for it.")
    ] = None,
    code: Annotated[
        str | None, typer.Option("--code", metavar="REV", help="The revision of the system [that of this folder].")
    ] = None,
    summary: Annotated[
        str | None, typer.Option("--summary", metavar="FILE", help="Append a summary in Markdown to this file as well.")
    ] = None,
    junit: Annotated[
        str | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML to this file as well.")
    ] = None,
    webhook: Webhook = None,
    dashboard: Dashboard = None,
    seed: Seed = "0",
    output: Annotated[str | None, one_of(FORMS)] = None,
    out: Out = None,
) -> None:
    """Hold a run against a baseline, and block real drops alone: large enough, and no chance.

    Exit code 0: passed. 1: blocked. 2: a mistake in usage or input. 3: cannot decide,
    as there is no baseline yet, it is of other data, or queries or judgments are too few.

    Example: assay history gate gold.qrels bm25.run --config assay.toml

    Example: assay history gate gold.qrels bm25.run --update-baseline

    Example: assay history gate rag.json --config rag.toml
    """
    form = chosen(output, out, FORMS, junit)
    require_webhook(webhook)
    from assay.history.alerts import of_gate
    from assay.history.gate import gate as held
    from assay.history.gate import read_settings
    from assay.history.gate import update_baseline as renewed

    (truth, answers), options = _read(gold, run, terms)
    asked: dict[str, Any] = {"baseline": baseline_file, "store": store, "suite": suite, "corpus": corpus, "code": code}
    if update_baseline:
        made, place = renewed(truth, answers, config, **asked, **options)
        notice(f"Note: {place} now holds {made.name} as the baseline of {made.suite} ({len(made.queries):,} queries).")
        return
    said: dict[str, Any] = {"accept": accept or (), "seed": whole("--seed", seed)}
    found = _begun(held(truth, answers, config, **asked, **said, **options))
    deliver(_drawn(found, form, out), out)
    _beside(found, summary, junit)
    tell(webhook, store or read_settings(config).store, lambda: of_gate(found, dashboard))
    raise typer.Exit(found.exit_code)


def _read(gold: str, run: str | None, terms: Terms) -> tuple[tuple[Any, Any], dict[str, Any]]:
    """Return what is judged, gold and run or a result that holds both, and how."""
    if run is not None:
        terms.require_one_order()
        truth, runs = terms.read(gold, [run])
        return (truth, runs[0]), terms.options()
    from assay.compare import is_result

    if not is_result(gold):
        msg = f"{gold}: expected a RUN beside it, or the result of a task (-o json) alone, found neither"
        raise ParameterError(msg)
    if terms != Terms({}):
        raise ParameterError("gate: expected a result as it is, found conventions for it")
    return (gold, None), {}


def _begun(found: "Gate") -> "Gate":
    """Write the file of a baseline where there is none yet, unless a figure is beyond its limit.

    One in a store is pinned by those who decide it.
    """
    from assay.core.gate import BLOCKED

    if found.before is not None or found.place.stored or found.decision == BLOCKED:
        return found
    from assay.history.gate import Places, keep_baseline

    file = found.place.baseline
    keep_baseline(found.now, Places(file, None))
    said = (
        f"{file} is written, and holds this run as the baseline: look at it and commit it; the next run is held to it."
    )
    return replace(found, notices=(*found.notices, said))


def _drawn(found: "Gate", form: str, out: str | None) -> str:
    from assay.report import gate_documents, gate_junit, gate_terminal

    if form == "json":
        return gate_documents.to_json(found, SETTINGS.argv)
    if form == "table":
        return gate_terminal.render(found, width=80 if out else min(width(), 100), colour=colour(out))
    write = {"junit": gate_junit.render, "markdown": gate_documents.to_markdown, "github": gate_documents.to_github}
    return write[form](found)


def _beside(found: "Gate", summary: str | None, junit: str | None) -> None:
    """Write what build servers read beside the output."""
    from assay.report import gate_documents, gate_junit

    if junit is not None:
        deliver(gate_junit.render(found), junit)
    if summary is not None:
        try:
            with Path(summary).open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(gate_documents.to_markdown(found))
        except OSError as error:
            msg = f"{summary}: expected a file to append to, found an error: {error.strerror}"
            raise InputError(msg) from None
