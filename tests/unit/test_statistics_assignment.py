"""The best one-to-one assignment and what is connected, against SciPy."""

import sys

import numpy as np
import pytest

from assay.errors import MissingExtraError, UnsupportedError
from assay.statistics import assignment

HARD = np.array([[3.0, 2.9, 0.0], [2.9, 3.0, 2.9], [0.0, 2.9, 0.1]])
"""No cell weighs as much as the best others of its row and of its column."""


@pytest.mark.parametrize("seed", range(30))
def test_the_best_assignment_is_scipys(seed):
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(seed)
    table = np.where(random.random((9, 8)) < 0.4, random.integers(1, 6, (9, 8)), 0).astype(float)
    left, right = table.nonzero()
    best = table[optimize.linear_sum_assignment(table, maximize=True)].sum()
    order = random.permutation(len(left))
    weights = table[left, right]
    assert assignment.best_assignment(left, right, weights) == best
    assert assignment.best_assignment(left[order], right[order], weights[order]) == best


@pytest.mark.parametrize("seed", range(5))
def test_parts_too_large_for_a_full_table_are_solved_without(seed, monkeypatch):
    optimize = pytest.importorskip("scipy.optimize")
    monkeypatch.setattr(assignment, "DENSE", 0)
    monkeypatch.setattr(assignment, "ROUNDS", 0)
    random = np.random.default_rng(seed)
    table = np.where(random.random((7, 9)) < 0.4, random.random((7, 9)), 0)
    left, right = table.nonzero()
    best = table[optimize.linear_sum_assignment(table, maximize=True)].sum()
    assert assignment.best_assignment(left, right, table[left, right]) == pytest.approx(best, abs=1e-9)
    monkeypatch.setattr(assignment, "LARGEST", 3)
    with pytest.raises(UnsupportedError, match="at most 3 connected clusters"):
        assignment.best_assignment(left, right, table[left, right])


def test_without_scipy_what_is_not_sure_cannot_be_assigned(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    left, right = HARD.nonzero()
    with pytest.raises(MissingExtraError, match=r"assay\[stats\]"):
        assignment.best_assignment(left, right, HARD[left, right])
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    monkeypatch.setattr(assignment, "DENSE", 0)
    with pytest.raises(MissingExtraError):
        assignment.best_assignment(left, right, HARD[left, right])
    assert assignment.best_assignment(np.zeros(3, int), np.arange(3), np.array([1.0, 3.0, 2.0])) == 3.0


@pytest.mark.parametrize("seed", range(20))
def test_components_are_scipys(seed):
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(seed)
    left, right = random.integers(0, 12, (2, seed))
    graph = sparse.coo_array((np.ones(seed), (left, right)), shape=(12, 12))
    _, theirs = sparse.csgraph.connected_components(graph, directed=False)
    lowest = [int(np.flatnonzero(theirs == one)[0]) for one in theirs]
    assert assignment.connected(left, right, 12).tolist() == lowest


def test_a_long_chain_is_one_component():
    random = np.random.default_rng(0)
    names = random.permutation(5000)
    assert assignment.connected(names[:-1], names[1:], 5000).max() == 0
    assert assignment.components(np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []
