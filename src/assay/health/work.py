"""The work-list: which unjudged items would narrow a comparison most, were they judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.health import WorkItem
from assay.core.judged import Floats, Hits, Ints, Judged
from assay.core.policy import ENGINE_TIES
from assay.engines.head import head
from assay.errors import UnsupportedError
from assay.evaluate.compute import Gathering
from assay.evaluate.judging import Judging
from assay.evaluate.plan import Plan
from assay.measures.base import Measure
from assay.measures.possible import PLACES, parts

DEPTH = 100
"""How deep items are looked for, for a measure without a cutoff."""
DEEPEST = 1000
"""Below this rank an item counts as not retrieved, for a measure without a cutoff."""


def work_list(plan: Plan, judgings: Sequence[Judging], gathering: Gathering, most: int) -> tuple[WorkItem, ...]:
    """Return up to `most` unjudged items whose judgment could move the difference of two means, furthest first.

    Candidates stand within the cutoff (100 for a measure without one) of either run. The gain of an item is how
    far the difference moves when it alone is given the highest grade instead of 0; for a single run, how far its
    mean moves. Equal gains are sorted by query, then item.

    Raises
    ------
    UnsupportedError
        A measure of aspects, groups or samples, or one whose figure is no mean over queries.
    """
    if not can_be_narrowed(plan.measure):
        msg = f"{plan.measure}: a work-list needs a mean over queries and one grade for each item"
        raise UnsupportedError(msg, hint="name another measure for it, such as nDCG@10 or AP.")
    ties = plan.policy.ties if plan.policy.ties in ENGINE_TIES else "id-desc"
    plan = replace(plan, policy=plan.policy.but(unjudged="nonrelevant", ties=ties))
    found = _candidates(plan, judgings)
    query = found["code"].to_numpy()
    moved = np.zeros(len(found))
    for number, judging in enumerate(judgings):
        means = _Mean.of(plan, judging.under(plan.policy), gathering.weights)
        moved = means.change(query, found[f"rank{number}"].to_numpy()) - moved
    gain = pl.Series(np.abs(moved))
    best = found.with_columns(gain=gain).filter(pl.col("gain") > 0)
    best = best.sort("gain", "query", "item", descending=[True, False, False]).head(most)
    ranks = best.select(pl.col("^rank[0-9]+$").fill_nan(None)).rows()
    return tuple(
        WorkItem(query, item, gain, tuple(of_runs))
        for query, item, gain, of_runs in zip(best["query"], best["item"], best["gain"], ranks, strict=True)
    )


def can_be_narrowed(measure: Measure) -> bool:
    """Tell whether a work-list can be made for a measure: one grade for each item, and a mean or a sum over queries."""
    return not measure.needs_facets and type(measure).aggregate is Measure.aggregate


def _candidates(plan: Plan, judgings: Sequence[Judging]) -> pl.DataFrame:
    """Return unjudged items near the top of a run: code, query, item, and the rank in each run (NaN: none)."""
    gold, near, places = judgings[0].gold, [], []
    for judging in judgings:
        deepest = min(DEEPEST, int(judging.under(plan.policy).retrieved.max(initial=1)))
        rows = head(judging.run, plan.cutoff or deepest, plan.policy, gold.queries.to_list(), judging.exclude)
        near.append(rows.filter(pl.col("rank") <= (plan.cutoff or DEPTH)).select("query", "item"))
        places.append(rows.select("query", "item", pl.col("rank").cast(pl.Float64)))
    judged = gold.table if plan.policy.negative == "nonrelevant" else gold.table.filter(pl.col("grade") >= 0)
    codes = pl.DataFrame({"query": gold.queries, "code": np.arange(len(gold.queries))})
    found = pl.concat(near).unique().join(judged, on=["query", "item"], how="anti").join(codes, on="query")
    for number, ranks in enumerate(places):
        named = ranks.rename({"rank": f"rank{number}"})
        found = found.join(named, on=["query", "item"], how="left")
    return found.sort("code", "item").with_columns(pl.col("^rank[0-9]+$").fill_null(float("nan")))


@dataclass(frozen=True, slots=True, eq=False)
class _Mean:
    """The mean of one run, ready to say how it changes with one query.

    `values` (NaN: not in the mean) and `weights` have the shape (queries,).
    """

    plan: Plan
    judged: Judged
    values: Floats
    weights: Floats

    @classmethod
    def of(cls, plan: Plan, judged: Judged, weights: Floats | None) -> "_Mean":
        measure, policy = plan.measure, plan.policy
        values = np.where(measure.defined(judged), measure.kernel(judged), np.nan)
        if policy.empty in {"zero", "one"} and measure.worst is not None:
            values = np.where(measure.defined(judged), values, 1.0 if policy.empty == "one" else 0.0)
        return cls(plan, judged, values, np.ones(judged.queries) if weights is None else weights)

    def change(self, query: Ints, rank: Floats) -> Floats:
        """Return how the mean changes when an item at a rank of a query has the highest grade, shape (items,).

        A query that the run does not answer does not change; nor does one that stays without a value.
        """
        new, known = np.full(len(query), np.nan), self.judged.answered[query]
        sizes = self.judged.hits.count() + self.judged.ideal.count() + 1
        for part in parts(sizes[query], PLACES):
            with_item = promoted(self.judged, query[part], rank[part], self.plan.measure.highest(self.judged))
            new[part] = self.plan.measure.kernel(with_item)
        inside = ~np.isnan(self.values) & (self.judged.answered | (self.plan.policy.missing != "skip"))
        load, old, weight = self.weights[query], self.values[query], self.weights
        total, sum_now = weight[inside].sum(), (weight * self.values)[inside].sum()
        if self.plan.measure.summed:
            total, load_if_new = 1.0, np.zeros(len(query))
        else:
            load_if_new = np.where(inside[query], 0.0, load)
        then = sum_now + load * (new - np.where(inside[query], old, 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            change = then / (total + load_if_new) - (sum_now / total if total else 0.0)
        return np.where(known & ~np.isnan(change), change, 0.0)


def promoted(judged: Judged, query: Ints, rank: Floats, grade: float) -> Judged:
    """Return one query for each item: the item's query, with the item judged; shape (items,).

    `rank` is where the item stands, NaN where it was not retrieved: it then is in the gold alone.
    """
    item = np.arange(len(query))
    hits, ideal = _copied(judged.hits, query), _copied(judged.ideal, query)
    hits = hits.where(hits.rank != rank[hits.query])
    there = np.flatnonzero(~np.isnan(rank))
    number, at = np.concatenate([hits.query, there]), np.concatenate([hits.rank, rank[there]])
    grades = np.concatenate([hits.grade, np.full(len(there), grade)])
    order = np.lexsort((at, number))
    number, at = number[order], at[order]
    above = at.astype(np.int64) - 1
    best, of = np.concatenate([ideal.grade, np.full(len(item), grade)]), np.concatenate([ideal.query, item])
    falling = np.lexsort((-best, of))
    return Judged(
        names=pl.Series(map(str, item), dtype=pl.String),
        hits=Hits(len(item), number, grades[order], at, above, np.ones_like(above)),
        ideal=Hits.ranked(len(item), of[falling], best[falling]),
        retrieved=judged.retrieved[query],
        answered=judged.answered[query],
        candidates=None if judged.candidates is None else judged.candidates[query],
        whole_top=max(judged.top_grade, grade),
    )


def _copied(hits: Hits, query: Ints) -> Hits:
    """Return the rows of each of some queries, which may be named more than once, under the number of their place."""
    many = np.bincount(hits.query, minlength=hits.queries)
    start = np.cumsum(many) - many
    number = np.repeat(np.arange(len(query)), many[query])
    within = Hits.ranked(len(query), number, np.zeros(len(number))).above
    rows = hits.where(start[query][number] + within)
    return replace(rows, queries=len(query), query=number)
