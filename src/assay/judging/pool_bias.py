"""`pool_bias`: what a run would have scored, had it, or its whole group, not helped to make the pool."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from statistics import median
from typing import Any, Literal

import numpy as np
import polars as pl

from assay.core.health import LeftOut
from assay.core.judged import Flags, Floats
from assay.core.policy import Policy
from assay.core.pool import Bias, Reuse, Share
from assay.errors import InputError, ParameterError
from assay.evaluate import Gathering, Judging, Measures, Plan
from assay.evaluate.compute import compute
from assay.evaluate.plan import conventions_of, plans_of
from assay.health.left_out import Unaided, agreements, place
from assay.inputs import as_gold, as_pairs
from assay.judging.pool_rankings import Rankings
from assay.judging.pool_walks import walk
from assay.judging.pools import opened
from assay.measures import parse_many
from assay.statistics.power import powers


def pool_bias(
    runs: Any,
    gold: Any,
    strategy: str = "depth",
    *,
    depth: int = 10,
    budget: int | None = None,
    measures: Measures = "P@10 AP",
    groups: Mapping[str, str] | None = None,
    rel: float = 1,
    share: Share = "equal",
    seed: int = 0,
    policy: Policy | None = None,
    exclude: Any = None,
) -> tuple[Bias, ...]:
    """Make the pool once with all runs and once without each, and score each by what the others would have found.

    Only pairs of the pool count as judged, by their grade in `gold`. `groups` names the group of each run, such as
    its team or method; then whole groups are left out as well: runs of one group find the same. A strategy that
    learns is walked again each time, with the same budget. Everything else is as in `pool` and `evaluate`.

    Raises
    ------
    ParameterError
        Fewer than two runs or groups, or a sampled pool.
    InputError
        A run without a group.

    >>> runs = [{"q": ["a", "b"]}, {"q": ["c", "d"]}]
    >>> bias = pool_bias(runs, {"q": {"a": 1, "b": 0, "c": 1, "d": 1}}, depth=2, measures="P@2")[0]
    >>> [(one.run, one.mean, one.without) for one in bias.left_out]
    [('run', 0.5, 0.0), ('run (2)', 1.0, 0.0)]
    """
    if strategy == "stratified":
        raise ParameterError("bias: expected depth, mtf or bandit, found stratified: a sample has no items of its own")
    conventions, truth, pairs = policy or Policy(), as_gold(gold), as_pairs(exclude)
    rankings = Rankings.of(opened(runs), depth, conventions, pairs)
    if len(rankings.names) < 2:
        raise ParameterError(f"bias: expected at least two runs, found {len(rankings.names)}")
    plans = plans_of(parse_many(measures), conventions_of(conventions, None), truth, rel)

    def choose(some: Rankings) -> pl.DataFrame:
        way = walk(some, strategy, some.told(truth, rel, unjudged=0), share=share, seed=seed)
        return some.pairs[list(islice(way, budget))]

    judgings = [Judging(run, truth, pairs) for run in rankings.runs]
    study = _Study(rankings, judgings, plans, choose)
    found = [study.bias("run", {name: name for name in rankings.names})]
    if groups is not None:
        found.append(study.bias("group", _grouped(rankings.names, groups)))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Study:
    """Runs to be judged by parts of one gold standard; `choose` says which pairs a pool of some rankings holds."""

    rankings: Rankings
    judgings: Sequence[Judging]
    plans: Sequence[Plan]
    choose: Callable[[Rankings], pl.DataFrame]

    def bias(self, by: Literal["run", "group"], groups: Mapping[str, str]) -> Bias:
        """Leave each group out in turn."""
        whole = self.unknown(self.rankings)
        lacking = {
            group: self.unknown(self.rankings.without({name for name in groups if groups[name] == group}))
            for group in sorted(set(groups.values()))
        }
        rows: list[LeftOut] = []
        values = {}
        for plan in self.plans:
            results = [compute(plan, Unaided.of(one, whole), Gathering()) for one in self.judgings]
            without = [lacking[groups[name]] for name in self.rankings.names]
            rows += self.left_out(plan, [one.figure.mean for one in results], whole, without)
            values[results[0].figure.name] = np.column_stack([one.values for one in results])
        tau = agreements(rows)
        of_measure = {name: [row for row in rows if row.measure == name] for name in tau}
        verdicts = [_verdict(of_measure[name], values[name], tau[name]) for name in tau]
        return Bias(by, groups, tuple(rows), tuple(verdicts))

    def left_out(
        self, plan: Plan, means: Sequence[float | None], whole: Flags, without: Sequence[Flags]
    ) -> Iterator[LeftOut]:
        """Yield the figure of each run with and without."""
        grades, better = self.judgings[0].gold.table["grade"].to_numpy(), plan.measure.higher_is_better
        for number, (judging, unknown) in enumerate(zip(self.judgings, without, strict=True)):
            figure = compute(plan, Unaided.of(judging, unknown), Gathering()).figure
            others = [mean for other, mean in enumerate(means) if other != number]
            yield LeftOut(
                run=self.rankings.names[number],
                measure=figure.name,
                unique=int((grades[unknown & ~whole] >= plan.measure.least).sum()),
                mean=means[number],
                without=figure.mean,
                place=place(means[number], others, higher=better),
                place_without=place(figure.mean, others, higher=better),
            )

    def unknown(self, rankings: Rankings) -> Flags:
        """Flag the rows of the gold that a pool of these rankings does not hold."""
        inside = self.choose(rankings).select("query", "item", inside=True)
        rows = self.judgings[0].gold.table.join(inside, on=["query", "item"], how="left", maintain_order="left")
        return rows["inside"].is_null().to_numpy()


def _verdict(rows: Sequence[LeftOut], values: Floats, tau: float | None) -> Reuse:
    """Hold the largest change against the difference that these queries can tell; values are (queries, runs)."""
    changes = [one.without - one.mean for one in rows if one.mean is not None and one.without is not None]
    worst = max(rows, key=_size)
    told = values[~np.isnan(values).any(axis=1)]
    pairs = list(combinations(range(values.shape[1]), 2))
    differences = np.column_stack([told[:, a] - told[:, b] for a, b in pairs])
    known = [one.detectable for one in powers(differences) if one.detectable is not None] if len(told) > 1 else []
    detectable = median(known) if known else None
    return Reuse(
        measure=worst.measure,
        worst=worst,
        median=median(changes) if changes else None,
        tau=tau,
        detectable=detectable,
        reusable=None if detectable is None or not changes else _size(worst) < detectable,
    )


def _size(one: LeftOut) -> float:
    return 0.0 if one.mean is None or one.without is None else abs(one.without - one.mean)


def _grouped(names: Sequence[str], groups: Mapping[str, str]) -> dict[str, str]:
    """Return the group of each run."""
    missing = [name for name in names if name not in groups]
    if missing:
        named = ", ".join(sorted(groups)[:3])
        raise InputError(f"groups: expected one for each run, found none for {missing[0]!r}", hint=f"named: {named}")
    if len({groups[name] for name in names}) < 2:
        raise ParameterError("groups: expected at least two, found one, without which nothing is left")
    return {name: groups[name] for name in names}
