"""What data can tell, and whether a difference is irrelevant, at the edges and for weights and clusters."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.estimates import Margin, Power
from assay.errors import MissingExtraError, ParameterError
from assay.statistics.equivalence import margin, margins
from assay.statistics.power import _needed, chance, power, powers

VALUES = np.random.default_rng(5).normal(0.03, 0.1, 30)


@pytest.mark.parametrize("values", [[], [0.3], [0.0] * 20, [0.1] * 20])
def test_differences_that_do_not_vary_tell_nothing(values):
    assert power(np.array(values)) == Power(0.8, None, None)


def test_a_mean_difference_of_0_needs_no_end_of_queries():
    found = power(np.array([0.25, -0.25] * 10))
    assert found.needed is None
    assert found.detectable > 0


def test_a_difference_that_ten_million_queries_would_not_find_needs_no_number():
    assert power(np.array([0.5, -0.5] * 50 + [1e-6] * 2)).needed is None


@pytest.mark.parametrize(
    ("alpha", "wanted"), [(0, 0.8), (0.05, 1), (0.8, 0.5), (-1, 0.5), (1e-5, 0.8), (float("nan"), 0.8)]
)
def test_alpha_and_power_are_checked(alpha, wanted):
    with pytest.raises(ParameterError, match=r"0\.0001 <= alpha < power < 1"):
        power(VALUES, alpha=alpha, power=wanted)


def test_twice_the_power_of_ten_for_all_values_changes_no_count_of_queries():
    assert power(VALUES * 100).needed == power(VALUES).needed
    assert power(VALUES * 100).detectable == pytest.approx(100 * power(VALUES).detectable)


def test_equal_weights_change_nothing_and_copies_in_clusters_are_no_new_queries():
    plain, doubled = power(VALUES), np.repeat(VALUES, 2)
    clusters = np.repeat(np.arange(30), 2)
    assert power(VALUES, weights=np.full(30, 7.0)).detectable == pytest.approx(plain.detectable)
    clustered = power(doubled, clusters=clusters)
    assert clustered.detectable == pytest.approx(plain.detectable)
    assert clustered.needed == 2 * plain.needed
    assert power(doubled).detectable < plain.detectable


@pytest.mark.parametrize("edge", [0, -0.1, float("nan"), float("inf")])
def test_a_margin_is_above_0(edge):
    with pytest.raises(ParameterError, match="above 0"):
        margin(VALUES, edge)


@pytest.mark.parametrize(
    ("value", "not_worse", "equal"), [(0.0, 1 / 32, 1 / 32), (0.2, 1 / 32, 1.0), (-0.2, 1.0, 1.0), (0.1, 1 / 32, 1.0)]
)
def test_of_differences_that_do_not_vary_the_signs_speak(value, not_worse, equal):
    assert margin(np.full(5, value), 0.1) == Margin(0.1, not_worse, equal)


def test_one_query_tells_nothing_about_a_margin():
    assert margin(np.array([0.0]), 0.1) == Margin(0.1, None, None)


def test_copies_in_clusters_prove_no_more_than_one_of_them():
    clusters = np.repeat(np.arange(30), 3)
    once, thrice = margin(VALUES, 0.06), margin(np.repeat(VALUES, 3), 0.06, clusters=clusters)
    assert thrice.not_worse == pytest.approx(once.not_worse)
    assert thrice.equal == pytest.approx(once.equal)


def test_without_scipy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    for ask in (lambda: chance(2.0, 50, 0.05), lambda: margin(VALUES, 0.1)):
        with pytest.raises(MissingExtraError, match=r"assay\[stats\]"):
            ask()


rows = st.lists(st.floats(-1, 1, width=32), min_size=2, max_size=30)


@given(rows, st.floats(0.01, 0.5), st.randoms())
def test_p_values_are_shares_and_know_no_order(values, edge, random):
    found = margin(np.array(values), edge)
    mixed = list(values)
    random.shuffle(mixed)
    again = margin(np.array(mixed), edge)
    assert 0 <= found.not_worse <= found.equal <= 1
    assert (again.not_worse, again.equal) == pytest.approx((found.not_worse, found.equal), abs=1e-9)


@given(rows, st.floats(0.01, 0.5))
def test_the_other_direction_is_the_mirror(values, edge):
    lower = margin(np.array(values), edge, higher_is_better=False)
    mirrored = margin(-np.array(values), edge)
    assert (lower.not_worse, lower.equal) == pytest.approx((mirrored.not_worse, mirrored.equal))


def test_a_test_at_the_detectable_difference_finds_it_as_often_as_said():
    found = power(VALUES, power=0.8).detectable
    chance = np.random.default_rng(0)
    drawn = chance.normal(found, VALUES.std(ddof=1), (4000, 30))
    t = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(30))
    assert np.mean(np.abs(t) > 2.0452) == pytest.approx(0.8, abs=0.02)


@given(st.floats(0.01, 30), st.floats(0.0001, 0.4), st.floats(0.01, 0.99))
def test_the_search_finds_the_fewest_queries(effect, alpha, share):
    wanted = alpha + share * (0.999 - alpha)
    needed = _needed(np.array([effect]), alpha, wanted)[0]
    assert chance(effect * np.sqrt(needed), needed, alpha) >= wanted
    assert needed == 2 or chance(effect * np.sqrt(needed - 1), needed - 1, alpha) < wanted


def test_many_pairs_at_once_are_as_each_by_itself():
    table = np.random.default_rng(8).normal(0.01, 0.1, (40, 12))
    table[:, 3], table[:, 4] = 0.0, 0.2
    weights, clusters = np.random.default_rng(9).uniform(size=40), np.arange(40) // 2
    loads = {"weights": weights, "clusters": clusters}
    for found, column in zip(powers(table, **loads), table.T, strict=True):
        alone = power(column, **loads)
        assert found.needed == alone.needed
        assert found.detectable == (alone.detectable and pytest.approx(alone.detectable))
    for found, column in zip(margins(table, 0.05, **loads), table.T, strict=True):
        alone = margin(column, 0.05, **loads)
        assert (found.not_worse, found.equal) == pytest.approx((alone.not_worse, alone.equal))
