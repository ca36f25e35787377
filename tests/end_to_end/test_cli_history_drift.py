"""`assay history drift`, as a nightly job and as a newcomer use it."""

import csv
import io
import json
from datetime import UTC, datetime

import jsonschema
import numpy as np
import pytest
from tests.unit.nights import names, night

from assay import evaluate, read_gold, read_run
from assay.history.record import record
from assay.report.schema import SCHEMAS
from assay.store.evaluations import HistoryStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")

QUERIES = tuple(f"q{n:02}" for n in range(40))


@pytest.fixture
def followed(tmp_path):
    """Return a folder with a store of 45 nights, of which the last five fell."""
    random = np.random.default_rng(0)
    base = random.uniform(0.3, 0.9, 40)
    groups = {"lang": {query: "de" if at % 4 else "en" for at, query in enumerate(names(40))}}
    with HistoryStore.open(str(tmp_path / "h.db")) as store:
        for day in range(45):
            store.add(night(day, base + random.normal(0, 0.01) - 0.05 * (day >= 40), groups=groups))
    return tmp_path


def add(assay, day, run, gold="gold.qrels"):
    time = ("--time", f"2026-03-{day:02}", "--code", "def", "--name", "good")
    return assay("history", "add", gold, run, "--store", "n.db", "--suite", "web", "-m", "P@1 RR", *time)


@pytest.fixture
def nightly(assay, tmp_path):
    """Add nights of real files: the same answers, then half of them lost; then another gold."""
    qrels = [f"{query} 0 {item} {int(item != 'z')}" for query in QUERIES for item in ("a", "b", "z")]
    (tmp_path / "gold.qrels").write_text("\n".join(qrels) + "\n")
    (tmp_path / "new.qrels").write_text("\n".join(row for row in qrels if " b " not in row) + "\n")

    def write(name, first):
        rows = [f"{query} Q0 {item} {rank} {9 - rank} s"
                for at, query in enumerate(QUERIES)
                for rank, item in enumerate([first(at), "x", "a"], 1)]  # fmt: skip
        (tmp_path / name).write_text("\n".join(rows) + "\n")

    write("good.run", lambda _: "b")
    write("bad.run", lambda at: "b" if at % 2 else "y")
    gold, run = read_gold(str(tmp_path / "gold.qrels")), read_run(str(tmp_path / "good.run"))
    with HistoryStore.open(str(tmp_path / "n.db")) as store:
        for day in range(1, 6):
            time = datetime(2026, 3, day, tzinfo=UTC)
            found = evaluate(gold, run, "P@1 RR")
            store.add(record(found, suite="web", gold=gold, run=run, time=time, code="abc"))
    return assay


def squeezed(text):
    return " ".join(text.split())


def test_an_alarm_is_1_and_says_what_fell_when_and_why(assay, followed):
    done = assay("history", "drift", "--store", "h.db", expect=1)
    head = squeezed(done.out)
    assert head.startswith("ALARM: nDCG@10 fell from 0.")
    assert "on 2026-02-10: quality on the same queries, not the query mix (no change) nor the gold (no change)" in head
    assert max(map(len, done.out.splitlines())) <= 80
    for section in ("SERIES", "CHANGES OF LEVEL", "WHAT CHANGED", "BY lang", "CAUSES", "WORST QUERIES", "HOW TO READ"):
        assert section in done.out


def test_no_alarm_is_0_and_says_what_would_have_been_found(assay, followed):
    done = assay("history", "drift", "--store", "h.db", "--baseline-points", "5", "--since", "2026-02-10", expect=3)
    assert done.out.startswith("CANNOT DECIDE: expected 6 evaluations or more")
    with HistoryStore.open(str(followed / "quiet.db")) as store:
        for day in range(20):
            store.add(night(day, np.full(10, 0.5) + np.random.default_rng(day).normal(0, 0.02)))
    done = assay("history", "drift", "--store", "quiet.db")
    assert done.out.startswith("NO ALARM: nDCG@10 did not fall beyond chance (20 evaluations)")
    assert "would be found in a median of" in squeezed(done.out)


@pytest.mark.parametrize("by", [(), ("--by", "lang"), ("--by", "slice")])
def test_the_json_is_as_its_schema_says(assay, followed, by):
    done = assay("history", "drift", "--store", "h.db", *by, "-o", "json", expect=1)
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["history drift"])
    assert document == json.loads(assay("history", "drift", "--store", "h.db", *by, "-o", "json", expect=1).out)
    assert len(document["series"]) == (3 if by else 1)
    assert document["exit_code"] == 1


def test_tables_have_a_row_for_each_point(assay, followed):
    rows = list(csv.DictReader(io.StringIO(assay("history", "drift", "--store", "h.db", "-o", "csv", expect=1).out)))
    assert len(rows) == 45
    assert rows[40]["new_level"] == "true"
    assay("history", "drift", "--store", "h.db", "--out", "drift.md", "-o", "markdown", expect=1)
    assert (followed / "drift.md").read_text().startswith("## ALARM: nDCG@10 fell")


def test_a_night_that_lost_half_of_the_answers_and_why(nightly, tmp_path):
    add(nightly, 6, "bad.run")
    (tmp_path / "ids.txt").write_text("a\nx\ny\n")
    done = nightly(
        "history", "drift", "--store", "n.db", "--measure", "P@1", "--gold", "gold.qrels", "--corpus-items", "ids.txt",
        "-o", "json", expect=1,
    )  # fmt: skip
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["history drift"])
    (change,) = document["changes"]
    assert {part["name"]: part["change"] for part in change["parts"]} == {"query mix": 0, "gold": 0, "quality": -0.5}
    assert change["quality"]["significance"]["p"] == pytest.approx(2 * 0.5**20)
    assert change["judged"] == {"k": 10, "before": pytest.approx(2 / 3), "now": pytest.approx(1 / 2), "source": "head"}
    assert document["attribution"]["causes"] == [{"cause": "gone", "queries": 20, "contribution": pytest.approx(-0.5)}]
    assert document["attribution"]["movers"][0]["places"][0] == {"item": "b", "before": 1, "now": None, "grade": 1}
    unknown = nightly("history", "drift", "--store", "n.db", "--measure", "P@1", expect=1)
    assert "code abc → def; b 1 → below 10" in squeezed(unknown.out)


def test_another_gold_is_told_from_the_answers(nightly):
    add(nightly, 6, "good.run", "new.qrels")
    done = nightly("history", "drift", "--store", "n.db", "--measure", "P@1", "--gold", "new.qrels", expect=1)
    assert ": the gold, not the query mix (no change) nor quality on the same queries (no change)" in squeezed(done.out)
    assert "the gold changed" in done.out
    alone = nightly("history", "drift", "--store", "n.db", "--measure", "P@1", expect=1)
    assert "gold or quality, which cannot be told apart" in squeezed(alone.out)
    wrong = nightly("history", "drift", "--store", "n.db", "--gold", "gold.qrels", expect=2)
    assert "gold: expected the gold of evaluation 6" in wrong.err


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--suite", "wbe"), "no suite is called 'wbe'. Did you mean 'web'?"),
        (("--measure", "ndcg"), "no measure is called 'ndcg'"),
        (("--by", "lnag"), "no slice is called 'lnag'. Did you mean 'lang'?"),
        (("--method", "cusun"), "no method is called 'cusun'. Did you mean 'cusum'?"),
        (("--alpha", "0.9"), "alpha: expected 0.002 to 0.5, found 0.9"),
        (("--alpha", "much"), "--alpha: expected a number, found 'much'"),
        (("--baseline-points", "2"), "baseline points: expected 5 or more, found 2"),
        (("--horizon", "0"), "--horizon: expected a whole number of at least 1"),
        (("--since", "soon"), "--since: expected a time"),
        (("--corpus-items", "none.txt"), "none.txt: expected a file, found an error"),
        (("--drift", "h.db"), "h.db: expected text in UTF-8, found other bytes"),
        (("-o", "junit"), "no output is called 'junit'"),
    ],
)
def test_a_mistake_is_2_and_one_line(assay, followed, option, said):
    done = assay("history", "drift", "--store", "h.db", *option, expect=2)
    assert said in done.err
    assert "Traceback" not in done.err


def test_no_store_is_2(assay, followed):
    assert "none.db" in assay("history", "drift", "--store", "none.db", expect=2).err
