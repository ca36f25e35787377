"""`recall`: how much of what is relevant the judgments have found, estimated from samples and from two searches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.estimates import Interval
from assay.core.gold import Gold
from assay.core.gold_recall import GoldRecall, RecallEstimate, StoppingRule
from assay.core.judged import Floats
from assay.core.policy import Policy
from assay.errors import InputError, ParameterError
from assay.inputs import as_gold
from assay.judging.pool_rankings import Rankings
from assay.judging.pool_walks import chance
from assay.judging.pools import opened
from assay.judging.stopping import by_bound, by_budget, by_control, by_elusion, by_knee
from assay.report.amounts import counted
from assay.statistics.finite import finite_share
from assay.statistics.proportion import clopper_pearson
from assay.statistics.recapture import chapman


def recall(
    gold: Any,
    *,
    sample: Any = None,
    left: int | None = None,
    control: Any = None,
    searches: Any = None,
    depth: int = 1000,
    in_order: bool = False,
    collection: int | None = None,
    target: float = 0.95,
    level: float = 0.95,
    rel: float = 1,
) -> GoldRecall:
    """Estimate the recall of judgments: of all relevant pairs, the share that is known to be relevant.

    Parameters
    ----------
    gold
        The judgments so far; a grade below 0 is no judgment.
    sample, left
        Judgments of pairs that were drawn at random from those without one, and how many these were. Where the
        sample has a column probability, `left` need not be said.
    control
        Judgments of pairs drawn at random from everything, whether judged or not.
    searches, depth
        Two runs that know nothing of each other, and how deep they are looked at. An item that stands twice in a
        ranking counts once.
    in_order, collection
        Whether the rows of `gold` stand in the order of judging, and how many items a query has to choose from: what
        the rules knee and budget need.
    target, level
        The recall that is wanted and how sure it is to be.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> found = recall({"q": {"a": 1, "b": 1, "c": 0}}, sample={"q": {"d": 0, "e": 1}}, left=4)
    >>> found.estimates[0].missed, found.estimates[0].recall
    (2.0, 0.5)
    """
    for name, share in (("target", target), ("level", level)):
        if not 0.5 < share < 1:
            raise ParameterError(f"{name}: expected a share above 0.5 and below 1, found {share:g}")
    truth = _judged(as_gold(gold).table)
    relevant = int((truth["grade"] >= rel).sum())
    asked = _Asked(truth, relevant, rel, target, level)
    parts: list[tuple[RecallEstimate | None, StoppingRule | None]] = []
    if sample is not None:
        parts.append(asked.elusion(as_gold(sample), left))
    if control is not None:
        parts.append(asked.control(as_gold(control)))
    if searches is not None:
        once = Policy(duplicates="first", nan="worst")
        parts.append((asked.recapture(Rankings.of(opened(searches), depth, once)), None))
    rules = [rule for _, rule in parts if rule]
    if in_order:
        rows = [group["grade"].to_numpy() >= rel for _, group in truth.group_by("query", maintain_order=True)]
        rules += [by_knee(rows), *([] if collection is None else [by_budget(rows, collection)])]
    if not parts and not rules:
        msg = "recall: expected a sample, a control sample, two searches or judgments in order, found none"
        raise ParameterError(msg, hint="a sample of what was not judged is the surest.")
    estimates = tuple(estimate for estimate, _ in parts if estimate)
    return GoldRecall(truth.height, relevant, target, level, estimates, tuple(rules))


def draw_unjudged(gold: Any, items: Sequence[str], size: int, seed: int = 0) -> pl.DataFrame:
    """Draw for each query of the gold so many items that have no judgment for it: query, item, stratum, probability.

    A larger draw with the same seed holds the smaller one; the order of the items does not matter.

    Raises
    ------
    ParameterError
        A size below 1.
    InputError
        No item.

    >>> draw_unjudged({"q": {"a": 1}}, ["a", "b", "c"], 2).rows()
    [('q', 'b', 'elusion', 1.0), ('q', 'c', 'elusion', 1.0)]
    """
    if size < 1:
        raise ParameterError(f"draw: expected at least 1 item for each query, found {size}")
    everything = sorted(set(items))
    if not everything:
        raise InputError("documents: expected items to draw from, found none")
    truth, rows = as_gold(gold), []
    judged = dict(_judged(truth.table).group_by("query").agg("item").iter_rows())
    for query in truth.queries:
        known = set(judged.get(query, ()))
        order = chance(seed, query).permutation(len(everything)).tolist()
        open_ = [everything[place] for place in order if everything[place] not in known]
        probability = min(1.0, size / len(open_)) if open_ else 1.0
        rows += [(query, item, "elusion", probability) for item in sorted(open_[:size])]
    names = {"query": pl.String, "item": pl.String, "stratum": pl.String, "probability": pl.Float64}
    return pl.DataFrame(rows, schema=names, orient="row")


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """Judgments whose recall is asked for, and how many of them are relevant."""

    truth: pl.DataFrame
    relevant: int
    rel: float
    target: float
    level: float

    def elusion(self, sample: Gold, left: int | None) -> tuple[RecallEstimate, StoppingRule | None]:
        """Estimate by a sample of what was not judged."""
        rows = _judged(sample.table if sample.details is None else sample.details)
        again = rows.join(self.truth, on=["query", "item"], how="semi")
        if again.height:
            first = again.row(0, named=True)
            msg = f"sample: expected pairs without a judgment, found {first['item']!r} for query {first['query']!r}"
            raise InputError(f"{msg} in the gold", hint="draw from what is not judged; --control takes other samples.")
        hits, weights = (rows["grade"] >= self.rel).to_numpy().astype(np.float64), _weights(rows, left)
        total, alike = float(weights.sum()), bool(np.ptp(weights) < 1e-9 * weights.max())
        missed = float((weights * hits).sum())
        low, high = self._share(hits, weights, round(total), self.level, alike=alike)
        drawn_from = f"{int(hits.sum()):,} of {counted(len(hits), 'pair')} drawn from {total:,.0f}"
        units = len(hits) if alike else round(total**2 / float((weights**2).sum()))
        method = "hypergeometric" if alike else "exact"
        ends = Interval(self._of(high * total), self._of(low * total), self.level, method, units)
        basis, every = f"{drawn_from} without a judgment are relevant", self.relevant + missed
        found = RecallEstimate("elusion", self.relevant, missed, every, self._of(missed), ends, basis)
        if not self.relevant:
            return found, None
        drawn = int(hits.sum()), len(hits), round(total)
        if alike:
            return found, by_elusion(self.relevant, *drawn, target=self.target, level=self.level)
        most = self._share(hits, weights, drawn[-1], 2 * self.level - 1, alike=False)[1] * total
        return found, by_bound(self.relevant / (self.relevant + most), self.target)

    def _share(self, hits: Floats, weights: Floats, total: int, level: float, *, alike: bool) -> tuple[float, float]:
        """Return the interval of the share of relevant ones; of a sample with unequal chances by Kish's size."""
        if alike:
            return finite_share(int(hits.sum()), len(hits), total, level)
        worth = float(weights.sum() ** 2 / (weights**2).sum())
        return clopper_pearson(float((weights * hits).sum() / weights.sum()), worth, level)

    def _of(self, missed: float) -> float | None:
        """Return the recall where so many are missed."""
        return self.relevant / (self.relevant + missed) if self.relevant + missed else None

    def control(self, sample: Gold) -> tuple[RecallEstimate, StoppingRule | None]:
        """Estimate by a sample of everything: how many of its relevant pairs are known."""
        rows = _judged(sample.table).filter(pl.col("grade") >= self.rel)
        known, of = rows.join(self.truth, on=["query", "item"], how="semi").height, rows.height
        low, high = clopper_pearson(known / of, of, self.level) if of else (None, None)
        share = known / of if of else None
        total = self.relevant / share if share else None
        basis = f"{known:,} of {of:,} relevant pairs of a sample of everything were judged"
        found = RecallEstimate(
            "control", self.relevant, None if total is None else total - self.relevant, total, share,
            Interval(low, high, self.level, "exact" if of else "none", of), basis,
        )  # fmt: skip
        return found, by_control(known, of, self.target, self.level)

    def recapture(self, rankings: Rankings) -> RecallEstimate:
        """Estimate from two searches: what both found tells how much neither did."""
        if len(rankings.names) != 2:
            raise ParameterError(f"searches: expected two runs, found {len(rankings.names)}")
        right = self.truth.filter(pl.col("grade") >= self.rel)
        held = rankings.places.join(right, on=["query", "item"], how="semi")
        first, second = (held.filter(run=number).height for number in (0, 1))
        both = held.height - held.select("query", "item").n_unique()
        total, _, ends = chapman(first, second, both, self.level)
        seen = first + second - both
        basis = f"{first:,} and {second:,} relevant pairs, {both:,} of them found by both"
        low, high = (seen / end if end else None for end in (ends.high, ends.low))
        interval = Interval(low, high, self.level, ends.method, ends.units)
        return RecallEstimate("recapture", seen, total - seen, total, seen / total if total else None, interval, basis)


def _judged(table: pl.DataFrame) -> pl.DataFrame:
    """Leave pairs out that nobody could judge."""
    return table.filter(pl.col("grade") >= 0)


def _weights(rows: pl.DataFrame, left: int | None) -> Floats:
    """Return for how many pairs each of the sample stands."""
    if not rows.height:
        raise InputError("sample: expected judgments, found none")
    if left is not None:
        if left < rows.height:
            raise ParameterError(f"left: expected at least the {rows.height:,} pairs of the sample, found {left:,}")
        return np.full(rows.height, left / rows.height)
    if "probability" not in rows.columns or (rows["probability"].cast(pl.Float64) <= 0).any():
        msg = "sample: expected a column probability above 0, or how many pairs it was drawn from, found neither"
        raise InputError(msg, hint="left=N (--left N) says from how many pairs it was drawn.")
    return (1 / rows["probability"].cast(pl.Float64)).to_numpy()
