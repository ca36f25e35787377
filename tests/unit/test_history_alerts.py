"""Alerts: a real server that is busy, slow or gone is told once, with patience, and its address stays a secret."""

import logging
import socket
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

pytest.importorskip("sqlalchemy")

from tests.unit.history_pages import evaluation, fallen, gold, run
from tests.unit.webhooks import SECRET, listening

from assay.errors import InputError, ParameterError
from assay.history import webhook
from assay.history.alerts import Alert, Alerts, notify, of_drift, of_gate, page
from assay.history.drift import drift
from assay.history.gate import gate
from assay.history.webhook import Webhook
from assay.store.evaluations import HistoryStore

FELL = Alert("drift", "web", "AP", "", 0.5, 0.4, "CUSUM alarm", "http://localhost/suite?suite=web")


@pytest.fixture
def waits():
    return []


def test_a_server_that_fails_first_is_asked_again(waits):
    with listening(503, None, 500, 200) as server:
        Webhook.of(server.url, wait=waits.append).send({"text": "fell"})
        assert server.taken == [{"text": "fell"}]
        assert len(server.headers) == 4
        assert server.headers[0]["Content-Type"] == "application/json"
    assert waits == [1.0, 2.0, 4.0]


def test_a_server_that_stays_busy_is_given_up(waits):
    with listening(503) as server, pytest.raises(InputError, match="found the answer 503"):
        Webhook.of(server.url, wait=waits.append).send({})
    assert waits == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize("status", [400, 401, 404, 410, 302, 307])
def test_what_will_not_change_is_not_asked_again_nor_followed(waits, status):
    with listening(200) as other, listening((status, {"Location": other.url})) as server:
        with pytest.raises(InputError, match=f"found the answer {status}"):
            Webhook.of(server.url, wait=waits.append).send({})
        assert len(server.headers) == 1
        assert other.headers == []
    assert waits == []


def test_retry_after_is_honoured(waits):
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    answers = [(429, {"Retry-After": "7"}), (503, {"Retry-After": date}), (429, {"Retry-After": "soon"}), 200]
    with listening(*answers) as server:
        Webhook.of(server.url, wait=waits.append).send({})
        assert len(server.taken) == 1
    assert waits[0] == 7
    assert 25 < waits[1] <= 30
    assert waits[2] == 4


def test_who_asks_to_wait_for_long_is_given_up(waits):
    with listening((429, {"Retry-After": "3600"})) as server, pytest.raises(InputError):
        Webhook.of(server.url, wait=waits.append).send({})
    assert waits == []


def test_a_server_that_is_gone_or_silent_is_no_traceback(waits, monkeypatch):
    with listening(200) as server:
        url = server.url
    with pytest.raises(InputError, match=r"found no answer \(Connection refused\)"):
        Webhook.of(url, wait=waits.append).send({})
    monkeypatch.setattr(webhook, "ANSWER_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent_url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(InputError, match="no answer"):
            Webhook.of(silent_url, wait=waits.append).send({})
    assert len(waits) == 8


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://host/x", "javascript:alert(1)", "http://", "https:///x", "host/x", "",
     "http://host:notaport/", "http://[::1", "http://host/a b", "http://host/\r\nX: 1"],
)  # fmt: skip
def test_only_addresses_of_http_are_taken(url):
    with pytest.raises(ParameterError, match="webhook: expected"):
        Webhook.of(url)


def test_the_address_is_never_shown(waits, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    with listening(500) as server, HistoryStore.open("sqlite://") as store:
        url = server.url.replace("//", f"//ann:{SECRET}@")
        told = notify(store, url, Alerts((FELL,)), wait=waits.append)
        hook = Webhook.of(url)
        assert server.headers[0]["Authorization"].startswith("Basic ")
    for shown in (told.why, repr(hook), str(hook), caplog.text, *capfd.readouterr(), FELL.name(url)):
        assert SECRET not in shown
    assert "127.0.0.1" in told.why


def test_an_alert_is_told_once_until_it_ended(waits):
    with listening(200) as server, HistoryStore.open("sqlite://") as store:
        assert notify(store, server.url, Alerts((FELL,))).sent == 1
        again = notify(store, server.url, Alerts((FELL,)))
        assert (again.sent, again.known) == (0, 1)
        assert notify(store, server.url, Alerts((), (FELL,))).sent == 0
        assert notify(store, server.url, Alerts((FELL,))).sent == 1
        assert [one["measure"] for one in server.taken] == ["AP", "AP"]
    assert server.taken[0] == {
        "text": "web: AP 0.5000 → 0.4000: CUSUM alarm", "kind": "drift", "suite": "web", "system": "", "measure": "AP",
        "slice": "", "before": 0.5, "now": 0.4, "why": "CUSUM alarm", "link": "http://localhost/suite?suite=web",
    }  # fmt: skip


def test_what_could_not_be_told_is_told_the_next_time(waits):
    other = Alert("drift", "web", "RR", "", 0.5, None, "x")
    with listening(200, *[500] * 5, 200) as server, HistoryStore.open("sqlite://") as store:
        first = notify(store, server.url, Alerts((FELL, other)), wait=waits.append)
        assert (first.sent, first.failed) == (1, 1)
        second = notify(store, server.url, Alerts((FELL, other)), wait=waits.append)
        assert (second.sent, second.known, second.failed) == (1, 1, 0)


def test_of_several_at_once_one_tells(url):
    with listening(200) as server, HistoryStore.open(url) as store:
        store.claim("made before they begin")
        told = []
        threads = [
            threading.Thread(target=lambda: told.append(notify(store, server.url, Alerts((FELL,))).sent))
            for _ in range(8)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sum(told) == 1
        assert len(server.taken) == 1


def test_without_a_store_each_is_told():
    with listening(200) as server:
        for _ in range(2):
            notify(None, server.url, Alerts((FELL,)))
        assert len(server.taken) == 2


def test_drift_raises_what_alarms_and_ends_what_is_quiet():
    with HistoryStore.open("sqlite://") as store:
        fallen(store)
        found = of_drift(drift(store, "web"), "https://quality.example.org/")
    assert [(one.measure, one.kind) for one in found.raised] == [("AP", "drift")]
    assert [one.measure for one in found.ended] == ["P@10"]
    one = found.raised[0]
    assert one.before == pytest.approx(0.55, abs=0.01)
    assert one.now == pytest.approx(0.45, abs=0.02)
    assert "alarm, probably since 2026-01-3" in one.why
    assert one.link == "https://quality.example.org/suite?suite=web&measure=AP&name=bm25"
    assert one.system == "bm25"
    assert one.text.startswith("web, bm25: AP 0.5")


def test_a_gate_raises_what_is_blocked(tmp_path):
    config = tmp_path / "assay.toml"
    config.write_text('[gate]\nmeasures = ["AP", "P@10"]\nmax_drop = 0.01\nsuite = "web"\n')
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        store.add(evaluation(0, baseline=True))
    found = gate(gold(), run(0, fallen=14), str(config), store=str(tmp_path / "kept.db"), suite="web")
    raised = of_gate(found).raised
    assert {one.measure for one in raised} == {one.measure for one in found.checks if one.decision == "blocked"}
    assert raised[0].before > raised[0].now
    assert "fell by 0." in raised[0].why
    assert "p = " in raised[0].why
    again = gate(gold(), run(0, fallen=14), str(config), store=str(tmp_path / "kept.db"), suite="web")
    other = gate(gold(), run(1, fallen=15), str(config), store=str(tmp_path / "kept.db"), suite="web", code="b")
    assert of_gate(again).raised[0].name("u") == raised[0].name("u")
    assert of_gate(other).raised[0].name("u") != raised[0].name("u")
    fine = of_gate(gate(gold(), run(0), str(config), store=str(tmp_path / "kept.db"), suite="web"))
    assert fine.raised == ()
    assert {one.name("u") for one in fine.ended} & {one.name("u") for one in raised} == set()
    assert len(fine.ended) == 4


def test_a_page_is_linked_where_its_server_is_known():
    assert page(None, "/suite", suite="web") == ""
    assert page("http://h/", "/suite", suite="a&b=c", slice="") == "http://h/suite?suite=a%26b%3Dc"
