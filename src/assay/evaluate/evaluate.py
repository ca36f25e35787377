"""`evaluate`: the main verb. Gold and a run in, measures with their policy and audit out."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, get_args

import polars as pl

from assay.audit.facts import audit_of, facts_of, require_overlap
from assay.audit.notices import notices_of
from assay.core.evaluation import Evaluation
from assay.core.facts import Options
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.profiles import Profile
from assay.core.run import Run
from assay.core.scores import Scores
from assay.errors import ParameterError
from assay.evaluate.compute import Gathering, Result, compute
from assay.evaluate.estimating import estimate, with_intervals
from assay.evaluate.judging import Judging
from assay.evaluate.plan import conventions_of, plans_of
from assay.evaluate.pooling import pooled
from assay.inputs import Loads, as_attached, as_gold, as_loads, as_pairs, as_run
from assay.measures import parse_many
from assay.measures.base import Measure

DEFAULT = "P@{1,5,10} R@{10,100} F1@10 HR@10 RR AP nDCG@10"
"""The measures that are shown when none is asked for."""

Aggregate = Literal["macro", "micro", "pooled"]
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
    aggregate: Aggregate = "macro",
    interval: float | None = None,
    seed: int = 0,
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
        `{query: weight}`, or a frame or a file with the columns query and weight, cluster, or both. Means become
        weighted; queries of one cluster (paraphrases, a session) count as one unit in every interval and test.
    exclude
        Pairs of query and item that are taken out of every ranking before ranks are given.
    tie_range
        Whether to give each figure under the worst and the best order of tied items as well.
    aggregate
        How queries become one figure. "macro": the mean of their values. "micro": hits summed over queries,
        divided by what they are hits of, for measures that are such a fraction. "pooled": one list of all
        answers of all queries by score, "9 of the top 10 predicted triples are right".
    interval, seed
        The confidence, such as 0.95, with which each figure gets an interval; and where its resampling starts.

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
    gathering = _gathering(aggregate, gold, weights, tie_range=tie_range)
    judging = _judging(run, gold, as_pairs(exclude), conventions.policy, aggregate)
    results = [compute(plan, judging, gathering) for plan in plans]
    judged = judging.under(conventions.policy)
    require_overlap(run, judging.gold, judged)
    found = Evaluation(
        gold=facts_of(gold, rel),
        policy=conventions.policy,
        profile=None if profile is None else conventions.name,
        audit=audit_of(judged, [plan.cutoff for plan in plans]),
        weighted=gathering.weights is not None,
        options=Options(rel, tie_range, aggregate, as_attached(weights), as_attached(exclude)),
        judged=judged,
        estimator=estimate,
        **_values(run, results, pooled=aggregate == "pooled"),
        **_whence(run, judged),
    )
    shown = [plan.measure for plan in plans]
    found = replace(found, notices=notices_of(found.audit, judged, found.policy, shown, judging.gold, rel=rel))
    return found if interval is None else with_intervals(found, interval, seed)


def _values(run: Run, results: list[Result], *, pooled: bool) -> dict[str, Any]:
    """Return what a result says: figures, the value of each query, and what each figure is made of."""
    return {
        "figures": tuple(result.figure for result in results),
        "scores": Scores.of(run.name, {r.figure.name: (r.queries, r.values) for r in results}),
        "samples": {} if pooled else {r.figure.name: r.sample for r in results if r.sample is not None},
    }


def _judging(run: Run, gold: Gold, exclude: pl.DataFrame | None, policy: Policy, aggregate: Aggregate) -> Judging:
    """Return gold and run ready to be judged: as they are, or as one pooled list."""
    if aggregate == "pooled":
        gold, run = pooled(gold, run, policy, exclude)
        exclude = None
    return Judging(run, gold, exclude)


def _gathering(aggregate: Aggregate, gold: Gold, weights: Any, *, tie_range: bool) -> Gathering:
    """Return how the values of queries are to become one figure."""
    if aggregate not in get_args(Aggregate):
        msg = f"aggregate: expected macro, micro or pooled, found {aggregate!r}"
        raise ParameterError(msg)
    if weights is not None and aggregate == "pooled":
        msg = "aggregate: a pooled list has no queries left to weigh, found weights"
        raise ParameterError(msg)
    loads = Loads() if weights is None else as_loads(weights, gold)
    label = "" if aggregate == "macro" else f" ({aggregate})"
    return Gathering(loads.weights, loads.clusters, aggregate == "micro", tie_range, label)


def _whence(run: Run, judged: Judged) -> dict[str, Any]:
    """Return what a result remembers of its run."""
    facts = {
        "name": run.name, "seconds": run.seconds, "queries": judged.notes.run_queries, "rows": judged.notes.rows,
    }  # fmt: skip
    if run.origin is None:
        return facts
    return facts | {"path": run.origin.path, "digest": run.origin.digest, "format": run.origin.format}


def evaluate_all(gold: Any, runs: Iterable[Any], measures: Measures = DEFAULT, **options: Any) -> list[Evaluation]:
    """Judge several runs by the same gold, which is read once; the options are those of `evaluate`."""
    gold = as_gold(gold)
    return [evaluate(gold, run, measures, **options) for run in runs]
