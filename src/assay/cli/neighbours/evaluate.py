"""`assay neighbours evaluate VECTORS`: whether near vectors belong together, and whether an index finds them."""

from typing import Annotated, Any

import typer

from assay.cli.neighbours.options import Count, Key, Level, MetricName, Names
from assay.cli.neighbours.progress import progress
from assay.cli.options import Out, Seed, TableOrJson
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS

FORMS = ("table", "json")


def evaluate(
    vectors: Annotated[
        str, typer.Argument(metavar="VECTORS", help="npy, npz, safetensors, Parquet, HDF5 or word2vec text.")
    ],
    *,
    names: Names = None,
    labels: Annotated[
        str | None,
        typer.Option("--labels", metavar="FILE", help="Columns name, label; or a label for each row, one a line."),
    ] = None,
    similar: Annotated[
        str | None, typer.Option("--similar", metavar="GOLD", help="Gold similar sets: query, item, grade, by name.")
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(
            "--index", metavar="RESULT", help="What an index found: npy or npz of row numbers, or a run of names."
        ),
    ] = None,
    clusters: Annotated[
        str | None, typer.Option("--clusters", metavar="FILE", help="Clusters, as labels; else k-means makes them.")
    ] = None,
    key: Key = None,
    k: Count = "10",
    metric: MetricName = "cosine",
    queries: Annotated[
        str | None, typer.Option("--queries", metavar="N", help="Ask only N vectors, drawn by chance [all].")
    ] = None,
    level: Level = "0.95",
    seed: Seed = "0",
    output: TableOrJson = None,
    out: Out = None,
) -> None:
    """Judge vectors by their exact nearest neighbours.

    Example: assay neighbours evaluate vectors.npy --names names.txt --labels types.tsv

    Example: assay neighbours evaluate vectors.npy --index faiss-ids.npy -k 10
    """
    form = chosen(output, out, FORMS)
    from assay.report import neighbours
    from assay.report.documents import strict_json
    from assay.tasks.neighbours import evaluate_vectors

    known: Any = {
        "names": names,
        "key": key,
        "labels": labels,
        "similar": similar,
        "index": index,
        "clusters": clusters,
        "metric": metric,
    }
    with progress("nearest neighbours") as bar:
        found = evaluate_vectors(
            vectors, k=whole("-k", k), queries=None if queries is None else whole("--queries", queries),
            interval=number("--level", level), seed=whole("--seed", seed), progress=bar, **known,
        )  # fmt: skip
    if form == "json":
        deliver(strict_json(found.to_dict(command=SETTINGS.argv)), out)
    else:
        deliver(neighbours.render(found, 80 if out else width(), colour=colour(out)), out)
