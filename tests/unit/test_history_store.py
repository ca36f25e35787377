"""Evaluations in a store come back as they were, on SQLite and on PostgreSQL."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import polars as pl
import pytest
from tests.unit.history_stores import START, evaluation, is_whole

from assay.core.history import RecordedFigure
from assay.errors import InputError, ParameterError, UnknownNameError
from assay.store.evaluations import HistoryStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")


@pytest.fixture
def history(url):
    with HistoryStore.open(url) as opened:
        yield opened


def test_an_evaluation_comes_back_whole(history):
    weights, clusters = np.linspace(0, 1, 40), np.arange(40) // 2
    given = evaluation(3, weights=weights, clusters=clusters, note="naïve ✓")
    added = history.add(given)
    found = history.get(added.id)
    assert is_whole(history, added.id)
    assert found.made == added.made
    assert (found.suite, found.name, found.time, found.note, found.depth) == ("web", "bm25", given.time, "naïve ✓", 2)
    assert found.groups == given.groups
    np.testing.assert_array_equal(found.weights, weights)
    np.testing.assert_array_equal(found.clusters, clusters)
    assert found.inside("hops=2").all()
    assert not found.inside("hops=3").any()


def test_figures_alone_come_without_values(history):
    history.add(evaluation(0))
    (found,) = history.list("web")
    assert found.figures == evaluation(0).figures
    assert (found.queries, dict(found.values), found.head, dict(found.groups)) == ((), {}, None, {})


def test_what_is_undefined_stays_undefined(history):
    figure = RecordedFigure("AP", "", None, 0, 3, higher_is_better=False, of_queries=False)
    added = history.add(evaluation(0, figures=(figure,), queries=3))
    assert history.get(added.id).figures == (figure,)
    assert history.series("web", "AP")["mean"].to_list() == [None]


def test_evaluations_are_listed_by_time_whatever_the_order_of_adding(history):
    ids = {
        day: history.add(evaluation(day, made=replace(evaluation().made, tags={"n": str(day)}))).id
        for day in (2, 0, 3, 1)
    }
    assert [one.id for one in history.list("web")] == [ids[day] for day in range(4)]
    assert [one.id for one in history.list("web", limit=2)] == [ids[2], ids[3]]
    assert [one.id for one in history.list(since=START + timedelta(days=1), until=START + timedelta(days=2))] == [
        ids[1],
        ids[2],
    ]
    assert [one.id for one in history.list(tag="n=3")] == [ids[3]]
    assert len(history.list(tag="n", limit=3)) == 3
    assert history.list(tag="other") == ()


def test_times_of_any_zone_are_one_moment(history):
    local = datetime(2026, 1, 1, 6, 30, tzinfo=timezone(timedelta(hours=2, minutes=30)))
    added = history.add(evaluation(time=local))
    assert history.get(added.id).time == datetime(2026, 1, 1, 4, tzinfo=UTC)


def test_a_series_follows_one_measure_and_slice(history):
    part = RecordedFigure("AP", "hops=2", 0.25, 10, 0)
    first = history.add(evaluation(1))
    second = history.add(evaluation(0, figures=(*evaluation(0).figures, part)))
    found = history.series("web", "AP")
    assert found["id"].to_list() == [second.id, first.id]
    assert found.schema["time"] == pl.Datetime("us", "UTC")
    assert found["mean"].to_list() == [evaluation(day).figure("AP").mean for day in (0, 1)]
    assert found["queries_digest"].n_unique() == 1
    assert history.series("web", "AP", "hops=2").select("id", "mean").rows() == [(second.id, 0.25)]
    assert history.series("web", "none").is_empty()


def test_recent_figures_are_those_of_the_newest_of_each_suite(history):
    for day in range(5):
        history.add(evaluation(day))
        history.add(evaluation(day, suite="kg", measures=("validity",)))
    found = history.recent(2)
    assert (
        found.select("suite", "measure").rows()
        == [("kg", "validity")] * 2 + [("web", "AP")] * 2 + [("web", "P@10")] * 2
    )
    assert found.filter(pl.col("measure") == "AP")["mean"].to_list() == [
        evaluation(day).figure("AP").mean for day in (3, 4)
    ]
    assert history.recent(9, suite="kg")["suite"].unique().to_list() == ["kg"]


def test_values_of_many_evaluations_stand_side_by_side(history):
    few = history.add(evaluation(0, queries=3))
    many = history.add(evaluation(1, queries=5))
    queries, values = history.values([many.id, few.id, 99], "AP")
    assert queries == ("q0000", "q0001", "q0002", "q0003", "q0004")
    np.testing.assert_array_equal(values[0], evaluation(1, queries=5).values["AP"])
    np.testing.assert_array_equal(values[1, :3], evaluation(0, queries=3).values["AP"])
    assert np.isnan(values[1, 3:]).all()
    assert np.isnan(values[2]).all()


def test_one_baseline_is_pinned_and_takes_the_place_of_the_last(history):
    first = history.add(evaluation(0, baseline=True))
    assert history.baseline("web").id == first.id
    second = history.add(evaluation(1, baseline=True))
    assert history.baseline("web").values["AP"].shape == (40,)
    assert [one.baseline for one in history.list("web")] == [False, True]
    history.set_baseline(first.id)
    (suite,) = history.suites()
    assert (suite.baseline.id, suite.newest.id, suite.evaluations) == (first.id, second.id, 2)
    history.add(evaluation(0, suite="other"))
    assert history.baseline("other") is None


def test_notes_are_changed_and_what_is_not_there_is_named(history):
    added = history.add(evaluation(0))
    history.annotate(added.id, "index rebuilt")
    assert history.get(added.id).note == "index rebuilt"
    for call in (history.get, history.set_baseline, lambda number: history.annotate(number, "x")):
        with pytest.raises(InputError, match="evaluation 7: expected one of the store, found none"):
            call(7)
    with pytest.raises(UnknownNameError, match="Did you mean 'web'"):
        history.series("wep", "AP")


def test_an_empty_store_says_so(history):
    assert history.suites() == ()
    assert history.list() == ()
    assert history.recent().is_empty()
    with pytest.raises(InputError, match="found an empty one"):
        history.list("web")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"suite": " "}, "suite: expected a name"),
        ({"suite": "x" * 1201}, "suite: expected a name"),
        ({"time": datetime(2026, 1, 1)}, "time: expected one with its zone"),  # noqa: DTZ001 - the mistake
        ({"queries": ("b", "a")}, "queries: expected each once, sorted"),
        ({"values": {"AP": np.zeros(3)}}, "AP: expected a value for each of 40 queries"),
        ({"figures": evaluation().figures * 2}, "found one twice"),
    ],
    ids=["blank", "long", "zone", "order", "shape", "twice"],
)
def test_what_fits_not_together_is_refused_and_leaves_nothing(history, wrong, message):
    with pytest.raises(ParameterError, match=message):
        history.add(replace(evaluation(0), **wrong))
    assert history.suites() == ()


def test_texts_that_no_database_holds_are_written_otherwise(history):
    added = history.add(evaluation(0, suite="we\0b", note="a\ud800b", name="n\0"))
    assert history.get(added.id).suite == "we\N{REPLACEMENT CHARACTER}b"


def test_a_name_is_claimed_once(history):
    assert history.claim("alert 1")
    assert not history.claim("alert 1")
    history.release("alert 1")
    assert history.claim("alert 1")


def test_equal_contents_are_kept_once(history):
    from sqlalchemy import text

    for day in range(3):
        history.add(evaluation(day))
    with history._engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM history_content")).scalar() == 3  # queries, groups, head
