"""`assay gold agree` as people run it."""

import json
from io import StringIO

import jsonschema
import polars as pl
import pytest

from assay.report.schema import SCHEMAS


@pytest.fixture
def judged(tmp_path):
    """Two judges of ten pairs of two queries, and two runs."""
    grades = {"ann": "2210011020", "bob": "2110012000"}
    for judge, said in grades.items():
        lines = [f"q{place // 5} 0 d{place} {grade}" for place, grade in enumerate(said)]
        (tmp_path / f"{judge}.qrels").write_text("\n".join(lines) + "\n")
    for run, order in (("up", "0123456789"), ("down", "9876543210")):
        lines = [f"q{int(item) // 5} Q0 d{item} 0 {10 - place} {run}" for place, item in enumerate(order)]
        (tmp_path / f"{run}.run").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_two_files_of_two_judges(assay, judged):
    done = assay("gold", "agree", "ann.qrels", "bob.qrels")
    assert done.out.startswith("2 judges; 10 of 10 pairs were graded by two or more; 2 queries\n")
    for line in ("ALL JUDGES TOGETHER", "CONFUSION: grades of ann (rows) by those of bob (columns)", "HOW TO READ"):
        assert line in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.err == ""


def test_json_follows_its_schema_and_names_what_runs_would_do(assay, judged):
    asked = ("--run", "up.run", "--run", "down.run", "-m", "P@2 RR", "--seed", "7", "-o", "json")
    document = json.loads(assay("gold", "agree", "ann.qrels", "bob.qrels", *asked).out)
    jsonschema.validate(document, SCHEMAS["gold agree"])
    assert document["command"][:2] == ["gold", "agree"]
    assert [one["measure"] for one in document["effect"]] == ["P@2", "RR"]
    assert document["between"][0]["percent"]["value"] == 0.7
    assert document["overall"]["alpha_ordinal"]["interval"]["seed"] == 7


def test_one_file_with_a_column_for_the_judge(assay, judged):
    tables = [pl.read_csv(judged / f"{judge}.qrels", separator=" ", has_header=False) for judge in ("ann", "bob")]
    rows = pl.concat(
        table.select(query=table.columns[0], item=table.columns[2], who=pl.lit(judge), grade=table.columns[3])
        for table, judge in zip(tables, ("ann", "bob"), strict=True)
    )
    rows.write_csv(judged / "both.csv")
    done = assay("gold", "agree", "both.csv", "--judge-column", "who", "-o", "csv")
    frame = pl.read_csv(StringIO(done.out))
    assert frame.select("first", "second", "pairs", "percent").rows() == [("ann", "bob", 10, 0.7)]
    assert frame["kappa_low"][0] < frame["kappa"][0] < frame["kappa_high"][0]
    assert "few" not in done.err


def test_intervals_can_be_left_out(assay, judged):
    document = json.loads(assay("gold", "agree", "ann.qrels", "bob.qrels", "--level", "none", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["gold agree"])
    assert document["overall"]["percent"] == {"value": 0.7, "low": None, "high": None, "interval": None}


def test_markdown_and_a_file(assay, judged):
    assay("gold", "agree", "ann.qrels", "bob.qrels", "--out", "agreement.md")
    assert "## MOST DISPUTED PAIRS" in (judged / "agreement.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("ann.qrels",), "expected two judges or more, found ann"),
        (("ann.qrels", "bob.qrels", "--reference", "bab"), "no judge is called 'bab'. Did you mean 'bob'"),
        (("ann.qrels", "bob.qrels", "--alpha", "metric"), "no level is called 'metric'"),
        (("ann.qrels", "bob.qrels", "--run", "up.run"), "expected two or more to put into an order"),
        (("ann.qrels", "bob.qrels", "--scale", "0,x"), "--scale: expected a number, found 'x'"),
        (("ann.qrels", "nobody.qrels"), "nobody.qrels: expected a file, found nothing of that name"),
    ],
    ids=["one-judge", "reference", "alpha", "one-run", "scale", "no-file"],
)
def test_what_is_wrong_is_said_in_one_line(assay, judged, asked, message):
    assert message in assay("gold", "agree", *asked, expect=2).err


def test_the_help_names_the_conventions_of_runs(assay):
    shown = assay("gold", "agree", "--help").out
    for option in ("--reference", "--over-time", "--unit", "--ties", "--rel"):
        assert option in shown
