"""What later points are held against: a norm that no fall creeps into, and points that are each one look."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from tests.unit.history_stores import START
from tests.unit.nights import MEASURE, counted, names, night

from assay.core.history_series import ALARM, QUIET, UNDECIDED, Point
from assay.history.drift import drift
from assay.history.drift.charts import Plan, series_of
from assay.report.history_drift import reasons, title
from assay.report.history_drift_documents import render
from assay.store.evaluations import HistoryStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")


@pytest.fixture
def store():
    with HistoryStore.open("sqlite://") as opened:
        yield opened


def series(values, plan=None):
    points = [Point(at, START, "bm25", value) for at, value in enumerate(values)]
    return series_of(points, MEASURE, "", up=True, plan=plan or Plan())


@pytest.mark.parametrize(("since", "by"), [(7, 0.08), (24, 0.04)])
def test_an_alarm_stays_however_many_points_come_in(since, by):
    values = np.random.default_rng(3).normal(0.55, 0.01, 60)
    values[since:] -= by
    seen = [series(values[:many]).decision for many in range(6, 61)]
    first = seen.index(ALARM)
    assert first > since - 6
    assert set(seen[first:]) == {ALARM}


def test_a_norm_does_not_grow_over_a_change_for_the_worse():
    values = np.random.default_rng(8).normal(0.55, 0.02, 60)
    worse, better = values.copy(), values.copy()
    worse[20:] -= 0.05
    better[20:] += 0.05
    assert series(worse).baseline == 10
    assert series(better).baseline == 30


def test_false_alarms_of_a_norm_that_grows_keep_the_rate():
    drawn = np.random.default_rng(11).normal(0.55, 0.02, (300, 95))
    share = np.mean([series(row).decision == ALARM for row in drawn])
    assert share <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


def test_a_fall_after_a_norm_that_grew_is_found_in_a_median_of_three_looks():
    found = []
    for seed in range(60):
        values = np.random.default_rng(seed).normal(0.55, 0.02, 60)
        values[40:] -= 0.05
        one = series(values)
        found.append(999 if one.alarm is None else one.alarm.first - 40 + 1)
    assert np.median(found) <= 3


def test_a_constant_system_that_lost_everything_is_an_alarm(store):
    for day in range(20):
        store.add(night(day, np.full(12, 1.0 if day < 8 else 0.0)))
    found = drift(store, "web")
    assert (found.decision, found.series[0].baseline, found.series[0].onset) == (ALARM, 5, 8)


def test_a_fall_inside_a_norm_that_was_asked_for_cannot_be_decided(store):
    random = np.random.default_rng(3)
    for day in range(50):
        store.add(counted(day, random.normal(0.55, 0.02) - 0.1 * (day >= 12)))
    found = drift(store, "web", baseline_points=25)
    assert (found.decision, found.exit_code) == (UNDECIDED, 3)
    assert "its level became worse inside its own norm" in title(found)
    assert "inside its own baseline: pin a new baseline" in found.notices[0]


@pytest.mark.parametrize(("queries", "code", "said"), [
    (3, 3, "3 queries that do not vary cannot show a fall within 90 looks"),
    (5, 3, "5 queries that do not vary show a fall after 57 looks at the earliest"),
    (12, 1, "12 lost, 0 gained"),
])  # fmt: skip
def test_queries_that_are_too_few_are_no_all_clear(store, queries, code, said):
    for day in range(20):
        store.add(night(day, np.full(queries, 1.0 if day < 12 else 0.0)))
    found = drift(store, "web")
    assert found.exit_code == code
    assert said in " ".join(render(found).split())


def test_few_queries_of_which_none_fell_are_quiet_and_it_is_said_when_they_would_alarm(store):
    for day in range(12):
        store.add(night(day, np.full(8, 0.5)))
    found = drift(store, "web")
    assert found.decision == QUIET
    assert "8 queries that do not vary show a fall after 8 looks at the earliest." in " ".join(reasons(found))


def test_a_figure_that_is_undefined_now_cannot_be_decided(store):
    random = np.random.default_rng(0)
    for day in range(30):
        store.add(night(day, np.full(20, np.nan) if day >= 25 else random.normal(0.5, 0.02, 20)))
    found = drift(store, "web")
    assert found.exit_code == 3
    assert title(found).startswith("CANNOT DECIDE: no figure since 2026-01-25")


def test_a_measure_that_is_not_recorded_any_more_does_not_alarm_for_ever(store):
    random = np.random.default_rng(0)
    for day in range(30):
        measure = "AP" if day < 15 else "nDCG"
        store.add(night(day, random.normal(0.5 - 0.2 * (day >= 12), 0.02, 30), measure=measure))
    found = drift(store, "web")
    assert {one.measure: one.decision for one in found.series} == {"nDCG": QUIET, "AP": UNDECIDED}
    assert "AP cannot be judged: no figure since 2026-01-15." in [*reasons(found)]


def test_two_figures_of_one_day_in_two_evaluations_are_both_of_now(store):
    for day in range(12):
        store.add(counted(day, 0.8))
        store.add(replace(counted(day, 0.7, "validity"), time=START + timedelta(days=day, minutes=1)))
    assert {one.decision for one in drift(store, "web").series} == {QUIET}


def test_a_run_that_was_added_twice_on_a_day_is_one_look(store):
    for day in range(8):
        for again in range(2):
            one = night(day, np.full(5, 0.5) + day / 1000 + again / 100, run=f"{day:064}")
            store.add(replace(one, time=one.time + timedelta(hours=again)))
    (found,) = drift(store, "web").series
    assert len(found.points) == 8
    assert found.points[0].value == pytest.approx(0.51), "the last that was added"


def test_another_system_that_was_evaluated_once_is_left_out(store):
    for day in range(20):
        store.add(night(day, np.full(5, 0.5) + day / 1000))
    store.add(replace(night(20, np.full(5, 0.2)), name="dense"))
    found = drift(store, "web")
    assert (found.decision, found.name, len(found.series[0].points)) == (QUIET, "bm25", 20)
    assert found.notices[0] == "The suite holds 2 systems; this is bm25, --name takes another."


def test_systems_of_which_none_comes_again_are_one_series(store):
    for day in range(12):
        store.add(replace(night(day, np.full(5, 0.5) + day / 1000), name=f"commit {day}"))
    found = drift(store, "web")
    assert (found.name, len(found.series[0].points), found.notices) == ("", 12, ())


def test_a_drift_says_whom_it_follows_and_how(store):
    store.add(night(0, np.full(5, 0.5)))
    found = drift(store, "web", alpha=0.01, since=START)
    assert found.to_dict()["name"] == found.name == "bm25"
    assert found.settings == {
        "method": "both", "alpha": 0.01, "horizon": 90, "baseline_points": None, "since": START.isoformat()
    }  # fmt: skip


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("value", [123456.7, 3333.3333, 1234567.1])
def test_a_large_figure_that_stays_the_same_is_quiet(store, value, up):
    for day in range(12):
        store.add(counted(day, value, "tokens", up=up))
    assert drift(store, "web").decision == QUIET


def test_a_norm_that_varies_by_rounding_alone_is_constant(store):
    for day in range(30):
        values = np.full(20, 0.5) + 1e-9 * (np.arange(20) == 0) * (day % 3 == 0) - 2e-10 * (day > 20)
        store.add(night(day, values))
    (found,) = drift(store, "web").series
    assert (found.controls[0].method, found.decision, found.shifts) == ("paired", QUIET, ())


def test_what_explains_an_alarm_stands_first_and_under_its_own_table(store):
    random = np.random.default_rng(3)
    for day in range(20):
        quiet, fallen = random.normal(0.5, 0.05, 30), random.normal(0.8 - 0.2 * (day >= 15), 0.02, 30)
        one, other = night(day, quiet), night(day, fallen, names(30), measure="RR")
        store.add(replace(one, values={**one.values, **other.values}, figures=(*one.figures, *other.figures)))
    found = drift(store, "web")
    assert [one.measure for one in found.changes] == [MEASURE, "RR"]
    first, second = render(found).split("WHAT CHANGED")[1:]
    assert "- RR over 30 shared queries" in first
    assert "- RR over" not in second.split("\n\n")[0]
