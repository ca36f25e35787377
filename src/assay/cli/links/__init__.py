"""`assay links`: knowledge-graph completion; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "audit": "Say what is wrong with a benchmark, before any number.",
    "evaluate": "Rank the true entity of each triple among all.",
    "compare": "Say which model is better, by how much, how surely.",
    "threshold": "Find the score above which predictions are right.",
    "sample": "Estimate from a sample, with what that costs.",
}

app = group("assay.cli.links", VERBS)


@app.callback(invoke_without_command=True)
def links(ctx: typer.Context) -> None:
    """Judge link predictors: TransE, ComplEx, TransR, graph neural networks and any other.

    Begin with: assay links audit --train train.tsv --valid valid.tsv --test test.tsv
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
