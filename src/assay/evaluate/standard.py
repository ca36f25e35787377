"""`Standard`: gold, measures and conventions, prepared once for any number of runs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self, get_args

import polars as pl

from assay.audit.facts import audit_of, facts_of, require_overlap
from assay.audit.notices import notices_of
from assay.core.evaluation import Evaluation
from assay.core.facts import GoldFacts, Options
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.profiles import Profile
from assay.core.run import Run
from assay.core.scores import Scores
from assay.engines.gold_index import index_of
from assay.errors import ParameterError
from assay.evaluate.cache import Cache
from assay.evaluate.compute import Gathering, Result, compute
from assay.evaluate.estimating import estimate, with_intervals
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan, conventions_of, plans_of
from assay.evaluate.pooling import pooled
from assay.inputs import Loads, as_attached, as_loads, as_pairs
from assay.measures import parse_many
from assay.measures.base import Measure

Aggregate = Literal["macro", "micro", "pooled"]
Measures = str | Measure | type[Measure] | Iterable[str | Measure | type[Measure]]


@dataclass(frozen=True, eq=False)
class Standard:
    """What runs are held against: a gold standard, measures, conventions, weights, excluded pairs."""

    gold: Gold
    plans: tuple[Plan, ...]
    conventions: Profile
    gathering: Gathering
    exclude: pl.DataFrame | None
    options: Options
    named: bool
    interval: float | None = None
    seed: int = 0
    cache: Cache | None = None

    @classmethod
    def of(
        cls, gold: Gold, measures: Measures, *, policy: Any = None, profile: Any = None, rel: float | None = None,
        weights: Any = None, exclude: Any = None, tie_range: bool = False, aggregate: Aggregate = "macro",
        interval: float | None = None, seed: int = 0, cache: Cache | None = None,
    ) -> Self:  # fmt: skip
        """Prepare all that does not depend on a run; the options are those of `evaluate`."""
        conventions = conventions_of(policy, profile)
        return cls(
            gold=gold,
            plans=tuple(plans_of(parse_many(measures), conventions, gold, rel)),
            conventions=conventions,
            gathering=_gathering(aggregate, gold, weights, tie_range=tie_range),
            exclude=as_pairs(exclude),
            options=Options(rel, tie_range, aggregate, as_attached(weights), as_attached(exclude)),
            named=profile is not None,
            interval=interval,
            seed=seed,
            cache=cache,
        )

    @cached_property
    def facts(self) -> GoldFacts:
        """What the gold standard holds."""
        return facts_of(self.gold, self.options.rel)

    def prepare(self) -> Self:
        """Make now what several threads would else make at the same time."""
        index_of(self.gold)
        _ = self.facts, self.gold.facets
        return self

    def evaluation(self, run: Run) -> Evaluation:
        """Hold one run against it."""
        policy, rel = self.conventions.policy, self.options.rel
        judging, digest = self._judging(run)
        results = [compute(plan, judging, self.gathering) for plan in self.plans]
        judged = judging.under(policy)
        require_overlap(run, judging.gold, judged)
        found = Evaluation(
            gold=self.facts,
            policy=policy,
            profile=self.conventions.name if self.named else None,
            audit=audit_of(judged, [plan.cutoff for plan in self.plans]),
            weighted=self.gathering.weights is not None,
            options=self.options,
            judged=judged,
            estimator=estimate,
            **_values(run, results, pooled=self.pooled),
            **_whence(run, judged) | digest,
        )
        shown = [plan.measure for plan in self.plans]
        found = replace(found, notices=notices_of(found.audit, judged, policy, shown, judging.gold, rel=rel))
        return found if self.interval is None else with_intervals(found, self.interval, self.seed)

    @property
    def pooled(self) -> bool:
        """Whether all answers of all queries are one list."""
        return self.options.aggregate == "pooled"

    def _judging(self, run: Run) -> tuple[Judging, dict[str, Any]]:
        """Return gold and run ready to be judged, and the digest of the run where the cache knows it by now."""
        if self.pooled:
            gold, run = pooled(self.gold, run, self.conventions.policy, self.exclude)
            return Judging(run, gold, None), {}
        drawer = None if self.cache is None else self.cache.drawer(run, self.gold, self.exclude)
        if drawer is None:
            return Judging(run, self.gold, self.exclude), {}
        return Judging(run, self.gold, self.exclude, count=drawer.judge), {"digest": lambda: drawer.digest}


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


def _values(run: Run, results: list[Result], *, pooled: bool) -> dict[str, Any]:
    """Return what a result says: figures, the value of each query, and what each figure is made of."""
    return {
        "figures": tuple(result.figure for result in results),
        "scores": Scores.of(run.name, {r.figure.name: (r.queries, r.values) for r in results}),
        "samples": {} if pooled else {r.figure.name: r.sample for r in results if r.sample is not None},
    }


def _whence(run: Run, judged: Judged) -> dict[str, Any]:
    """Return what a result remembers of its run."""
    facts = {
        "name": run.name, "seconds": run.seconds, "queries": judged.notes.run_queries, "rows": judged.notes.rows,
    }  # fmt: skip
    if run.origin is None:
        return facts
    return facts | {"path": run.origin.path, "digest": run.origin.digest, "format": run.origin.format}
