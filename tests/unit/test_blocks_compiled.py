"""Counting with numba, and candidates that share a vector: the same counts."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.blocks_by_hand import counted, some_lists, value, vectors
from tests.unit.test_blocks import KINDS, one_target, pairs

from assay.engines import block_counts, compiled, passes
from assay.engines.blocks import Batch, count
from assay.errors import MissingExtraError


@pytest.mark.parametrize("kind", KINDS)
def test_what_numba_compiles_counts_the_same_as_plain_python(kind, monkeypatch):
    class Numba:
        @staticmethod
        def njit(**_):
            return lambda function: function

    monkeypatch.setitem(sys.modules, "numba", Numba)
    monkeypatch.setattr(compiled, "available", lambda: True)
    monkeypatch.setattr(compiled, "kernels", compiled.kernels.__wrapped__)
    random = np.random.default_rng(4)
    batch = Batch(np.arange(6), kind, *(vectors(random, many, 5, kind, np.float32) for many in (6, 30)))
    targets, known = some_lists(random, 6, 30, 15), some_lists(random, 6, 30, 60)
    for threads in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        ours, theirs = (count([batch], targets, {"known": known}, entities=30, compiled=by) for by in (False, True))
        assert pairs(ours) == pairs(theirs)
        assert pairs(ours, "known") == pairs(theirs, "known")


def test_numba_is_asked_for_only_where_it_is_worth_its_start(monkeypatch):
    calls = []
    monkeypatch.setattr(passes, "available", lambda: calls.append(1) or False)
    batch, targets = Batch(np.arange(1), "l1", np.ones((1, 2)), np.ones((4, 2))), one_target(0)
    count([batch], targets, {}, entities=4)
    assert calls == []
    monkeypatch.setattr(passes, "WORTH", 7)
    count([batch], targets, {}, entities=4)
    assert calls == [1]


def test_numba_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(compiled, "available", lambda: False)
    compiled.kernels.cache_clear()
    batch = Batch(np.arange(1), "l1", np.ones((1, 2)), np.ones((4, 2)))
    with pytest.raises(MissingExtraError, match=r"needs numba.*\nHint: pip install 'assay\[links\]'"):
        count([batch], one_target(0), {}, entities=4, compiled=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("crowd", [0, 64])
def test_vectors_that_many_candidates_share_are_scored_once(kind, crowd, monkeypatch):
    random = np.random.default_rng(6)
    queries, few = vectors(random, 6, 5, kind, np.float32), vectors(random, 4, 5, kind, np.float32)
    candidates = few[random.integers(0, 4, 400)]
    targets, known = some_lists(random, 6, 400, 15), some_lists(random, 6, 400, 300)
    scored = []
    exact = block_counts.exact_scores
    counting = replace(block_counts.NUMPY, exact=lambda *given: scored.append(len(given[-1])) or exact(*given))
    monkeypatch.setattr(passes, "NUMPY", counting)
    monkeypatch.setattr(passes, "CROWD", crowd)
    found = count([Batch(np.arange(6), kind, queries, candidates)], targets, {"known": known}, entities=400)
    scores = [[value(kind, query, candidate) for candidate in candidates] for query in queries]
    assert pairs(found) == counted(scores, targets)
    assert pairs(found, "known") == counted(scores, targets, known)
    assert sum(scored) <= 15 + 6 * 4
