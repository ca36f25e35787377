"""`assay neighbours drift OLD NEW`: what became of vectors between two versions."""

from typing import Annotated, Any

import typer

from assay.cli.neighbours.options import Count, Key, Level, MetricName, Names
from assay.cli.neighbours.progress import progress
from assay.cli.options import Out, Seed, TableOrJson
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

FORMS = ("table", "json")


def drift(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The vectors before.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The vectors after; rows are joined by name.")],
    *,
    names: Names = None,
    new_names: Annotated[
        str | None, typer.Option("--new-names", metavar="FILE", help="The names of NEW, if not those of --names.")
    ] = None,
    types: Annotated[
        str | None, typer.Option("--types", metavar="FILE", help="Columns name, type; or a type for each row of OLD.")
    ] = None,
    key: Key = None,
    k: Count = "10",
    metric: MetricName = "cosine",
    moved: Annotated[
        str, typer.Option("--moved", metavar="N", help="How many of the most moved to name [10].", show_default=False)
    ] = "10",
    twin: Annotated[
        str | None,
        typer.Option("--twin", metavar="FILE", help="OLD trained again with another seed: what chance alone changes."),
    ] = None,
    before: Annotated[
        str | None,
        typer.Option("--task-before", metavar="JSON", help="A task with OLD: a result of assay evaluate -o json."),
    ] = None,
    after: Annotated[str | None, typer.Option("--task-after", metavar="JSON", help="The same task with NEW.")] = None,
    level: Level = "0.95",
    seed: Seed = "0",
    output: TableOrJson = None,
    out: Out = None,
) -> None:
    """Say what changed between two versions of vectors, and whether that calls for action.

    Example: assay neighbours drift may.npy june.npy --names names.txt --types types.tsv
    """
    form = chosen(output, out, FORMS)
    from assay.report import drift as drawing
    from assay.report.documents import strict_json
    from assay.tasks.neighbours import drift as held

    files: Any = {"names": names, "key": key, "new_names": new_names, "types": types, "twin": twin, "metric": metric}
    with progress("nearest neighbours") as bar:
        found = held(
            old, new, k=whole("-k", k), task=_task(before, after), moved=whole("--moved", moved),
            interval=number("--level", level), seed=whole("--seed", seed), progress=bar, **files,
        )  # fmt: skip
    if form == "json":
        deliver(strict_json(found.to_dict(command=SETTINGS.argv)), out)
    else:
        deliver(drawing.render(found, 80 if out else width(), colour=colour(out)), out)


def _task(before: str | None, after: str | None) -> tuple[Any, Any] | None:
    """Return the results of the task, which have to be comparable."""
    from assay.compare import compare_evaluations, read_results

    if before is None and after is None:
        return None
    if before is None or after is None:
        msg = "drift: expected --task-before and --task-after, found one of them"
        raise ParameterError(msg)
    results = [read_results([path]) for path in (before, after)]
    for path, found in zip((before, after), results, strict=True):
        if len(found) != 1:
            msg = f"{path}: expected the result of one run, found {len(found)}"
            raise ParameterError(msg)
    comparison = compare_evaluations([found[0] for found in results])
    return comparison.evaluations[0], comparison.evaluations[1]
