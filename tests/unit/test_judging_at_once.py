"""Several judges, threads and processes at one store, killed ones too; and which databases it opens."""

import sqlite3
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.unit.judging_stores import begun, grade, pairs, say, start

from assay.core.judging import Pair, Project
from assay.errors import InputError, MissingExtraError, ParameterError
from assay.store import queue
from assay.store.database import masked
from assay.store.judging import JudgingStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")
PATIENCE = 120


def test_readers_do_not_wait_for_a_writer(store):
    begun(store, 2)
    seen = []

    def slow():
        yield Pair("q", "new")
        seen.append(store.counts()["pairs"])
        yield from pairs(queue.BATCH + 10)

    store.add(slow())
    assert seen == [2]

    def within():
        seen.append((store.counts()["pairs"], store.standing("ann").left, store.labels().table.height))
        yield Pair("q", "other")

    from assay.store.database import writing

    with writing(store._engine) as connection:
        queue.add(connection, store.project, (Pair("q", "third"),))
        list(within())
    assert seen[-1][0] == queue.BATCH + 11


def test_threads_share_the_work_and_each_key_counts_once(store):
    begun(store, 60, judges=("a", "b", "c"), overlap=0.2)
    stopped = threading.Event()

    def work(judge):
        seen = []
        while not stopped.is_set() and (task := store.next(judge)) is not None:
            seen.append(task.number)
            for _ in range(2):
                store.record(judge, task.number, grade(f"{judge}{len(seen)}"))
        return seen

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(work, "aabbcc"))
    assert sum(map(len, done)) >= store.snapshot().decisions
    table = store.labels().table
    assert table.select("query", "item", "judge").is_duplicated().sum() == 0
    assert store.counts()["judged"] == 60
    assert store.counts()["left"] == 0
    assert store.standing("a").left == 0


def test_two_processes_share_the_pairs(store, url):
    begun(store, 60)
    workers = {judge: start(url, judge) for judge in ("ann", "bob")}
    for worker in workers.values():
        assert worker.stdout.readline() == "ready\n"
    for worker in workers.values():
        worker.stdin.write("\n")
        worker.stdin.flush()
    seen = {judge: worker.communicate(timeout=PATIENCE)[0].splitlines() for judge, worker in workers.items()}
    assert all(worker.returncode == 0 for worker in workers.values())
    assert Counter(line for lines in seen.values() for line in lines).most_common(1)[0][1] == 1
    assert sum(map(len, seen.values())) == 60
    assert min(map(len, seen.values())) > 0
    assert store.counts()["left"] == 0


def test_a_killed_process_loses_nothing_it_recorded(store, url):
    begun(store, 2_000, judges=("ann",))
    worker = start(url, "ann")
    assert worker.stdout.readline() == "ready\n"
    worker.stdin.write("\n")
    worker.stdin.flush()
    said = [worker.stdout.readline().split() for _ in range(40)]
    worker.kill()
    rest, _ = worker.communicate(timeout=PATIENCE)
    said += [line.split() for line in rest.splitlines()]
    found = {(row["query"], row["item"]) for row in store.labels().table.to_dicts()}
    assert {tuple(pair) for pair in said} <= found
    assert len(found) - len(said) in {0, 1}  # one may be recorded and not said
    assert store.snapshot().decisions == len(found)
    assert store.counts()["left"] == 2_000 - len(found) == store.standing("ann").left
    assert len(say(store, "ann", most=5)) == 5


def test_two_processes_begin_one_project(url):
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: JudgingStore.open(url), range(4)))
        made = list(pool.map(lambda store: store.create(Project("one"), pairs(20)), stores))
    assert sorted(made) == [0, 0, 0, 20]
    assert stores[0].counts()["pairs"] == 20
    for store in stores:
        store.close()


@pytest.mark.parametrize(
    ("url", "error", "said"),
    [
        ("mysql://ann:secret@db/x", ParameterError, "mysql://ann:\\*\\*\\*@db/x: expected sqlite:/// or postgresql://"),
        ("sqlite:///{}/x.db?mode=ro&uri=true", ParameterError, "found more than a file"),
        ("sqlite://host/x.db", ParameterError, "found more than a file"),
        ("postgresql://ann:secret@db:port/x", ParameterError, "ann:\\*\\*\\*@db:port"),
        ("{}", InputError, "expected a database"),
        ("{}/none/x.db", InputError, "expected a database"),
        ("{}/text.db", InputError, "file is not a database"),
        ("{}/a\0b", InputError, "expected a database"),
        ("postgresql://ann:secret@127.0.0.1:1/x", InputError, "ann:\\*\\*\\*@127.0.0.1:1/x: expected a database"),
        ("postgresql://127.0.0.1:1/x?nonsense=1&password=secret", InputError, "password=\\*\\*\\*"),
    ],
    ids=["kind", "query", "host", "port", "folder", "no folder", "no database", "nul", "nobody there", "option"],
)
def test_a_url_that_is_no_database_is_refused_and_hides_its_password(tmp_path, url, error, said):
    pytest.importorskip("psycopg", reason="needs psycopg")
    (tmp_path / "text.db").write_text("something else " * 100)
    with pytest.raises(error, match=said) as raised:
        JudgingStore.open(url.replace("{}", str(tmp_path)))
    assert "secret" not in str(raised.value)


def test_a_path_with_odd_characters_is_one_file(tmp_path):
    JudgingStore.open(str(tmp_path / "a?b=c#d%20.db")).close()
    assert "a?b=c#d%20.db" in [path.name for path in tmp_path.iterdir()]
    with pytest.raises(InputError, match="found no such file"):
        JudgingStore.open(str(tmp_path / "none.db"), make=False)
    sqlite3.connect(tmp_path / "other.db").execute("create table x (y)").connection.close()
    with pytest.raises(InputError, match="expected a database of Assay, found another"):
        JudgingStore.open(str(tmp_path / "other.db"), make=False)
    with pytest.raises(InputError, match="expected a judging project, found none"):
        JudgingStore.open(str(tmp_path / "a?b=c#d%20.db"), make=False)
    assert not (tmp_path / "none.db").exists()


def test_a_missing_library_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "sqlalchemy", None)
    with pytest.raises(MissingExtraError, match="assay\\[store\\]"):
        JudgingStore.open(str(tmp_path / "x.db"))


def test_a_password_is_hidden():
    assert masked("postgresql://ann:p@ss@db/x") == "postgresql://ann:***@db/x"
    assert masked("judging.db") == "judging.db"
