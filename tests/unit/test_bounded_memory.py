"""A run in bounded memory: however little may be held, Judged and its notes are those of one pass."""

import gzip
import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.test_engine import REPEATED, Blocks, assert_same, frame_of

from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import gold_index, judge, local, memory, spill, tie_order
from assay.errors import AssayError, RunError
from assay.formats import read_run
from assay.formats.pipeline import BLOCK, SMALLEST, block_within
from assay.testing import brute_force
from assay.testing.strategies import ITEMS, QUERIES, collections

NO_NUMBER = float("nan")


@pytest.fixture(autouse=True)
def folder(tmp_path_factory, monkeypatch) -> Path:
    """Write aside whatever there is, and look whether anything stays."""
    place = tmp_path_factory.mktemp("aside")
    monkeypatch.setattr(spill, "FEWEST", 200)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def in_passes(rows, **more) -> Run:
    """Return a run of which nothing may be held."""
    return Run("run", rows, memory=1, **more)


def outcome(run: Run, gold: Gold, policy: Policy, exclude: pl.DataFrame | None = None) -> Judged | str:
    """Return what is judged, or the error."""
    try:
        return judge(run, gold, policy, exclude)
    except RunError as error:
        return str(error)


def assert_true(error: str, frame: pl.DataFrame, gold: Gold) -> None:
    """Check that what an error says of the rows is so; which of several mistakes is met first, blocks may decide."""
    if "expected only queries with gold" in error:
        assert not set(frame["query"]) <= set(gold.queries)
        return
    item, query = re.search(r"item '([^']+)'.* for query '([^']+)'", error).groups()
    rows = frame.filter(query=query, item=item)
    assert rows["score"].is_nan().any() if "found NaN" in error else rows.height > 1


def assert_bit_equal(found: Judged, expected: Judged) -> None:
    assert found.names.equals(expected.names)
    assert found.notes == expected.notes
    for name in ("retrieved", "answered"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
    for one in fields(found.hits):
        mine, other = getattr(found.hits, one.name), getattr(expected.hits, one.name)
        assert np.asarray(mine).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(mine, other, one.name)


ROWS = st.lists(
    st.tuples(
        st.sampled_from((*QUERIES, "unknown")),
        st.sampled_from(ITEMS[:6]),
        st.sampled_from((0.5, 1.0, 1.0 + 1e-9, -0.0, 0.0, -np.inf, np.inf, NO_NUMBER)),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=60,
)
POLICIES = st.builds(
    Policy,
    ties=st.sampled_from(("id-desc", "id-asc", "order", "expected")),
    precision=st.sampled_from(("float64", "float32")),
    duplicates=st.sampled_from(("first", "best", "first", "best", "error")),
    nan=st.sampled_from(("worst", "worst", "worst", "error")),
    self_match=st.sampled_from(("keep", "drop")),
    extra=st.sampled_from(("ignore", "ignore", "ignore", "error")),
)
GOLDS = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(ITEMS), st.sampled_from((0, 1, 2)), min_size=1),
    min_size=1,
)


@given(
    rows=ROWS, gold=GOLDS, policy=POLICIES, size=st.integers(1, 20), grouped=st.booleans(), positions=st.booleans(),
    taken=st.booleans(),
)  # fmt: skip
@settings(max_examples=200)
def test_any_rows_are_judged_as_in_one_pass(rows, gold, policy, size, grouped, positions, taken):  # noqa: PLR0917
    schema = {"query": pl.String, "item": pl.String, "score": pl.Float64, "position": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    frame = frame.sort("query", maintain_order=True) if grouped else frame
    frame = frame if positions else frame.drop("position")
    exclude = pl.DataFrame({"query": [QUERIES[0]], "item": [ITEMS[0]]}) if taken else None
    truth = Gold.from_mapping(gold)
    whole = outcome(Run("run", Blocks(frame, frame.height)), truth, policy, exclude)
    found = outcome(in_passes(Blocks(frame, size)), truth, policy, exclude)
    if isinstance(whole, str) or isinstance(found, str):
        assert_true(whole, frame, truth)
        assert_true(found, frame, truth)
    else:
        assert_bit_equal(found, whole)


@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
@given(collection=collections(scores=(0.5, 1.0, 2.0, np.inf)), size=st.integers(1, 12), seed=st.integers(0, 9))
@settings(max_examples=60)
def test_several_passes_equal_brute_force(ties, collection, size, seed):
    policy = Policy(ties=ties)
    frame = frame_of(collection.run)
    if ties != "order" and frame.height:
        frame = frame.sample(fraction=1, shuffle=True, seed=seed)
    found = judge(in_passes(Blocks(frame, size)), Gold.from_mapping(collection.gold), policy)
    assert_same(found, brute_force.judge(collection.gold, collection.run, policy), "in passes")


def crowded(rows: int, items: int, seed: int) -> tuple[dict[str, dict[str, float]], pl.DataFrame]:
    """Return gold and a shuffled run with many ties and repeated items."""
    rng = random.Random(seed)
    names = [f"item-with-a-long-name-{n}" for n in range(items)]
    gold = {query: {name: float(rng.randrange(3)) for name in rng.sample(names, items // 4)} for query in "abc"}
    drawn = [(rng.choice("abcx"), rng.choice(names), float(rng.randrange(5))) for _ in range(rows)]
    return gold, pl.DataFrame(drawn, schema=["query", "item", "score"], orient="row")


@pytest.mark.parametrize("most_pairs", [0, 10**9])
@pytest.mark.parametrize("duplicates", ["first", "best"])
@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
def test_ties_and_repeated_items_across_blocks(monkeypatch, ties, duplicates, most_pairs):
    monkeypatch.setattr(tie_order, "MOST_PAIRS", most_pairs)
    monkeypatch.setattr(spill, "FEWEST", 10_000)
    gold, frame = crowded(4000, 200, 7)
    policy, truth = Policy(ties=ties, duplicates=duplicates), Gold.from_mapping(gold)
    expected = judge(Run("run", Blocks(frame, 4000)), truth, policy)
    assert expected.notes.duplicates > 1000
    for size in (77, 4000):
        assert_bit_equal(judge(in_passes(Blocks(frame, size)), truth, policy), expected)


def test_judged_rows_that_repeat_are_held_once(monkeypatch):
    monkeypatch.setattr("assay.engines.rescan.JUDGED_HELD", 0)
    gold = Gold.from_mapping({"q": {"a": 1, "b": 2}})
    frame = pl.DataFrame({"query": ["q"] * 300, "item": ["a", "b", "c"] * 100, "score": [float(n) for n in range(300)]})
    for duplicates in ("first", "best"):
        policy = Policy(duplicates=duplicates)
        expected = judge(Run("run", Blocks(frame, 300)), gold, policy)
        assert_bit_equal(judge(in_passes(Blocks(frame, 7)), gold, policy), expected)
        assert expected.notes.duplicates == 297


def test_equal_hashes_are_no_repeated_items(monkeypatch):
    weak = lambda texts: (texts.hash() % 7).to_numpy()  # noqa: E731
    monkeypatch.setattr(gold_index, "hash_texts", weak)
    monkeypatch.setattr("assay.engines.pieces.hash_texts", weak)
    rng = random.Random(4)
    gold = {f"q{n}": {f"d{rng.randrange(40)}": rng.randrange(3) for _ in range(9)} for n in range(5)}
    run = {f"q{n}": {f"d{m}": float(rng.randrange(9)) for m in rng.sample(range(40), 25)} for n in range(5)}
    frame = frame_of(run).sample(fraction=1, shuffle=True, seed=1)
    for duplicates in ("error", "first"):
        found = judge(in_passes(Blocks(frame, 11)), Gold.from_mapping(gold), Policy(duplicates=duplicates))
        assert_same(found, brute_force.judge(gold, run), duplicates)


@pytest.mark.parametrize("size", [1, 3, 5])
def test_a_repeated_item_is_refused_as_in_one_pass(size, folder):
    for frame in (REPEATED, REPEATED.sort("query")):
        with pytest.raises(RunError, match="item 'a' occurs more than once for query 'q'"):
            judge(in_passes(Blocks(frame, size)), Gold.from_mapping({"q": {"z": 1}, "p": {"z": 1}}), Policy())
    assert not list(folder.iterdir())


def test_a_long_query_of_a_grouped_run_is_counted_in_passes(monkeypatch):
    calls = []
    monkeypatch.setattr(local, "rescan", lambda *given: calls.append(1) or rescan(*given))
    from assay.engines.rescan import rescan

    items = [f"d{n}" for n in range(500)]
    run = {"a": {"x": 1.0}, "long": {item: float(n % 9) for n, item in enumerate(items)}, "z": {"y": 1.0}}
    gold = {"a": {"x": 1}, "long": dict.fromkeys(items[::50], 1), "z": {"y": 2}}
    rows = Blocks(frame_of(run), 40)
    found = judge(replace(Run("run", rows), memory=9000), Gold.from_mapping(gold), Policy())
    assert calls == [1]
    assert_same(found, brute_force.judge(gold, run), "grouped")
    judge(replace(Run("run", rows), memory=10**9), Gold.from_mapping(gold), Policy())
    assert calls == [1]


def test_short_queries_of_a_grouped_run_are_counted_in_one_pass(monkeypatch):
    monkeypatch.setattr(local, "rescan", None)
    run = {f"q{n:03}": {f"d{m}": float(m) for m in range(20)} for n in range(100)}
    gold = {query: {"d3": 1} for query in run}
    found = judge(Run("run", Blocks(frame_of(run), 30), memory=9000), Gold.from_mapping(gold), Policy())
    assert_same(found, brute_force.judge(gold, run), "grouped")


@dataclass(eq=False)
class Growing:
    """Rows that are not what they were when they are read again."""

    frame: pl.DataFrame
    later: list[pl.DataFrame] = field(default_factory=list)

    def blocks(self) -> Iterator[pl.DataFrame]:
        yield self.frame
        self.frame = self.later.pop(0) if self.later else self.frame


@pytest.mark.parametrize("duplicates", ["error", "first"])
def test_rows_that_change_while_they_are_read_are_seen(duplicates, folder):
    rows = pl.DataFrame({"query": list("abab"), "item": list("xxyy"), "score": [1.0, 2.0, 3.0, 4.0]})
    gold = Gold.from_mapping({"a": {"x": 1}, "b": {"y": 1}})
    policy = Policy(duplicates=duplicates)
    for other in (rows[:3], pl.concat([rows, rows]), rows.with_columns(score=pl.col("score") + 1)):
        with pytest.raises(RunError, match="run: expected the same rows in the same order each time that it is read"):
            judge(in_passes(Growing(rows, [other])), gold, policy)
    found = outcome(in_passes(Growing(rows, [rows.reverse()])), gold, policy)
    assert isinstance(found, str) == (duplicates == "first")
    assert not list(folder.iterdir())


def test_nothing_stays_in_the_temporary_folder(folder, monkeypatch):
    gold, frame = crowded(500, 40, 2)
    seen = []
    kept = spill.Spill.parts
    monkeypatch.setattr(spill.Spill, "parts", lambda self: seen.extend(folder.rglob("*.parquet")) or kept(self))
    judge(in_passes(Blocks(frame, 50)), Gold.from_mapping(gold), Policy(duplicates="best"))
    assert len(seen) > 2
    assert not list(folder.iterdir())


def test_no_room_is_an_error_with_a_hint(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    gold, frame = crowded(50, 40, 2)
    with pytest.raises(AssayError, match=r"none: expected room for what does not fit into memory.*\nHint: TMPDIR"):
        judge(in_passes(Blocks(frame, 50)), Gold.from_mapping(gold), Policy())


def written(frame: pl.DataFrame, folder: Path) -> list[Path]:
    """Write the same run in every format that streams."""
    text = "".join(f"{query} Q0 {item} 1 {score} s\n" for query, item, score in frame.iter_rows()).encode()
    places = [folder / f"run.{name}" for name in ("run", "run.gz", "run.zst", "csv", "jsonl", "parquet", "arrow")]
    places[0].write_bytes(text)
    places[1].write_bytes(gzip.compress(text))
    places[2].write_bytes(zstd.compress(text))
    frame.write_csv(places[3])
    frame.write_ndjson(places[4])
    frame.write_parquet(places[5])
    frame.write_ipc(places[6])
    return places


def test_every_format_is_judged_in_passes(tmp_path, monkeypatch):
    gold, frame = crowded(3000, 900, 5)
    frame = frame.unique(["query", "item"], maintain_order=True)
    truth = Gold.from_mapping(gold)
    expected = judge(Run("run", Blocks(frame, frame.height)), truth, Policy())
    monkeypatch.setattr(spill, "FEWEST", 10_000)
    for path in written(frame, tmp_path):
        run = read_run(path)
        small = replace(run, rows=replace(run.rows, size=1000), memory=1)
        assert_bit_equal(judge(small, truth, Policy()), expected)


def test_a_repeated_item_of_a_file_is_named_with_its_lines(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("q Q0 a 1 3 s\np Q0 a 1 3 s\nq Q0 b 2 2 s\nq Q0 a 3 1 s\n")
    with pytest.raises(RunError, match=r"a.run, lines 1 and 4: item 'a' occurs more than once"):
        judge(replace(read_run(path), memory=1), Gold.from_mapping({"q": {"b": 1}, "p": {"b": 1}}), Policy())


def test_blocks_are_smaller_under_a_limit(tmp_path):
    for path in written(crowded(10, 40, 1)[1], tmp_path):
        rows = memory.narrowed(replace(read_run(path), memory=1 << 29)).rows
        if hasattr(rows, "within"):
            assert rows.size < read_run(path).rows.size
        assert memory.narrowed(read_run(path)).rows.size == read_run(path).rows.size
    assert block_within(0) == SMALLEST
    assert block_within(1 << 40) == BLOCK
