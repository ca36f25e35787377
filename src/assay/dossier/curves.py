"""Curves: a measure over many cutoffs, and precision over recall."""

from collections.abc import Iterator, Sequence

from assay.core.dossier import CurvePoint, RecallPoint
from assay.dossier.material import Material
from assay.errors import ParameterError
from assay.evaluate.compute import compute
from assay.evaluate.plan import Plan
from assay.health import ceiling
from assay.measures import MEASURES

FAMILIES = ("P", "R", "F1", "HR", "nDCG")
CUTOFFS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100)
RECALLS = tuple(tenth / 10 for tenth in range(11))


def curve_points(material: Material) -> Iterator[CurvePoint]:
    """Yield each family at each cutoff up to the longest ranking, with the highest that any ranking could reach.

    A family that needs to be told which fractional grades are relevant, and was not, is left out.
    """
    judged = [one.judged for one in material.evaluations if one.judged is not None]
    longest = max([1, *(int(one.retrieved.max(initial=0)) for one in judged)])
    cutoffs = sorted({min(k, longest) for k in CUTOFFS})
    judgings, how = material.judgings(), material.gathering
    for plan in (plan for family in FAMILIES for plan in _plans(material, family, cutoffs)):
        ceilings: dict[tuple[str, ...], float | None] = {}
        for label, judging in judgings.items():
            result = compute(plan, judging, how)
            queries = () if result.sample is None else tuple(result.sample.queries)
            if result.sample is not None and queries not in ceilings:  # runs that answer the same queries share it
                ceilings[queries] = ceiling(plan.measure, judging.under(plan.policy), result.sample, plan.policy)
            point = (type(plan.measure).name, plan.cutoff or 0, result.figure.mean, ceilings.get(queries))
            yield CurvePoint(label, *point)


def recall_points(material: Material) -> Iterator[RecallPoint]:
    """Yield the interpolated precision of each run at eleven points of recall.

    None where tied items have no order: interpolated precision has no expected value.
    """
    judgings, how = material.judgings(), material.gathering
    for recall, plan in zip(RECALLS, _plans(material, "IPrec", RECALLS), strict=False):
        for label, judging in judgings.items() if plan.policy.ties != "expected" else ():
            yield RecallPoint(label, recall, compute(plan, judging, how).figure.mean)


def _plans(material: Material, family: str, cutoffs: Sequence[float]) -> list[Plan]:
    """Return a measure at each cutoff; none where the gold does not say which of its grades are relevant."""
    try:
        return material.plans([MEASURES[family] @ cutoff for cutoff in cutoffs])
    except ParameterError:
        return []
