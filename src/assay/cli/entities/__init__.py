"""`assay entities`: entity resolution; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "evaluate": "Judge candidates, pairs or clusters of records.",
    "compare": "Say which resolution is better, record by record.",
    "explain": "Show where the number of one record comes from.",
    "report": "Write one HTML page that works offline.",
    "estimate": "Estimate figures of clusters from a few true ones.",
    "churn": "Say what changed between two sets of clusters.",
}

app = group("assay.cli.entities", VERBS)


@app.callback(invoke_without_command=True)
def entities(ctx: typer.Context) -> None:
    """Judge entity resolution: which records are the same, and who finds them.

    Begin with: assay entities evaluate truth.csv candidates.csv
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
