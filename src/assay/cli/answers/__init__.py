"""`assay answers`: questions with SPARQL or text; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "scaffold": "Write a suite from a graph or from a log of queries.",
    "run": "Ask a graph or an endpoint all questions of a suite.",
    "evaluate": "Measure answers by the right ones.",
    "check": "Say which right answers may not be trusted.",
    "probe": "Ask an endpoint what a correct one answers.",
}

app = group("assay.cli.answers", VERBS)


@app.callback(invoke_without_command=True)
def answers(ctx: typer.Context) -> None:
    """Judge the answers that a graph, an endpoint or a search service gives to the questions of a suite.

    Begin with: assay answers run SUITE --graph FILE
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
