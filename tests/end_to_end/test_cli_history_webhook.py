"""`--webhook` of `assay history gate`, `drift` and `serve`: alarms are told once, and no exit code depends on it."""

import json
import sqlite3
import subprocess
import sys
import time

import pytest

pytest.importorskip("sqlalchemy")

from tests.unit.history_pages import evaluation, fallen, gold
from tests.unit.webhooks import SECRET, listening

from assay.store.evaluations import HistoryStore


@pytest.fixture
def files(tmp_path):
    """Write a gold, a run that fell, settings, and a store with a baseline and a suite that drifts."""
    rows = gold().table.iter_rows()
    (tmp_path / "gold.qrels").write_text("".join(f"{query} 0 {item} {grade:g}\n" for query, item, grade in rows))
    for name, answers in (("fallen", evaluation(0, fallen=14)), ("fine", evaluation(0))):
        lines = answers.head.select("query", "item", "score").iter_rows()
        (tmp_path / f"{name}.run").write_text("".join(f"{q} Q0 {item} 0 {score} x\n" for q, item, score in lines))
    (tmp_path / "assay.toml").write_text('[gate]\nmeasures = ["AP"]\nmax_drop = 0.01\nsame = []\n')
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        store.add(evaluation(0, suite="gold", baseline=True))
        fallen(store)
    return tmp_path


def test_a_gate_tells_once_what_it_blocks(files, assay):
    with listening(200) as server:
        asked = ("history", "gate", "gold.qrels", "fallen.run", "--store", "kept.db", "--suite", "gold", "-o", "json")
        asked += ("--accept", "gold", "--webhook", server.url, "--dashboard", "https://quality.example.org")
        first, second = assay(*asked, expect=1), assay(*asked, expect=1)
        assay(*(one.replace("fallen", "fine") for one in asked))
        assert [one["measure"] for one in server.taken] == ["AP"]
        assert server.taken[0]["link"] == "https://quality.example.org/suite?suite=gold"
    assert "1 told." in first.err
    assert "1 told before." in second.err
    assert json.loads(first.out)["command"][-3] == "***"
    assert SECRET not in first.out + first.err


def test_drift_tells_an_alarm_and_keeps_its_exit_code_without_an_answer(files, assay):
    with listening(404) as server:
        done = assay("history", "drift", "--store", "kept.db", "--suite", "web", expect=1, ASSAY_WEBHOOK=server.url)
        assert "1 alert not told: http://127.0.0.1:" in done.err
        assert SECRET not in done.out + done.err
        server.answers[:] = [(200, {})]
        assay("history", "drift", "--store", "kept.db", "--suite", "web", expect=1, ASSAY_WEBHOOK=server.url)
        assert [one["kind"] for one in server.taken] == ["drift"]


def test_a_store_that_is_locked_is_said_and_changes_no_exit_code(files, assay):
    asked = ("history", "drift", "--store", "kept.db", "--suite", "web")
    with listening(200) as server, sqlite3.connect(files / "kept.db") as other:
        other.execute("BEGIN IMMEDIATE")
        done = assay(*asked, expect=1, ASSAY_WEBHOOK=server.url)
        other.rollback()
        assert server.taken == []
    assert "Note: alerts not told: " in done.err
    assert "ALARM" in done.out


def test_a_webhook_is_checked_before_anything_else(files, assay):
    said = assay("history", "gate", "none", "none", "--webhook", "file:///x", expect=2).err
    assert "webhook: expected http" in said


def test_a_dashboard_tells_what_its_store_says(files):
    pytest.importorskip("starlette")
    with listening(200) as server:
        command = [sys.executable, "-m", "assay", "history", "serve", "--store", "kept.db", "--port", "0"]
        process = subprocess.Popen([*command, "--webhook", server.url], cwd=files, stdout=subprocess.PIPE, text=True)
        try:
            address = process.stdout.readline().strip()
            until = time.monotonic() + 60
            while not server.taken and time.monotonic() < until:
                time.sleep(0.05)
        finally:
            process.terminate()
            process.wait(30)
            process.stdout.close()
    assert [(one["suite"], one["measure"]) for one in server.taken] == [("web", "AP")]
    assert server.taken[0]["link"] == f"{address}/suite?suite=web&measure=AP&name=bm25"
