"""Reversals: groups of queries in which the runs stand the other way round than over all queries."""

from collections.abc import Iterator, Mapping, Sequence

from assay.compare.contrasts import Request
from assay.core.comparison import BETTER, WORSE
from assay.core.evaluation import Evaluation
from assay.core.slices import SliceContrast, Slicing
from assay.report.amounts import counted

Names = tuple[str, str, str]
"""Run, baseline and measure."""


def reversals(slicing: Slicing, evaluations: Sequence[Evaluation], request: Request) -> tuple[str, ...]:
    """Return sentences on Simpson's paradox, and on groups that significantly point against the whole."""
    means = {(one.run, one.measure, one.group): one.mean for one in slicing.figures}
    parts: dict[Names, list[SliceContrast]] = {}
    for one in slicing.contrasts:
        parts.setdefault((one.run, one.baseline, one.measure), []).append(one)
    found: list[str] = []
    for run, base in request.pairs:
        for after, before in zip(evaluations[run].figures, evaluations[base].figures, strict=True):
            if after.mean is None or before.mean is None:
                continue
            whole = after.mean - before.mean
            names = (request.labels[run], request.labels[base], after.name)
            found += _paradox(slicing, names, whole, means, up=after.higher_is_better)
            found += _against(slicing.column, parts.get(names, []), whole)
    return tuple(found)


def _paradox(
    slicing: Slicing,
    names: Names,
    whole: float,
    means: Mapping[tuple[str, str, str], float | None],
    *,
    up: bool,
) -> Iterator[str]:
    """Say where one run is ahead over all queries and behind in every group."""
    run, base, measure = names
    sides = [(means.get((run, measure, group)), means.get((base, measure, group))) for group in slicing.groups]
    differences = [after - before for after, before in sides if after is not None and before is not None]
    if len(differences) == len(sides) > 1 and all(one * whole < 0 for one in differences):
        ahead, behind = ("better", "worse") if (whole > 0) == up else ("worse", "better")
        why = "the two have values for different queries (Simpson's paradox)"
        if slicing.unassigned:
            why = f"the {counted(slicing.unassigned, 'query')} of no group make the difference"
        yield (
            f"{run} is {ahead} than {base} by {measure} over all queries ({whole:+.4f}) and {behind} in every group by "
            f"{slicing.column}: {why}."
        )


def _against(column: str, contrasts: Sequence[SliceContrast], whole: float) -> Iterator[str]:
    """Say which groups are significantly against the whole."""
    for one in contrasts:
        if one.verdict in {BETTER, WORSE} and one.difference and one.difference * whole < 0:
            yield (
                f"{one.run} against {one.baseline} by {one.measure}: {whole:+.4f} over all queries, but {one.verdict} "
                f"where {column} is {one.group} ({one.difference:+.4f})."
            )
