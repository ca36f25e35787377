"""A store of evaluations loses nothing: not to other writers, to a kill, to a full disk, to another release."""

import os
import random
import signal
import sqlite3
import subprocess
import time

import pytest
from tests.unit.history_stores import evaluation, is_whole, start

from assay.errors import InputError
from assay.store.evaluations import HistoryStore
from assay.store.evaluations_tables import VERSION

pytest.importorskip("sqlalchemy", reason="needs the extra store")

FIRST = """
CREATE TABLE history_version (version INTEGER NOT NULL);
CREATE TABLE history_content (digest TEXT NOT NULL PRIMARY KEY, bytes {bytes} NOT NULL);
CREATE TABLE history_suite (id {id} PRIMARY KEY, name TEXT NOT NULL UNIQUE, baseline INTEGER);
CREATE TABLE history_evaluation (
    id {id} PRIMARY KEY, suite INTEGER NOT NULL REFERENCES history_suite (id), name TEXT NOT NULL, time BIGINT NOT NULL,
    task TEXT NOT NULL, gold TEXT, run TEXT, corpus TEXT, code TEXT,
    queries TEXT NOT NULL REFERENCES history_content (digest), platform TEXT NOT NULL, assay TEXT NOT NULL,
    policy TEXT NOT NULL, tags TEXT NOT NULL, depth INTEGER NOT NULL, groups TEXT REFERENCES history_content (digest),
    head TEXT REFERENCES history_content (digest)
);
CREATE INDEX history_evaluation_time ON history_evaluation (suite, time, id);
CREATE TABLE history_series (
    id {id} PRIMARY KEY, suite INTEGER NOT NULL REFERENCES history_suite (id), measure TEXT NOT NULL,
    slice TEXT NOT NULL, UNIQUE (suite, measure, slice)
);
CREATE TABLE history_figure (
    series INTEGER NOT NULL, evaluation INTEGER NOT NULL, place INTEGER NOT NULL, mean FLOAT, low FLOAT, high FLOAT,
    queries INTEGER NOT NULL, undefined INTEGER NOT NULL, higher BOOLEAN NOT NULL, of_queries BOOLEAN NOT NULL,
    PRIMARY KEY (series, evaluation)
);
CREATE TABLE history_value (
    evaluation INTEGER NOT NULL, measure TEXT NOT NULL, bytes {bytes} NOT NULL, PRIMARY KEY (evaluation, measure)
);
INSERT INTO history_version VALUES (1);
INSERT INTO history_suite (name, baseline) VALUES ('web', 1);
INSERT INTO history_content VALUES ('none', {list});
INSERT INTO history_evaluation (suite, name, time, task, queries, platform, assay, policy, tags, depth)
VALUES (1, 'old', 1767225600000000, 'ranking', 'none', 'Linux', '0.0', '{{}}', '{{}}', 0);
INSERT INTO history_series (suite, measure, slice) VALUES (1, 'AP', '');
INSERT INTO history_figure VALUES (1, 1, 0, 0.5, NULL, NULL, 2, 0, {true}, {true});
"""
"""The tables of version 1, with one evaluation."""
EMPTY = "78018b8e0500011500b9"
"""An empty list as JSON, compressed."""
TYPES = {
    "sqlite": {"bytes": "BLOB", "id": "INTEGER NOT NULL", "list": f"X'{EMPTY}'", "true": "1"},
    "postgresql": {"bytes": "BYTEA", "id": "BIGSERIAL", "list": f"'\\x{EMPTY}'::bytea", "true": "true"},
}


def old(url):
    """Make tables as the first release did."""
    from assay.store.database import connected

    engine = connected(url)
    with engine.begin() as connection:
        for statement in FIRST.format(**TYPES[engine.dialect.name]).split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()


def test_tables_of_an_older_release_are_brought_up_to_date(url):
    old(url)
    with HistoryStore.open(url, make=False) as store:
        found = store.baseline("web")
        assert (found.name, found.note, found.figure("AP").mean, found.queries) == ("old", "", 0.5, ())
        added = store.add(evaluation(0, note="new"))
        assert is_whole(store, added.id)
        assert store.claim("once")
    with HistoryStore.open(url, make=False) as store:
        assert [one.note for one in store.list("web")] == ["", "new"]


def test_tables_of_a_newer_release_are_refused(url):
    HistoryStore.open(url).close()
    from assay.store.database import connected

    engine = connected(url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE history_version SET version = {VERSION + 1}")
    engine.dispose()
    with pytest.raises(InputError, match=f"expected evaluations of version {VERSION}, found version {VERSION + 1}"):
        HistoryStore.open(url)


def test_another_database_is_not_taken_for_a_store(tmp_path):
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE t (a)").connection.close()
    with pytest.raises(InputError, match="expected a store of evaluations, found another database"):
        HistoryStore.open(str(other), make=False)
    with pytest.raises(InputError, match="found no such file"):
        HistoryStore.open(str(tmp_path / "none.db"), make=False)


def test_processes_that_add_at_once_lose_nothing(url):
    HistoryStore.open(url).close()
    names, many = ("ann", "bob", "eve"), 25
    workers = [start(url, name, many) for name in names]
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    ids = [int(line) for worker in workers for line in worker.communicate(timeout=120)[0].split()]
    assert [worker.returncode for worker in workers] == [0] * len(names)
    assert len(set(ids)) == many * len(names)
    with HistoryStore.open(url, make=False) as store:
        assert {suite.name: suite.evaluations for suite in store.suites()} == dict.fromkeys(names, many)
        assert all(is_whole(store, number) for number in ids)


def test_processes_that_open_a_new_store_at_once_make_it_once(url):
    workers = [start(url, name, 1) for name in ("ann", "bob")]
    for worker in workers:
        worker.communicate("go\n", timeout=60)
    with HistoryStore.open(url, make=False) as store:
        assert len(store.list()) == 2


@pytest.mark.parametrize("last", [1, 2, 4, 6, 8, 10, 13])
def test_a_kill_while_adding_leaves_the_whole_evaluation_or_none(url, last):
    HistoryStore.open(url).close()
    worker = start(url, "ann", 3, last)
    said, _ = worker.communicate("go\n", timeout=60)
    assert worker.returncode == -signal.SIGKILL
    told = [int(line) for line in said.split()]
    with HistoryStore.open(url, make=False) as store:
        there = [one.id for one in store.list()]
        assert set(told) <= set(there)
        assert len(there) <= len(told) + 1
        assert all(is_whole(store, number) for number in there)
        assert is_whole(store, store.add(evaluation(9)).id)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_kill_at_any_moment_leaves_whole_evaluations(url, seed):
    HistoryStore.open(url).close()
    worker = start(url, "ann", 100_000)
    worker.stdin.write("go\n")
    worker.stdin.flush()
    time.sleep(random.Random(seed).uniform(0.05, 0.6))
    worker.kill()
    told = [int(line) for line in worker.communicate(timeout=60)[0].split("\n")[:-1]]
    with HistoryStore.open(url, make=False) as store:
        there = [one.id for one in store.list()]
        assert set(told) <= set(there)
        assert len(there) <= len(told) + 1
        assert all(is_whole(store, number) for number in there)


def fill(store):
    """Add until no more is taken; return the ids that were, and what was said then."""
    kept = []
    try:
        for day in range(1000):
            kept.append(store.add(evaluation(day, queries=400)).id)  # noqa: PERF401 - those before the error count
    except InputError as error:
        return kept, str(error)
    return kept, "never full"


def test_a_full_database_is_one_clear_line_and_keeps_what_it_had(tmp_path):
    from sqlalchemy import event

    with HistoryStore.open(str(tmp_path / "small.db")) as store:
        event.listen(store._engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count=60"))
        store._engine.dispose()
        kept, said = fill(store)
        assert "\n" not in said
        assert "small.db: expected an answer, found an error: database or disk is full" in said
        assert kept
        assert [one.id for one in store.list()] == kept


@pytest.fixture
def tiny(tmp_path):
    """A disk of one megabyte."""
    if os.geteuid() != 0:
        pytest.skip("needs the right to mount a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"needs the right to mount a small disk: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_is_one_clear_line_and_keeps_what_it_had(tiny):
    with HistoryStore.open(str(tiny / "small.db")) as store:
        kept, said = fill(store)
    assert "\n" not in said
    assert "full" in said
    assert kept
    with HistoryStore.open(str(tiny / "small.db"), make=False) as store:
        assert [one.id for one in store.list()] == kept
