"""`rejudge`: a recorded run judged again by another gold standard, from the items that were kept of it."""

from dataclasses import replace
from typing import Any

import polars as pl

from assay.core.gold import Gold
from assay.core.history import Recorded
from assay.core.policy import ENGINE_TIES, Policy
from assay.core.run import Run
from assay.errors import OverlapError, ParameterError, UnsupportedError
from assay.evaluate import Measures, evaluate
from assay.history.gold_digest import gold_digest
from assay.history.record import record
from assay.inputs import as_gold
from assay.measures import parse_many


def rejudge(recorded: Recorded, gold: Any, measures: Measures | None = None, *, rel: float | None = None) -> Recorded:
    """Judge a recorded run by another gold standard, under the conventions of its record; its id is 0.

    Queries of the gold that the run was not asked are left out, of a weighted record also those without a weight. Only
    items that were kept are seen, so a measure has to look no deeper than they reach: one with a cutoff of at most
    `depth`, or any where the rankings of all queries are kept whole.

    Parameters
    ----------
    recorded
        As `HistoryStore.get` returns it, with its head.
    gold
        As in `evaluate`.
    measures, rel
        As in `evaluate`; by default the measures that were recorded.

    Raises
    ------
    UnsupportedError
        No head; a measure that looks deeper; a convention that needs items which were not kept.
    OverlapError
        No query in common.

    >>> import assay
    >>> run = assay.Run.from_mapping({"q": ["b", "a"]})
    >>> old = record(assay.evaluate({"q": {"a": 1}}, run, "P@1"), suite="web", run=run, head=1)
    >>> rejudge(old, {"q": {"b": 1}}).figure("P@1").mean
    1.0
    """
    if recorded.head is None:
        msg = f"{_named(recorded)}: expected items that were kept, found none"
        raise UnsupportedError(msg, hint="assay history add GOLD RUN --head 10 keeps ten of each query.")
    wanted = parse_many(list(recorded.measures) if measures is None else measures)
    policy, ends = _policy(recorded), _cut(recorded.head, recorded.depth)
    _require_depth(recorded, [one.measure for one in wanted], policy, ends)
    whole = as_gold(gold)
    truth = _asked(whole, recorded)
    run = Run.from_frame(_ranked(recorded.head, policy), name=recorded.name)
    seen = policy.but(ties="order") if policy.ties in ENGINE_TIES else policy
    found = evaluate(truth, run, [one.measure for one in wanted], policy=seen, rel=rel, weights=_loads(recorded, truth))
    again = record(found, suite=recorded.suite, gold=truth, time=recorded.time, task=recorded.made.task)
    digests = {name: getattr(recorded.made, name) for name in ("run", "corpus", "code", "tags", "exclude", "weights")}
    made = replace(again.made, gold=gold_digest(whole), policy=recorded.made.policy, **digests)
    return replace(again, made=made, head=recorded.head, depth=recorded.depth, groups=recorded.groups)


def _named(recorded: Recorded) -> str:
    return f"evaluation {recorded.id} ({recorded.name})"


def _policy(recorded: Recorded) -> Policy:
    try:
        return Policy(**recorded.made.policy)
    except (TypeError, ParameterError):
        msg = f"{_named(recorded)}: expected the conventions of a ranking, found those of {recorded.made.task}"
        raise UnsupportedError(msg) from None


def _cut(head: pl.DataFrame, depth: int) -> pl.DataFrame:
    """Return the last item of each query whose ranking may go on below it."""
    last = head.group_by("query", maintain_order=True).agg(pl.len(), pl.col("score").last())
    return last.filter(pl.col("len") >= depth)


def _require_depth(recorded: Recorded, measures: list[Any], policy: Policy, ends: pl.DataFrame) -> None:
    """Refuse what looks at items that were not kept."""
    if not ends.height:
        return
    where = f"{_named(recorded)}: expected measures of the first {recorded.depth} items, which were kept"
    for measure in measures:
        deepest = getattr(measure, "k", None)
        if deepest is None or deepest > recorded.depth:
            looks = "looks at whole rankings" if deepest is None else f"looks at {deepest}"
            msg = f"{where}, found {measure}, which {looks}"
            raise UnsupportedError(msg, hint="assay history add --head N keeps more of the runs to come.")
        if measure.judged_only or policy.unjudged == "drop":
            raise UnsupportedError(f"{where}, found {measure} without unjudged items, in whose place deeper ones move")
    if policy.ties not in ENGINE_TIES:
        _require_no_open_ties(recorded, measures, policy, ends)


def _require_no_open_ties(recorded: Recorded, measures: list[Any], policy: Policy, ends: pl.DataFrame) -> None:
    """Refuse ties that may go on below the last item that was kept, where a measure reaches them."""
    deepest = max(one.k for one in measures)
    at = pl.col("score").gather(deepest - 1).first() if recorded.head is not None else None
    there = recorded.head.group_by("query").agg(at=at) if recorded.head is not None else ends
    tied = ends.join(there, on="query").filter(pl.col("at") == pl.col("score"))
    if tied.height:
        msg = f"{_named(recorded)}: expected whole groups of tied items for ties={policy.ties}, found"
        raise UnsupportedError(f"{msg} one that is cut off for query {tied['query'][0]!r}")


def _asked(gold: Gold, recorded: Recorded) -> Gold:
    """Return the gold of the queries that the run was asked."""
    is_free = recorded.head is not None and recorded.weights is None and recorded.clusters is None
    answered = recorded.head["query"].unique().to_list() if recorded.head is not None and is_free else []
    asked = pl.Series("query", sorted({*recorded.queries, *answered}, key=str.encode), dtype=pl.String)
    table = gold.table.filter(pl.col("query").is_in(asked.implode()))
    if not table.height:
        raise OverlapError(f"{gold.name}: expected queries of {_named(recorded)}, found none")
    details = None if gold.details is None else gold.details.filter(pl.col("query").is_in(asked.implode()))
    unjudged = tuple(query for query in gold.unjudged if query in set(asked))
    return replace(gold, table=table, details=details, unjudged=unjudged)


def _loads(recorded: Recorded, gold: Gold) -> pl.DataFrame | None:
    """Return the weights and clusters of the queries of a gold; None where all count alike."""
    known = {"weight": recorded.weights, "cluster": recorded.clusters}
    columns = {name: array for name, array in known.items() if array is not None}
    if not columns:
        return None
    table = pl.DataFrame({"query": recorded.queries, **columns})
    return table.filter(pl.col("query").is_in(gold.queries.implode()))


def _ranked(head: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Return the items with their rank and, where ties matter, their scores."""
    rank = pl.int_range(1, pl.len() + 1).over("query")
    ranked = head.with_columns(rank=rank)
    return ranked.drop("score") if policy.ties in ENGINE_TIES else ranked
