"""Units, effect sizes and skewness."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics.effect import effect_size, skewness, wins_ties_losses
from assay.statistics.units import Units, units_of_pairs

VALUES = st.lists(st.integers(-10, 10).map(lambda value: value / 10), min_size=2, max_size=12).map(np.array)


def test_a_mean_is_weighted_by_query():
    units = Units.of(np.array([1.0, 0.0, 0.5]), np.array([3.0, 1.0, 0.0]))
    assert units.mean.tolist() == [0.75]
    assert len(units) == 2, "a query without weight says nothing"


def test_a_cluster_is_one_unit_with_the_sums_of_its_queries():
    units = Units.of(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]), np.array([1.0, 2.0, 4.0]), np.array([2, 9, 2]))
    assert units.above.tolist() == [[3.0, 2.0], [0.0, 2.0]]
    assert units.below.tolist() == [5.0, 2.0]
    assert units.mean.tolist() == [3 / 7, 4 / 7]


def test_the_error_of_plain_queries_is_their_standard_deviation_over_the_root_of_their_number():
    values = np.array([0.1, 0.7, 0.2, 0.9])
    assert Units.of(values).error[0] == pytest.approx(values.std(ddof=1) / 2, rel=1e-12)
    assert np.isnan(Units.of(values[:1]).error[0])


def test_the_error_of_a_ratio_is_that_of_its_linear_part():
    values, weights = np.array([0.2, 0.8, 0.5]), np.array([1.0, 2.0, 5.0])
    mean = (values * weights).sum() / 8
    pulls = weights * (values - mean)
    assert Units.of(values, weights).error[0] == pytest.approx(np.sqrt(3 / 2 * (pulls**2).sum()) / 8, rel=1e-12)


def test_no_queries_have_no_mean():
    units = Units.of(np.zeros(0))
    assert len(units) == 0
    assert np.isnan(units.mean).all()
    assert units.constant.all()
    assert units.effective == 0


def test_uneven_weights_are_worth_fewer_units():
    assert Units.of(np.ones(4)).effective == 4
    assert Units.of(np.ones(4), np.array([1.0, 1.0, 1.0, 9.0])).effective == pytest.approx(144 / 84)


@given(VALUES, st.integers(1, 7))
def test_equal_weights_are_no_weights_and_clusters_of_one_are_no_clusters(values, weight):
    plain = Units.of(values)
    for other in (Units.of(values, np.full(len(values), weight / 3)), Units.of(values, None, np.arange(len(values)))):
        assert other.even
        assert np.allclose(other.ratios, plain.ratios, rtol=1e-12, atol=1e-15)
        assert np.allclose(other.error, plain.error, rtol=1e-12, atol=1e-15)


def test_pairs_with_the_same_queries_are_gathered_together():
    nan = np.nan
    table = np.array([[1.0, nan, 3.0, 4.0], [5.0, 6.0, 7.0, nan], [8.0, 9.0, 10.0, 11.0]])
    found = {tuple(pairs.tolist()): units for pairs, units in units_of_pairs(table, np.array([1.0, 2.0, 1.0]))}
    assert sorted(found) == [(0, 2), (1,), (3,)]
    assert found[0, 2].mean.tolist() == [19 / 4, 27 / 4]
    assert found[(1,)].mean.tolist() == [7.0]
    assert found[(3,)].mean.tolist() == [7.5]


def test_an_effect_is_the_mean_over_the_standard_deviation():
    differences = np.array([0.1, -0.3, 0.25, 0.4, np.nan])
    kept = differences[:4]
    assert effect_size(differences) == pytest.approx(kept.mean() / kept.std(ddof=1), rel=1e-12)
    assert effect_size(np.repeat(kept, 2), None, np.repeat(np.arange(4), 2)) == pytest.approx(effect_size(kept))


@pytest.mark.parametrize("differences", [[], [0.5], [0.2, 0.2, 0.2], [0.0, 0.0], [np.nan, 1.0]])
def test_an_effect_needs_differences_that_vary(differences):
    assert effect_size(np.array(differences)) is None


def test_wins_are_what_is_good_and_rounding_is_a_tie():
    differences = np.array([0.3, 0.1 + 0.2 - 0.3, -0.1, -0.2, np.nan])
    assert wins_ties_losses(differences) == (1, 1, 2)
    assert wins_ties_losses(differences, higher_is_better=False) == (2, 1, 1)
    assert wins_ties_losses(differences, tolerance=0.15) == (1, 2, 1)


def test_skewness_has_the_sign_of_the_long_tail():
    assert skewness(np.array([0.0, 0.0, 0.0, 1.0])) == pytest.approx(2 / np.sqrt(3))
    assert skewness(np.array([1.0, 1.0, 1.0, 0.0, np.nan])) == pytest.approx(-2 / np.sqrt(3))
    assert skewness(np.array([0.0, 0.5, 1.0])) == pytest.approx(0, abs=1e-12)
    assert skewness(np.array([0.4, 0.4])) is None
    assert skewness(np.zeros(0)) is None


def test_sums_of_a_cluster_do_not_depend_on_the_order_of_its_queries():
    rows = np.array([(0.0, 1, 4), (0.4, 1, 4), (0.6, 1, 4), (0.3, 1, 4), (0.1, 3, 0), (0.2, 1, 0), (0.3, 1, 0)])
    sums = set()
    for turn in range(len(rows)):
        values, weights, clusters = np.roll(rows, turn, axis=0).T
        sums.add(Units.of(values, weights, clusters.astype(np.int64)).above.tobytes())
    assert len(sums) == 1
