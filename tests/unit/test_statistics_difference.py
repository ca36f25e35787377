"""Paired tests of differences."""

import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import MissingExtraError, ParameterError, UnknownNameError, UnsupportedError
from assay.statistics.difference import significance

GRID = st.integers(-10, 10).map(lambda value: value / 10)
FEW = st.lists(GRID, min_size=2, max_size=10)
LONG = np.random.default_rng(3).normal(0.02, 0.1, 60)


def p_of(differences, **options):
    (found,) = significance(np.asarray(differences, np.float64), **options)
    return found.p


def by_enumeration(differences):
    edge = abs(sum(differences)) - 1e-9
    patterns = list(product((-1, 1), repeat=len(differences)))
    extreme = sum(abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= edge for signs in patterns)
    return extreme / len(patterns)


@given(FEW)
def test_few_queries_are_enumerated(differences):
    assert p_of(differences) == by_enumeration(differences)


@given(FEW, st.lists(st.integers(1, 5), min_size=10, max_size=10))
def test_weighted_differences_are_flipped_with_their_weights(differences, weights):
    weights = np.array(weights[: len(differences)], np.float64)
    assert p_of(differences, weights=weights) == by_enumeration((weights * differences).tolist())


@given(FEW)
def test_a_cluster_is_flipped_as_a_whole(differences):
    clusters = np.arange(len(differences)) // 2
    sums = [sum(differences[start : start + 2]) for start in range(0, len(differences), 2)]
    if len(sums) > 1:
        assert p_of(differences, clusters=clusters) == by_enumeration(sums)


@pytest.mark.parametrize("test", ["flips", "t"])
@given(differences=st.lists(GRID, min_size=2, max_size=30), weight=st.integers(1, 9))
def test_what_weighs_alike_and_stands_alone_is_plain(test, differences, weight):
    one = p_of(differences, test=test, flips=500)
    many = len(differences)
    twice, pairs = np.repeat(differences, 2), np.repeat(np.arange(many), 2)
    for found in (
        p_of(differences, test=test, flips=500, weights=np.full(many, float(weight))),
        p_of(differences, test=test, flips=500, clusters=np.arange(many)),
        p_of(twice, test=test, flips=500, clusters=pairs),
    ):
        assert found == (one if one is None else pytest.approx(one, rel=1e-9))


@pytest.mark.parametrize("test", ["flips", "t", "wilcoxon", "wilcoxon-approx"])
@given(differences=st.lists(GRID, min_size=2, max_size=40), random=st.randoms())
def test_the_order_of_queries_and_the_side_of_the_baseline_change_nothing(test, differences, random):
    one = p_of(differences, test=test, flips=500)
    other = [-value for value in differences]
    random.shuffle(other)
    assert p_of(other, test=test, flips=500) == (one if one is None else pytest.approx(one, rel=1e-12))


def test_many_queries_are_drawn_by_a_seed():
    first, again, other = (significance(LONG, flips=2_000, seed=seed)[0] for seed in (1, 1, 2))
    assert first == again
    assert first.p != other.p
    assert first.p == pytest.approx(other.p, abs=0.05)
    assert first.method == "sign flips, 2,000 drawn"
    assert first.floor == 1 / 2_001


def test_a_drawn_p_is_never_0_and_its_floor_is_what_it_says():
    (found,) = significance(np.ones(40), flips=500)
    assert found.p == found.floor == 1 / 501
    (found,) = significance(np.ones(12))
    assert found.p == found.floor == 2 / 2**12
    assert found.method == "sign flips, exact"


def test_queries_without_a_difference_drop_out_of_the_flips_and_stay_in_the_mean():
    (found,) = significance(np.array([0.5, 0.5, 0.5] + [0.0] * 30))
    assert found.p == 0.25
    assert found.method == "sign flips, exact"
    assert (found.units, found.statistic) == (33, pytest.approx(1.5 / 33))


def test_sums_that_differ_by_rounding_only_are_equal():
    differences = np.array([0.1, 0.2, -0.3, 0.7, 0.1, 0.2, -0.3])  # 0.1 + 0.2 is not 0.3 in floating point
    assert p_of(differences) == by_enumeration(differences.tolist())


def test_pairs_are_tested_alike_alone_and_together():
    table = np.random.default_rng(0).normal(0, 1, (40, 7))
    table[3, 2] = table[5, 2] = table[7, 4] = np.nan
    table[:35, 5] = 0
    for test in ("flips", "t", "wilcoxon"):
        together = significance(table, test=test, flips=500)
        for found, differences in zip(together, table.T, strict=True):
            (alone,) = significance(differences[~np.isnan(differences)], test=test, flips=500)
            assert (found.units, found.method, found.floor) == (alone.units, alone.method, alone.floor)
            assert found.p == pytest.approx(alone.p, rel=1e-12)
    assert [found.units for found in together] == [40, 40, 38, 40, 39, 40, 40]


def test_blocks_change_nothing(monkeypatch):
    table = np.random.default_rng(0).normal(0, 1, (70, 30))
    whole = significance(table, flips=1_000)
    monkeypatch.setattr("assay.statistics.flips._ROWS", 7)
    monkeypatch.setattr("assay.statistics.flips._COLUMNS", 4)
    assert [found.p for found in significance(table, flips=1_000)] == [found.p for found in whole]


def test_thousands_of_queries_are_drawn():
    differences = np.random.default_rng(0).normal(0.003, 0.1, 5_000)
    (found,) = significance(differences, flips=1_000)
    (student,) = significance(differences, test="t")
    assert found.method == "sign flips, 1,000 drawn"
    assert found.p == pytest.approx(student.p, abs=0.02)


def test_no_difference_at_all_speaks_for_none_by_flips_and_is_undefined_by_the_others():
    nothing = np.zeros(30)
    (flips,) = significance(nothing)
    assert (flips.p, flips.floor, flips.statistic) == (1.0, 1.0, 0.0)
    (student,) = significance(nothing, test="t")
    assert (student.p, student.why) == (None, "the differences do not vary")
    (ranked,) = significance(nothing, test="wilcoxon")
    assert (ranked.p, ranked.why) == (None, "all differences are 0")


def test_a_constant_gain_is_beyond_t():
    (found,) = significance(np.array([0.3 - 0.1, 0.5 - 0.3, 0.9 - 0.7]), test="t")  # 0.2 but for rounding
    assert (found.p, found.why) == (None, "the differences do not vary")


@pytest.mark.parametrize("test", ["flips", "t", "wilcoxon"])
@pytest.mark.parametrize("differences", [[], [0.3], [0.3, np.nan]])
def test_below_two_queries_nothing_is_tested(test, differences):
    (found,) = significance(np.array(differences, np.float64), test=test)
    assert found.p is None
    assert found.why.startswith("expected 2 independent queries or more, found ")
    assert found.final is None


def test_two_clusters_are_two_units():
    (found,) = significance(np.array([0.3, 0.3, 0.1, 0.2]), clusters=np.array([0, 0, 0, 1]))
    assert (found.units, found.p) == (2, 0.5)
    (found,) = significance(np.array([0.3, 0.3, 0.1]), clusters=np.array([4, 4, 4]))
    assert (found.units, found.p) == (1, None)


def test_wilcoxon_says_how_it_was_computed():
    assert significance(LONG[:50], test="wilcoxon")[0].method == "Wilcoxon, exact"
    approximate = "Wilcoxon, normal approximation with correction"
    assert significance(LONG, test="wilcoxon")[0].method == approximate
    assert significance(LONG[:50], test="wilcoxon-approx")[0].method == approximate
    assert significance(np.append(LONG[:20], 0.0), test="wilcoxon")[0].method == approximate


def test_sizes_that_differ_by_rounding_tie_for_wilcoxon_and_not_for_its_approximation():
    differences = np.array([0.7 - 0.6, -(0.4 - 0.3), 0.2, 0.5, 0.6])
    (tied,) = significance(differences, test="wilcoxon")
    assert tied.statistic == 1.5
    (by_bits,) = significance(differences, test="wilcoxon-approx")
    assert by_bits.statistic == 2.0


@pytest.mark.parametrize("test", ["wilcoxon", "wilcoxon-approx"])
def test_no_wilcoxon_p_lies_below_its_floor(test):
    for differences in (LONG[:6], np.abs(LONG[:6]), np.array([0.1, 0.1, 0.2, 0.2])):
        (found,) = significance(differences, test=test)
        assert 0 < found.floor <= found.p <= 1
    (found,) = significance(np.arange(1, 6) / 10, test="wilcoxon")
    assert found.p == found.floor == 2 / 32


def test_requests_that_cannot_be_met_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'flips'"):
        significance(LONG, test="flip")
    with pytest.raises(ParameterError, match="expected 100 flips or more, found 10"):
        significance(LONG, flips=10)
    with pytest.raises(UnsupportedError, match="knows neither weights nor clusters"):
        significance(LONG, test="wilcoxon", weights=np.ones(60))


def test_t_without_scipy_says_what_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingExtraError, match="a t test needs scipy"):
        significance(LONG, test="t")
    assert p_of(LONG, flips=500) > 0
    assert p_of(LONG, test="wilcoxon") > 0
