"""The same queries night after night: a p value that holds at every look."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError
from assay.statistics.gate_test import drop_test
from assay.statistics.repeated_looks import repeated_alarms, repeated_test

GRID = st.integers(-3, 3).map(lambda value: value / 10)
TABLES = st.lists(st.lists(GRID, min_size=3, max_size=3), min_size=2, max_size=6).map(np.array)
SAME = np.random.default_rng(1).normal(-0.05, 0.14, (50, 1)) + np.zeros((50, 30))
FRESH = np.random.default_rng(2).normal(-0.02, 0.14, (50, 12))


def alarms_by_the_book(rows, alpha, horizon):
    """Take from all sign patterns, night by night, those that fell furthest, in exact steps of a loop."""
    months = [np.array(signs) @ rows for signs in product((-1, 1), repeat=len(rows))]
    left, observed, alarms = [1.0] * len(months), rows.sum(axis=0), []
    for night in range(rows.shape[1]):
        fallen = sum(there for month, there in zip(months, left, strict=True) if month[night] <= observed[night] + 1e-9)
        taken = alpha / horizon * len(months)
        alarms.append(fallen <= taken * (1 + 1e-9))
        for value in sorted({round(month[night], 9) for month in months}):
            tied = [place for place, month in enumerate(months) if abs(month[night] - value) < 1e-8]
            mass = sum(left[place] for place in tied)
            for place in tied:
                left[place] *= 1 - min(1.0, taken / mass) if mass else 0
            taken = max(0.0, taken - mass)
    return alarms


@given(TABLES, st.sampled_from([0.05, 0.2, 0.5, 0.9]))
def test_few_queries_are_taken_away_as_the_definition_says(rows, alpha):
    assert repeated_alarms(rows, alpha=alpha, horizon=3).tolist() == alarms_by_the_book(rows, alpha, 3)


@given(TABLES, st.sampled_from([0.1, 0.25, 0.5]))
def test_no_more_months_alarm_than_is_said_whatever_the_nights_have_in_common(rows, alpha):
    months = [np.array(signs)[:, None] * rows for signs in product((-1, 1), repeat=len(rows))]
    assert np.mean([repeated_alarms(month, alpha=alpha, horizon=3).any() for month in months]) <= alpha + 1e-9


@given(TABLES)
def test_p_is_the_smallest_alpha_with_an_alarm(rows):
    p = repeated_test(rows, horizon=3).p
    assert p == 1 or repeated_alarms(rows, alpha=p, horizon=3)[-1]
    assert p < 2e-6 or not repeated_alarms(rows, alpha=p - 2e-6, horizon=3)[-1]


def test_where_nights_are_alike_the_last_one_costs_nothing():
    once = drop_test(SAME[:12, 0] - 0.1, test="flips").p
    ps = [repeated_test(SAME[:12, :nights] - 0.1).p for nights in (1, 2, 15, 30)]
    assert ps == pytest.approx([30 * once, 15 * once, 2 * once, once], abs=2e-6)


def test_the_first_night_costs_the_horizon():
    table = FRESH[:12, :1]
    assert repeated_test(table, horizon=5).p == pytest.approx(5 * drop_test(table[:, 0], test="flips").p, abs=2e-6)


def test_every_night_is_what_the_nights_up_to_it_say():
    alarms = repeated_alarms(FRESH, alpha=0.2, horizon=8, flips=1_999)
    looks = range(1, FRESH.shape[1] + 1)
    ps = [repeated_test(FRESH[:, :nights], horizon=8, flips=1_999).p for nights in looks]
    assert alarms.tolist() == [p <= 0.2 for p in ps]
    assert 0 < alarms.sum() < len(alarms)


def test_nights_begin_anew_after_the_horizon():
    anew = repeated_test(FRESH[:, 10:], horizon=10)
    assert repeated_test(FRESH, horizon=10) == anew
    assert repeated_test(FRESH[:, :10], horizon=10) != anew


def test_the_order_of_queries_does_not_matter():
    mixed = np.random.default_rng(0).permutation(50)
    one, other = repeated_test(FRESH), repeated_test(FRESH[mixed])
    assert other.p == one.p
    assert other.statistic == pytest.approx(one.statistic)


def test_a_measure_of_which_less_is_better_is_mirrored():
    assert repeated_test(-FRESH, higher_is_better=False).p == repeated_test(FRESH).p
    assert repeated_test(-FRESH, higher_is_better=False).statistic == -repeated_test(FRESH).statistic
    assert repeated_test(-SAME).p > 0.9


def test_once_it_is_repaired_the_alarm_is_over():
    table = SAME.copy()
    table[:, 10:] = 0
    found = repeated_alarms(table)
    assert found[:10].any()
    assert not found[10:].any()


def test_where_nothing_changed_p_is_one():
    assert repeated_test(np.zeros((50, 4))).p == 1
    assert repeated_test(np.zeros((50, 4))).why == ""


def test_a_query_left_out_of_a_night_says_nothing_there():
    gaps, zero = FRESH.copy(), FRESH.copy()
    gaps[:10, 3], zero[:10, 3] = np.nan, 0
    assert repeated_test(gaps).p == repeated_test(zero).p
    gaps[:10, -1] = np.nan
    assert repeated_test(gaps).units == 40


def test_clusters_are_flipped_as_a_whole():
    clusters = np.arange(50) // 5
    sums = FRESH.reshape(10, 5, -1).sum(axis=1)
    assert repeated_test(FRESH, clusters=clusters).p == repeated_test(sums).p
    assert repeated_test(FRESH, clusters=clusters).units == 10


def test_the_smallest_p_is_stated():
    assert repeated_test(FRESH, flips=19_999).floor == pytest.approx(30 / 20_000 / 12)
    assert repeated_test(-np.ones((4, 1)), horizon=3).floor == pytest.approx(3 / 16)
    assert repeated_test(-np.ones((4, 1)), horizon=3).p == pytest.approx(3 / 16, abs=2e-6)


@pytest.mark.parametrize("table", [np.empty((0, 2)), np.ones((1, 2)), np.array([[0.1, np.nan], [0.2, 0.3]])])
def test_too_few_queries_have_no_test(table):
    found = repeated_test(table)
    assert found.p is None
    assert found.why == f"expected 2 independent queries or more, found {found.units}"


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        (np.ones(3), {}, r"shape \(queries, nights\), found \(3,\)"),
        (np.ones((3, 0)), {}, r"found \(3, 0\)"),
        (FRESH, {"horizon": 0}, "1 look or more"),
        (FRESH, {"flips": 999}, "1,000 flips or more, found 30 and 999"),
    ],
)
def test_what_cannot_be_is_refused(table, options, words):
    with pytest.raises(ParameterError, match=words):
        repeated_test(table, **options)
