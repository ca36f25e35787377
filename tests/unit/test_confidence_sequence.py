"""Fresh queries night after night: evidence and intervals that hold at every look."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError
from assay.statistics.confidence_sequence import confidence_sequence, fall_evidence

SIZES = st.lists(st.integers(0, 10).map(lambda value: value / 10), min_size=1, max_size=7).map(np.array)
DROP = np.random.default_rng(1).normal(-0.05, 0.14, (8, 50)).clip(-1, 1)


@given(SIZES)
def test_nobody_wins_on_average_where_nothing_fell(sizes):
    worlds = [np.array(signs) * sizes for signs in product((-1, 1), repeat=len(sizes))]
    assert np.mean([fall_evidence([world]).statistic for world in worlds]) == pytest.approx(1)


@given(SIZES)
def test_nobody_wins_on_average_where_it_fell_by_what_is_allowed(sizes):
    worlds = [np.array(signs) * sizes * 0.8 - 0.2 for signs in product((-1, 1), repeat=len(sizes))]
    found = [fall_evidence([world], max_drop=0.2, bounds=(-1, 0.6)).statistic for world in worlds]
    assert np.mean(found) == pytest.approx(1)


def test_evidence_of_a_fall_grows_with_the_nights():
    ps = [fall_evidence(DROP[: nights + 1]).p for nights in range(8)]
    assert ps[0] > 0.05 > ps[-1]
    assert fall_evidence(-DROP).p == 1
    assert fall_evidence(-DROP, higher_is_better=False).p == ps[-1]


def test_p_is_one_over_the_evidence():
    found = fall_evidence(DROP)
    assert found.p == pytest.approx(1 / found.statistic)
    assert (found.units, found.floor, found.method) == (400, 0.0, "betting, 8 looks")


def test_an_allowed_drop_needs_more_evidence():
    assert fall_evidence(DROP).p < fall_evidence(DROP, max_drop=0.02).p < fall_evidence(DROP, max_drop=0.1).p == 1


def test_order_and_nights_without_a_value_do_not_matter():
    mixed = np.random.default_rng(0).permuted(DROP.ravel())
    gaps = [np.append(night, np.nan) for night in DROP]
    assert fall_evidence([mixed]).p == fall_evidence(DROP).p == fall_evidence(gaps).p
    assert confidence_sequence([mixed]) == confidence_sequence(gaps)


def test_evidence_beyond_all_doubt_is_finite():
    found = fall_evidence([np.full(5_000, -1.0)])
    assert 0 <= found.p < 1e-300
    assert np.isfinite(found.statistic)


def test_the_interval_ends_where_the_evidence_does():
    found = confidence_sequence(DROP, level=0.9)
    assert fall_evidence(DROP, max_drop=-found.high - 1e-5).p <= 0.05
    assert fall_evidence(DROP, max_drop=-found.high + 1e-5).p >= 0.05


def test_the_interval_narrows_around_the_mean():
    few, many = confidence_sequence(DROP[:2]), confidence_sequence(DROP)
    assert few.low < many.low < DROP.mean() < many.high < few.high
    assert (many.method, many.units, many.level) == ("betting", 400, 0.95)
    assert confidence_sequence(DROP, level=0.99).high > many.high


def test_the_interval_is_mirrored_and_scales_with_its_bounds():
    one, other = confidence_sequence(DROP), confidence_sequence(-DROP)
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-5)
    tenfold = confidence_sequence(10 * DROP, bounds=(-10, 10))
    assert (tenfold.low, tenfold.high) == pytest.approx((10 * one.low, 10 * one.high), abs=1e-4)


def test_without_a_difference_nothing_is_said():
    for nights in ([], [np.array([np.nan])]):
        assert fall_evidence(nights).p is None
        assert fall_evidence(nights).why == "no query has a difference"
        assert confidence_sequence(nights).low is None


def test_intervals_of_all_nights_hold_the_mean_together():
    random = np.random.default_rng(3)
    missed = 0
    for _ in range(40):
        nights = random.choice([-0.5, 0.1], (4, 20), p=[0.3, 0.7])
        found = [confidence_sequence(nights[: night + 1], level=0.8) for night in range(4)]
        missed += any(not each.low <= -0.08 <= each.high for each in found)
    assert missed <= 8 + 2 * np.sqrt(40 * 0.2 * 0.8)


@pytest.mark.parametrize(
    ("values", "options", "words"),
    [
        ([1.5], {}, "values from -1 to 1, found 1.5"),
        ([-2.0, 0.0], {"bounds": (-1, 3)}, "values from -1 to 3, found -2"),
        ([0.0], {"bounds": (0, 1)}, "bounds below and above 0, found 0 and 1"),
        ([0.0], {"bounds": (-np.inf, 1)}, "found -inf and 1"),
    ],
)
def test_values_outside_their_bounds_are_refused(values, options, words):
    for function in (fall_evidence, confidence_sequence):
        with pytest.raises(ParameterError, match=words):
            function([np.array(values)], **options)


def test_levels_that_cannot_be_are_refused():
    with pytest.raises(ParameterError, match="max_drop of 0 or more, found -1"):
        fall_evidence(DROP, max_drop=-1)
    with pytest.raises(ParameterError, match="level between 0 and 1, found 95"):
        confidence_sequence(DROP, level=95)
