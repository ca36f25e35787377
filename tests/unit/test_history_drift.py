"""Drift: which series alarms, and when."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.history_stores import START
from tests.unit.nights import MEASURE, counted, names, night

from assay.core.history_series import ALARM, QUIET, UNDECIDED, Point
from assay.errors import ParameterError, UnknownNameError
from assay.history.drift import drift
from assay.history.drift.charts import Plan, series_of
from assay.report.history_drift import title
from assay.report.history_drift_documents import render, to_frame
from assay.store.evaluations import HistoryStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")


@pytest.fixture
def store():
    with HistoryStore.open("sqlite://") as opened:
        yield opened


def nights(store, change=-0.05, *, days=50, since=40, up=True, sd=0.02, **more):
    """Add nights whose level changes; each night has a noise of its own, alike in all queries."""
    random = np.random.default_rng(3)
    values = random.uniform(0.4, 0.6, 50)
    for day in range(days):
        shift = random.normal(0, sd) + (change if day >= since else 0)
        store.add(night(day, values + shift, up=up, **more))


def points(values):
    return [Point(at, START, "bm25", value) for at, value in enumerate(values)]


@pytest.mark.parametrize(
    ("change", "up", "decision"),
    [(-0.05, True, ALARM), (0.05, True, QUIET), (0.05, False, ALARM), (-0.05, False, QUIET)],
)
def test_what_is_worse_alarms_and_what_is_better_does_not(store, change, up, decision):
    nights(store, change, up=up)
    found = drift(store, "web")
    assert found.decision == decision
    assert found.exit_code == {ALARM: 1, QUIET: 0}[decision]
    (series,) = found.series
    (shift,) = series.shifts
    assert abs(shift.place - 40) <= 1, "a change point is shown either way"
    if decision == ALARM:
        assert series.onset == shift.place
        assert found.old.id in {39, 40}, "the last before the change"
        assert found.new.id == 50


def test_a_fall_of_two_and_a_half_sd_is_found_in_a_median_of_three_looks():
    found = []
    for seed in range(100):
        values = np.random.default_rng(seed).normal(0.55, 0.02, 60)
        values[30:] -= 0.05
        one = series_of(points(values), MEASURE, "", up=True, plan=Plan(baseline=30))
        found.append(999 if one.alarm is None else one.alarm.first - 30 + 1)
    assert np.median(found) <= 3


def test_false_alarms_of_both_charts_together_keep_the_rate():
    plan = Plan(baseline=10, horizon=60)
    drawn = np.random.default_rng(5).normal(0.55, 0.02, (300, 70))
    alarms = [series_of(points(row), MEASURE, "", up=True, plan=plan).decision == ALARM for row in drawn]
    assert np.mean(alarms) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


def test_what_would_be_found_is_told_and_is_what_a_simulation_finds(store):
    nights(store, 0.0)
    (series,) = drift(store, "web").series
    told = series.sensitivity
    assert told.change < 0
    assert told.sds == 2
    random = np.random.default_rng(8)
    found = []
    for _ in range(150):
        values = random.normal(0, 1, 120)
        values[30:] -= 2
        one = series_of(points(values), MEASURE, "", up=True, plan=Plan(baseline=30))
        found.append(999 if one.alarm is None else one.alarm.first - 30 + 1)
    assert abs(np.median(found) - told.median) <= 1
    assert "would be found in a median of" in " ".join(render(drift(store, "web")).split())


def test_too_few_points_cannot_be_decided(store):
    nights(store, days=5)
    found = drift(store, "web")
    assert (found.decision, found.exit_code) == (UNDECIDED, 3)
    assert title(found).startswith("CANNOT DECIDE: expected 6 evaluations or more with this figure, found 5")
    assert drift(store, "web", since=START.replace(year=2030)).exit_code == 3
    assert render(drift(store, "web", since=START.replace(year=2030))).startswith("CANNOT DECIDE: no evaluation")


@pytest.mark.parametrize(("days", "norm"), [(6, 5), (14, 5), (15, 10), (39, 10), (40, 30)])
def test_how_many_points_are_the_norm(store, days, norm):
    nights(store, 0.0, days=days)
    assert drift(store, "web").series[0].baseline == norm


def test_a_series_begins_at_the_pinned_baseline_or_where_it_is_told(store):
    nights(store)
    assert drift(store, "web").decision == ALARM
    store.set_baseline(41)
    found = drift(store, "web")
    assert len(found.series[0].points) == 10
    assert found.decision != ALARM, "a new baseline takes the alarm back"
    assert drift(store, "web", since=START).decision == ALARM


def test_a_change_inside_the_norm_is_said(store):
    nights(store, since=12)
    found = drift(store, "web", baseline_points=25)
    assert any("inside its own baseline" in one for one in found.notices)
    assert found.decision == UNDECIDED
    assert drift(store, "web").decision == ALARM, "left alone, the norm does not grow over it"


def test_a_night_without_a_figure_is_no_look(store):
    random = np.random.default_rng(0)
    for day in range(45):
        value = np.full(20, np.nan) if day in {3, 42} else random.normal(0.5 - 0.2 * (day > 40), 0.02, 20)
        store.add(night(day, value))
    (series,) = drift(store, "web").series
    assert series.points[3].value is None
    assert series.decision == ALARM
    assert series.onset in {40, 41}
    assert series.controls[0].distance[42] is None


def test_the_same_answers_each_night_are_held_against_the_norm_by_their_queries(store):
    before = np.linspace(0.2, 0.9, 60)
    after = before - np.where(np.arange(60) % 3 == 0, 0.2, 0.0)
    for day in range(20):
        store.add(night(day, before if day < 15 else after))
    found = drift(store, "web")
    (series,) = found.series
    (chart,) = series.controls
    assert (chart.method, series.decision, series.onset) == ("paired", ALARM, 15)
    assert "not the query mix (no change) nor the gold (no change)" in title(found)
    assert "paired: the norm does not vary" in " ".join(render(found).split())


def test_the_same_answers_that_stay_the_same_are_no_alarm(store):
    for day in range(12):
        store.add(night(day, np.linspace(0, 1, 20)))
    assert drift(store, "web").decision == QUIET


@pytest.mark.parametrize(("last", "up", "decision"), [(0.7, True, ALARM), (0.9, True, QUIET), (0.9, False, ALARM)])
def test_a_counted_figure_that_never_varied_alarms_on_any_change_for_the_worse(store, last, up, decision):
    for day in range(12):
        store.add(counted(day, 0.8 if day < 10 else last, up=up))
    found = drift(store, "web")
    assert (found.series[0].controls[0].method, found.decision) == ("exact", decision)
    (part,) = found.changes[0].parts
    assert part.name == "not separated"
    assert part.change == pytest.approx(last - 0.8)


@pytest.mark.parametrize("measure", ["Overlap@10", "pairwise f1", "link validity"])
def test_figures_without_queries_are_watched_all_the_same(store, measure):
    random = np.random.default_rng(1)
    for day in range(50):
        store.add(counted(day, random.normal(0.55, 0.02) - 0.06 * (day >= 44), measure))
    found = drift(store, "web")
    assert found.decision == ALARM
    assert abs(found.series[0].onset - 44) <= 1
    assert title(found).endswith("of which the parts are not known")


def test_measures_of_both_ways_do_not_get_worse(store):
    for day in range(12):
        one, other = counted(day, 0.8), counted(day, 0.1, "error", up=False)
        store.add(replace(one, figures=(*one.figures, *other.figures)))
    assert (
        title(drift(store, "web")) == "NO ALARM: completeness, error did not get worse beyond chance (12 evaluations)"
    )


def test_slices_are_watched_where_they_are_asked_for(store):
    groups = {"lang": {query: "de" if at % 4 == 0 else "en" for at, query in enumerate(names(40))}}
    random = np.random.default_rng(2)
    for day in range(45):
        values = random.uniform(0.4, 0.6, 40) - 0.4 * (day >= 43) * (np.arange(40) % 4 == 0)
        store.add(night(day, values, groups=groups))
    assert [one.slice for one in drift(store, "web").series] == [""]
    found = drift(store, "web", by="slice")
    assert [one.slice for one in found.series] == ["", "lang=de", "lang=en"]
    assert {one.slice for one in found.series if one.decision == ALARM} >= {"lang=de"}
    assert "lang=en" not in {one.slice for one in found.series if one.decision == ALARM}
    assert {one.slice for one in found.changes} == {"", "lang=de"}
    assert [one.slice for one in drift(store, "web", by="lang").series] == ["", "lang=de", "lang=en"]


def test_two_systems_of_a_suite_are_not_mixed(store):
    for day in range(12):
        store.add(night(day, np.full(5, 0.5) + day / 1000))
        store.add(replace(night(day, np.full(5, 0.9) + day / 1000), name="dense"))
    found = drift(store, "web")
    assert {point.name for point in found.series[0].points} == {"dense"}
    assert found.notices[0] == "The suite holds 2 systems; this is dense, --name takes another."
    assert {point.name for point in drift(store, "web", name="bm25").series[0].points} == {"bm25"}


def test_a_run_that_was_added_and_gated_is_one_look(store):
    for day in range(12):
        values = np.full(5, 0.5) + day / 1000
        store.add(night(day, values, run=f"{day:064}"))
        store.add(night(day, values, run=f"{day:064}", tags={"gate-baseline": "x"}))
    store.add(night(12, values, run=f"{12:064}", tags={"gate-baseline": "x"}))
    assert len(drift(store, "web").series[0].points) == 13


def test_a_note_stands_beside_the_change(store):
    nights(store)
    store.annotate(41, "new tokenizer")
    assert "Note of 2026-02-10: new tokenizer" in render(drift(store, "web"))


def test_an_old_alarm_is_over_when_the_horizon_is(store):
    random = np.random.default_rng(4)
    for day in range(60):
        store.add(counted(day, random.normal(0.5, 0.02) - 0.2 * (day == 32)))
    found = drift(store, "web", horizon=20, baseline_points=30)
    assert 32 in found.series[0].controls[0].alarms
    assert found.decision == QUIET


def test_each_point_is_a_row_with_what_the_charts_say(store):
    nights(store)
    rows = to_frame(drift(store, "web"))
    assert rows.height == 50
    assert rows["norm"].sum() == 30
    assert rows["new_level"].arg_true().to_list() == [40]
    assert rows["alarm"].arg_true()[0] >= 40
    assert rows["cusum"].null_count() == 30
    limit = rows["ewma_limit"].drop_nulls()
    assert ((rows["ewma"] < rows["ewma_limit"]) <= rows["alarm"]).all()
    assert limit.len() == 20


def test_one_chart_has_the_whole_alpha(store):
    nights(store, 0.0)
    both, one = (drift(store, "web", method=method).series[0].controls for method in ("both", "cusum"))
    assert [chart.alpha for chart in both] == [0.025, 0.025]
    assert [chart.alpha for chart in one] == [0.05]
    assert one[0].limit < both[0].limit


def test_either_database_gives_the_same(url):
    with HistoryStore.open("sqlite://") as one, HistoryStore.open(url) as other:
        for store in (one, other):
            nights(store)
        found = [drift(store, "web").to_dict() for store in (one, other)]
    assert found[0] == found[1]


def test_what_does_not_exist_is_named(store):
    nights(store, days=3)
    with pytest.raises(UnknownNameError, match="no measure is called 'nDGC@10'"):
        drift(store, "web", measure="nDGC@10")
    with pytest.raises(UnknownNameError, match="no suite is called"):
        drift(store, "wbe")
    with pytest.raises(ParameterError, match="baseline points: expected 5 or more, found 4"):
        drift(store, "web", baseline_points=4)
    with pytest.raises(UnknownNameError, match="method"):
        drift(store, "web", method="cusun")
    assert len(drift(store).series) == 1, "the only suite need not be named"
