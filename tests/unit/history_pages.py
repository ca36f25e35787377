"""A store of evaluations behind its dashboard, spoken to without a network."""

import re
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tests.unit.history_stores import evaluation as drawn

import assay
from assay.history.app.application import application
from assay.history.app.visits import Pen
from assay.history.record import record
from assay.store.evaluations import HistoryStore

HOSTILE = '</p><script>alert(1)</script><img src=x onerror="alert(2)">{{ 7*7 }}\' " &amp;'
START = datetime(2026, 3, 1, 4, tzinfo=UTC)
QUERIES = 40
MEASURES = "AP nDCG@10 RR P@10 Judged@10"


def gold(changed=(), *, sparse=False):
    """Return a gold standard: of each query two relevant items and two that are not; sparse, one not at all."""
    grades = {f"q{n:02}": {f"good-{n}": 2, f"fair-{n}": 1, f"bad-{n}": 0} for n in range(QUERIES)}
    for n, query in enumerate(grades):
        grades[query] |= {} if sparse else {f"other-{n}": 0}
    return assay.Gold.from_mapping(grades | {query: {f"bad-{query}": 1} for query in changed}, name="gold")


def run(day, *, fallen=0, name="bm25"):
    """Return the run of a day; so many queries lost their best item, and a few move from day to day."""
    found = {}
    for n in range(QUERIES):
        order = [f"good-{n}", f"fair-{n}", f"bad-{n}", f"other-{n}"]
        if n < fallen:
            order = order[3:] + order[2:3] + order[1:2]
        elif (n * 7 + day * 3) % 5 == 0:
            order = order[1:2] + order[:1] + order[2:]
        found[f"q{n:02}"] = {item: float(10 - rank) for rank, item in enumerate(order)}
    return assay.Run.from_mapping(found, name=name)


def evaluation(day, *, suite="web", fallen=0, changed=(), name="bm25", sparse=False, **more):
    """Return the evaluation of a day, ready for a store."""
    truth, answers = gold(changed, sparse=sparse), run(day, fallen=fallen, name=name)
    found = assay.evaluate(truth, answers, MEASURES, interval=0.95)
    said = {"code": f"c{day // 10:07}", "time": START + timedelta(days=day), "tags": {"branch": "main"}} | more
    return record(found, suite=suite, gold=truth, run=answers, head=10, **said)


def fill(store, days=30):
    """Add a suite of each state, and one with names that attack."""
    for day in range(days):
        fallen = 14 if day >= days - 4 else 0
        store.add(evaluation(day, fallen=fallen, baseline=day == 1, note="New index." if day == days - 4 else ""))
    for day in range(5):
        store.add(evaluation(day, suite="fine", baseline=not day))
        store.add(evaluation(day, suite="first"))
        store.add(evaluation(day, suite="other gold", changed=("q01",) if day > 2 else (), baseline=not day))
        store.add(evaluation(day, suite="sparse", sparse=True, baseline=not day))
    for day in range(2):
        one = evaluation(day, suite=HOSTILE, name=HOSTILE, tags={HOSTILE: HOSTILE}, note=HOSTILE, baseline=not day)
        head = one.head.with_columns(item=one.head["item"] + HOSTILE, query=one.head["query"] + HOSTILE)
        store.add(replace(one, queries=tuple(query + HOSTILE for query in one.queries), head=head))


def fallen(store, days=40, since=30):
    """Add a suite that falls."""
    for day in range(days):
        one = drawn(day, queries=20)
        mean = 0.55 + 0.01 * ((day * 7) % 5 - 2) - (0.1 if day >= since else 0)
        means = {"AP": mean, "P@10": 0.5 + 0.01 * ((day * 3) % 4)}
        figures = tuple(replace(each, mean=means[each.measure], undefined=0) for each in one.figures)
        store.add(drawn(day, queries=20, figures=figures, baseline=not day))


class Reader:
    """Somebody with a browser that runs no scripts."""

    def __init__(self, app, pen=None):
        from starlette.testclient import TestClient

        self.client = TestClient(app, base_url="http://localhost:8322", follow_redirects=True)
        if pen is not None:
            self.client.post("/join", data={"link": pen.code})

    def get(self, path="/", **asked):
        return self.client.get(path, params=asked or None)

    def post(self, path, form, page):
        """Send a form with the key that a page of this session has."""
        found = re.search(r'name="csrf" value="([^"]*)"', self.get(page).text)
        return self.client.post(path, data={"csrf": found[1] if found else "", **form})


@contextmanager
def opened(url, *, write=False, known=None, days=30):
    """Yield a store with evaluations, its dashboard, and the pen of those who may write."""
    with HistoryStore.open(url) as store:
        fill(store, days)
        pen = Pen() if write else None
        yield store, application(store, pen, gold=known), pen
