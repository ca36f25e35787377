"""The dashboard watches its store: each system of each suite, whatever becomes of the others."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

pytest.importorskip("sqlalchemy")

from tests.unit.history_pages import fallen
from tests.unit.history_stores import evaluation as drawn
from tests.unit.webhooks import SECRET, listening

from assay.history.alerts import Alert, of_drift
from assay.history.drift import drift
from assay.history.watching import Watch
from assay.store.evaluations import HistoryStore

FELL = Alert("drift", "web", "AP", "", 0.5, 0.4, "CUSUM alarm", "http://localhost/suite?suite=web")


@pytest.fixture
def waits():
    return []


def test_the_dashboard_watches_its_store(waits):
    said = []
    with listening(500, 500, 500, 500, 500, 200) as server, HistoryStore.open("sqlite://") as store:
        fallen(store)
        watched = Watch(store, server.url, "http://localhost", said.append)
        stop = Stop()
        watched.look(stop)
        assert (watched.seen, stop.waited) == ({}, [1.0, 2.0, 4.0, 8.0])
        assert SECRET not in said[0]
        for _ in range(2):
            watched.look()
        assert [one["measure"] for one in server.taken] == ["AP"]
        assert server.taken[0]["link"].startswith("http://localhost/suite?")
        thread = threading.Thread(target=watched.until, args=(stop, 0.01))
        thread.start()
        stop.set()
        thread.join(30)
        assert not thread.is_alive()
        assert len(server.taken) == 1
    assert len(said) == 1


def night(day, name="bm25", *, suite="web", measure="AP", mean=0.55, since=99, hours=0):
    """Return an evaluation of one figure, which is a tenth lower from a day on."""
    value = mean + 0.01 * ((day * 7) % 5 - 2) - (0.1 if day >= since else 0)
    one = drawn(day, name=name, suite=suite, measures=(measure,), queries=20)
    figures = tuple(replace(each, mean=value, undefined=0, of_queries=False) for each in one.figures)
    return replace(one, time=one.time + timedelta(hours=hours), figures=figures)


@pytest.mark.parametrize("steady", [99, 20])
def test_each_system_of_a_suite_is_watched_and_told_of_once(steady):
    said = []
    with listening(200) as server, HistoryStore.open("sqlite://") as store:
        watched = Watch(store, server.url, "http://localhost", said.append)
        for day in range(26):
            store.add(night(day, since=16))
            if day > 14:
                watched.look()
            store.add(night(day, "dense", mean=0.7, since=steady, hours=1))
            if day > 14:
                watched.look()
        systems = [one["system"] for one in server.taken]
        assert systems == ["bm25"] + ["dense"] * (steady == 20)
        assert server.taken[0]["text"].startswith("web, bm25: AP 0.55")
        assert server.taken[0]["link"].endswith("&measure=AP&name=bm25")
    assert said == []


def test_who_looks_by_other_settings_neither_repeats_nor_ends_an_alert():
    with HistoryStore.open("sqlite://") as store:
        for day in range(24):
            store.add(night(day, since=16))
        usual, strict = of_drift(drift(store)), of_drift(drift(store, alpha=0.002, method="ewma"))
        again, narrow = of_drift(drift(store)), of_drift(drift(store, measure="AP", name="bm25"))
    names = {one.name("u") for one in usual.raised}
    assert len(names) == 1
    assert {one.name("u") for one in (*again.raised, *narrow.raised)} == names
    assert names.isdisjoint(one.name("u") for one in (*strict.raised, *strict.ended))


def test_an_evaluation_before_the_newest_is_seen():
    with listening(200) as server, HistoryStore.open("sqlite://") as store:
        watched = Watch(store, server.url, "http://localhost", pytest.fail)
        for day in (*range(14), 4000):
            store.add(night(day))
        watched.look()
        for day in range(16, 30):
            store.add(night(day, since=16))
            watched.look()
        assert [one["measure"] for one in server.taken] == ["AP"]


def test_a_suite_that_fails_hides_no_other(monkeypatch):
    def failing(store, suite, **more):
        if suite == "broken":
            raise ZeroDivisionError("of\ntwo lines")
        return drift(store, suite, **more)

    monkeypatch.setattr("assay.history.watching.drift", failing)
    said, stop = [], threading.Event()
    with listening(200) as server, HistoryStore.open("sqlite://") as store:
        for day in range(24):
            store.add(night(day, since=16))
            store.add(night(day, suite="broken"))
        watched = Watch(store, server.url, "http://localhost", said.append)
        watched.look()
        assert said == ["broken: ZeroDivisionError: of two lines"]
        assert [one["suite"] for one in server.taken] == ["web"]
        monkeypatch.setattr(type(store), "suites", lambda _: 1 / 0)
        thread = threading.Thread(target=watched.until, args=(stop, 0.01))
        thread.start()
        stop.wait(0.1)
        assert thread.is_alive()
        stop.set()
        thread.join(30)
    assert said[1] == "ZeroDivisionError: division by zero"


def test_a_measure_that_only_begins_like_a_share_of_judged_items_is_watched():
    with HistoryStore.open("sqlite://") as store:
        for day in range(8):
            store.add(night(day, measure="Judged@all"))
        assert drift(store).exit_code in {0, 3}


class Stop(threading.Event):
    """An event for which nobody waits long."""

    def __init__(self):
        super().__init__()
        self.waited = []

    def wait(self, timeout=None):
        self.waited.append(timeout)
        return super().wait(0.001)
