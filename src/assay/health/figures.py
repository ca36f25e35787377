"""One figure and what surrounds it: judged share, bounds, condensed, ceiling, ties."""

from dataclasses import replace

import numpy as np

from assay.core.health import FigureHealth
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.sample import Sample
from assay.evaluate.compute import Gathering, compute
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan
from assay.health.bounds import bounds_of
from assay.measures.base import Measure
from assay.measures.coverage import JudgedShare

SAME = 1e-12
"""Values that differ by less differ by rounding alone."""


def figure_health(plan: Plan, judging: Judging, gathering: Gathering, run: str) -> FigureHealth:
    """Return the figure of a measure and what surrounds it."""
    result = compute(plan, judging, gathering)
    condensed = replace(plan, policy=plan.policy.but(unjudged="drop"))
    judged = judging.under(plan.policy)
    return FigureHealth(
        run=run,
        measure=result.figure.name,
        mean=result.figure.mean,
        judged=_judged_share(plan, judging),
        bounds=bounds_of(plan, judging, gathering),
        condensed=compute(condensed, judging, gathering).figure.mean,
        ceiling=None if result.sample is None else ceiling(plan.measure, judged, result.sample, plan.policy),
        tied=_decided_by_ties(plan, judging, gathering),
        summed=result.figure.summed,
    )


def ceiling(measure: Measure, judged: Judged, sample: Sample, policy: Policy) -> float | None:
    """Return the best figure that any ranking could reach by the gold, over the queries of a figure's sample.

    None where it means nothing (see `Measure.ceiling`).
    """
    best = measure.ceiling(judged)
    if best is None:
        return None
    best = np.where(measure.defined(judged), best, 1.0 if policy.empty == "one" else 0.0)
    place = {query: number for number, query in enumerate(judged.names)}
    values = best[[place[query] for query in sample.queries]]
    return measure.aggregate(values, sample.weights)


def _judged_share(plan: Plan, judging: Judging) -> float | None:
    """Return the mean over answered queries of the share of judged items within the measure's cutoff."""
    if plan.cutoff is None:
        return None
    policy = plan.policy.but(unjudged="nonrelevant")
    measure, judged = JudgedShare(k=plan.cutoff), judging.under(policy)
    share = measure.expected(judged) if policy.ties == "expected" else measure.kernel(judged)
    known = ~np.isnan(share)
    return float(share[known].mean()) if known.any() else None


def _decided_by_ties(plan: Plan, judging: Judging, gathering: Gathering) -> float | None:
    """Return the share of queries that have another value under the best order of tied items than under the worst."""
    if plan.measure.needs_facets:
        return None
    if not (judging.under(plan.policy).hits.tied > 1).any():
        return 0.0
    best, worst = (
        compute(replace(plan, policy=plan.policy.but(ties=ties)), judging, gathering).values
        for ties in ("optimistic", "pessimistic")
    )
    same = np.isclose(best, worst, rtol=SAME, atol=SAME, equal_nan=True)
    return float(1 - same.mean()) if len(same) else None
