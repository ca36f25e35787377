"""Leave one run out: what a run would have scored, had it not helped to find the gold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.core.gold import Gold
from assay.core.health import LeftOut
from assay.core.judged import Flags, Hits, Ints, Judged
from assay.core.policy import ENGINE_TIES, Policy
from assay.evaluate.compute import Gathering, compute
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan
from assay.statistics.agreement import kendall_tau

DEPTH = 100
"""The depth to which a run counts as having found an item, for a measure without a cutoff."""


def left_out(
    plans: Sequence[Plan], judgings: Sequence[Judging], gathering: Gathering, runs: Sequence[str], depth: int | None
) -> Iterator[LeftOut]:
    """Yield for each measure and run the figure without the items that the run alone has within the depth.

    Such items lose their judgment, for the ranking and for the gold. The depth is the measure's cutoff, 100 for
    one without, where none is given.
    """
    for plan in plans:
        alone = list(_found_alone(plan.policy, judgings, depth or plan.cutoff or DEPTH))
        whole = [compute(plan, judging, gathering).figure.mean for judging in judgings]
        for number, (judging, unknown) in enumerate(zip(judgings, alone, strict=True)):
            figure = compute(plan, Unaided.of(judging, unknown), gathering).figure
            others = [mean for other, mean in enumerate(whole) if other != number]
            yield LeftOut(
                run=runs[number],
                measure=figure.name,
                unique=int((judging.gold.table["grade"].to_numpy()[unknown] >= plan.measure.least).sum()),
                mean=whole[number],
                without=figure.mean,
                place=place(whole[number], others, higher=plan.measure.higher_is_better),
                place_without=place(figure.mean, others, higher=plan.measure.higher_is_better),
            )


def agreements(found: Sequence[LeftOut]) -> Mapping[str, float | None]:
    """Return for each measure how alike the runs are ordered by their figures with and without their own finds."""
    taus: dict[str, float | None] = {}
    for name in dict.fromkeys(one.measure for one in found):
        pairs = [(one.mean, one.without) for one in found if one.measure == name]
        known = [(mean, without) for mean, without in pairs if mean is not None and without is not None]
        taus[name] = kendall_tau([mean for mean, _ in known], [without for _, without in known])
    return taus


@dataclass(eq=False)
class Unaided(Judging):
    """A run judged as if some rows of the gold, flagged by `unknown`, had no judgment."""

    whole: Judging
    unknown: Flags

    @classmethod
    def of(cls, whole: Judging, unknown: Flags) -> "Unaided":
        """Judge the same run by less gold; its ranks are not counted again."""
        return cls(whole.run, whole.gold, whole.exclude, whole, unknown)

    def under(self, policy: Policy) -> Judged:
        """Return the judged ranks under a policy, without the rows."""
        return forget(self.whole.under(_counted(policy)), self.gold, self.unknown).under(policy)


def forget(judged: Judged, gold: Gold, unknown: Flags) -> Judged:
    """Take the judgments of some rows of the gold away; the scale of the grades stays.

    `judged` is as an engine counts it, its ideal in the order of `gold.ideal`.
    """
    order = np.lexsort((-gold.table["grade"].to_numpy(), gold.codes))
    ideal = judged.ideal.where(~unknown[order])
    facets = judged.judgments
    return replace(
        judged,
        hits=judged.hits.where(~unknown[_rows(judged.hits)]),
        ideal=Hits.ranked(ideal.queries, ideal.query, ideal.grade),
        whole_top=judged.top_grade,
        judgments=None if facets is None else facets.where(~unknown[facets.row]),
    )


def _found_alone(policy: Policy, judgings: Sequence[Judging], depth: int) -> Iterator[Flags]:
    """Yield for each run which rows of the gold it alone has within the depth, shape (rows of the gold,).

    Where the tie rule gives tied items no place of their own, all that may stand within the depth do.
    """
    found = [_rows(_within(judging.under(_counted(policy)).hits, depth, policy.ties)) for judging in judgings]
    rows = len(judgings[0].gold)
    often = np.bincount(np.concatenate(found), minlength=rows)
    for mine in found:
        flags = np.zeros(rows, np.bool_)
        flags[mine] = True
        yield flags & (often == 1)


def _within(hits: Hits, depth: int, ties: str) -> Hits:
    return hits.top(depth) if ties in ENGINE_TIES else hits.where(hits.above < depth)


def _counted(policy: Policy) -> Policy:
    """Return the policy under which judged ranks are as the engine counted them: nothing done by grade yet."""
    ties = policy.ties if policy.ties in ENGINE_TIES else "expected"
    return policy.but(ties=ties, unjudged="nonrelevant", negative="unjudged")


def _rows(hits: Hits) -> Ints:
    """Return the rows of the gold that were retrieved."""
    return np.zeros(0, np.int64) if hits.row is None else hits.row


def place(mean: float | None, others: Sequence[float | None], *, higher: bool) -> int:
    """Return the place of a run among others: one plus how many of them are better."""
    sign = 1 if higher else -1

    def height(value: float | None) -> float:
        return -np.inf if value is None else sign * value

    return 1 + sum(height(other) > height(mean) for other in others)
