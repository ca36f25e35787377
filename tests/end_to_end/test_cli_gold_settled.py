"""`assay gold adjudicate` and `assay gold derive` as people type them."""

import json

import jsonschema
import pytest

import assay as library
from assay.report.schema import SCHEMAS

JUDGED = "query,item,judge,grade\n" + "".join(
    f"q{q},d{d},{judge},{int((d + q + (judge == 'eve' and d == 3)) % 2)}\n"
    for q in range(3)
    for d in range(4)
    for judge in ("ann", "bob", "eve")
)


@pytest.fixture
def run(assay, tmp_path):
    (tmp_path / "judged.csv").write_text(JUDGED)
    (tmp_path / "right.qrels").write_text("q0 0 d1 1\nq0 0 d3 1\nq1 0 d1 0\nq1 0 d2 1\n")
    (tmp_path / "bm25.run").write_text("".join(f"q{q} Q0 d{d} {d} {9 - d} bm25\n" for q in range(3) for d in range(4)))
    (tmp_path / "links.csv").write_text("left,right\na,b\nb,c\n")
    (tmp_path / "pairs.csv").write_text("query,item\na,c\na,z\n")
    return assay


def test_settled_grades_are_gold_that_evaluate_takes(run, tmp_path):
    done = run("gold", "adjudicate", "judged.csv", "--method", "majority", "--out", "gold.csv", "--queue", "again.csv")
    assert done.out == ""
    assert library.evaluate(tmp_path / "gold.csv", tmp_path / "bm25.run", "P@2").mean["P@2"] == pytest.approx(0.5)
    assert (tmp_path / "again.csv").read_text().splitlines()[0].startswith("query,item,grade")
    assert len((tmp_path / "again.csv").read_text().splitlines()) == 4


def test_qrels_are_written_and_what_is_open_is_said(run, tmp_path):
    (tmp_path / "two.csv").write_text("query,item,ann,bob\nq,a,1,1\nq,b,1,0\n")
    done = run("gold", "adjudicate", "two.csv", "-o", "trec")
    assert done.out == "q 0 a 1\n"
    assert "1 open pairs are left out" in done.err


def test_json_follows_the_schema_that_is_printed(run):
    done = run(
        "gold", "adjudicate", "judged.csv", "--check", "right.qrels", "--run", "bm25.run", "-m", "P@2", "-o", "json"
    )
    told = json.loads(done.out)
    jsonschema.validate(told, SCHEMAS["gold adjudicate"])
    assert (told["measure"], told["runs"]) == ("P@2", ["bm25"])
    assert told["checks"][0]["pairs"] == 4
    done = run("gold", "derive", "links.csv", "--same-as", "--pool", "pairs.csv", "-o", "json")
    jsonschema.validate(json.loads(done.out), SCHEMAS["gold derive"])


def test_the_table_names_judges_and_what_to_look_at_again(run):
    done = run("gold", "adjudicate", "judged.csv", "--no-color")
    assert all(word in done.out for word in ("ann", "JUDGES", "HOW TO READ THIS", "12 of 12 pairs settled"))


def test_derived_grades_are_gold_with_their_evidence(run):
    done = run("gold", "derive", "links.csv", "--same-as", "--pool", "pairs.csv", "-o", "csv")
    assert done.out.splitlines() == ["query,item,grade,rule,source,evidence", "a,c,1.0,chain,links.csv,2 links"]
    assert "1 pair without a grade" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gold", "adjudicate", "nowhere.csv"), "nowhere.csv"),
        (("gold", "adjudicate", "judged.csv", "--method", "mean"), "mean"),
        (("gold", "adjudicate", "judged.csv", "--smoothing", "0"), "smoothing"),
        (("gold", "adjudicate", "-", "--check", "-"), "standard input"),
        (("gold", "derive", "links.csv", "--same-as", "--sparql", "q.rq"), "found both"),
        (("gold", "derive", "nowhere.ttl"), "nowhere.ttl"),
    ],
)
def test_mistakes_exit_with_2_and_say_what_they_are(run, words, said):
    assert said in run(*words, expect=2).err


def test_the_ending_of_qrels_asks_for_qrels(assay, tmp_path):
    for judge, grade in (("ann", 1), ("bob", 1), ("eve", 0)):
        (tmp_path / f"{judge}.qrels").write_text(f"q 0 d {grade}\n")
    assay("gold", "adjudicate", "ann.qrels", "bob.qrels", "eve.qrels", "--out", "gold.qrels")
    assert (tmp_path / "gold.qrels").read_text().split() == ["q", "0", "d", "1"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("",), "expected a pool or --store"), (("none.csv",), "none.csv"),
        (("none.csv", "--certificate-key", "k.pem"), "expected --certificate beside it"),
    ],
)  # fmt: skip
def test_a_judging_that_cannot_begin_leaves_nothing(assay, tmp_path, args, said):
    done = assay("gold", "judge", *args, expect=2)
    assert said in done.err
    assert not list(tmp_path.glob("*.db"))
