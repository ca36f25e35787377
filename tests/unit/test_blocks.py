"""Counting in blocks: equal to counting by hand, whatever the block, the library or the type."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.blocks_by_hand import counted, some_lists, value, vectors

from assay.engines import passes
from assay.engines.blocks import Batch, Lists, count
from assay.engines.exact import exact_scores
from assay.engines.tiles import WAYS, Vectors, is_wide, margin
from assay.errors import ParameterError, RunError, UnknownNameError

KINDS = ["dot", "l2", "l1", "modulus"]


def pairs(counts, name=None):
    greater, equal = (counts.greater, counts.equal) if name is None else counts.within[name]
    return list(zip(greater.tolist(), equal.tolist(), strict=True))


@pytest.mark.parametrize("kind", KINDS)
@given(
    seed=st.integers(0, 2**32 - 1), dtype=st.sampled_from([np.float32, np.float64]), block=st.sampled_from([1, 3, 64])
)
def test_counts_are_those_by_hand(kind, seed, dtype, block):
    random = np.random.default_rng(seed)
    queries, entities = random.integers(1, 6), random.integers(1, 20)
    asked, candidates = (vectors(random, many, 5, kind, dtype) for many in (queries, entities))
    targets, known = (some_lists(random, queries, entities, size) for size in (12, 30))
    scores = [[value(kind, query, candidate) for candidate in candidates] for query in asked]
    found = count(
        [Batch(np.arange(queries), kind, asked, candidates)], targets, {"known": known}, entities=entities, block=block
    )
    assert pairs(found) == counted(scores, targets)
    assert pairs(found, "known") == counted(scores, targets, known)


@given(seed=st.integers(0, 2**32 - 1), dtype=st.sampled_from([np.float32, np.float64, np.int64]))
def test_given_scores_are_compared_as_they_are(seed, dtype):
    random = np.random.default_rng(seed)
    scores = random.integers(0, 4, (5, 11)).astype(dtype)
    targets, known = (some_lists(random, 5, 11, size) for size in (12, 30))
    batch = Batch(np.arange(5), "scores", score=lambda places: scores[places])
    for block in (1, 2, 5):
        found = count([batch], targets, {"known": known}, entities=11, block=block)
        assert pairs(found) == counted(scores, targets)
        assert pairs(found, "known") == counted(scores, targets, known)
        assert found.score.tolist() == [
            float(scores[q, t]) for q in range(5) for t in targets.entity[slice(*targets.start[q : q + 2])]
        ]


@pytest.fixture
def embeddings():
    """Return 300 queries and 500 candidates, some pairs of which differ by less than float32 can tell."""
    random = np.random.default_rng(3)
    queries, candidates = random.normal(size=(300, 24)), random.normal(size=(500, 24))
    candidates[250:] = candidates[:250] * (1 + random.choice([0, 1e-15, 1e-9, 1e-7], (250, 1)))
    return queries, candidates, some_lists(random, 300, 500, 700), some_lists(random, 300, 500, 3000)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_batches_and_tiles_change_nothing(kind, dtype, embeddings, monkeypatch):
    queries, candidates, targets, known = embeddings
    if kind == "modulus":
        queries, candidates = queries[:, :12] + 1j * queries[:, 12:], candidates[:, :12] + 1j * candidates[:, 12:]
        dtype = np.result_type(dtype, np.complex64)
    queries, candidates = queries.astype(dtype), candidates.astype(dtype)
    whole = [Batch(np.arange(300), kind, queries, candidates)]
    parts = [
        Batch(np.arange(300)[part], kind, queries[part], candidates) for part in (slice(1, None, 2), slice(0, None, 2))
    ]
    first = count(whole, targets, {"known": known}, entities=500, block=300)
    order = np.concatenate([np.repeat(q, targets.sizes(np.array([q]))) for q in range(300)])
    exact = np.array([exact_scores(kind, queries, candidates, np.full(500, q), np.arange(500)) for q in range(300)])
    assert pairs(first) == counted(exact, targets)
    assert first.equal.sum() > 0
    assert len(order) == len(first.greater)
    for block, batches, width in [
        (1, whole, 500),
        (7, parts, 500),
        (1024, whole, 500),
        (64, parts, 37),
        (7, whole, 499),
    ]:
        monkeypatch.setattr(passes, "WIDTH", width)
        again = count(batches, targets, {"known": known}, entities=500, block=block)
        assert pairs(again) == pairs(first)
        assert pairs(again, "known") == pairs(first, "known")
        assert again.score.tobytes() == first.score.tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_numba_counts_the_same(kind, embeddings, monkeypatch):
    pytest.importorskip("numba")
    queries, candidates, targets, known = embeddings
    if kind == "modulus":
        queries, candidates = queries + 1j * queries[:, ::-1], candidates + 1j * candidates[:, ::-1]
    for dtype in (np.float32, np.float64):
        wanted = np.result_type(dtype, np.complex64) if kind == "modulus" else dtype
        batch = Batch(np.arange(300), kind, queries.astype(wanted), candidates.astype(wanted))
        ours, theirs = (
            count([batch], targets, {"known": known}, entities=500, compiled=compiled, block=128)
            for compiled in (False, True)
        )
        assert pairs(ours) == pairs(theirs)
        assert pairs(ours, "known") == pairs(theirs, "known")


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([1e-30, 1e-18, 1.0, 1e6, 1e30]), wide=st.booleans())
def test_a_tile_is_never_further_off_than_its_margin(kind, seed, scale, wide):
    random = np.random.default_rng(seed)
    stored = [random.uniform(-0.2, 1, (many, 40)) * scale for many in (4, 30)]
    if kind == "modulus":
        stored = [one + 1j * one[:, ::-1] for one in stored]
    queries, candidates = (Vectors.of(one) for one in stored)
    wide = wide or is_wide(kind, queries, candidates)
    tile = np.empty((4, 30), np.float64 if wide else np.float32)
    WAYS[kind].fill(queries.matrix, WAYS[kind].ready(candidates, tile.dtype), tile)
    exact = np.array([exact_scores(kind, *stored, np.full(30, q), np.arange(30)) for q in range(4)])
    shift = np.square(queries.norm)[:, None] if kind == "l2" else 0.0
    off = np.array([margin(kind, queries.norm, candidates.longest, 40, row, wide=wide) for row in exact.T]).T
    assert np.all(np.abs(tile - (exact + shift)) <= off)


def test_scores_of_one_vector_tie_whatever_the_kernel_adds():
    tenth = np.full((1, 3), 0.1, np.float32)
    found = count([Batch(np.arange(1), "dot", tenth, np.full((4, 3), 0.3, np.float32))], one_target(1), {}, entities=4)
    assert pairs(found) == [(0, 3)]


def one_target(entity):
    return Lists.of(np.array([0]), np.array([entity]), 1)


@pytest.mark.parametrize("scale", [1e-100, 1e-40, 1e-22, 1e25, 1e100])
@pytest.mark.parametrize("kind", KINDS)
def test_sizes_that_float32_cannot_hold_are_counted_in_float64(kind, scale):
    random = np.random.default_rng(0)
    queries, candidates = random.normal(size=(3, 4)), random.normal(size=(20, 4))
    if kind == "modulus":
        queries, candidates = queries + 0j, candidates + 0j
    targets = some_lists(random, 3, 20, 9)
    plain, scaled = (
        count([Batch(np.arange(3), kind, queries * by, candidates * by)], targets, {}, entities=20)
        for by in (1.0, scale)
    )
    assert pairs(plain) == pairs(scaled)


@pytest.mark.parametrize("kind", KINDS)
def test_a_mapped_file_counts_as_memory_does(kind, tmp_path, monkeypatch):
    random = np.random.default_rng(1)
    queries, candidates = vectors(random, 6, 8, kind, np.float32), vectors(random, 90, 8, kind, np.float32)
    np.save(tmp_path / "e.npy", candidates)
    mapped = np.load(tmp_path / "e.npy", mmap_mode="r")
    targets = some_lists(random, 6, 90, 20)
    monkeypatch.setattr(passes, "WIDTH", 16)
    ours, theirs = (
        count([Batch(np.arange(6), kind, queries, one)], targets, {}, entities=90) for one in (candidates, mapped)
    )
    assert pairs(ours) == pairs(theirs)


THREADS = """
import hashlib, sys
import numpy as np
from assay.engines.blocks import Batch, Lists, count
random = np.random.default_rng(5)
queries, candidates = random.normal(size=(400, 100)).astype("f4"), random.normal(size=(3000, 100)).astype("f4")
targets = Lists.of(np.arange(400), random.integers(0, 3000, 400), 400)
digest = hashlib.sha256()
for kind in ("dot", "l2", "l1"):
    found = count([Batch(np.arange(400), kind, queries, candidates)], targets, {}, entities=3000)
    digest.update(found.greater.tobytes() + found.equal.tobytes() + found.score.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_threads_and_the_processor_that_is_assumed_change_nothing():
    found = set()
    for threads, core in (("1", ""), ("2", ""), ("2", "Haswell"), ("1", "Nehalem")):
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        env = os.environ | dict.fromkeys(names, threads) | ({"OPENBLAS_CORETYPE": core} if core else {})
        env["PYTHONPATH"] = os.pathsep.join(sys.path)
        found.add(subprocess.run([sys.executable, "-c", THREADS], env=env, capture_output=True, check=True).stdout)
    assert len(found) == 1


def nan_model(bad):
    candidates = np.ones((5, 3))
    candidates[bad] = np.nan
    return [Batch(np.arange(1), "dot", np.ones((1, 3)), candidates)]


def test_scores_that_are_no_numbers_are_refused_with_their_number_and_place():
    with pytest.raises(RunError, match=r"found 5 of 5 that are NaN or infinite, for 1 queries \(first: number 0\)"):
        count(nan_model(slice(None)), one_target(0), {}, entities=5)
    with pytest.raises(RunError, match=r"found 2 of 5 .* and 2 entities \(first: number 3\)\nHint: nan='worst'"):
        count(nan_model([3, 4]), one_target(0), {}, entities=5)
    given = Batch(np.arange(2), "scores", score=lambda places: np.array([[0.0, 1], [np.inf, np.nan]])[places])
    with pytest.raises(RunError, match=r"found 2 of 4 .* for 1 queries \(first: number 1\) and 2 entities"):
        count([given], Lists.of(np.array([0]), np.array([0]), 2), {}, entities=2)
    query = Batch(np.arange(2), "l1", np.array([[0.0], [np.inf]]), np.ones((3, 1)))
    with pytest.raises(RunError, match=r"found 3 of 6 .* for 1 queries \(first: number 1\)"):
        count([query], Lists.of(np.array([0]), np.array([0]), 2), {}, entities=3)


@pytest.mark.parametrize("kind", ["dot", "l2", "l1"])
def test_no_number_is_worst_where_that_is_asked_for(kind):
    candidates = np.array([[1.0], [np.nan], [3.0], [np.inf]])
    targets = Lists.of(np.zeros(4, np.int64), np.arange(4), 1)
    found = count([Batch(np.arange(1), kind, np.array([[2.5]]), candidates)], targets, {}, entities=4, nan="worst")
    order = {0: (1, 0), 1: (2, 1), 2: (0, 0), 3: (2, 1)}
    assert pairs(found) == list(order.values())
    assert found.nan == 2
    assert found.score[[1, 3]].tolist() == [-np.inf, -np.inf]


def test_a_question_without_numbers_ties_all_its_candidates():
    found = count(
        [Batch(np.arange(1), "dot", np.full((1, 2), np.nan), np.ones((5, 2)))],
        one_target(3),
        {},
        entities=5,
        nan="worst",
    )
    assert pairs(found) == [(0, 4)]


def test_what_does_not_fit_is_refused():
    ones = np.ones((2, 3))
    with pytest.raises(ParameterError, match=r"expected queries of shape \(1, 3\) and candidates of \(5, 3\)"):
        count([Batch(np.arange(1), "dot", ones, ones)], one_target(0), {}, entities=5)
    with pytest.raises(ParameterError, match="expected a function `score`"):
        count([Batch(np.arange(1), "scores")], one_target(0), {}, entities=5)
    with pytest.raises(ParameterError, match="expected queries and candidates"):
        count([Batch(np.arange(1), "dot")], one_target(0), {}, entities=5)
    with pytest.raises(RunError, match=r"expected the shape \(queries, entities\) = \(1, 5\), found \(1, 4\)"):
        count([Batch(np.arange(1), "scores", score=lambda _: np.ones((1, 4)))], one_target(0), {}, entities=5)
    with pytest.raises(ParameterError, match="expected at least 1"):
        count([], one_target(0), {}, entities=5, block=0)
    with pytest.raises(UnknownNameError, match="no nan is called 'wurst'"):
        count([], one_target(0), {}, entities=5, nan="wurst")


def test_many_doubtful_candidates_are_settled_in_parts(monkeypatch):
    monkeypatch.setattr("assay.engines.block_counts.WAITING", 50)
    random = np.random.default_rng(2)
    same, targets, known = np.full((40, 3), 0.1), some_lists(random, 8, 40, 30), some_lists(random, 8, 40, 100)
    found = count([Batch(np.arange(8), "dot", np.full((8, 3), 0.7), same)], targets, {"known": known}, entities=40)
    assert pairs(found) == counted(np.zeros((8, 40)), targets)
    assert pairs(found, "known") == counted(np.zeros((8, 40)), targets, known)


def test_queries_may_share_lists():
    lists = Lists(np.array([0, 2, 2]), np.array([1, 4]), number=np.array([0, 1, 0]))
    assert lists.sizes(np.arange(3)).tolist() == [2, 0, 2]
    assert lists.has(np.array([0, 1, 2, 2]), np.array([4, 4, 1, 9])).tolist() == [True, False, True, False]
    place, entity = lists.pairs(np.array([2, 1, 0]))
    assert (place.tolist(), entity.tolist()) == ([0, 0, 2, 2], [1, 4, 1, 4])
