"""Exact nearest neighbours against brute force, whatever the block."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from assay.errors import AssayError, InputError, ParameterError, UnknownNameError
from assay.tasks.neighbours import exact
from assay.tasks.neighbours.exact import exact_neighbours
from assay.tasks.neighbours.highest import highest

METRICS = ["cosine", "dot", "l2"]
TABLES = hnp.arrays(
    np.float64, st.tuples(st.integers(2, 30), st.integers(1, 4)), elements=st.integers(-3, 3).map(float)
)


def by_the_book(a, b, metric):
    """The score of one pair, as a plain loop."""
    product = sum(x * y for x, y in zip(a, b, strict=True))
    if metric == "dot":
        return product
    if metric == "l2":
        return -math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
    return round(product / lengths, 12) if lengths else 0.0


def brute_force(table, k, metric):
    found = []
    for row, query in enumerate(table):
        pairs = [(-by_the_book(query, other, metric), i) for i, other in enumerate(table) if i != row]
        found.append([i for _, i in sorted(pairs)[:k]] + [-1] * (k - len(pairs)))
    return found


@example(np.zeros((2, 1)), 2, "cosine", 1, 1)
@given(
    TABLES, st.integers(1, 6), st.sampled_from(METRICS), st.sampled_from([1, 7, 256]), st.sampled_from([1, 5, 65_536])
)
def test_neighbours_are_those_of_brute_force_with_ties_by_id(table, k, metric, block, candidates):
    ids, scores = exact_neighbours(table, None, k, metric, block=block, candidates=candidates)
    assert ids.tolist() == brute_force(table, k, metric)
    expected = [
        [by_the_book(table[row], table[i], metric) if i >= 0 else math.nan for i in line]
        for row, line in enumerate(ids)
    ]
    np.testing.assert_allclose(scores, expected, atol=1e-12)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_many_vectors_of_any_length_need_no_other_precision(metric, scale):
    table = np.random.default_rng(1).normal(size=(3_000, 9)) * scale
    ids, scores = exact_neighbours(table, np.arange(40), 5, metric, block=16, candidates=1_000)
    lengths = np.linalg.norm(table, axis=1)
    whole = table[:40] @ table.T
    if metric == "l2":
        whole = -np.linalg.norm(table[:40, None] - table[None], axis=2)
    if metric == "cosine":
        whole = np.round(whole / lengths[:40, None] / lengths, 12)
    whole[np.arange(40), np.arange(40)] = -np.inf
    assert ids.tolist() == np.argsort(-whole, axis=1, kind="stable")[:, :5].tolist()
    np.testing.assert_allclose(scores, np.sort(-whole, axis=1)[:, :5] * -1, rtol=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_vectors_that_float32_cannot_part_are_parted(metric):
    rng = np.random.default_rng(2)
    table = rng.normal(size=(1, 8)) + 1e-9 * rng.normal(size=(400, 8))
    ids, _ = exact_neighbours(table, None, 4, metric, candidates=64)
    assert ids.tolist() == brute_force(table, 4, metric)


def test_copies_are_neighbours_of_each_other_lower_id_first():
    table = np.tile(np.random.default_rng(3).normal(size=(2, 5)), (50, 1)).astype(np.float32)
    ids, scores = exact_neighbours(table, None, 3)
    assert ids[0].tolist() == [2, 4, 6]
    assert ids[4].tolist() == [0, 2, 6]
    assert np.all(scores == 1.0)


def test_a_vector_of_zeros_has_no_direction():
    ids, scores = exact_neighbours([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0]], k=2)
    assert ids.tolist() == [[1, 2], [0, 2], [0, 1]]
    assert scores.tolist() == [[0.0, 0.0], [0.0, -1.0], [0.0, -1.0]]


def test_queries_may_be_rows_or_vectors_of_their_own():
    table = np.eye(4)
    assert exact_neighbours(table, [2], 1)[0].tolist() == [[0]]
    assert exact_neighbours(table, table[[2]], 1)[0].tolist() == [[2]]


def test_a_mapped_file_and_prepared_blocks_give_the_same(tmp_path):
    table = np.random.default_rng(4).normal(size=(500, 6)).astype(np.float32)
    np.save(tmp_path / "v.npy", table)
    with mock.patch.object(exact, "KEPT_BYTES", 0):
        mapped = exact_neighbours(np.load(tmp_path / "v.npy", mmap_mode="r"), None, 7, candidates=100, block=33)
    whole = exact_neighbours(table, None, 7)
    assert np.array_equal(mapped[0], whole[0])
    assert np.array_equal(mapped[1], whole[1])


def test_complex_vectors_are_pairs_of_real_numbers():
    table = np.random.default_rng(5).normal(size=(20, 6))
    pairs = table[:, ::2] + 1j * table[:, 1::2]
    assert np.array_equal(exact_neighbours(pairs, k=3)[0], exact_neighbours(table, k=3)[0])


@pytest.mark.parametrize(
    ("vectors", "options", "error", "said"),
    [
        ([[1.0], [math.nan], [math.inf]], {}, InputError, "NaN or infinity in 2 of 3 rows, the first is row 1"),
        ([1.0, 2.0], {}, InputError, "found float64 of shape (2,)"),
        ([["a"]], {}, InputError, "expected numbers of shape"),
        ([[1.0], [2.0]], {"k": 0}, ParameterError, "k: expected a number of at least 1, found 0"),
        ([[1.0], [2.0]], {"metric": "cosin"}, UnknownNameError, "Did you mean 'cosine'?"),
        ([[1.0], [2.0]], {"queries": [2]}, InputError, "expected rows from 0 to 1, found 2 to 2"),
        ([[1.0], [2.0]], {"queries": [[1.0, 2.0]]}, InputError, "vectors of 1 dimensions, found shape (1, 2)"),
    ],
)
def test_mistakes_are_said(vectors, options, error, said):
    with pytest.raises(error) as caught:
        exact_neighbours(vectors, **options)
    assert said in str(caught.value)
    assert isinstance(caught.value, AssayError)


@given(
    hnp.arrays(np.float32, st.tuples(st.integers(1, 3), st.integers(1, 700)), elements=st.integers(-50, 50).map(float))
)
def test_the_highest_of_each_row(table):
    for many in (1, 3, 900):
        places, values, left = highest(table, many)
        down = -np.sort(-table, axis=1)
        assert np.array_equal(-np.sort(-values, axis=1), down[:, :many])
        assert np.array_equal(np.take_along_axis(table, places, axis=1), values)
        assert all(len(set(row)) == len(row) for row in places.tolist())
        assert np.array_equal(left, down[:, many] if table.shape[1] > many else np.full(len(table), -np.inf))
