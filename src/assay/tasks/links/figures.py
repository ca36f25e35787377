"""Figures of link ranks: each measure under four tie rules; micro over triples, macro over queries and relations."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.core.judged import Flags, Ints, Judged
from assay.core.links import TIES, LinkFigure
from assay.core.policy import Policy
from assay.core.sample import Sample
from assay.errors import UnsupportedError
from assay.evaluate import Gathering, Judging, Plan, compute
from assay.evaluate.compute import Result
from assay.measures.base import Measure
from assay.measures.notation import Requested
from assay.tasks.links.judged import LinkRanks


class Counted(Judging):
    """A judging whose ranks are counted already: every tie rule of link prediction reads the same counts."""

    def __init__(self, judged: Judged) -> None:
        self._judged = judged
        self._ranked: dict[Policy, Judged] = {}

    def under(self, policy: Policy) -> Judged:
        """Return the ranks under a tie rule."""
        if policy not in self._ranked:
            self._ranked[policy] = self._judged.under(policy)
        return self._ranked[policy]


def plans_of(requested: Sequence[Requested], policy: Policy) -> list[Plan]:
    """Return the measures that were asked for, each once."""
    plans = {one.measure: Plan(one.measure, one.text, policy, special=False) for one in reversed(requested)}
    return [plans[measure] for measure in dict.fromkeys(one.measure for one in requested)]


def in_lists(plan: Plan) -> Plan:
    """Return the measure as it is taken of lists with many right answers: "realistic" ties become "expected".

    Two right answers that share the first place have the mean rank 1.5, and P@1 would be 0 of them. A measure
    without an exact expectation keeps its rule.
    """
    if plan.policy.ties != "realistic" or type(plan.measure).expected is Measure.expected:
        return plan
    return replace(plan, policy=plan.policy.but(ties="expected"), special=True)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One measure of some ranks: its result under each of the four tie rules, None where it has none."""

    plan: Plan
    kinds: Mapping[str, Result | None]
    own: Result

    def figure(self, ranks: LinkRanks, chosen: Flags | None = None) -> LinkFigure:
        """Return the figure of all queries, or of those that are flagged, shape (queries,)."""
        flags = np.ones(ranks.judged.queries, np.bool_) if chosen is None else chosen
        inside = flags & ~np.isnan(self.own.values)
        sample, measure = _chosen(self.own, flags), self.plan.measure
        return LinkFigure(
            name=self.own.figure.name,
            requested=self.own.figure.requested,
            mean=_mean(self.own, chosen),
            queries=int(inside.sum()),
            undefined=int(flags.sum() - inside.sum()),
            ties={kind: None if one is None else _mean(one, chosen) for kind, one in self.kinds.items()},
            by_query=None if sample is None else macro(sample, ranks.query[inside]),
            by_relation=None if sample is None else macro(sample, ranks.relation[inside]),
            higher_is_better=measure.higher_is_better,
            rule=self.plan.policy.ties,
        )


def measured(ranks: LinkRanks, plans: Sequence[Plan]) -> list[Measured]:
    """Return each measure of some ranks.

    Raises
    ------
    UnsupportedError
        A measure that cannot be had under the tie rule, or that reads more than the ranks of true entities.
    """
    judging = Counted(ranks.judged)
    return [_measured(plan, judging, ranks) for plan in plans]


def _measured(plan: Plan, judging: Counted, ranks: LinkRanks) -> Measured:
    kinds = _under_ties(plan, judging, ranks)
    own = kinds[plan.policy.ties]
    if own is None:
        plan.measure.expected(ranks.judged)  # raises, and says what there is instead
        raise UnsupportedError(f"{plan.measure}: no value under ties={plan.policy.ties}")
    return Measured(plan, kinds, own)


def _mean(result: Result, chosen: Flags | None) -> float | None:
    """Return the figure of the queries that are flagged; of all it is known."""
    if chosen is None:
        return result.figure.mean
    sample = _chosen(result, chosen)
    if sample is None:
        return math.fsum(result.values[chosen & ~np.isnan(result.values)])
    return figure_of(sample)


def _chosen(result: Result, chosen: Flags) -> Sample | None:
    """Return the sample of the queries that are flagged; None of a sum."""
    if result.sample is None or chosen.all():
        return result.sample
    inside = ~np.isnan(result.values)
    return part_of(result.sample, np.flatnonzero(chosen[inside]))


def _under_ties(plan: Plan, judging: Counted, ranks: LinkRanks) -> dict[str, Result | None]:
    """Return the measure under each of the four tie rules; None where it has no exact expectation."""
    weights = plan.measure.fraction(ranks.judged)[1] if plan.measure.needs_candidates else None
    gathering = Gathering(weights=weights, clusters=ranks.query)
    found: dict[str, Result | None] = {}
    for kind in TIES:
        try:
            found[kind] = compute(replace(plan, policy=plan.policy.but(ties=kind)), judging, gathering)
        except UnsupportedError:
            if kind != "expected":
                raise
            found[kind] = None
    return found


def macro(sample: Sample, group: Ints) -> float | None:
    """Return the mean over groups of the figure of each group; None where no group has one.

    >>> import polars as pl
    >>> macro(Sample(pl.Series(["a", "b", "c"]), np.array([1.0, 0.0, 0.5])), np.array([3, 3, 7]))
    0.5
    """
    if not len(sample):
        return None
    if sample.aggregate is None:
        _, number = np.unique(group, return_inverse=True)
        weights = np.ones(len(sample)) if sample.weights is None else sample.weights
        above, below = np.bincount(number, sample.values * weights), np.bincount(number, weights)
        figures = (above[below > 0] / below[below > 0]).tolist()
    else:
        figures = [figure for part in parts(group) if (figure := figure_of(part_of(sample, part))) is not None]
    return math.fsum(figures) / len(figures) if figures else None


def parts(group: Ints) -> list[Ints]:
    """Return the places of each group, groups in the order of their numbers."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)


def part_of(sample: Sample, places: Ints) -> Sample:
    """Return the sample of some of its queries."""
    return Sample(
        sample.queries.gather(places),
        sample.values[places],
        None if sample.weights is None else sample.weights[places],
        None if sample.clusters is None else sample.clusters[places],
        sample.aggregate,
        sample.bounds,
    )


def figure_of(sample: Sample) -> float | None:
    """Return the figure of a sample: its own aggregate, or the weighted mean; None where nothing has a weight."""
    if not len(sample):
        return None
    if sample.aggregate is not None:
        return sample.aggregate(sample.values, sample.weights)
    weights = np.ones(len(sample)) if sample.weights is None else sample.weights
    total = math.fsum(weights)
    return math.fsum(sample.values * weights) / total if total else None
