"""Profile sklearn against scikit-learn: every item judged, every item retrieved, many ties."""

import numpy as np
import pytest

from assay import evaluate

metrics = pytest.importorskip("sklearn.metrics", reason="needs scikit-learn, the program that is compared with")

pytestmark = pytest.mark.oracle


def dense(seed):
    chance = np.random.default_rng(seed)
    shape = (6, int(chance.integers(2, 25)))
    return chance.integers(0, 4, shape), chance.integers(0, 5, shape).astype(float)


def mappings(grades, scores):
    def by_item(row):
        return {f"d{i}": float(value) for i, value in enumerate(row)}

    return {f"q{i}": by_item(row) for i, row in enumerate(grades)}, {
        f"q{i}": by_item(row) for i, row in enumerate(scores)
    }


@pytest.mark.parametrize("k", [None, 1, 3, 10, 50])
@pytest.mark.parametrize("seed", range(10))
def test_ndcg_is_equal(seed, k):
    grades, scores = dense(seed)
    name = "nDCG" if k is None else f"nDCG@{k}"
    assert evaluate(*mappings(grades, scores), name, profile="sklearn")[name] == pytest.approx(
        metrics.ndcg_score(grades, scores, k=k), abs=1e-12
    )


@pytest.mark.parametrize("k", [None, 1, 3, 10, 50])
@pytest.mark.parametrize("seed", range(10))
def test_dcg_is_equal(seed, k):
    grades, scores = dense(seed)
    name = "DCG" if k is None else f"DCG@{k}"
    assert evaluate(*mappings(grades, scores), name, profile="sklearn")[name] == pytest.approx(
        metrics.dcg_score(grades, scores, k=k), abs=1e-12
    )


def test_a_query_without_gain_counts_as_zero():
    grades, scores = np.array([[0, 0, 0], [1, 0, 0]]), np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    assert metrics.ndcg_score(grades, scores) == 0.5
    assert evaluate(*mappings(grades, scores), "nDCG", profile="sklearn")["nDCG"] == 0.5
