"""`assay entities churn BEFORE AFTER`: what changed between two sets of clusters of the same records."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.entities.options import require_one_pipe
from assay.cli.options import Out, TableOrJson
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import whole
from assay.cli.verbs import SETTINGS

FORMS = ("table", "json")


def churn(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="Clusters (record,entity) before.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="Clusters after; their names may differ.")],
    *,
    listed: Annotated[str, typer.Option("--listed", metavar="N", help="How many splits and merges to name.")] = "20",
    output: TableOrJson = None,
    out: Out = None,
) -> None:
    """Say what changed between two resolutions: clusters kept, split and merged, records that moved.

    Example: assay entities churn may.csv june.csv
    """
    form = chosen(output, out, FORMS)
    from assay._version import __version__
    from assay.report import entities_churn
    from assay.report.documents import strict_json
    from assay.report.names import labels, visible
    from assay.tasks.entities.churn import compare_resolutions
    from assay.tasks.entities.records import as_clusters

    require_one_pipe(before, after)
    found = compare_resolutions(as_clusters(before), as_clusters(after), listed=whole("--listed", listed, lowest=0))
    if form == "json":
        about = {"assay": __version__, "command": SETTINGS.argv, "before": before, "after": after}
        deliver(strict_json(about | found.to_dict()), out)
    else:
        first, second = labels([Path(before).name, Path(after).name], [before, after])
        deliver(
            entities_churn.render(found, (visible(first), visible(second)), 80 if out else width(), colour=colour(out)),
            out,
        )
