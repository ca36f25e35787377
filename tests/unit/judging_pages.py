"""A judging project behind its pages, spoken to without a network."""

import re
from contextlib import contextmanager

from assay.core.judging import Guideline, Pair, Project
from assay.judging.app.application import application
from assay.judging.app.joining import Start
from assay.store.judging import JudgingStore

HIDDEN = re.compile(r'name="(csrf|number|key)" value="([^"]*)"')


class Reader:
    """Somebody with a browser that runs no scripts."""

    def __init__(self, app, token=None, **options):
        from starlette.testclient import TestClient

        self.client = TestClient(app, base_url="http://localhost:8321", follow_redirects=True, **options)
        if token is not None:
            self.client.post("/join", data={"link": token})

    def get(self, path="/", **more):
        return self.client.get(path, **more)

    def post(self, path, form=None, page="/", **more):
        """Send a form with the key that a page of this session has."""
        found = re.search(r'name="csrf" value="([^"]*)"', self.get(page).text)
        return self.client.post(path, data={"csrf": found[1] if found else "", **(form or {})}, **more)

    def fields(self, page="/"):
        """Return the hidden fields of the form for one pair."""
        return dict(HIDDEN.findall(self.get(page).text.split('id="undoing"')[0]))

    def decide(self, decision, **more):
        """Press a button on the page of one pair."""
        return self.client.post("/judge", data={**self.fields(), "decision": decision, **more})


def pairs(queries=2, items=6, **fields):
    return [
        Pair(f"q{q}", f"d{q}-{d}", f"question {q}", "the need", {"title": f"title {q}-{d}", "text": "words", **fields})
        for q in range(queries)
        for d in range(items)
    ]


@contextmanager
def opened(url, given=None, names=(), **terms):
    """Yield a store with a project, and its app with the link of its start."""
    store = JudgingStore.open(url)
    project = Project("first", guideline=Guideline(1, "Look at the need."), **terms)
    store.create(project, pairs() if given is None else given)
    start = Start(store, "ann")
    try:
        yield store, application(store, start, names), start
    finally:
        store.close()
