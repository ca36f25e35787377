"""The first places against the judged ranks: every judged item stands where `judge` says."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import judge
from assay.engines.head import head
from assay.errors import RunError
from assay.testing.strategies import ITEMS

QUERIES = ("q1", "q2", "ü")
SCORES = (0.0, -0.0, 0.5, 1.0, 1.0 + 1e-9, float("nan"), -np.inf, np.inf)
GOLD = Gold.from_mapping({query: dict.fromkeys((*ITEMS, *QUERIES), 1) for query in QUERIES})


@dataclass(frozen=True)
class Blocks:
    """Rows in blocks of any size, as a reader would hand them over."""

    frame: pl.DataFrame
    size: int

    def blocks(self) -> Iterator[pl.DataFrame]:
        for start in range(0, self.frame.height, self.size):
            yield self.frame[start : start + self.size]


def rows(*, repeated: bool) -> st.SearchStrategy[pl.DataFrame]:
    """Return a strategy for the rows of a run in any order, items repeated or not."""
    row = st.tuples(st.sampled_from(QUERIES), st.sampled_from((*ITEMS, *QUERIES)), st.sampled_from(SCORES))
    unique = None if repeated else lambda row: row[:2]
    schema = {"query": pl.String, "item": pl.String, "score": pl.Float64}
    return st.lists(row, max_size=40, unique_by=unique).map(
        lambda found: pl.DataFrame(found, schema=schema, orient="row")
    )


def assert_ranks_are_those_of_judge(run: Run, k: int | None, policy: Policy, exclude: pl.DataFrame | None) -> None:
    judged = judge(run, GOLD, policy, exclude)
    table, hits = GOLD.table, judged.hits
    assert hits.row is not None
    expected = pl.DataFrame({
        "query": GOLD.queries.gather(hits.query), "item": table["item"].gather(hits.row),
        "rank": hits.rank.astype(np.int64), "tied": hits.tied,
    })  # fmt: skip
    if k is not None:
        expected = expected.filter(pl.col("rank") <= k)
    found = head(run, k, policy, exclude=exclude)
    assert found.schema == {
        "query": pl.String, "item": pl.String, "rank": pl.Int64, "score": pl.Float64, "tied": pl.Int64
    }  # fmt: skip
    assert found.drop("score").rows() == expected.sort("query", "rank").rows()


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
@given(frame=rows(repeated=False), k=st.none() | st.integers(1, 6), size=st.integers(1, 12), positions=st.booleans())
@settings(max_examples=60)
def test_every_item_has_its_judged_rank(
    ties: str, precision: str, frame: pl.DataFrame, k: int | None, size: int, *, positions: bool
) -> None:
    if positions:
        frame = frame.with_columns(position=pl.int_range(pl.len(), dtype=pl.Int64).reverse() // 2)
    policy = Policy(ties=ties, precision=precision, nan="worst", self_match="drop")
    pairs = pl.DataFrame({"query": ["q1", "q2", "q1"], "item": ["a", "9", "a"]})
    for exclude in (None, pairs):
        assert_ranks_are_those_of_judge(Run("r", Blocks(frame, size)), k, policy, exclude)


@pytest.mark.parametrize("duplicates", ["first", "best"])
@given(frame=rows(repeated=True), k=st.none() | st.integers(1, 4), size=st.integers(1, 12))
@settings(max_examples=100)
def test_repeated_items_count_once(duplicates: str, frame: pl.DataFrame, k: int | None, size: int) -> None:
    policy = Policy(duplicates=duplicates, nan="worst")
    assert_ranks_are_those_of_judge(Run("r", Blocks(frame, size)), k, policy, None)


def test_mappings_are_ranked_alike() -> None:
    run = Run.from_mapping({"q2": {"a": 1.0, "c": 1.0, "b": 1.0}, "q1": {"a": 2.0}})
    for ties, expected in (("id-desc", "cba"), ("id-asc", "abc"), ("order", "acb"), ("expected", "cba")):
        assert head(run, None, Policy(ties=ties), queries=["q2"])["item"].to_list() == list(expected)
    assert head(run, 1, Policy())["query"].to_list() == ["q1", "q2"]


def test_only_the_queries_that_were_asked_for_are_looked_at() -> None:
    frame = pl.DataFrame({"query": ["q", "p", "p"], "item": ["a", "b", "b"], "score": [1.0, float("nan"), 1.0]})
    run = Run.from_frame(frame)
    assert head(run, 5, Policy(), queries=["q"]).rows() == [("q", "a", 1, 1.0, 1)]
    assert head(run, 5, Policy(), queries=[]).height == 0
    with pytest.raises(RunError, match="expected a number as score of item 'b' for query 'p', found NaN"):
        head(run, 5, Policy())
    with pytest.raises(RunError, match="item 'b' occurs more than once for query 'p'"):
        head(run, 1, Policy(nan="worst"))


def test_many_blocks_are_looked_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[head.__module__], "FEWEST_HELD", 10)
    numbers = np.random.default_rng(5).permutation(3000)
    frame = pl.DataFrame({
        "query": [f"q{n % 3}" for n in numbers], "item": [f"d{n}" for n in numbers], "score": numbers // 7 / 1.0
    })  # fmt: skip
    cut = head(Run("r", Blocks(frame, 100)), 4, Policy())
    assert cut.rows() == head(Run.from_frame(frame), None, Policy()).filter(pl.col("rank") <= 4).rows()
    assert cut.height == 12


def test_only_the_queries_asked_for_are_read_of_a_mapping():
    run = Run.from_mapping({"q": {"a": 1.0, "b": 2.0}, 7: {"c": 1.0}, "bad": {"a": "no number"}})
    assert head(run, None, Policy(), ["q", "7"]).select("query", "item").rows() == [("7", "c"), ("q", "b"), ("q", "a")]
    with pytest.raises(RunError, match="expected a number as score of item 'a' for query 'bad'"):
        head(run, None, Policy())
