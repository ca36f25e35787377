"""`assay gold`: making a gold standard; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "pool": "Say which pairs to judge, from runs.",
    "judge": "Open a page to judge pairs, alone or with others.",
    "export": "Write what was judged as a gold standard.",
    "agree": "Measure how far judges agree.",
    "adjudicate": "Settle what judges disagree about.",
    "derive": "Make a gold standard from a source that knows.",
    "recall": "Estimate how much relevant was missed.",
    "clicks": "Make grades from clicks.",
}

app = group("assay.cli.gold", VERBS)


@app.callback(invoke_without_command=True)
def gold(ctx: typer.Context) -> None:
    """Make a gold standard: choose what to judge, judge it, measure agreement, settle what is disputed.

    Begin with: assay gold pool RUN... --depth 10 --out pool.csv
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
