"""`assay gold export`: from judgments in a store to gold that is evaluated with, version after version."""

import csv
import hashlib
import json

import jsonschema
import pytest

from assay.core.judging import CORRECT, Pair, Project, Verdict
from assay.graph.accuracy.label_file import read_labels
from assay.report.schema import SCHEMAS
from assay.store.judging import JudgingStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")


@pytest.fixture
def judged(tmp_path):
    """A store in which two judges said something of pairs that a run answers."""
    store = JudgingStore.open(str(tmp_path / "judging.db"))
    store.create(Project("search", judgments=2), [Pair(f"q{n % 2}", f"d{n}") for n in range(6)])
    for judge, grades in {"ann": (3, 0, 2), "bob": (3, 1, 2)}.items():
        store.invite(judge)
        for number, grade in enumerate(grades, 1):
            store.record(judge, number, Verdict("grade", f"{judge}{number}", float(grade), note="=1+1"))
    store.close()
    (tmp_path / "a.run").write_text("q0 Q0 d0 1 3 s\nq0 Q0 d2 2 2 s\nq1 Q0 d1 1 1 s\n")
    return tmp_path


def test_gold_goes_out_with_its_version_and_is_evaluated_with(assay, judged):
    done = assay("gold", "export", "--store", "judging.db", "--out", "gold.qrels")
    assert (judged / "gold.qrels").read_text() == "q0 0 d0 3\nq0 0 d2 2\nq1 0 d1 0\n"
    digest = hashlib.sha256((judged / "gold.qrels").read_bytes()).hexdigest()
    assert "gold.qrels: version 1, 3 judgments of project search" in done.out
    assert digest in done.out
    assert "1 pair has judges who are split" in " ".join(done.out.split())
    assert max(map(len, done.out.splitlines())) <= 80
    result = json.loads(assay("evaluate", "gold.qrels", "a.run", "-m", "P@1", "-o", "json").out)
    history = json.loads((judged / "gold.qrels.history.json").read_text())
    assert result["gold"]["sha256"] == history["versions"][0]["sha256"] == digest


def test_versions_follow_and_say_what_changed(assay, judged):
    how = ["gold", "export", "--store", "judging.db", "--out", "gold.csv"]
    assay(*how)
    assert "still version 1" in assay(*how).out
    (judged / "more.csv").write_text("query,item,judge,grade\nq1,d3,ann,1\nq1,d1,eve,1\nq9,d9,eve,1\n")
    done = assay(*how, "--add", "more.csv", "-o", "json")
    assert "more.csv: 2 judgments recorded, 0 known or older, 1 of pairs" in done.err
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["gold export"])
    assert (document["version"], document["counts"]) == (2, {"added": 1, "withdrawn": 0, "changed": 1})
    assert document["changes"] == [
        {"query": "q1", "item": "d1", "before": 0.0, "after": 1.0},
        {"query": "q1", "item": "d3", "before": None, "after": 1.0},
    ]
    listed = assay(*how[:4], "--since", "more.csv", "-o", "csv").out.splitlines()
    assert listed[0] == "query,item,change,before,after"
    assert "q9,d9,withdrawn,1.0," in listed
    shown = assay(*how[:4], "--since", "more.csv", "-o", "markdown").out
    assert "SINCE more.csv: 2 added, 1 withdrawn" in shown.replace("\\", "")
    assert "NOT WRITTEN" in shown.replace("\\", "")


def test_what_each_judge_said_goes_out_and_comes_in_elsewhere(assay, judged):
    done = assay("gold", "export", "--store", "judging.db", "--labels", "labels.csv")
    assert "labels.csv: 6 judgments of 2 judges" in done.err
    assert done.out == ""
    with (judged / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["note"] for row in rows} == {"'=1+1"}
    other = JudgingStore.open(str(judged / "other.db"))
    other.create(Project("other"), [Pair("q0", "d0"), Pair("q0", "d2")])
    other.close()
    done = assay("gold", "export", "--store", "other.db", "--add", "labels.csv", "--out", "o.jsonl")
    assert "4 judgments recorded, 0 known or older, 2 of pairs" in done.err
    assert [json.loads(line)["grade"] for line in (judged / "o.jsonl").read_text().splitlines()] == [3, 2]


def test_a_sample_of_a_graph_is_filled_and_estimated(assay, tmp_path):
    (tmp_path / "g.ttl").write_text("".join(f"<http://x/s{n}> <http://x/p> <http://x/o{n}> .\n" for n in range(40)))
    assay("graph", "sample", "g.ttl", "--size", "20", "--out", "sample.csv")
    rows = read_labels(tmp_path / "sample.csv").rows
    store = JudgingStore.open(str(tmp_path / "judging.db"))
    store.create(
        Project("facts", "triple", CORRECT, overlap=0), [Pair(one.statement[0], name) for name, one in rows.items()]
    )
    store.invite("ann")
    while (task := store.next("ann")) is not None:
        store.record("ann", task.number, Verdict("grade", str(task.number), float(task.number % 4 > 0)))
    store.close()
    done = assay("gold", "export", "--store", "judging.db", "--sample", "sample.csv")
    assert "sample.csv: filled" in done.err
    found = json.loads(assay("graph", "estimate", "sample.csv", "-o", "json").out)
    assert (found["judged"], found["right"], found["open"]) == (20, 15, 0)


def test_mistakes_give_one_line_and_leave_nothing(assay, judged):
    def refused(*how):
        return assay("gold", "export", *how, expect=2).err

    assert "none.db: expected a database, found no such file" in refused("--store", "none.db")
    assert "expected sqlite:/// or postgresql://, found mysql" in refused("--store", "mysql://a:secret@b/c")
    assert "no rule is called 'mean'" in refused("--store", "judging.db", "--rule", "mean")
    assert "expected a database" in refused("--store", "a.run")
    assert "no output is called" in refused("--store", "judging.db", "-o", "nonsense")
    (judged / "wrong.csv").write_text("query,item,judge,grade\nq0,d4,zoe,9\n")
    assert "expected a grade of 0, 1, 2, 3, found 9" in refused("--store", "judging.db", "--add", "wrong.csv")
    (judged / "mine.qrels").write_text("q0 0 d0 1\n")
    assert "expected a new file" in refused("--store", "judging.db", "--out", "mine.qrels")
    assert "expected a folder to write into" in refused("--store", "judging.db", "--out", "none/gold.qrels")
    left = {path.name for path in judged.iterdir()}
    assert left - {"judging.db-wal", "judging.db-shm"} == {"judging.db", "a.run", "wrong.csv", "mine.qrels"}
    assert (judged / "mine.qrels").read_text() == "q0 0 d0 1\n"
