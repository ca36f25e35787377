"""Bounds of a figure: from the possible values of its queries, by the conventions that make it from their values."""

import math
from dataclasses import dataclass, replace

import numpy as np

from assay.core.health import Bounds
from assay.core.judged import Flags, Floats
from assay.core.policy import ENGINE_TIES
from assay.evaluate.compute import Gathering, compute
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan
from assay.measures.base import Measure
from assay.measures.possible import Possible, has_open


def bounds_of(plan: Plan, judging: Judging, gathering: Gathering) -> Bounds:
    """Return the lowest and highest figure that any judging of the unjudged retrieved items could give.

    Queries weigh, and are left out, as in the figure itself. The rule for a query whose gold holds nothing
    relevant: it counts as the policy says, unless a judging finds something; where the policy leaves it out,
    it comes in only if that lowers (or raises) the figure.

    Items without a judgment stay in the ranking here even where the policy drops them: once all are judged, the
    condensed ranking is the ranking, and its figure lies within these bounds. Tie rules that give no item a place
    of its own leave only the measure's own bounds.
    """
    policy = plan.policy.but(unjudged="nonrelevant")
    plan = replace(plan, policy=policy)
    judged = judging.under(policy)
    weights = gathering.weights
    if policy.missing == "skip":
        weights = None if weights is None else weights[judged.answered]
        judged = judged.select(judged.answered)
    measure, values = plan.measure, compute(plan, judging, gathering).values
    if policy.ties in ENGINE_TIES:
        possible = measure.possible(judged)
    else:
        low, high = (np.full(judged.queries, float(bound)) for bound in measure.bounds)
        possible = Possible(low, high, exact=False)
    fill = {"zero": 0.0, "one": 1.0}.get(policy.empty) if measure.worst is not None else None
    spread = _Spread(measure, values, ~measure.defined(judged), has_open(judged), fill, weights)
    exact = possible.exact and (fill == 0 or not (spread.empty & spread.is_open).any())
    return Bounds(spread.extreme(possible.low, -1), spread.extreme(possible.high, 1), exact)


@dataclass(frozen=True, slots=True, eq=False)
class _Spread:
    """What the figure is made of: the value of each query, which may change, and how all become one number.

    `values`, the flags `empty` (nothing relevant in the gold) and `is_open` (an item without a judgment) and
    `weights` have the shape (queries,); `fill` is what an empty query counts as, None where it is left out.
    """

    measure: Measure
    values: Floats
    empty: Flags
    is_open: Flags
    fill: float | None
    weights: Floats | None

    def extreme(self, possible: Floats, sign: int) -> float | None:
        """Return the lowest (sign -1) or the highest (sign 1) figure; None where there is no limit, or no query."""
        numbers = np.where(self.is_open, possible, self.values)
        optional = self.empty & self.is_open
        if self.fill is not None:
            filled = np.where(self.is_open, sign * np.fmax(sign * possible, sign * self.fill), self.fill)
            numbers, optional = np.where(self.empty, filled, numbers), np.zeros_like(optional)
        found = self._best(numbers, optional, sign)
        return found if found is not None and math.isfinite(found) else None

    def _best(self, numbers: Floats, optional: Flags, sign: int) -> float | None:
        """Return the figure with those of the optional queries that push it furthest."""
        weighty = np.ones_like(optional) if self.weights is None else self.weights > 0
        fixed, optional = ~np.isnan(numbers) & ~optional & weighty, optional & weighty
        if self.measure.summed:
            return self._figure(numbers, fixed | optional if sign > 0 else fixed)
        if optional.any() and not fixed.any():
            return float(sign * np.max(sign * numbers[optional]))
        found, taken = self._figure(numbers, fixed), fixed
        while found is not None:
            pushing = fixed | (optional & (sign * numbers > sign * found))
            if np.array_equal(pushing, taken):
                break
            found, taken = self._figure(numbers, pushing), pushing
        return found

    def _figure(self, numbers: Floats, rows: Flags) -> float | None:
        return self.measure.aggregate(numbers[rows], None if self.weights is None else self.weights[rows])
