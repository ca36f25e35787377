"""Neighbours, clusters and their agreement against scikit-learn."""

import numpy as np
import pytest

from assay.tasks.neighbours import exact_neighbours
from assay.tasks.neighbours.clustering import clustering
from assay.tasks.neighbours.kmeans import kmeans

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("seed", range(10))
def test_the_adjusted_rand_index_is_theirs(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(seed)
    clusters, types = random.integers(0, 1 + seed, (2, 60))
    theirs = metrics.adjusted_rand_score(types, clusters)
    assert clustering(clusters.tolist(), types.tolist()).adjusted_rand == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), [("l2", "euclidean"), ("cosine", "cosine")])
def test_the_nearest_are_theirs(ours, theirs):
    neighbours = pytest.importorskip("sklearn.neighbors")
    table = np.random.default_rng(0).normal(size=(400, 10))
    ids, scores = exact_neighbours(table, k=6, metric=ours)
    asked = neighbours.NearestNeighbors(n_neighbors=6, metric=theirs).fit(table)
    distances, found = asked.kneighbors()
    assert np.array_equal(ids, found)
    np.testing.assert_allclose(-scores if ours == "l2" else 1 - scores, distances, atol=1e-9)


def test_k_means_is_as_tight_as_theirs():
    cluster = pytest.importorskip("sklearn.cluster")
    random = np.random.default_rng(1)
    points = 4 * random.normal(size=(5, 3))[np.arange(200) % 5] + random.normal(size=(200, 3))

    def inertia(labels):
        return sum(
            ((points[labels == one] - points[labels == one].mean(axis=0)) ** 2).sum() for one in set(labels.tolist())
        )

    theirs = cluster.KMeans(5, n_init=4, random_state=0).fit(points).labels_
    assert inertia(kmeans(points, 5, metric="l2")) <= 1.02 * inertia(theirs)
