"""Evaluations as tests of the history store make them, and processes that add them."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from assay.core.history import Made, Recorded, RecordedFigure

ROOT = Path(__file__).parents[2]
START = datetime(2026, 1, 1, 4, tzinfo=UTC)

WORKER = """
import os, signal, sys
from tests.unit.history_stores import evaluation
from assay.store.evaluations import HistoryStore
url, name, many, last = sys.argv[1:]
with HistoryStore.open(url) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    if int(last):
        from sqlalchemy import event
        said = 0
        def count(*_):
            global said
            said += 1
            if said == int(last):
                os.kill(os.getpid(), signal.SIGKILL)
        event.listen(store._engine, "before_cursor_execute", count)
    for day in range(int(many)):
        print(store.add(evaluation(day, name=name, suite=name)).id, flush=True)
"""


def evaluation(day=0, *, suite="web", name="bm25", queries=40, measures=("AP", "P@10"), seed=0, **more):
    """Return an evaluation of a day, with values that look like those of measures."""
    drawn = np.random.default_rng((seed, day))
    ids = tuple(f"q{n:04}" for n in range(queries))
    values = {measure: drawn.random(queries) for measure in measures}
    values[measures[0]][0] = np.nan
    figures = tuple(
        RecordedFigure(
            m, "", float(np.nanmean(v)), int((~np.isnan(v)).sum()), int(np.isnan(v).sum()), low=0.1, high=0.9
        )
        for m, v in values.items()
    )
    made = Made("a" * 64, "b" * 64, None, "", "abc", "Linux", "0.1", {"ties": "id-desc"}, {"branch": "main"})
    head = pl.DataFrame({"query": [ids[0]] * 2, "item": ["x", "y"], "score": [2.0, 1.0]})
    parts = {
        "id": 0, "suite": suite, "name": name, "time": START + timedelta(days=day), "made": made, "baseline": False,
        "note": "", "figures": figures, "queries": ids, "values": values, "head": head, "depth": 2,
        "groups": {"hops": dict.fromkeys(ids, "2")},
    }  # fmt: skip
    return Recorded(**parts | more)


def start(url, name, many, last=0):
    """Start a process that adds evaluations once it reads a line; it kills itself before its `last` statement."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, url, name, str(many), str(last)],
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    return process


def is_whole(store, number):
    """Tell whether an evaluation has all its parts, equal to what was added."""
    found = store.get(number)
    day = (found.time - START).days
    wanted = evaluation(day, suite=found.suite, name=found.name)
    assert found.queries == wanted.queries
    assert found.figures == wanted.figures
    assert found.head.equals(wanted.head)
    for measure, values in wanted.values.items():
        np.testing.assert_array_equal(found.values[measure], values)
    return True
