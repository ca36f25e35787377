"""Arguments and options that several verbs share."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

GoldPath = Annotated[str, typer.Argument(metavar="GOLD", help="The gold standard: a file, or - for standard input.")]
RunPaths = Annotated[
    list[str],
    typer.Argument(metavar="RUN...", help="One or more runs: files, folders of Parquet files, patterns in quotes."),
]
MeasuresOption = Annotated[
    list[str] | None,
    typer.Option("-m", "--measures", metavar="TEXT", help='Such as "P@{1,5,10} nDCG@10 AP"; assay measures lists all.'),
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The format of the runs: trec, csv, jsonl ...; else recognised."),
]
GoldFormat = Annotated[str | None, typer.Option("--gold-format", metavar="NAME", help="The format of the gold.")]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="What a run may take, such as 4GB; a larger one is read several times [half of the machine's memory].",
    ),
]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="What counts ranks: polars, or duckdb, spark or dask, which read Parquet and CSV, of any size [polars].",
    ),
]
EngineOptions = Annotated[
    list[str] | None,
    typer.Option("--engine-option", metavar="NAME=VALUE", help="A setting of the engine, such as memory_limit=3GB ..."),
]
Rel = Annotated[str | None, typer.Option("--rel", metavar="N", help="The lowest grade that is relevant [1].")]
Baseline = Annotated[
    str | None,
    typer.Option("--baseline", metavar="NAME", help="The run that the others are held against [the first]."),
]
Pairs = Annotated[str, typer.Option("--pairs", metavar="WHICH", help="baseline, or all: each run against each.")]
Significance = Annotated[
    str, typer.Option("--test", metavar="NAME", help="flips (randomisation), t, wilcoxon or wilcoxon-approx.")
]
Correction = Annotated[
    str, typer.Option("--correction", metavar="NAME", help="For many tests: holm, hommel, bonferroni, bh or none.")
]
Alpha = Annotated[str, typer.Option("--alpha", metavar="P", help="Below which p a difference counts.")]
Level = Annotated[str, typer.Option("--level", metavar="LEVEL", help="Confidence of the intervals.")]
Margin = Annotated[str | None, typer.Option("--margin", metavar="X", help="A difference that does not matter.")]
Interval = Annotated[
    str | None,
    typer.Option("--interval", metavar="LEVEL", help="Also an interval of this confidence, such as 0.95."),
]
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="FILE",
        help="Each measure by group of queries: a file with query and other columns; or relevant, judged, retrieved.",
    ),
]
Costs = Annotated[
    str | None,
    typer.Option(
        "--costs", metavar="FILE", help="What queries cost: columns run, query and any of latency, tokens, price."
    ),
]
Seed = Annotated[str, typer.Option("--seed", metavar="N", help="Where chance starts.")]
Out = Annotated[str | None, typer.Option("--out", metavar="PATH", help="Write a file instead of printing.")]
TableOrJson = Annotated[str | None, typer.Option("-o", "--output", metavar="FORM", help="table or json.")]


def one_of(forms: Sequence[str]) -> Any:
    """Return the option that says in which of several forms a result is written, for Annotated."""
    return typer.Option(
        "-o", "--output", metavar="FORM", help=f"{', '.join(forms)}.", autocompletion=lambda: list(forms)
    )
