"""`compute`: one measure of one run, from judged ranks to its figure and the value of each query."""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl

from assay.core.evaluation import Figure
from assay.core.judged import Flags, Floats, Ints, Judged
from assay.core.sample import Sample
from assay.errors import UndefinedError, UnsupportedError
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan
from assay.measures.base import Measure

ONE_GRADE = frozenset({"optimistic", "pessimistic", "realistic"})
"""The tie rules that look at the grade of an item."""


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """One measure of one run: its figure, its value for each of these queries (NaN: undefined), what the figure is of.

    `sample` is None for a sum, which is no figure of a typical query.
    """

    figure: Figure
    queries: pl.Series
    values: Floats
    sample: Sample | None


@dataclass(frozen=True, slots=True)
class Gathering:
    """How the values of queries become one figure: weighted, clustered, macro or micro, with the range of ties."""

    weights: Floats | None = None
    clusters: Ints | None = None
    micro: bool = False
    tie_range: bool = False
    label: str = ""


def compute(plan: Plan, judging: Judging, gathering: Gathering) -> Result:
    """Return the figure of one measure and its value for each query."""
    values = _Values.of(plan, judging.under(plan.policy))
    mean, sample = _figure(plan, values, gathering)
    extremes: dict[str, float | None] = {}
    if gathering.tie_range:
        for ties in ("pessimistic", "optimistic"):
            other = replace(plan, policy=plan.policy.but(ties=ties))
            extremes[ties] = _figure(other, _Values.of(other, judging.under(other.policy)), gathering)[0]
    measure = plan.measure
    figure = Figure(
        name=str(measure) + gathering.label,
        requested=plan.requested,
        mean=mean,
        queries=len(sample),
        undefined=int(np.isnan(values.numbers).sum()),
        higher_is_better=measure.higher_is_better,
        summed=measure.summed,
        policy=plan.policy if plan.special else None,
        pessimistic=extremes.get("pessimistic"),
        optimistic=extremes.get("optimistic"),
    )
    return Result(figure, values.judged.names, values.numbers, None if measure.summed else sample)


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """The value of each query (NaN: undefined), which queries hold nothing relevant, and which are left of the gold."""

    judged: Judged
    numbers: Floats
    empty: Flags
    kept: Flags

    @classmethod
    def of(cls, plan: Plan, judged: Judged) -> Self:
        kept = judged.answered if plan.policy.missing == "skip" else np.ones(judged.queries, np.bool_)
        judged = judged if kept.all() else judged.select(kept)
        measure = plan.measure
        _require_rule(measure, plan.policy.ties)
        numbers = measure.expected(judged) if plan.policy.ties == "expected" else measure.kernel(judged)
        empty = ~measure.defined(judged)
        numbers = np.where(empty, np.nan, numbers)
        if not measure.summed:
            worst = np.nan if measure.worst is None else measure.worst
            numbers = np.where(judged.answered | empty, numbers, worst)
        if plan.policy.ties == "realistic":  # several items may share a mean rank within the cutoff
            numbers = np.clip(numbers, *measure.bounds)
        return cls(judged, numbers, empty, kept)


def _require_rule(measure: Measure, ties: str) -> None:
    """Refuse a tie rule that needs one grade for each item, for a measure that reads others."""
    inexact = ties == "expected" and type(measure).expected is Measure.expected
    if measure.needs_facets and (ties in ONE_GRADE or inexact):
        msg = f"{measure}: ties={ties} orders tied items by one grade each, and this measure reads others"
        raise UnsupportedError(msg, hint="id-desc, id-asc and order need no grades.")


def _figure(plan: Plan, values: _Values, gathering: Gathering) -> tuple[float | None, Sample]:
    """Return the figure of a run, and the values that it is made of: those that the policy leaves out left out."""
    policy, empty = plan.policy, values.empty
    if policy.empty == "error" and empty.any():
        msg = f"{plan.measure}: expected a relevant item for each query, found none for {int(empty.sum())}"
        raise UndefinedError(msg, hint="empty='skip' leaves them out of the mean, 'zero' counts them as 0.")
    if gathering.micro:
        return _micro(plan, values, gathering)
    numbers = values.numbers
    if policy.empty in {"zero", "one"} and plan.measure.worst is not None:
        numbers = np.where(empty, 1.0 if policy.empty == "one" else 0.0, numbers)
    weights = None if gathering.weights is None else gathering.weights[values.kept]
    sample = _sample(plan, values, gathering, numbers, weights)
    return plan.measure.aggregate(sample.values, sample.weights), sample


def _micro(plan: Plan, values: _Values, gathering: Gathering) -> tuple[float | None, Sample]:
    """Return what is above the line summed over queries, divided by what is below it summed over queries."""
    if plan.policy.ties in {"expected", "realistic"} or plan.policy.empty == "one":
        msg = f"{plan.measure}: a micro average counts hits, found ties={plan.policy.ties}, empty={plan.policy.empty}"
        raise UnsupportedError(msg, hint="use ties=id-desc, order, optimistic or pessimistic, and empty=zero or skip.")
    above, below = plan.measure.fraction(values.judged)
    loads = below if gathering.weights is None else below * gathering.weights[values.kept]
    fractions = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    if plan.policy.empty == "skip":
        fractions = np.where(values.empty, np.nan, fractions)
    sample = _sample(plan, values, gathering, fractions, loads)
    inside = ~np.isnan(fractions)
    weights = np.divide(loads, below, out=np.zeros_like(below), where=below > 0)
    total = math.fsum(loads[inside])
    return (math.fsum((above * weights)[inside]) / total if total else None), sample


def _sample(plan: Plan, values: _Values, gathering: Gathering, numbers: Floats, weights: Floats | None) -> Sample:
    """Return the values that are no NaN, with all that belongs to their queries."""
    inside = ~np.isnan(numbers)
    plain = type(plan.measure).aggregate is Measure.aggregate
    return Sample(
        queries=values.judged.names.filter(pl.Series(inside)),
        values=numbers[inside],
        weights=None if weights is None else weights[inside],
        clusters=None if gathering.clusters is None else gathering.clusters[values.kept][inside],
        aggregate=None if plain else plan.measure.aggregate,
        bounds=plan.measure.bounds,
    )
