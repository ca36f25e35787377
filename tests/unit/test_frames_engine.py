"""Runs that DuckDB or a lazy Polars frame owns: the ranks are those of the engine in this process."""

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.lazy import LazyRows
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import head, judge
from assay.engines.frames import judge_frame
from assay.engines.frames_head import head_frame
from assay.errors import RunError, UnsupportedError

duckdb = pytest.importorskip("duckdb", reason="needs the extra duckdb")
nw = pytest.importorskip("narwhals")

EDGES = [
    1e300,
    -1e300,
    np.inf,
    -np.inf,
    0.0,
    -0.0,
    1e-50,
    -1e-50,
    3.4028235e38,
    3.4028235677973366e38,
    0.1,
    0.1 + 1e-12,
]
ENGINES = ("duckdb", "polars")


def lazy_run(frame: pl.DataFrame, engine: str) -> Run:
    """Return a run whose rows another engine owns."""
    if engine == "duckdb":
        return Run.from_frame(duckdb.connect().sql("select * from frame"))
    return Run("run", LazyRows.of(nw.from_native(frame.lazy()), "run"))


def assert_same(found: Judged, expected: Judged) -> None:
    """Compare everything that an engine makes, bit by bit."""
    for name in ("query", "grade", "rank", "above", "tied", "row"):
        mine, theirs = getattr(found.hits, name), getattr(expected.hits, name)
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs, name)
    np.testing.assert_array_equal(found.retrieved, expected.retrieved)
    np.testing.assert_array_equal(found.answered, expected.answered)
    assert found.retrieved.dtype == expected.retrieved.dtype
    assert found.notes == expected.notes


def rows(seed: int, *, repeated: bool, nan: bool) -> pl.DataFrame:
    """Return a run with ties, scores at the edges of what numbers can be, ids of every kind."""
    rng = np.random.default_rng(seed)
    names = ["a", "B", "é", "Z", "\U0001f600", "\uffee", "a b", "10", "9", "q1", "", "A", "a'", '"', "\\x41"]
    pairs = [(f"q{q}", item) for q in range(6) for item in names]
    chosen = rng.choice(len(pairs), 90, replace=True) if repeated else rng.permutation(len(pairs))[:70]
    scores = rng.choice(
        [*EDGES, *rng.integers(0, 3, 20).astype(float), *([np.nan, np.nan] if nan else [])], len(chosen)
    )
    return pl.DataFrame(
        {
            "query": [pairs[i][0] for i in chosen],
            "item": [pairs[i][1] for i in chosen],
            "score": scores,
            "position": rng.permutation(len(chosen)),
        }
    )


def gold_for(seed: int) -> Gold:
    """Return judgments of most queries, some of items that no run holds, and a query without any answer."""
    rng = np.random.default_rng(seed + 100)
    items = ["a", "B", "é", "\U0001f600", "\uffee", "10", "9", "q1", "", "\\x41", "none"]
    pairs = [(f"q{q}", item) for q in range(5) for item in items if rng.random() < 0.6]
    grades = rng.integers(-1, 3, len(pairs))
    table = {"query": [p[0] for p in pairs], "item": [p[1] for p in pairs], "grade": grades}
    return Gold.from_frame(
        pl.concat([pl.DataFrame(table), pl.DataFrame({"query": ["z"], "item": ["a"], "grade": [1]})])
    )


POLICIES = [
    Policy(ties=ties, precision=precision, duplicates=duplicates, self_match=match, nan="worst")
    for ties, (precision, match), duplicates in product(
        ("id-desc", "id-asc", "order", "expected"), (("float64", "keep"), ("float32", "drop")), ("first", "best")
    )
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: "-".join(map(str, policy.changed().values())))
def test_the_ranks_are_those_of_the_local_engine(engine: str, policy: Policy) -> None:
    for seed in range(2):
        frame, gold = rows(seed, repeated=True, nan=True), gold_for(seed)
        exclude = frame.sample(5, seed=seed).select("query", "item") if seed else None
        expected = judge(Run.from_frame(frame), gold, policy, exclude)
        assert_same(judge_frame(lazy_run(frame, engine), gold, policy, exclude), expected)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("ties", ["id-desc", "order"])
def test_a_clean_run_under_the_default(engine: str, ties: Any) -> None:
    frame, gold = rows(7, repeated=False, nan=False), gold_for(7)
    expected = judge(Run.from_frame(frame), gold, Policy(ties=ties))
    assert_same(judge_frame(lazy_run(frame, engine), gold, Policy(ties=ties)), expected)
    assert len(expected.hits) > 10


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("frame", "policy"),
    [
        (rows(1, repeated=True, nan=False), Policy()),
        (rows(1, repeated=False, nan=True), Policy()),
        (rows(1, repeated=False, nan=False), Policy(extra="error")),
        (pl.DataFrame({"query": ["q1", None], "item": ["a", "b"], "score": [1.0, 2.0]}), Policy()),
        (pl.DataFrame({"query": ["q1", "q1"], "item": ["a", None], "score": [1.0, 2.0]}), Policy()),
    ],
    ids=["repeated", "nan", "extra", "no query", "no item"],
)
def test_what_the_local_engine_refuses_is_refused(engine: str, frame: pl.DataFrame, policy: Policy) -> None:
    with pytest.raises(RunError) as local:
        judge(Run.from_frame(frame), gold_for(1), policy)
    with pytest.raises(RunError) as lazy:
        judge_frame(lazy_run(frame, engine), gold_for(1), policy)
    assert str(lazy.value).split("'")[0] == str(local.value).split("'")[0]
    assert lazy.value.hint == local.value.hint


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("fault", ["repeated", "nan"])
def test_rows_of_queries_without_gold_are_not_looked_at(engine: str, fault: str) -> None:
    good = pl.DataFrame({"query": ["q1", "q1"], "item": ["a", "b"], "score": [1.0, 2.0]})
    score = float("nan") if fault == "nan" else 1.0
    bad = pl.DataFrame({"query": ["x", "x"], "item": ["a", "a"], "score": [1.0, score]})
    frame = pl.concat([good, bad])
    gold = Gold.from_mapping({"q1": {"a": 1}})
    assert_same(judge_frame(lazy_run(frame, engine), gold, Policy()), judge(Run.from_frame(frame), gold, Policy()))


@pytest.mark.parametrize("engine", ENGINES)
def test_order_and_first_need_positions_that_differ(engine: str) -> None:
    gold = Gold.from_mapping({"q": {"a": 1}})
    tie = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, 1.0]})
    with pytest.raises(RunError, match="expected a column for the rank or the position, as ties='order'"):
        judge_frame(lazy_run(tie, engine), gold, Policy(ties="order"))
    level = tie.with_columns(position=pl.lit(1))
    with pytest.raises(RunError, match="expected positions that differ within a tie, found two rows like item 'a'"):
        judge_frame(lazy_run(level, engine), gold, Policy(ties="order"))
    twice = tie.with_columns(item=pl.lit("a"))
    with pytest.raises(RunError, match="as duplicates='first' goes by it"):
        judge_frame(lazy_run(twice, engine), gold, Policy(duplicates="first"))
    with pytest.raises(RunError, match="found item 'a' twice at one for query 'q'"):
        judge_frame(lazy_run(twice.with_columns(position=pl.lit(1)), engine), gold, Policy(duplicates="first"))
    gap = tie.with_columns(position=pl.Series([1, None]))
    with pytest.raises(RunError, match="expected a position in each row"):
        judge_frame(lazy_run(gap, engine), gold, Policy(ties="order"))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_holds_nothing_of_the_gold(engine: str) -> None:
    frame = pl.DataFrame({"query": ["q1", "q1"], "item": ["x", "y"], "score": [1.0, 2.0]})
    for gold in (Gold.from_mapping({"q1": {"a": 1}}), Gold.from_mapping({"q2": {"x": 1}})):
        for some in (frame, frame.clear()):
            assert_same(
                judge_frame(lazy_run(some, engine), gold, Policy()), judge(Run.from_frame(some), gold, Policy())
            )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", POLICIES[::3], ids=lambda policy: "-".join(map(str, policy.changed().values())))
def test_the_first_places_are_those_of_the_local_engine(engine: str, policy: Policy) -> None:
    frame = rows(4, repeated=True, nan=True)
    exclude = frame.sample(5, seed=4).select("query", "item")
    for k, queries in ((1, None), (3, ["q1", "q2", "none"]), (None, ["q1"])):
        expected = head(Run.from_frame(frame), k, policy, queries, exclude)
        assert head_frame(lazy_run(frame, engine), k, policy, queries, exclude).equals(expected)
        assert expected.height


def test_the_verbs_ask_the_engine_that_owns_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, gold = rows(7, repeated=False, nan=False), gold_for(7)
    expected = head(Run.from_frame(frame), 2, Policy())
    run = lazy_run(frame, "duckdb")
    monkeypatch.setattr(LazyRows, "blocks", lambda _rows: pytest.fail("the rows left their engine"))
    assert_same(judge(run, gold, Policy()), judge(Run.from_frame(frame), gold, Policy()))
    assert head(run, 2, Policy()).equals(expected)


def test_a_connection_that_takes_different_ids_for_one_is_refused() -> None:
    connection = duckdb.connect()
    run = Run.from_frame(connection.sql("select 'q' as query, unnest(['a', 'A']) as item, 1.0 as score"))
    gold = Gold.from_mapping({"q": {"a": 1}})
    assert judge(run, gold, Policy()).hits.rank.tolist() == [1]
    connection.execute("set default_collation = 'nocase'")
    with pytest.raises(
        UnsupportedError, match="expected text to be compared by its bytes, found the collation 'nocase'"
    ):
        judge(run, gold, Policy())


def test_rows_that_do_not_stay_as_they_are_are_noticed() -> None:
    run = Run.from_frame(duckdb.connect().sql("select 'q' as query, 'a' as item, random() as score"))
    gold = Gold.from_mapping({"q": {"a": 1}})
    with pytest.raises(RunError, match="expected rows that stay as they are"):  # at the first lower score
        [judge(run, gold, Policy()) for _ in range(40)]
