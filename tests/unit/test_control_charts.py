"""CUSUM and EWMA charts of daily figures."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError, UnknownNameError
from assay.statistics.control_limits import control_limit
from assay.statistics.cusum import cusum, sums
from assay.statistics.ewma import distances, ewma

CHARTS = pytest.mark.parametrize("chart", [cusum, ewma])
BEFORE = np.random.default_rng(1).normal(0.55, 0.02, 30)
STABLE = np.random.default_rng(2).normal(0.55, 0.02, 60)
DAYS = st.lists(st.integers(40, 70).map(lambda value: value / 100), min_size=1, max_size=40)


def fallen(at, size=0.05, days=STABLE):
    """The stable days, with a fall from one of them on."""
    return np.where(np.arange(len(days)) < at, days, days - size)


@given(DAYS, st.sampled_from([0.0, 0.5, 1.0]))
def test_sums_are_those_of_the_definition(days, k):
    mean, sd = BEFORE.mean(), BEFORE.std(ddof=1)
    fall = rise = 0.0
    expected = []
    for day in days:
        fall = max(0.0, fall + (mean - day) / sd - k)
        rise = max(0.0, rise + (day - mean) / sd - k)
        expected.append((fall, rise))
    chart = cusum(np.array(days), BEFORE, k=k)
    assert np.stack([chart.fall, chart.rise], axis=1) == pytest.approx(np.array(expected))


@given(DAYS, st.sampled_from([0.1, 0.3, 1.0]))
def test_smoothed_days_and_their_limits_are_those_of_the_definition(days, weight):
    mean, sd = BEFORE.mean(), BEFORE.std(ddof=1)
    chart = ewma(np.array(days), BEFORE, weight=weight)
    smoothed = mean
    for look, day in enumerate(days):
        smoothed = weight * day + (1 - weight) * smoothed
        width = chart.limit * sd * (weight / (2 - weight) * (1 - (1 - weight) ** (2 * look + 2))) ** 0.5
        found = (chart.smoothed[look], chart.low[look], chart.high[look])
        assert found == pytest.approx((smoothed, mean - width, mean + width))
        assert (look in chart.alarms) == (smoothed < mean - width)


@CHARTS
def test_a_fall_alarms_and_says_where_it_began(chart):
    found = chart(fallen(40), BEFORE)
    assert 40 <= found.first <= 45
    assert found.onset == pytest.approx(40, abs=2)
    assert set(range(45, 60)) <= set(found.alarms)


@CHARTS
@pytest.mark.parametrize(
    ("side", "falls", "rises"), [("fall", True, False), ("rise", False, True), ("both", True, True)]
)
def test_only_the_side_that_is_watched_alarms(chart, side, falls, rises):
    assert bool(chart(fallen(40), BEFORE, side=side).alarms) == falls
    assert bool(chart(fallen(40, -0.05), BEFORE, side=side).alarms) == rises


@CHARTS
def test_both_sides_are_mirror_images(chart):
    fall, rise = chart(fallen(40), BEFORE), chart(1 - fallen(40), 1 - BEFORE, side="rise")
    assert fall.fall == pytest.approx(rise.rise)
    assert (fall.alarms, fall.onset, fall.limit) == (rise.alarms, rise.onset, rise.limit)


@CHARTS
def test_a_stable_series_has_no_alarm(chart):
    found = chart(STABLE, BEFORE)
    assert (found.alarms, found.first, found.onset, found.why) == ((), None, None, "")


@CHARTS
def test_a_day_without_a_figure_counts_as_none(chart):
    days = fallen(40)
    gaps = np.insert(days, [0, 20, 41], np.nan)
    found, plain = chart(gaps, np.insert(BEFORE, 3, np.nan)), chart(days, BEFORE)
    seen = np.flatnonzero(~np.isnan(gaps))
    assert found.fall[seen] == pytest.approx(plain.fall)
    assert np.isnan(np.delete(found.fall, seen)).all()
    assert found.alarms == tuple(seen[list(plain.alarms)])
    assert found.onset == seen[plain.onset]
    assert found.baseline == 30


@CHARTS
def test_the_chart_begins_anew_after_every_horizon(chart):
    found = chart(np.tile(fallen(10)[:20], 2), BEFORE, horizon=20)
    assert found.fall[:20] == pytest.approx(found.fall[20:])
    assert found.alarms[0] < 20 < found.alarms[-1]
    assert chart(fallen(20)[:40], BEFORE, horizon=20).onset == 20


@CHARTS
def test_the_unit_of_the_figures_does_not_matter(chart):
    plain, scaled = chart(fallen(40), BEFORE), chart(100 * fallen(40) + 7, 100 * BEFORE + 7)
    assert scaled.fall == pytest.approx(plain.fall)
    assert scaled.alarms == plain.alarms


@CHARTS
@pytest.mark.parametrize(
    ("baseline", "why"),
    [
        ([], "expected 5 baseline points or more, found 0"),
        ([0.5, 0.6, 0.5, 0.4, np.nan], "expected 5 baseline points or more, found 4"),
        ([0.1 + 0.2] * 4 + [0.3] * 4, "the 8 baseline points do not vary: by their spread any change at all would be"),
    ],
)
def test_a_baseline_that_gives_no_limit_says_why(chart, baseline, why):
    found = chart(fallen(10), np.array(baseline))
    assert (found.mean, found.sd, found.limit, found.alarms) == (None, None, None, ())
    assert found.why.startswith(why)
    assert len(found.fall) == 60


@CHARTS
def test_a_chart_is_plain_data(chart):
    plain = chart(np.append(fallen(40), np.nan), BEFORE).to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["fall"][-1] is None
    assert chart(np.empty(0), BEFORE).to_dict()["alarms"] == []


@CHARTS
@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"side": "down"}, UnknownNameError, "side"),
        ({"alpha": 0.0001}, ParameterError, "alpha from 0.001 to 0.5, found 0.0001"),
        ({"horizon": 0}, ParameterError, "horizon from 1 to 10,000 looks, found 0"),
    ],
)
def test_what_cannot_be_is_refused(chart, options, error, words):
    with pytest.raises(error, match=words):
        chart(STABLE, BEFORE, **options)


def test_parameters_of_one_chart_are_checked():
    with pytest.raises(ParameterError, match="allowance k of 0 or more, found -1"):
        cusum(STABLE, BEFORE, k=-1)
    with pytest.raises(ParameterError, match="weight above 0 and up to 1, found 0"):
        ewma(STABLE, BEFORE, weight=0)
    with pytest.raises(ParameterError, match="5 baseline points or more, found 4"):
        control_limit(sums, 1.0, side="fall", baseline=4, alpha=0.05, horizon=90)


@pytest.mark.parametrize(("statistic", "parameter"), [(sums, 1.0), (distances, 0.3)])
def test_limits_are_wider_the_less_is_known_and_the_more_is_asked(statistic, parameter):
    def limit(side="fall", baseline=30, alpha=0.05, horizon=90):
        return control_limit(statistic, parameter, side=side, baseline=baseline, alpha=alpha, horizon=horizon)

    wider = [limit(baseline=10), limit(alpha=0.01), limit(horizon=365), limit(side="both")]
    assert min(wider) > limit() > limit(baseline=1000)
