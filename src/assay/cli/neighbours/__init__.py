"""`assay neighbours`: the quality of vectors; one file is one verb, and `VERBS` names them all."""

from collections.abc import Callable
from typing import Any

import typer

from assay.cli.neighbours import drift, evaluate
from assay.cli.verbs import Verb, Verbs

VERBS: dict[str, Callable[..., Any]] = {
    "evaluate": evaluate.evaluate,
    "drift": drift.drift,
}

app = typer.Typer(cls=Verbs, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
for _name, _verb in VERBS.items():
    app.command(_name, cls=Verb)(_verb)


@app.callback(invoke_without_command=True)
def neighbours(ctx: typer.Context) -> None:
    """Judge vectors by their nearest neighbours: embeddings, an index over them, their drift.

    Begin with: assay neighbours evaluate vectors.npy --labels labels.tsv
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
