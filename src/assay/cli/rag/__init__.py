"""`assay rag`: retrieval for answers; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "evaluate": "Measure what retrieval brings of what answers need.",
    "compare": "Say which system is better, by how much, how surely.",
    "explain": "Show what one question needs, found and missed.",
    "stages": "Say where a pipeline loses what answers need.",
    "tune": "Hold one setting against the others.",
}

app = group("assay.cli.rag", VERBS)


@app.callback(invoke_without_command=True)
def rag(ctx: typer.Context) -> None:
    """Judge retrieval for answers, from graphs or passages, by the facts that each answer needs.

    Begin with: assay rag evaluate results.jsonl
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
