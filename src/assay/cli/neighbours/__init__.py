"""`assay neighbours`: the quality of vectors; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "evaluate": "Compare neighbours with labels, or with an index.",
    "drift": "Compare two versions of the same vectors.",
}

app = group("assay.cli.neighbours", VERBS)


@app.callback(invoke_without_command=True)
def neighbours(ctx: typer.Context) -> None:
    """Judge vectors by their nearest neighbours: embeddings, an index over them, their drift.

    Begin with: assay neighbours evaluate vectors.npy --labels labels.tsv
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
