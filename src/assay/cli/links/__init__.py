"""`assay links`: knowledge-graph completion; one file is one verb, and `VERBS` names them all."""

from collections.abc import Callable
from typing import Any

import typer

from assay.cli.links import audit, compare, evaluate, sample, threshold
from assay.cli.verbs import Verb, Verbs

VERBS: dict[str, Callable[..., Any]] = {
    "audit": audit.audit,
    "evaluate": evaluate.evaluate,
    "compare": compare.compare,
    "threshold": threshold.threshold,
    "sample": sample.sample,
}

app = typer.Typer(cls=Verbs, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
for _name, _verb in VERBS.items():
    app.command(_name, cls=Verb)(_verb)


@app.callback(invoke_without_command=True)
def links(ctx: typer.Context) -> None:
    """Judge link predictors: TransE, ComplEx, TransR, graph neural networks and any other.

    Begin with: assay links audit --train train.tsv --valid valid.tsv --test test.tsv
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
