"""`assay explain` as people run it."""

import json

import jsonschema
import pytest

from assay.report.schema import SCHEMAS


@pytest.fixture
def two(small):
    (small / "b.run").write_text("q1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\nq2 Q0 w 1 9 t\nq2 Q0 z 2 5 t\n")
    return small


def test_one_query_place_by_place(assay, small):
    done = assay("explain", "gold.qrels", "a.run", "--query", "q1")
    assert done.out.splitlines() == [
        "Query q1: AP 0.5000 in run a",
        "",
        "1 of 1 relevant item among 2 retrieved. An ideal ranking has 1.0000.",
        "",
        "rank  item  grade  contribution            so far  if relevant",
        "──────────────────────────────────────────────────────────────",
        "   1  y         0             0            0.0000       1.0000",
        "   2  x         1        0.5000  ████████  0.5000",
        "",
        "How to read it: a place contributes what the value gains when the ranking is",
        "  read one place further; the contributions sum to the value. 'If relevant' is",
        "  what the value would be if that item were judged relevant.",
        "",
        "Policy: ties id-desc, missing zero, empty zero.",
    ]
    assert done.err == ""


def test_without_a_query_the_worst_is_explained_and_named(assay, small):
    done = assay("explain", "gold.qrels", "a.run")
    assert "Query q1: AP 0.5000" in done.out
    assert done.err == "Note: the worst query of 2 by AP (of equal ones the first by id); --query names another.\n"
    assert "q2" in assay("explain", "gold.qrels", "a.run", "--worst", "2", "--quiet").out


def test_two_runs_are_explained_by_what_moved(assay, two):
    done = assay("explain", "gold.qrels", "a.run", "b.run", "-m", "nDCG@10")
    assert "Query q1: nDCG@10 0.6309 -> 1.0000 (+0.3691)" in done.out
    assert "x         1     2 -> 1  0.6309  1.0000  +0.3691  ████████" in done.out
    assert "the most changed query of 2 by nDCG@10" in done.err


def test_a_note_about_one_of_two_runs_says_which(assay, two):
    (two / "b.run").write_text("q1 Q0 x 1 2 t\n")
    done = assay("explain", "gold.qrels", "a.run", "b.run", "--query", "q2")
    assert "Note (after): The run does not answer this query" in done.out


@pytest.mark.parametrize("runs", [["a.run"], ["a.run", "b.run"]])
def test_json_follows_its_schema(assay, two, runs):
    document = json.loads(assay("explain", "gold.qrels", *runs, "--worst", "2", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["explain"])
    assert [len(document["explanations"]), len(document["changes"])] == ([2, 0] if len(runs) == 1 else [0, 2])
    for one in document["explanations"]:
        total = one["start"] + sum(place["contribution"] for place in one["places"]) + one["rest"]
        assert total == pytest.approx(one["value"])


def test_markdown_is_a_table(assay, two):
    assay("explain", "gold.qrels", "a.run", "--query", "q1", "--out", "why.md")
    page = (two / "why.md").read_text(encoding="utf-8")
    assert "| rank | item | grade | contribution |  | so far | if relevant |" in page
    assert "| 2 | x | 1 | 0.5000 | ████████ | 0.5000 |  |" in page


def test_ids_are_shown_and_never_obeyed(assay, small):
    (small / "gold.qrels").write_text("q1 0 a\u202e|b 1\n")
    (small / "a.run").write_text("q1 Q0 a\u202e|b 1 2 s\nq1 Q0 " + "x" * 200 + " 2 1 s\n")
    done = assay("explain", "gold.qrels", "a.run")
    assert "\u202e" not in done.out
    assert r"a\u202e|b" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert r"a\\u202e\|b" in assay("explain", "gold.qrels", "a.run", "-o", "markdown").out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--query", "q3"], "no query of the gold is called 'q3'. Did you mean 'q2'?"),
        (["-m", "P@{1,5}"], "expected one to explain, found 2"),
        (["--query", "q1", "--worst", "2"], "expected --query or --worst, found both"),
        (["--worst", "0"], "expected a number of at least 1, found 0"),
        (["--places", "many"], "expected a whole number, found 'many'"),
        (["--places", "0"], "expected a number of at least 1, found 0"),
        (["--places", "0", "-m", "P@1"], "Error: places"),
        (["-m", ""], "measures: expected one or more, found none"),
        (["--weights", "w.csv"], "No such option: --weights"),
        (["--ties", "range"], "found --ties range"),
        (["a.run", "a.run"], "expected one run or two, found 3"),
    ],
)
def test_mistakes_are_said(assay, small, asked, said):
    done = assay("explain", "gold.qrels", "a.run", *asked, expect=2)
    assert said in done.err
    assert "Note:" not in done.err


def test_help_offers_only_what_is_taken(assay):
    assert "--weights" not in assay("explain", "--help").out
    assert "--weights" in assay("worklist", "--help").out


def test_infinite_scores_are_no_numbers_in_json(assay, small):
    (small / "a.run").write_text("q1 Q0 y 1 inf s\nq1 Q0 x 2 nan s\n")
    document = json.loads(assay("explain", "gold.qrels", "a.run", "--nan", "worst", "--query", "q1", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["explain"])
    assert [place["score"] for place in document["explanations"][0]["places"]] == [None, None]


def test_a_query_without_a_relevant_item_says_why_it_has_no_value(assay, small):
    (small / "gold.qrels").write_text("q1 0 x 0\nq2 0 z 2\n")
    done = assay("explain", "gold.qrels", "a.run", "--query", "q1")
    assert "Query q1: AP has no value in run a" in done.out
    assert "holds no relevant item for this query" in " ".join(done.out.split())


def test_a_narrow_terminal(assay, demo):
    gold, run = demo / "gold.qrels", demo / "vdb.run"
    done = assay("explain", gold, run, COLUMNS="60")
    assert max(map(len, done.out.splitlines())) <= 60
