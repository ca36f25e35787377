"""`evaluate`: the main verb. Gold and a run in, measures with their policy and audit out."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import polars as pl

from assay.audit.facts import audit_of, facts_of, require_overlap
from assay.audit.notices import notices_of
from assay.core.evaluation import Evaluation, Figure, Options
from assay.core.gold import Gold
from assay.core.judged import Flags, Floats, Judged
from assay.core.policy import Policy
from assay.core.profiles import PROFILES, Profile
from assay.core.run import Run
from assay.core.scores import Scores
from assay.engines import judge
from assay.errors import ParameterError, UndefinedError
from assay.inputs import as_attached, as_gold, as_pairs, as_run, as_weights
from assay.measures import parse_many
from assay.measures.base import Measure
from assay.measures.notation import Requested
from assay.measures.parameters import Unsaid

DEFAULT = "P@{1,5,10} R@{10,100} F1@10 HR@10 RR AP nDCG@10"
"""The measures that are shown when none is asked for."""

Measures = str | Measure | type[Measure] | Iterable[str | Measure | type[Measure]]


def evaluate(
    gold: Any,
    run: Any,
    measures: Measures = DEFAULT,
    *,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    weights: Any = None,
    exclude: Any = None,
    tie_range: bool = False,
) -> Evaluation:
    """Judge one run by a gold standard.

    Parameters
    ----------
    gold, run
        Paths (or "-" for standard input), `{query: {item: grade or score}}`, dataframes, `Gold` and `Run`.
    measures
        Names such as "P@{1,5,10} nDCG@10 AP", measures such as `nDCG @ 10`, or several of both.
    policy, profile
        The conventions: a `Policy`, or the name of a tool whose conventions are wanted. Not both.
    rel
        The lowest relevant grade for every measure that does not say its own.
    weights
        `{query: weight}`, a frame or a file with the columns query and weight: the means become weighted.
    exclude
        Pairs of query and item that are taken out of every ranking before ranks are given.
    tie_range
        Whether to give each figure under the worst and the best order of tied items as well.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> result = evaluate({"q1": {"a": 1, "b": 0}}, {"q1": {"b": 2.0, "a": 1.0}}, "P@1 RR nDCG@10")
    >>> result.mean
    {'P@1': 0.0, 'RR': 0.5, 'nDCG@10': 0.6309297535714575}
    """
    gold = as_gold(gold)
    run = as_run(run, gold)
    conventions = conventions_of(policy, profile)
    plans = plans_of(parse_many(measures), conventions, gold, rel)
    judging = Judging(run, gold, as_pairs(exclude))
    loads = None if weights is None else as_weights(weights, gold)
    results = [compute(plan, judging, loads, tie_range=tie_range) for plan in plans]
    judged = judging.under(conventions.policy)
    require_overlap(run, gold, judged)
    audit = audit_of(judged, [plan.cutoff for plan in plans])
    notices = notices_of(audit, judged, conventions.policy, [plan.measure for plan in plans], gold, rel=rel)
    return Evaluation(
        gold=facts_of(gold, rel),
        policy=conventions.policy,
        profile=None if profile is None else conventions.name,
        figures=tuple(result.figure for result in results),
        scores=Scores.of(run.name, {r.figure.name: (r.queries, r.values) for r in results}),
        audit=audit,
        notices=notices,
        weighted=weights is not None,
        options=Options(rel, tie_range, as_attached(weights), as_attached(exclude)),
        **_whence(run, judged),
    )


def _whence(run: Run, judged: Judged) -> dict[str, Any]:
    """Return what a result remembers of its run."""
    facts = {
        "name": run.name, "seconds": run.seconds, "queries": judged.notes.run_queries, "rows": judged.notes.rows,
    }  # fmt: skip
    if run.origin is None:
        return facts
    return facts | {"path": run.origin.path, "digest": run.origin.digest, "format": run.origin.format}


@dataclass(frozen=True, slots=True)
class Plan:
    """One measure to compute: as the tool of the profile would, under its policy."""

    measure: Measure
    requested: str
    policy: Policy
    special: bool

    @property
    def cutoff(self) -> int | None:
        """The measure's cutoff, if it has one."""
        return getattr(self.measure, "k", None)


def conventions_of(policy: Policy | None, profile: str | Profile | None) -> Profile:
    """Return the conventions of a call as a profile."""
    if policy is not None and profile is not None:
        msg = "expected a policy or a profile, found both"
        raise ParameterError(msg, hint="PROFILES[name].but(ties='order') changes single fields of a profile.")
    if profile is None:
        return Profile("assay", "", policy or Policy())
    return PROFILES[profile] if isinstance(profile, str) else profile


def plans_of(requests: list[Requested], conventions: Profile, gold: Gold, rel: float | None) -> list[Plan]:
    """Fit each measure to the call's `rel` and to the conventions."""
    plans: dict[Measure, Plan] = {}
    for request in requests:
        measure = _with_rel(request.measure, gold, rel)
        measure = conventions.fitted(measure, trec_name=request.text.startswith("set_F"))
        policy = conventions.policy_for(measure)
        if measure.judged_only:
            policy = policy.but(unjudged="drop")
        plans.setdefault(measure, Plan(measure, request.text, policy, policy != conventions.policy))
    return list(plans.values())


def _with_rel(measure: Measure, gold: Gold, rel: float | None) -> Measure:
    own = getattr(measure, "rel", None)
    if not isinstance(own, Unsaid) or "rel" not in {part.name for part in fields(measure)}:
        return measure
    if rel is not None:
        return replace(measure, rel=rel)  # type: ignore[call-arg]
    if gold.fractional is not None:
        name = type(measure)(rel=1).name  # type: ignore[call-arg]
        grade = f"{gold.fractional:g}"
        msg = f"{measure} needs to know which grades are relevant: the gold has fractional grades such as {grade}"
        raise ParameterError(msg, hint=f"say it in the measure, {name}(rel=1), or for all with --rel 1.")
    return measure


@dataclass(eq=False)
class Judging:
    """One run and one gold, judged once for each set of engine conventions."""

    run: Run
    gold: Gold
    exclude: pl.DataFrame | None

    def __post_init__(self) -> None:
        self._counted: dict[tuple[str, ...], Judged] = {}
        self._made: dict[Policy, Judged] = {}

    def under(self, policy: Policy) -> Judged:
        """Return the judged ranks under a policy, all its fields applied but those of aggregation."""
        if policy not in self._made:
            key = policy.engine_fields()
            known = (made for other, made in self._counted.items() if _serves(other, key))
            self._counted[key] = next(known, None) or judge(self.run, self.gold, policy, self.exclude)
            self._made[policy] = self._counted[key].under(policy)
        return self._made[policy]


def _serves(made: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Tell whether counts made for some engine fields serve others: the same, or any tie rule will do."""
    return made[1:] == wanted[1:] and wanted[0] in {made[0], "any"}


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """One measure of one run: its figure, and its value for each of these queries (NaN: undefined)."""

    figure: Figure
    queries: pl.Series
    values: Floats


def compute(plan: Plan, judging: Judging, weights: Floats | None, *, tie_range: bool) -> Result:
    """Return the figure of one measure and its value for each query."""
    judged = judging.under(plan.policy)
    values, empty, kept = _values(plan, judged)
    mean, queries = _mean(plan, values, empty, None if weights is None else weights[kept])
    extremes: dict[str, float | None] = {}
    if tie_range:
        for ties in ("pessimistic", "optimistic"):
            other = replace(plan, policy=plan.policy.but(ties=ties))
            there, void, some = _values(other, judging.under(other.policy))
            extremes[ties] = _mean(other, there, void, None if weights is None else weights[some])[0]
    measure = plan.measure
    figure = Figure(
        name=str(measure),
        requested=plan.requested,
        mean=mean,
        queries=queries,
        undefined=int(np.isnan(values).sum()),
        higher_is_better=measure.higher_is_better,
        summed=measure.summed,
        policy=plan.policy if plan.special else None,
        **extremes,
    )
    return Result(figure, judged.names if kept.all() else judged.names.filter(pl.Series(kept)), values)


def _values(plan: Plan, judged: Judged) -> tuple[Floats, Flags, Flags]:
    """Return the value of each query (NaN: undefined), which are empty, and which queries of the gold they are."""
    kept = judged.answered if plan.policy.missing == "skip" else np.ones(judged.queries, np.bool_)
    judged = judged if kept.all() else judged.select(kept)
    measure = plan.measure
    values = measure.expected(judged) if plan.policy.ties == "expected" else measure.kernel(judged)
    empty = ~measure.defined(judged)
    values = np.where(empty, np.nan, values)
    if not measure.summed:
        worst = np.nan if measure.worst is None else measure.worst
        values = np.where(judged.answered | empty, values, worst)
    if plan.policy.ties == "realistic":  # several items may share a mean rank within the cutoff
        values = np.clip(values, *measure.bounds)
    return values, empty, kept


def _mean(plan: Plan, values: Floats, empty: Flags, weights: Floats | None) -> tuple[float | None, int]:
    """Return the figure of a run and the number of queries behind it."""
    if plan.policy.empty == "error" and empty.any():
        msg = f"{plan.measure}: expected a relevant item for each query, found {int(empty.sum())} queries without"
        raise UndefinedError(msg, hint="empty='skip' leaves them out of the mean, 'zero' counts them as 0.")
    if plan.policy.empty in {"zero", "one"} and plan.measure.worst is not None:
        values = np.where(empty, 1.0 if plan.policy.empty == "one" else 0.0, values)
    inside = ~np.isnan(values)
    return plan.measure.aggregate(values[inside], None if weights is None else weights[inside]), int(inside.sum())


def evaluate_all(gold: Any, runs: Iterable[Any], measures: Measures = DEFAULT, **options: Any) -> list[Evaluation]:
    """Judge several runs by the same gold, which is read once; the options are those of `evaluate`."""
    gold = as_gold(gold)
    return [evaluate(gold, run, measures, **options) for run in runs]
