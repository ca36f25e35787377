"""`assay neighbours evaluate VECTORS`: whether near vectors belong together, and whether an index finds them."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.neighbours.options import FORMS, Count, Key, Level, MetricName, Names, Output, inputs_of
from assay.cli.options import Out, Seed
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import progress
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS

if TYPE_CHECKING:
    from assay.core.neighbours import NeighbourQuality


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
    output: Output = None,
    out: Out = None,
) -> None:
    """Judge vectors by their exact nearest neighbours.

    Example: assay neighbours evaluate vectors.npy --names names.txt --labels types.tsv

    Example: assay neighbours evaluate vectors.npy --index faiss-ids.npy -k 10
    """
    form = chosen(output, out, FORMS)
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
    inputs = inputs_of(vectors=vectors, names=names, labels=labels, similar=similar, index=index, clusters=clusters)
    deliver(drawn(found, form, out, inputs), out)


def drawn(found: "NeighbourQuality", form: str, out: str | None, inputs: list[tuple[str, str]]) -> str:
    """Return the output in the form that was asked for."""
    if form == "json":
        from assay.report.documents import strict_json
        from assay.verify.commands import digested

        return strict_json(found.to_dict(command=SETTINGS.argv, inputs=digested(inputs)))
    if form == "html":
        from assay.report.html.neighbours import render

        return render(found, command=("assay", *SETTINGS.argv), inputs=inputs)
    from assay.report import neighbours

    return neighbours.render(found, 80 if out else width(), colour=colour(out))
