"""Benchmark of history: a store of many evaluations takes one more, and answers what a page asks, in a moment."""

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl

from assay.core.history import Made, Recorded, RecordedFigure
from assay.store import evaluations_adding as adding
from assay.store.database import writing
from assay.store.evaluations import HistoryStore
from benchmarks.inputs import PART, SEED
from benchmarks.judging import postgresql
from benchmarks.options import Options
from benchmarks.table import heading

EVALUATIONS, QUERIES, SUITES = 10_000, 1_000, 10
MEASURES = ("AP", "RR", "nDCG@10", "nDCG@100", "R@100", "R@10", "P@10", "P@5", "HR@10", "Judged@10")
GRADED = 5
"""The first so many measures have any value, the others one of eleven."""
DRAWN = 50
"""Sets of values that evaluations take in turn: each is stored with each of them."""
ITEMS, TIMES, TOGETHER = 10, 15, 100
ADD_BAR_MS, PAGE_BAR_MS, SERVED_BAR_MS = 1000, 100, 300
START = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class HistoryBenchmark:
    """Evaluations in a store: how long one more takes, and how long the parts of a page."""

    letter: str

    def run(self, options: Options) -> bool:
        """Measure on SQLite and, where there is one, on PostgreSQL; return whether all that was added is there."""
        many = round(EVALUATIONS * (PART if options.small else 1.0))
        folder = Path(tempfile.mkdtemp(dir=options.folder))
        print(heading(self.letter, f"{many:,} evaluations of {QUERIES:,} queries by {len(MEASURES)} measures"))
        try:
            results = [_measured("SQLite", f"sqlite:///{folder}/history.db", many)]
            results += [_measured("PostgreSQL", url, many) for url in postgresql()]
        finally:
            shutil.rmtree(folder)
        return all(results)


def _measured(name: str, url: str, many: int) -> bool:
    drawn = [_evaluation(number) for number in range(DRAWN)]
    with HistoryStore.open(url) as store:
        began = time.perf_counter()
        _fill(store, drawn, many)
        print(f"   {name:12} filled in {time.perf_counter() - began:,.0f} s, {TOGETHER} in a transaction")
        new = (replace(_evaluation(DRAWN + at), time=START + timedelta(days=many + at)) for at in range(TIMES))
        last: list[int] = []
        _timed(name, "add one", lambda: last.append(store.add(next(new)).id), ADD_BAR_MS)
        suite, measure = "suite 0", MEASURES[0]
        _timed(name, "suites: newest and baseline", store.suites, PAGE_BAR_MS)
        _timed(name, "the last 30 of every suite", lambda: store.recent(30), PAGE_BAR_MS)
        _timed(name, "one series of the largest suite", lambda: store.series(suite, measure), PAGE_BAR_MS)
        _timed(name, "the last 30 of one suite", lambda: store.list(suite, limit=30), PAGE_BAR_MS)
        _timed(name, "one evaluation, whole", lambda: store.get(last[-1]), PAGE_BAR_MS)
        ids = store.series(suite, measure)["id"].to_list()[-30:]
        _timed(name, "values of 30 evaluations", lambda: store.values(ids, measure), PAGE_BAR_MS)
        _served(name, store, last[-1])
        there = sum(one.evaluations for one in store.suites())
        whole = store.get(last[0]).values[measure]
    return there == many + TIMES and np.array_equal(whole, _evaluation(DRAWN).values[measure])


def _served(name: str, store: HistoryStore, number: int) -> None:
    """Measure each page of the dashboard, from the request to the whole answer."""
    from starlette.testclient import TestClient

    from assay.history.app.application import application

    pages = {
        "suites": "/", "a suite": "/suite?suite=suite 0", "a measure, 180": "/suite?suite=suite 0&measure=AP&last=180",
        "an evaluation": f"/evaluation?id={number}", "a query": f"/query?id={number}&query=q00001",
        "two evaluations": f"/compare?a=1&b={number}",
    }  # fmt: skip
    with TestClient(application(store), base_url="http://localhost") as client:
        for what, path in pages.items():
            _timed(name, f"page of {what}", lambda path=path: client.get(path).raise_for_status(), SERVED_BAR_MS)


def _timed(name: str, what: str, work: Callable[[], Any], bar: int) -> None:
    spent = []
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        spent.append(1000 * (time.perf_counter() - began))
    first, rest = spent[0], spent[1:]
    print(f"   {name:12} {what}: {median(rest):.0f} ms, at first {first:.0f}, at most {max(rest):.0f} (bar {bar:,} ms)")


def _evaluation(number: int) -> Recorded:
    drawn = np.random.default_rng((SEED, number))
    ids = tuple(f"q{query:05}" for query in range(QUERIES))
    values = {name: drawn.beta(2, 2, QUERIES) for name in MEASURES[:GRADED]}
    values |= {name: drawn.integers(0, 11, QUERIES) / 10 for name in MEASURES[GRADED:]}
    hops = dict(zip(ids, drawn.choice(["1", "2"], QUERIES).tolist(), strict=True))
    figures = tuple(
        RecordedFigure(
            name, part, float(row.mean()), QUERIES, 0, low=float(row.mean()) - 0.02, high=float(row.mean()) + 0.02
        )
        for part in ("", "hops=1", "hops=2")
        for name, row in values.items()
    )
    items = [f"document-{number * 7919 + place}" for place in range(QUERIES * ITEMS)]
    head = pl.DataFrame({
        "query": np.repeat(ids, ITEMS), "item": items, "score": np.tile(np.arange(float(ITEMS), 0, -1), QUERIES),
    })  # fmt: skip
    made = Made(
        f"{SEED:064x}", f"{number:064x}", None, "", "abc", "Linux", "0.1", {"ties": "id-desc"}, {"branch": "main"}
    )
    return Recorded(
        0, "suite 0", f"run {number}", START, made, baseline=not number, note="", figures=figures, queries=ids,
        values=values, head=head, depth=ITEMS, groups={"hops": hops},
    )  # fmt: skip


def _fill(store: HistoryStore, drawn: list[Recorded], many: int) -> None:
    """Add evaluations day by day, half of them to the first suite; what is packed once is written with each."""
    packed = [adding.Packed.of(one) for one in drawn]
    for first in range(0, many, TOGETHER):
        with writing(store._engine) as connection:  # noqa: SLF001 - no user adds many in one transaction
            for number in range(first, min(first + TOGETHER, many)):
                one = packed[number % len(packed)]
                suite = 0 if number % 2 else number % SUITES
                row = one.row | {"time": adding.microseconds(START + timedelta(days=number))}
                adding.add(connection, replace(one, row=row, suite=f"suite {suite}", baseline=number < SUITES))


HISTORY = [HistoryBenchmark("history")]
