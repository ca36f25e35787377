"""`assay worklist` as people run it: what to judge next."""

import json

import jsonschema
import pytest

from assay.report.schema import SCHEMAS


@pytest.fixture
def two(small):
    (small / "b.run").write_text("q1 Q0 x 1 2 t\nq1 Q0 u 2 1 t\nq2 Q0 w 1 9 t\nq2 Q0 z 2 5 t\n")
    return small


def test_what_could_move_the_difference_of_two_runs(assay, two):
    done = assay("worklist", "gold.qrels", "a.run", "b.run", "-m", "P@2")
    assert done.out.splitlines() == [
        "JUDGE NEXT: unjudged items that could move the difference between a and b by P@2",
        "  most, and where they stand",
        "item  query  moves by  in a  in b",
        "─────────────────────────────────",
        "u     q1      0.25000     -     2",
    ]


def test_forms(assay, two):
    asked = ("worklist", "gold.qrels", "a.run", "b.run", "-n", "1")
    document = json.loads(assay(*asked, "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["worklist"])
    assert document["work"] == [{"query": "q2", "item": "w", "gain": 0.25, "ranks": [2.0, 1.0]}]
    assay(*asked, "--out", "todo.csv")
    assert (two / "todo.csv").read_text() == "query,item,gain,rank in a,rank in b\nq2,w,0.25,2.0,1.0\n"


def test_a_gold_that_is_complete(assay, small):
    (small / "gold.qrels").write_text("q1 0 x 1\nq1 0 y 0\nq2 0 z 2\nq2 0 w 0\n")
    done = assay("worklist", "gold.qrels", "a.run")
    assert done.out == "Nothing to judge: no unjudged item near the top of a could move AP.\n"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["-n", "0"], "most: expected a whole number of at least 1, found 0"),
        (["-m", "P@{1,5}"], "expected one to judge items for, found 2"),
        (["-m", "GMAP"], "a work-list needs a mean over queries"),
        (["a.run", "a.run"], "runs: expected one run or two, found 3"),
        (["--ties", "range"], "found --ties range"),
    ],
)
def test_mistakes_are_said(assay, small, asked, said):
    assert said in assay("worklist", "gold.qrels", "a.run", *asked, expect=2).err
