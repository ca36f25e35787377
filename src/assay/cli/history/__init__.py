"""`assay history`: evaluations over time; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "add": "Record evaluations in a store.",
    "show": "List suites, or follow the figures of one.",
    "edit": "Pin a recorded evaluation as baseline, or note a remark.",
    "rejudge": "Judge recorded runs by another gold standard.",
    "gate": "Hold a run against a baseline; block real drops alone.",
    "drift": "Tell what fell over time, since when, and why.",
    "serve": "Serve a dashboard of a store in the browser.",
}

app = group("assay.cli.history", VERBS)


@app.callback(invoke_without_command=True)
def history(ctx: typer.Context) -> None:
    """Follow quality over time: record evaluations, pin a baseline, let only real drops fail, see drift.

    Begin with: assay history add GOLD RUN --store history.db
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
