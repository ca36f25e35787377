"""`assay neighbours drift OLD NEW`: what became of vectors between two versions."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.neighbours.options import FORMS, Count, Key, Level, MetricName, Names, Output, inputs_of
from assay.cli.options import Out, Seed
from assay.cli.output import chosen, colour, deliver, width
from assay.cli.progress import progress
from assay.cli.terms import number, whole
from assay.cli.verbs import SETTINGS
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.core.neighbours import Drift


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
    output: Output = None,
    out: Out = None,
) -> None:
    """Say what changed between two versions of vectors, and whether that calls for action.

    Example: assay neighbours drift may.npy june.npy --names names.txt --types types.tsv
    """
    form = chosen(output, out, FORMS)
    from assay.tasks.neighbours import drift as held

    files: Any = {"names": names, "key": key, "new_names": new_names, "types": types, "twin": twin, "metric": metric}
    with progress("nearest neighbours") as bar:
        found = held(
            old, new, k=whole("-k", k), task=_task(before, after), moved=whole("--moved", moved),
            interval=number("--level", level), seed=whole("--seed", seed), progress=bar, **files,
        )  # fmt: skip
    inputs = inputs_of(
        old=old, new=new, names=names, new_names=new_names, types=types, twin=twin, task_before=before, task_after=after
    )
    deliver(drawn(found, form, out, inputs), out)


def drawn(found: "Drift", form: str, out: str | None, inputs: list[tuple[str, str]]) -> str:
    """Return the output in the form that was asked for."""
    if form == "json":
        from assay.report.documents import strict_json

        return strict_json(found.to_dict(command=SETTINGS.argv))
    if form == "html":
        from assay.report.html.neighbours_drift import render

        return render(found, command=("assay", *SETTINGS.argv), inputs=inputs)
    from assay.report import drift as drawing

    return drawing.render(found, 80 if out else width(), colour=colour(out))


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
