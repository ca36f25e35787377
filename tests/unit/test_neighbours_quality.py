"""Labels, an index, hubs and clusters: each figure against its definition as a plain loop."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.run import Run
from assay.errors import AssayError
from assay.tasks.neighbours import Vectors, evaluate_vectors, exact_neighbours
from assay.tasks.neighbours.clustering import clustering
from assay.tasks.neighbours.hubs import hubness
from assay.tasks.neighbours.kmeans import kmeans

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def table():
    """Sixty vectors around four centres, and the centre of each."""
    random = np.random.default_rng(7)
    label = np.arange(60) % 4
    return random.normal(size=(4, 8))[label] + 0.4 * random.normal(size=(60, 8)), ["abcd"[i] for i in label]


def test_precision_by_label_is_that_of_a_loop(table):
    vectors, labels = table
    labels = [None, "alone", *labels[2:]]
    found = evaluate_vectors(vectors, labels=labels, k=5).labels
    ids = exact_neighbours(vectors, k=5)[0]
    asked = [i for i in range(60) if labels[i] is not None and labels.count(labels[i]) > 1]
    values = {str(i): sum(labels[j] == labels[i] for j in ids[i]) / 5 for i in asked}
    rows = found.evaluation.scores.table.filter(measure="P@5")
    assert dict(zip(rows["query"], rows["value"], strict=True)) == pytest.approx(values)
    assert (found.unlabelled, found.alone) == (1, 1)
    others = [labels.count(labels[i]) - 1 for i in asked]
    assert found.chance == pytest.approx(np.mean(others) / 59)
    assert found.ceiling == pytest.approx(np.mean([min(5, one) / 5 for one in others]))
    for one in found.labels:
        of_label = [values[str(i)] for i in asked if labels[i] == one.label]
        assert (one.items, one.precision) == (len(of_label), pytest.approx(np.mean(of_label)))


def test_an_item_without_a_right_neighbour_counts_as_zero():
    vectors = [[0.0], [10.0], [0.1], [10.1]]
    found = evaluate_vectors(vectors, labels=["a", "a", "b", "b"], k=1, metric="l2").labels
    assert found.evaluation["P@1"] == 0.0
    assert found.evaluation.figure("P@1").queries == 4
    assert found.evaluation.figure("P@1").undefined == 0


@pytest.mark.parametrize("metric", ["cosine", "l2", "dot"])
def test_an_exact_index_has_recall_one_and_half_of_it_half(table, metric):
    vectors, _ = table
    ids = exact_neighbours(vectors, k=10, metric=metric)[0]
    assert evaluate_vectors(vectors, index=ids, metric=metric).index.evaluation["RCap@10"] == 1.0
    half = np.where(np.arange(10) < 5, ids, -1)
    found = evaluate_vectors(vectors, index=half, metric=metric).index
    assert found.evaluation["RCap@10"] == 0.5
    assert found.short == 60


def test_a_repeated_item_counts_once_and_does_not_lift_the_next(table):
    vectors, _ = table
    ids = exact_neighbours(vectors, k=12)[0]
    ids[:, 3] = ids[:, 2]
    found = evaluate_vectors(vectors, index=ids, k=10).index
    assert (found.evaluation["RCap@10"], found.repeated) == (0.9, 60)


def test_the_query_itself_is_taken_out_and_strangers_are_counted(table):
    vectors, _ = table
    ids = exact_neighbours(vectors, k=10)[0]
    own = np.hstack([np.arange(60)[:, None], ids])
    found = evaluate_vectors(vectors, index=own).index
    assert (found.evaluation["RCap@10"], found.own, found.short) == (1.0, 60, 0)
    cut = evaluate_vectors(vectors, index=own[:, :10]).index
    assert (cut.evaluation["RCap@10"], cut.short) == (0.9, 60)
    strange = ids.copy()
    strange[:, 0] = 60
    assert evaluate_vectors(vectors, index=strange).index.unknown == 60


def test_an_item_as_near_as_the_last_is_as_good():
    vectors = [[0.0], [1.0], [-1.0], [5.0]]
    for answer, recall in ((1, 1.0), (2, 1.0), (3, 0.0)):
        lists = np.array([[answer], [0], [0], [1]])
        found = evaluate_vectors(vectors, index=lists, k=1, metric="l2").index
        rows = found.evaluation.scores.table.filter(query="0")
        assert rows["value"][0] == recall


def test_live_indexes_are_asked_by_their_own_names(table):
    vectors, _ = table
    ids, scores = exact_neighbours(vectors, vectors, k=11)
    row = {vector.astype(np.float32).tobytes(): i for i, vector in enumerate(vectors)}

    def asked(queries, k):
        rows = [row[query.tobytes()] for query in queries]
        return ids[rows, :k], scores[rows, :k]

    faiss = SimpleNamespace(search=lambda x, k: asked(x, k)[::-1])
    hnswlib = SimpleNamespace(knn_query=lambda x, k: (asked(x, k)[0].astype(np.uint64), 1 - asked(x, k)[1]))
    usearch = SimpleNamespace(
        search=lambda x, k: SimpleNamespace(keys=asked(x, k)[0].astype(np.uint64), counts=[k] * len(x))
    )
    for index in (faiss, hnswlib, usearch, lambda x, k: asked(x, k)[0]):
        found = evaluate_vectors(vectors, index=index).index
        assert (found.evaluation["RCap@10"], found.short, found.own) == (1.0, 0, 60)
    some = evaluate_vectors(vectors, index=faiss, queries=7).index
    assert some.evaluation.figures[0].queries == 7


def test_places_that_usearch_left_empty_are_empty(table):
    vectors, _ = table
    ids = exact_neighbours(vectors, k=11)[0]
    keys = np.hstack([np.arange(60)[:, None], ids[:, :10]])
    short = SimpleNamespace(search=lambda x, k: SimpleNamespace(keys=keys[: len(x), :k], counts=[6] * len(x)))
    assert evaluate_vectors(vectors, index=short).index.evaluation["RCap@10"] == 0.5


def test_a_run_of_names_is_an_index(table):
    vectors, _ = table
    names = [f"n{i}" for i in range(60)]
    ids = exact_neighbours(vectors, k=10)[0]
    lists = {names[i]: [names[j] for j in ids[i]] for i in range(20)}
    lists["n0"][0] = "nobody"
    lists["stranger"] = ["n1"]
    found = evaluate_vectors(vectors, names=names, index=Run.from_mapping(lists)).index
    assert found.evaluation.figures[0].queries == 20
    assert (found.evaluation["RCap@10"], found.unknown) == (pytest.approx(1 - 0.1 / 20), 1)


def test_gold_similar_sets_are_measured_by_the_core(table):
    vectors, _ = table
    ids = exact_neighbours(vectors, k=10)[0]
    gold = {"3": {str(ids[3, 0]): 1, str(ids[3, 1]): 1}, "4": {str(ids[4, 9]): 1}, "gone": {"1": 1}}
    found = evaluate_vectors(vectors, similar=gold)
    assert found.similar["RR"] == pytest.approx((1 + 0.1 + 0) / 3)
    assert found.similar["R@10"] == pytest.approx(2 / 3)
    assert "1 query of the gold has no vector and count as missed." in found.notices


def test_vectors_of_zeros_are_not_asked_under_cosine():
    vectors = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.1], [1.0, 0.2]]
    found = evaluate_vectors(vectors, labels=["a"] * 4, k=1)
    assert found.queries == 3
    assert found.vectors.zeros == 1
    assert "1 vector is zero" in found.notices[0]
    assert evaluate_vectors(vectors, labels=["a"] * 4, k=1, metric="l2").queries == 4


def test_copies_are_counted():
    facts = Vectors.of([[1.0, 0.0], [0.0, 1.0], [1.0, -0.0], [1.0, 0.0]]).facts()
    assert (facts.copies, facts.zeros) == (2, 0)


def test_hubs_are_counted_as_by_hand():
    names = Vectors.of(np.eye(4)).names
    found = hubness(names, np.array([[1], [0], [1], [1]]))
    times, mean = [1, 3, 0, 0], 1.0
    spread = sum((t - mean) ** 2 for t in times) / 4
    assert found.skewness == pytest.approx(sum((t - mean) ** 3 for t in times) / 4 / spread**1.5)
    assert (found.anti_hubs, found.crowded) == (0.5, 0.75)
    assert [(hub.name, hub.times) for hub in found.hubs[:2]] == [("1", 3), ("0", 1)]
    assert hubness(names, np.array([[1], [0], [3], [2]])).skewness is None


@given(PAIRS)
def test_b_cubed_is_that_of_a_loop(pairs):
    found = clustering([c for c, _ in pairs], [t for _, t in pairs])
    precision = np.mean([np.mean([t == u for d, u in pairs if d == c]) for c, t in pairs])
    recall = np.mean([np.mean([c == d for d, u in pairs if u == t]) for c, t in pairs])
    assert found.precision == pytest.approx(precision)
    assert found.recall == pytest.approx(recall)
    assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall))


@given(PAIRS)
def test_the_adjusted_rand_index_is_that_of_counted_pairs(pairs):
    found = clustering([c for c, _ in pairs], [t for _, t in pairs]).adjusted_rand
    two = [(a, b) for i, a in enumerate(pairs) for b in pairs[:i]]
    cluster = sum(a[0] == b[0] for a, b in two)
    kind = sum(a[1] == b[1] for a, b in two)
    both = sum(a == b for a, b in two)
    expected = cluster * kind / len(two) if two else 0
    most = (cluster + kind) / 2
    assert found == pytest.approx(1.0 if most == expected else (both - expected) / (most - expected))


def test_clusters_do_not_depend_on_the_order_of_rows(table):
    vectors, labels = table
    order = np.random.default_rng(0).permutation(60)
    for metric in ("cosine", "l2"):
        one, other = kmeans(vectors, 4, metric=metric), kmeans(vectors[order], 4, metric=metric)
        assert clustering(one[order].tolist(), other.tolist()).adjusted_rand == 1.0
        assert clustering(one.tolist(), labels).adjusted_rand > 0.8
    assert kmeans(np.tile(vectors[:2], (5, 1)), 4, metric="l2").tolist() == [0, 1] * 5


def test_given_clusters_are_held_against_labels(table):
    vectors, labels = table
    found = evaluate_vectors(vectors, labels=labels, clusters=labels).clustering
    assert (found.f1, found.adjusted_rand, found.method, found.seed) == (1.0, 1.0, "given", None)


def test_fewer_queries_are_drawn_by_name_and_seed(table):
    vectors, labels = table
    order = np.random.default_rng(1).permutation(60)
    names = [f"n{i}" for i in range(60)]
    one = evaluate_vectors(vectors, names=names, labels=labels, queries=20, k=3)
    other = evaluate_vectors(
        vectors[order], names=[names[i] for i in order], labels=[labels[i] for i in order], queries=20, k=3
    )
    assert one.labels.evaluation.mean == other.labels.evaluation.mean
    assert one.hubs is None
    assert one.queries == 20


def test_order_of_rows_changes_nothing(table):
    vectors, labels = table
    order = np.random.default_rng(2).permutation(60)
    names = [f"n{i}" for i in range(60)]
    one = evaluate_vectors(vectors, names=names, labels=labels)
    other = evaluate_vectors(vectors[order], names=[names[i] for i in order], labels=[labels[i] for i in order])
    assert one.labels.to_dict() == other.labels.to_dict()
    assert one.clustering == other.clustering
    assert one.hubs.skewness == pytest.approx(other.hubs.skewness)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"labels": ["a", "b", "c"]}, "expected a label that two items or more have, found none"),
        ({"labels": ["a"]}, "expected a label for each of 3 rows, found 1"),
        ({"labels": {"x": "a"}}, "expected names of the vectors such as '0', found others, such as 'x'"),
        ({"names": ["a", "a", "b"]}, "expected each name once, found 'a' twice"),
        ({"names": ["a"]}, "expected a name for each of 3 rows, found 1 names"),
        ({"index": np.zeros((2, 1), int)}, "expected a list for each of 3 vectors, found 2"),
        ({"index": np.zeros((3, 1))}, "expected whole numbers of shape (queries, places), found float64"),
        ({"similar": {"x": {"y": 1}}}, "expected queries that are names of the vectors such as '0', found none"),
        ({"clusters": [1, 1, 1]}, "clusters: expected labels to hold them against, found none"),
        ({"queries": 0}, "queries: expected a number of at least 1, found 0"),
        ({"k": 0}, "k: expected a number of at least 1, found 0"),
    ],
)
def test_mistakes_are_said(options, said):
    with pytest.raises(AssayError) as caught:
        evaluate_vectors([[1.0], [2.0], [3.0]], metric="l2", **options)
    assert said in caught.value.message


def test_no_figure_is_a_nan(table):
    vectors, labels = table

    def numbers(part):
        if isinstance(part, dict | list | tuple):
            return [one for value in (part.values() if isinstance(part, dict) else part) for one in numbers(value)]
        return [part] if isinstance(part, float) else []

    document = evaluate_vectors(vectors[:3], labels=labels[:2] + labels[:1], k=10).to_dict()
    assert numbers(document)
    assert all(math.isfinite(one) for one in numbers(document))
