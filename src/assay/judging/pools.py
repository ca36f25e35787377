"""`pool`: runs in, the pairs to judge out."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self, get_args

import numpy as np
import polars as pl

from assay.core.frames import is_frame
from assay.core.gold import Gold
from assay.core.judged import Flags
from assay.core.policy import Policy
from assay.core.pool import SCHEMA, Contribution, Pool, Share, Strategy, Stratum
from assay.core.run import Run
from assay.errors import InputError, ParameterError, UnknownNameError
from assay.inputs import as_gold, as_pairs, as_run
from assay.judging.pool_rankings import PENDING, Rankings
from assay.judging.pool_strata import Band, beside, doubling, read_bands, stratified
from assay.judging.pool_walks import walk

DEPTH = 100
"""How deep runs are looked at where a budget is given and no depth."""
DEEPER = 1000
"""How deep further strata reach."""
ADAPTIVE = ("mtf", "bandit")
BATCH = 5
"""So many pairs of each query make a batch of a strategy that learns from judgments."""


def pool(
    runs: Any,
    strategy: Strategy = "depth",
    *,
    depth: int | None = None,
    budget: int | None = None,
    batch: int | None = None,
    judged: Any = None,
    rel: float = 1,
    share: Share = "equal",
    strata: str | None = None,
    random: int = 0,
    per_run: int = 0,
    seed: int = 0,
    policy: Policy | None = None,
    exclude: Any = None,
) -> Pool:
    """Choose the pairs of query and item that are to be judged.

    Parameters
    ----------
    runs
        Runs as for `evaluate`, at least one; several find more of what is relevant.
    strategy
        depth: all pairs within the depth, or those of the best ranks that the budget allows. mtf and bandit: by what
        was relevant so far; given the judgments, they say what to judge next. stratified: a sample with chances.
    depth
        How deep runs are looked at; 100 where a budget is given alone.
    budget
        How many pairs are to be judged in all, those of `judged` included.
    batch
        How many pairs to name now; for mtf and bandit five for each query, else all.
    judged, rel
        Judgments so far, as gold; the lowest grade that is relevant. A grade below 0 says: looked at, nobody can tell.
    share
        For mtf and bandit: equal gives each query the same part of the budget, found gives more to queries of which
        more is found. The second finds more; the first orders runs better by means over queries.
    strata
        For stratified: bands of ranks with their shares, such as "10:1,100:0.1".
    random, per_run
        Further strata below the depth: so many pairs for each query at random, and of each run and query.
    seed, policy, exclude
        Where chance starts; conventions for tied items, doubled ones and scores; pairs to leave out.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> found = pool([{"q": ["a", "b", "c"]}, {"q": ["b", "d"]}], depth=2)
    >>> found.table.select("item", "runs", "rank").rows()
    [('b', 2, 1), ('a', 1, 1), ('d', 1, 2)]
    """
    plan = Plan(strategy, depth, budget, batch, share, strata, seed)
    conventions = policy or Policy()
    reach = max(DEEPER, plan.deepest) if random or per_run else plan.deepest
    deep = Rankings.of(opened(runs), reach, conventions, as_pairs(exclude))
    rankings = deep.within(plan.deepest)
    known = Known.of(rankings, None if judged is None else as_gold(judged), rel)
    if plan.strategy == "stratified":
        sample = stratified(rankings, plan.bands, plan.budget, seed)
        chosen = located(sample.filter("drawn"), rankings)
    else:
        sample, chosen = None, _walked(rankings, plan, known)
    if random or per_run:
        more = beside(deep, rankings.pairs.select("query", "item"), random, per_run, seed)
        sample = more if sample is None else pl.concat([sample, more])
        chosen = pl.concat([chosen, located(more.filter("drawn"), deep)])
    return _made(rankings, plan, known, chosen, sample, conventions)


@dataclass(frozen=True, slots=True)
class Plan:
    """How pairs are chosen; see `pool`."""

    strategy: Strategy
    depth: int | None
    budget: int | None
    batch: int | None
    share: Share
    strata: str | None
    seed: int

    def __post_init__(self) -> None:
        for kind, name, known in (("strategy", self.strategy, Strategy), ("share", self.share, Share)):
            if name not in get_args(known):
                raise UnknownNameError.of(kind, name, get_args(known))
        for what, number in (("depth", self.depth), ("budget", self.budget), ("batch", self.batch)):
            if number is not None and number < 1:
                raise ParameterError(f"{what}: expected a whole number of at least 1, found {number!r}")
        if self.strategy in ADAPTIVE and self.budget is None:
            raise ParameterError(f"{self.strategy}: expected a budget, the pairs to judge in all, found none")
        if self.depth is None and self.budget is None and not self.strata:
            raise ParameterError("pool: expected a depth or a budget, found neither", hint="depth 10 is usual.")

    @property
    def bands(self) -> tuple[Band, ...]:
        """The bands of a sample."""
        return read_bands(self.strata) if self.strata else doubling(self.depth or DEPTH)

    @property
    def deepest(self) -> int:
        """How deep runs are looked at."""
        return self.bands[-1].last if self.strata else self.depth or DEPTH

    def room(self, queries: int, looked: int) -> int | None:
        """Return how many pairs to name now; None for all."""
        batch = self.batch or (BATCH * queries if self.strategy in ADAPTIVE else None)
        left = None if self.budget is None else max(0, self.budget - looked)
        limits = [limit for limit in (batch, left) if limit is not None]
        return min(limits, default=None)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The judgments so far: of each pair of the rankings what is known (see `Rankings.told`), whether it was seen."""

    gold: Gold | None
    told: list[int]
    looked: Flags
    rel: float

    @classmethod
    def of(cls, rankings: Rankings, gold: Gold | None, rel: float) -> Self:
        """Look the pairs up."""
        told = rankings.told(gold, rel)
        looked = np.array(told, np.int64) != PENDING
        looked[rankings.unknowable(gold, rel)] = True
        return cls(gold, told, looked, rel)

    def of_pairs(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of some pairs that were judged, with their grade."""
        if self.gold is None:
            return pairs.clear().with_columns(grade=pl.lit(None, pl.Float64))
        return pairs.join(self.gold.table, on=["query", "item"])


def opened(runs: Any) -> list[Run]:
    """Return runs, whatever they are given as; one alone may stand without a list."""
    alone = isinstance(runs, str | os.PathLike | Mapping | Run) or is_frame(runs)
    return [_opened(run) for run in ([runs] if alone else runs)]


def _opened(run: Any) -> Run:
    if callable(run):
        raise InputError("runs: expected a path, a mapping or a dataframe, found a function", hint="Run.from_callable")
    return as_run(run, None)  # type: ignore[arg-type] # only a function asks the gold


def located(pairs: pl.DataFrame, rankings: Rankings) -> pl.DataFrame:
    """Return pairs with the columns of a pool, best rank first."""
    held = pairs.select("query", "item", "stratum", "probability").join(rankings.pairs, on=["query", "item"])
    return held.select(list(SCHEMA)).sort("rank", "query", "item")


def _walked(rankings: Rankings, plan: Plan, known: Known) -> pl.DataFrame:
    """Return the next pairs of a walk that were not looked at."""
    way = walk(rankings, plan.strategy, known.told, share=plan.share, seed=plan.seed)
    fresh = (pair for pair in way if not known.looked[pair])
    order = list(islice(fresh, plan.room(len(rankings.queries), int(known.looked.sum()))))
    certain = pl.lit(None if plan.strategy in ADAPTIVE else 1.0, pl.Float64)
    return rankings.pairs[order].with_columns(stratum=pl.lit(plan.strategy), probability=certain).select(list(SCHEMA))


def _made(  # noqa: PLR0917 - all that a pool tells
    rankings: Rankings, plan: Plan, known: Known, chosen: pl.DataFrame, sample: pl.DataFrame | None, policy: Policy
) -> Pool:
    """Return the pool with its counts."""
    drawn = rankings.pairs if sample is None else sample.filter("drawn")
    seen = known.of_pairs(drawn.select("query", "item"))
    return Pool(
        table=chosen.join(known.of_pairs(chosen), on=["query", "item"], how="anti", maintain_order="left"),
        strategy=plan.strategy,
        depth=plan.deepest,
        budget=plan.budget,
        share=plan.share,
        seed=plan.seed,
        policy=policy,
        queries=len(rankings.queries),
        pooled=rankings.pairs.height,
        judged=seen.height,
        relevant=int((seen["grade"] >= known.rel).sum()),
        runs=_contributions(rankings, known),
        strata=() if sample is None else _strata(sample, known),
        sample=sample,
    )


def _contributions(rankings: Rankings, known: Known) -> tuple[Contribution, ...]:
    told = pl.Series("told", known.told, pl.Int64)
    alone = rankings.pairs.select("query", "item", "runs", told, looked=pl.Series(known.looked))
    rows = rankings.places.join(alone, on=["query", "item"]).group_by("run").agg(
        pairs=pl.len(), alone=(pl.col("runs") == 1).sum(), judged=pl.col("looked").sum(),
        relevant=(pl.col("told") == 1).sum(),
    )  # fmt: skip
    found = {row["run"]: row for row in rows.iter_rows(named=True)}
    empty = dict.fromkeys(("pairs", "alone", "judged", "relevant"), 0)
    return tuple(
        Contribution(name, **{key: found.get(number, empty)[key] for key in empty})
        for number, name in enumerate(rankings.names)
    )


def _strata(sample: pl.DataFrame, known: Known) -> tuple[Stratum, ...]:
    seen = known.of_pairs(sample.filter("drawn")).group_by("stratum").agg(judged=pl.len())
    rows = sample.group_by("stratum").agg(pairs=pl.len(), drawn=pl.col("drawn").sum())
    rows = rows.join(seen, on="stratum", how="left").with_columns(pl.col("judged").fill_null(0))
    return tuple(sorted((Stratum(*row) for row in rows.iter_rows()), key=_by_depth))


def _by_depth(stratum: Stratum) -> tuple[bool, int, str]:
    first = stratum.name.partition("-")[0]
    return not first.isdecimal(), int(first) if first.isdecimal() else 0, stratum.name


def sample_gold(found: Pool, judged: Any) -> pl.DataFrame:
    """Return judgments as gold of a sampled pool: query, item, grade, stratum, probability.

    infAP, statAP and xinfAP estimate from it what the whole pool would say. Pairs that were not drawn, and those not
    judged yet, have grade -1: pooled, not judged. So have pairs that were judged without having been drawn.

    Raises
    ------
    ParameterError
        A pool that is no sample.
    """
    if found.sample is None:
        raise ParameterError(f"pool: expected a sample, found the strategy {found.strategy}", hint="stratified")
    rows = found.sample.join(as_gold(judged).table, on=["query", "item"], how="left")
    grade = pl.when("drawn").then(pl.col("grade").fill_null(-1.0)).otherwise(-1.0)
    return rows.select("query", "item", grade.alias("grade"), "stratum", "probability").sort("query", "item")
