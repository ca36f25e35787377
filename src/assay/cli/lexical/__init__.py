"""`assay lexical`: search by words; one file is one verb, and `VERBS` names them all."""

import typer

from assay.cli.groups import group

VERBS = {
    "search": "Make a run: BM25 and its kin over documents.",
    "expand": "Say what expansion and feedback bring, by query.",
    "diagnose": "Say why relevant documents are not found.",
    "compare": "Hold sparse, dense and hybrid runs side by side.",
}

app = group("assay.cli.lexical", VERBS)


@app.callback(invoke_without_command=True)
def lexical(ctx: typer.Context) -> None:
    """Search by words, and say why that misses: other words, another form of a word, or another order.

    Begin with: assay lexical search --documents corpus.jsonl --queries queries.tsv --out bm25.run
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
