"""`assay graph`: the graph itself; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "completeness": "Measure what is there of what should be.",
    "validity": "Measure which links keep the rules.",
    "suspects": "Rank the statements that look wrong.",
    "sample": "Draw statements for people to judge.",
    "estimate": "Estimate accuracy from judged statements.",
    "plan": "Say how many statements to judge, and what that costs.",
    "gaps": "Rank what to fetch or mend by the answers it costs.",
    "report": "Write one HTML page about a graph and its questions.",
}

app = group("assay.cli.graph", VERBS)


@app.callback(invoke_without_command=True)
def graph(ctx: typer.Context) -> None:
    """Judge a graph: what is missing in it, what is wrong, and what that costs the questions that people ask.

    Begin with: assay graph completeness GRAPH
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
