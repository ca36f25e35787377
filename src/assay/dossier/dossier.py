"""`dossier`: everything that a report shows, gathered before anything draws it."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from assay.compare import COMPARED, Settings, compare_evaluations, slices_of
from assay.core.comparison import Comparison
from assay.core.dossier import Dossier
from assay.dossier.curves import curve_points, recall_points
from assay.dossier.explained import explained_queries
from assay.dossier.material import Material
from assay.evaluate import Measures
from assay.evaluate.costs import costs_beside
from assay.health import can_be_narrowed, health
from assay.report.amounts import counted

NAMED = 4
"""So many runs are named in the heading."""
STATISTICS = {part.name for part in fields(Settings)}


def dossier(
    gold: Any,
    runs: Sequence[Any],
    measures: Measures = COMPARED,
    *,
    title: str | None = None,
    command: Sequence[str] = (),
    by: Any = None,
    costs: Any = None,
    work: int = 20,
    **options: Any,
) -> Dossier:
    """Gather what a report shows of runs judged by a gold standard.

    Parameters
    ----------
    gold, runs, measures, by, costs, **options
        As for `compare`: conventions (policy, profile, rel, weights, exclude) and statistics (baseline, pairs, test,
        correction, alpha, level, ...). One run makes a report without a comparison.
    title, command
        The heading of the page, and how it was asked for.
    work
        How many unjudged items to propose for judging.

    >>> gold = {f"q{i}": {"a": 1, "b": 0} for i in range(8)}
    >>> found = dossier(gold, [{f"q{i}": {"a": 2.0, "b": 1.0} for i in range(8)}], "P@1 RR")
    >>> found.evaluations[0].interval("RR").low > 0.5
    True
    """
    settings = Settings(**{name: options.pop(name) for name in STATISTICS & options.keys()})
    material = Material.of(gold, runs, measures, settings, **options)
    comparison = _comparison(material, settings, by)
    spent = costs_beside(material.evaluations, material.runs, costs)
    return Dossier(
        title=title or _title(material),
        evaluations=material.evaluations,
        labels=material.labels,
        comparison=comparison and replace(comparison, costs=spent),
        curves=tuple(curve_points(material)),
        precision_recall=tuple(recall_points(material)),
        slices=comparison.slices if comparison else slices_of(material.evaluations, material.gold, by),
        health=health(material.gold, material.runs, measures, work=work if _can_list(material) else 0, **options),
        costs=spent,
        explained=explained_queries(material, comparison.baseline if comparison else None),
        command=tuple(command),
        seed=settings.seed,
    )


def _can_list(material: Material) -> bool:
    """Tell whether items to judge next can be named for one of the measures."""
    return any(can_be_narrowed(plan.measure) for plan in material.plans(material.measures))


def _title(material: Material) -> str:
    names = material.labels
    return f"{', '.join(names) if len(names) <= NAMED else counted(len(names), 'run')} by {material.gold.name}"


def _comparison(material: Material, settings: Settings, by: Any) -> Comparison | None:
    """Hold the runs against each other, where there are several."""
    if len(material.runs) < 2:
        return None
    return compare_evaluations(material.evaluations, settings, gold=material.gold, by=by)
