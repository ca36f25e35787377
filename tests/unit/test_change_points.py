"""Change points of a series."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError
from assay.statistics.change_points import change_points


def days(*levels, each=20, sd=0.02, seed=5):
    """Days at one level after another."""
    means = np.repeat(levels, each)
    return means + np.random.default_rng(seed).normal(0, sd, len(means))


def places(values, **options):
    return [point.place for point in change_points(values, **options).points]


def test_a_fall_is_found_with_its_size():
    series = days(0.55, 0.50)
    (point,) = change_points(series).points
    assert point.place == pytest.approx(20, abs=1)
    assert (point.before, point.after) == pytest.approx((series[: point.place].mean(), series[point.place :].mean()))
    assert point.size == pytest.approx(-0.05, abs=0.015)
    assert point.p == 1 / 2_000


@pytest.mark.parametrize("levels", [(0.55, 0.45, 0.55), (0.5, 0.6, 0.7), (0.4, 0.5, 0.4, 0.5)])
def test_changes_are_found_whether_they_stay_or_not(levels):
    assert places(days(*levels)) == pytest.approx(np.arange(20, 20 * len(levels), 20), abs=1)


def test_a_short_dip_in_a_long_series_is_found():
    series = days(0.55, each=120)
    series[60:68] -= 0.08
    assert places(series) == pytest.approx([60, 68], abs=1)


def test_a_step_without_noise_is_found_where_it_is():
    found = change_points(np.repeat([1.0, 0.0], [13, 7]))
    assert [(point.place, point.before, point.after) for point in found.points] == [(13, 1.0, 0.0)]


def test_one_odd_night_is_no_change():
    series = days(0.55, each=60)
    series[30] -= 0.4
    assert places(series) == []
    assert places(series, shortest=1) == []


@given(st.lists(st.integers(0, 10).map(lambda value: value / 10), max_size=25))
def test_levels_are_long_enough_and_means_of_their_looks(values):
    series = np.array(values)
    found = change_points(series, permutations=199)
    edges = [0, *(point.place for point in found.points), len(series)]
    assert not found.points or min(np.diff(edges)) >= 3
    for place, point in enumerate(found.points, 1):
        before, after = (series[edges[at - 1] : edges[at]].mean() for at in (place, place + 1))
        assert (point.before, point.after) == pytest.approx((before, after))
        assert point.p <= 0.05


def test_looks_without_a_value_keep_their_places():
    series = days(0.55, 0.40)
    gaps = np.insert(series, [3, 3, 30], np.nan)
    assert places(gaps) == [place + 2 for place in places(series)]


def test_unit_and_direction_do_not_matter():
    series = days(0.55, 0.50, 0.58)
    assert places(series) == places(-1000 * series + 3)


def test_a_seed_gives_the_same_again():
    series = days(0.55, 0.54, 0.56)
    assert change_points(series, seed=3) == change_points(series, seed=3)


@pytest.mark.parametrize(
    ("values", "why"), [([], "6 looks or more, found 0"), ([1.0, 2.0, np.nan], "found 2"), ([0.3] * 9, "do not vary")]
)
def test_where_no_change_can_be_looked_for_it_says_why(values, why):
    found = change_points(np.array(values))
    assert found.points == ()
    assert why in found.why


def test_changes_are_plain_data():
    plain = change_points(days(0.55, 0.50)).to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["points"][0]["size"] < 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"shortest": 0}, "levels of 1 look or more, found 0"),
        ({"alpha": 0.6}, "alpha above 0 and up to 0.5, found 0.6"),
        ({"permutations": 10}, "20 permutations or more for this alpha, found 10"),
    ],
)
def test_what_cannot_be_is_refused(options, words):
    with pytest.raises(ParameterError, match=words):
        change_points(days(0.5, 0.6), **options)


def test_a_series_without_a_change_seldom_gets_one():
    random = np.random.default_rng(4)
    for draw in (random.normal, random.standard_cauchy):
        false = [bool(places(draw(size=40), permutations=199)) for _ in range(400)]
        assert np.mean(false) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)


def test_true_changes_do_not_make_false_ones_likelier():
    false = [len(places(days(0.5, 0.7, 0.5, each=25, seed=seed), permutations=999)) > 2 for seed in range(100)]
    assert np.mean(false) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 100)
