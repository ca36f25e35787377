"""`assay entities estimate SAMPLE CLUSTERS`: figures of all clusters, from a sample of true ones, with intervals."""

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.entities.options import require_one_pipe
from assay.cli.options import Level, Out, TableOrJson
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS

FORMS = ("table", "json")


def estimate(
    sample: Annotated[
        str, typer.Argument(metavar="SAMPLE", help="Some true clusters, each whole: columns record, entity.")
    ],
    clusters: Annotated[str, typer.Argument(metavar="CLUSTERS", help="All proposed clusters: columns record, entity.")],
    *,
    design: Annotated[
        str, typer.Option("--design", metavar="HOW", help="clusters: each drawn alike; records: by drawing records.")
    ] = "clusters",
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="FILE", help="Instead: columns entity and weight.")
    ] = None,
    population: Annotated[
        str | None, typer.Option("--population", metavar="N", help="How many true clusters there are, where known.")
    ] = None,
    level: Level = "0.95",
    output: TableOrJson = None,
    out: Out = None,
) -> None:
    """Estimate precision and recall of all clusters from a sample of true ones.

    Example: assay entities estimate checked.csv resolved.csv --design records --population 40000
    """
    form = chosen(output, out, FORMS)
    from assay._version import __version__
    from assay.report import entities_sampled
    from assay.report.documents import strict_json
    from assay.report.names import visible
    from assay.tasks.entities.records import as_clusters, read_weights
    from assay.tasks.entities.sampled import estimate_clusters

    require_one_pipe(sample, clusters, weights)
    drawn: Any = design
    found = estimate_clusters(
        as_clusters(sample), as_clusters(clusters), design=drawn,
        weights=None if weights is None else read_weights(weights),
        population=None if population is None else whole("--population", population),
        level=number("--level", level) or 0.0,
    )  # fmt: skip
    if form == "json":
        about = {"assay": __version__, "command": SETTINGS.argv, "sample": sample, "proposed": clusters}
        deliver(strict_json(about | found.to_dict()), out)
    else:
        name = visible(Path(clusters).name)
        deliver(entities_sampled.render(found, name, 80 if out else width(), colour=colour(out)), out)
