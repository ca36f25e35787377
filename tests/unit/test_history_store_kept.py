"""Who only looks at a database changes nothing in it, and what a store could not give back it does not take."""

import os
import sqlite3
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from tests.unit.history_stores import evaluation, is_whole
from tests.unit.test_history_store_safety import old

from assay.core.history import RecordedFigure
from assay.errors import InputError, ParameterError
from assay.store.evaluations import HistoryStore
from assay.store.judging import JudgingStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")


@pytest.fixture
def other(tmp_path):
    """The database of another program."""
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    return path


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    "look",
    [
        lambda path: HistoryStore.open(path, write=False),
        lambda path: HistoryStore.open(path, make=False),
        lambda path: JudgingStore.open(path, make=False),
    ],
    ids=["reader", "writer", "judging"],
)
def test_the_database_of_another_program_stays_as_it_is(other, look):
    before = files(other.parent)
    with pytest.raises(InputError, match="found another"):
        look(str(other))
    assert files(other.parent) == before


def test_a_reader_makes_no_file_and_writes_nothing(tmp_path):
    with pytest.raises(InputError, match="found no such file"):
        HistoryStore.open(str(tmp_path / "none.db"), write=False)
    assert files(tmp_path) == {}
    path = tmp_path / "a b?#%.db"
    with HistoryStore.open(str(path)) as store:
        store.add(evaluation(0))
    before = path.read_bytes()
    with HistoryStore.open(str(path), write=False) as store:
        assert is_whole(store, 1)
        with pytest.raises(InputError, match="readonly"):
            store.annotate(1, "no")
    assert path.read_bytes() == before


def test_a_reader_sees_what_a_writer_added_who_is_still_there(url):
    with HistoryStore.open(url) as writer:
        writer.add(evaluation(0))
        with HistoryStore.open(url, write=False) as reader:
            assert len(reader.list()) == 1
            writer.add(evaluation(1))
            assert len(reader.list()) == 2


def test_a_reader_finds_tables_of_an_older_release_up_to_date(url):
    old(url)
    with HistoryStore.open(url, write=False) as store:
        assert store.baseline("web").made.exclude is None


@pytest.fixture
def fixed(tmp_path):
    """A store on a disk that is only read."""
    if os.geteuid() != 0:
        pytest.skip("needs the right to mount a disk")
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip(f"needs the right to mount a disk: {mounted.stderr.decode().strip()}")
    try:
        with HistoryStore.open(str(place / "h.db")) as store:
            store.add(evaluation(0))
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        yield place / "h.db"
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_disk_that_is_only_read_will_do_for_a_reader(fixed):
    with HistoryStore.open(str(fixed), write=False) as store:
        assert is_whole(store, 1)
    with pytest.raises(InputError, match="expected"):
        HistoryStore.open(str(fixed), make=False)


@pytest.mark.parametrize("version", ["0", "-1", "'two'"], ids=["zero", "below", "text"])
@pytest.mark.parametrize("write", [True, False], ids=["writer", "reader"])
def test_a_version_that_is_none_is_refused(tmp_path, version, write):
    path = str(tmp_path / "h.db")
    HistoryStore.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE history_version SET version = {version}")
    connection.close()
    with pytest.raises(InputError, match=f"expected evaluations of version .*, found version {version.strip(chr(39))}"):
        HistoryStore.open(path, write=write)


def test_an_empty_name_is_no_store():
    for name in ("", " "):
        with pytest.raises(ParameterError, match="found an empty name"):
            HistoryStore.open(name)


def figure(**said):
    return {"figures": (replace(RecordedFigure("AP", "", 0.5, 40, 0), **said),)}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"time": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=10)))}, "time: expected a year from 1970 to 9998"),
        ({"time": datetime(9999, 1, 1, tzinfo=UTC)}, "time: expected a year from 1970 to 9998"),
        (figure(mean=float("inf")), "AP, mean: expected a finite number or none, found inf"),
        (figure(low=float("nan")), "AP, low: expected a finite number or none, found nan"),
        (figure(high="abc"), "AP, high: expected a finite number or none, found 'abc'"),
        (figure(queries=10**30), "AP, queries: expected a count, found 1000"),
        (figure(undefined=-1, slice="a=b"), "AP of a=b, undefined: expected a count, found -1"),
        ({"values": {"AP": np.full(40, np.inf)}}, "AP, query 'q0000': expected a finite number or none"),
    ],
    ids=["early", "late", "mean", "low", "high", "queries", "undefined", "value"],
)
def test_what_could_not_be_read_again_is_not_taken(said, message):
    with HistoryStore.open("sqlite://") as store:
        with pytest.raises(ParameterError, match=message):
            store.add(evaluation(0, **said))
        assert store.suites() == ()


def test_of_several_evaluations_all_are_added_or_none(url):
    with HistoryStore.open(url) as store:
        with pytest.raises(ParameterError, match="suite: expected a name"):
            store.add_all([evaluation(0), evaluation(1, suite="x" * 1300)])
        assert store.list() == ()
        added = store.add_all([evaluation(0), evaluation(1)])
        assert [one.id for one in store.list()] == [one.id for one in added]


def test_conditions_come_back_as_they_went_in(url):
    one = evaluation(0)
    with HistoryStore.open(url) as store:
        added = store.add(replace(one, made=replace(one.made, exclude="c" * 64, weights="d" * 64)))
        assert store.get(added.id).made == added.made
