"""The local engine against brute force: however the rows are fed, the counts are the same."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import gold_index, judge, tie_order
from assay.errors import RunError
from assay.testing import brute_force
from assay.testing.strategies import Collection, collections


@dataclass(frozen=True)
class Blocks:
    """Rows in blocks of any size, as a reader would hand them over."""

    frame: pl.DataFrame
    size: int

    def blocks(self) -> Iterator[pl.DataFrame]:
        for start in range(0, self.frame.height, self.size):
            yield self.frame[start : start + self.size]


def frame_of(run: brute_force.Judgments) -> pl.DataFrame:
    rows = [(query, item, float(score)) for query, items in run.items() for item, score in items.items()]
    return pl.DataFrame(rows, schema={"query": pl.String, "item": pl.String, "score": pl.Float64}, orient="row")


def feeds(run: brute_force.Judgments, size: int, seed: int, *, ordered: bool) -> dict[str, Run]:
    """Return the same run as a mapping, a frame, grouped blocks and (where order means nothing) shuffled blocks."""
    frame = frame_of(run)
    found = {
        "mapping": Run.from_mapping(run),
        "frame": Run.from_frame(frame),
        "grouped": Run("grouped", Blocks(frame, size)),
    }
    if not ordered and frame.height:
        found["shuffled"] = Run("shuffled", Blocks(frame.sample(fraction=1, shuffle=True, seed=seed), size))
    return found


def assert_same(found: Judged, expected: Judged, feed: str) -> None:
    assert found.names.to_list() == expected.names.to_list(), feed
    for name in ("query", "grade", "rank", "above", "tied"):
        np.testing.assert_array_equal(getattr(found.hits, name), getattr(expected.hits, name), f"{feed}: {name}")
    np.testing.assert_array_equal(found.ideal.grade, expected.ideal.grade, feed)
    np.testing.assert_array_equal(found.retrieved, expected.retrieved, feed)
    np.testing.assert_array_equal(found.answered, expected.answered, feed)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
@given(collection=collections(scores=(0.5, 1.0, 1.0 + 1e-9, 2.0, -np.inf, np.inf)), size=st.integers(1, 12))
@settings(max_examples=60)
def test_every_feed_equals_brute_force(ties: str, precision: str, collection: Collection, size: int) -> None:
    policy = Policy(ties=ties, precision=precision)
    expected = brute_force.judge(collection.gold, collection.run, policy)
    gold = Gold.from_mapping(collection.gold)
    for feed, run in feeds(collection.run, size, 1, ordered=ties == "order").items():
        assert_same(judge(run, gold, policy), expected, feed)


@given(collection=collections(), size=st.integers(1, 12))
@settings(max_examples=60)
def test_exclusions_and_self_matches_are_taken_out_first(collection: Collection, size: int) -> None:
    gold = {query: {**items, query: 1} for query, items in collection.gold.items()}
    run = {query: {**items, query: 1.0} for query, items in collection.run.items()}
    pairs = [(query, item) for query, items in run.items() for item in sorted(items)[::3]]
    policy = Policy(self_match="drop")
    expected = brute_force.judge(gold, run, policy, exclude=pairs)
    exclude = pl.DataFrame(pairs, schema=["query", "item"], orient="row") if pairs else None
    for feed, fed in feeds(run, size, 2, ordered=False).items():
        assert_same(judge(fed, Gold.from_mapping(gold), policy, exclude), expected, feed)


def test_many_ties_are_ordered_the_same_by_pairs_and_by_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    items = [f"d{rng.randrange(10**6)}" for _ in range(300)]
    gold = {"q": dict.fromkeys(items[::2], 1), "p": dict.fromkeys(items[::3], 1)}
    run = {query: {item: float(rng.randrange(3)) for item in items} for query in gold}
    for most_pairs in (0, 10**9):
        monkeypatch.setattr(tie_order, "MOST_PAIRS", most_pairs)
        for ties in ("id-desc", "id-asc", "order"):
            policy = Policy(ties=ties)
            fed = Run("grouped", Blocks(frame_of(run), 37))
            assert_same(judge(fed, Gold.from_mapping(gold), policy), brute_force.judge(gold, run, policy), ties)


def test_equal_hashes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    weak = lambda texts: (texts.hash() % 7).to_numpy()  # noqa: E731
    monkeypatch.setattr(gold_index, "hash_texts", weak)
    monkeypatch.setattr("assay.engines.pieces.hash_texts", weak)
    rng = random.Random(4)
    gold = {f"q{n}": {f"d{rng.randrange(40)}": rng.randrange(3) for _ in range(9)} for n in range(5)}
    run = {f"q{n}": {f"d{m}": float(rng.randrange(9)) for m in rng.sample(range(40), 25)} for n in range(5)}
    expected = brute_force.judge(gold, run)
    for feed, fed in feeds(run, 11, 5, ordered=False).items():
        assert_same(judge(fed, Gold.from_mapping(gold), Policy()), expected, feed)


REPEATED = pl.DataFrame({
    "query": ["q", "q", "p", "q", "p"], "item": ["a", "b", "a", "a", "c"], "score": [1.0, 2.0, 5.0, 3.0, 1.0]
})  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize(("rule", "rank"), [("first", 2.0), ("best", 1.0)])
def test_a_repeated_item_counts_once(rule: str, rank: float, size: int) -> None:
    gold = Gold.from_mapping({"q": {"a": 1}, "p": {"a": 1}})
    judged = judge(Run("r", Blocks(REPEATED, size)), gold, Policy(duplicates=rule))
    assert judged.hits.rank.tolist() == [1.0, rank]
    assert judged.retrieved.tolist() == [2, 2]
    assert judged.notes.duplicates == 1


@pytest.mark.parametrize("size", [1, 3, 5])
def test_a_repeated_item_is_an_error_by_default(size: int) -> None:
    gold = Gold.from_mapping({"q": {"z": 1}, "p": {"z": 1}})
    for frame in (REPEATED, REPEATED.sort("query")):
        with pytest.raises(RunError, match="item 'a' occurs more than once for query 'q'"):
            judge(Run("r", Blocks(frame, size)), gold, Policy())


def test_a_repeated_item_of_a_query_without_gold_is_none_of_our_business() -> None:
    judged = judge(Run("r", Blocks(REPEATED, 5)), Gold.from_mapping({"p": {"a": 1}}), Policy())
    assert judged.notes.extra_queries == ("q",)


def test_a_score_that_is_no_number_is_an_error_or_the_worst() -> None:
    gold = Gold.from_mapping({"q": {"a": 1}})
    scores = {"q": {"a": float("nan"), "b": 1.0}}
    for run in (Run.from_mapping(scores), Run.from_frame(frame_of(scores))):
        with pytest.raises(RunError, match="expected a number as score of item 'a' for query 'q', found NaN"):
            judge(run, gold, Policy())
        judged = judge(run, gold, Policy(nan="worst"))
        assert judged.hits.rank.tolist() == [2.0]
        assert judged.notes.nan == 1


def test_queries_without_gold_are_counted_or_refused() -> None:
    run = Run.from_mapping({"q": {"a": 1.0}, "x": {"a": 1.0}, "y": {"a": 1.0}})
    gold = Gold.from_mapping({"q": {"a": 1}})
    assert judge(run, gold, Policy()).notes.extra_queries == ("x", "y")
    for fed in (run, Run.from_frame(run.frame())):
        with pytest.raises(RunError, match="found 2 without: 'x', 'y'"):
            judge(fed, gold, Policy(extra="error"))
