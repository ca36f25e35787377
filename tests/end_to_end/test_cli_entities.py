"""`assay entities` as people run it."""

import hashlib
import json

import jsonschema
import polars as pl
import pytest

from assay.report.schema import SCHEMAS

FILES = {
    "truth.csv": "record,entity\nr1,A\nr2,A\nr3,A\nr4,B\nr5,B\nr6,C\nr7,\n",
    "lists.csv": "record,candidate,score\nr1,r1,1\nr1,r2,.9\nr1,r4,.8\nr1,r3,.7\nr2,r1,.9\nr2,r3,.6\nr3,r4,.9\n"
    "r3,r1,.5\nr4,r5,.9\nr4,r7,.4\nr5,r7,.9\nr5,r4,.8\n",
    "scored.tsv": "unique_id_l\tunique_id_r\tmatch_probability\nr1\tr2\t.9\nr1\tr4\t.8\nr3\tr2\t.7\n"
    "r4\tr5\t.95\nr6\tr7\t.2\n",
    "blocked.csv": "left,right\nr1,r2\nr3,r2\nr4,r6\n",
    "clusters.csv": "cluster_id,unique_id\n1,r1\n1,r2\n2,r3\n3,r4\n3,r5\n3,r6\n4,r7\n",
    "later.csv": "cluster_id,unique_id\n1,r1\n1,r2\n1,r3\n3,r4\n3,r5\n3,r6\n4,r7\n",
    "sources.csv": "record,source\nr1,a\nr2,b\nr3,b\nr4,a\nr5,b\nr6,a\nr7,b\n",
    "mentions.csv": "mention,entity\nm1,Q1\nm2,NIL\nm3,Q2\n",
    "answers.csv": "mention,candidate,score\nm1,Q1,.5\nm1,Q2,.4\nm3,Q1,.4\nm3,NIL,.2\n",
}


@pytest.fixture
def told(assay, tmp_path):
    """Run `assay entities VERB` in a folder with the files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return lambda *args, **options: assay("entities", *args, **options)


def valid(text, verb):
    document = json.loads(text)
    jsonschema.validate(document, SCHEMAS[f"entities {verb}"])
    return document


def test_lists_as_a_table(told):
    done = told("evaluate", "truth.csv", "lists.csv", "-m", "P@2 R@2 Complete@2")
    for line in (
        "truth.csv: 7 records, 6 with a label, 3 entities, 4 true pairs. Asked for: all",
        "P@2         0.5000",
        "Complete@2  0.6000",
        "Complete@2 is the share of records with all their true matches among the first 2",
        "lists     1.0000  0.6667  0.6190  0.7647      8          3",
    ):
        assert line in done.out
    assert "Note: lists: 1 record carries no label" in done.err
    assert "1 of 6 records have no true match: nothing found in P@k, left out elsewhere." in done.err
    assert max(map(len, done.out.splitlines())) <= 80
    assert told("evaluate", "truth.csv", "lists.csv", "--quiet").err == ""


def test_every_kind_as_json(told):
    done = told("evaluate", "truth.csv", "lists.csv", "scored.tsv", "blocked.csv", "clusters.csv", "-o", "json")
    document = valid(done.out, "evaluate")
    assert document["command"][:2] == ["entities", "evaluate"]
    assert [run["kind"] for run in document["runs"]] == ["lists", "scored pairs", "pairs", "clusters"]
    assert document["runs"][0]["measures"]["R@5"]["mean"] == pytest.approx(0.9)
    assert document["runs"][3]["clusters"]["pairwise"]["precision"] == 0.5
    assert document["runs"][3]["per_query"]["r3"]["B3-R"] == pytest.approx(1 / 3)
    digests = [hashlib.sha256(FILES[name].encode()).hexdigest() for name in ("truth.csv", "lists.csv", "clusters.csv")]
    assert [document["gold"]["sha256"], *(document["runs"][place]["sha256"] for place in (0, 3))] == digests
    assert document["mode"] == "dedupe"


def test_a_scorer_behind_blocking_between_sources(told):
    done = told(
        "evaluate", "truth.csv", "scored.tsv", "--blocked", "blocked.csv", "--sources", "sources.csv",
        "--threshold", "0.75", "--by", "source", "-o", "json",
    )  # fmt: skip
    document = valid(done.out, "evaluate")
    assert document["mode"] == "both"
    scorer = document["runs"][0]["scorer"]
    assert (scorer["blocking_recall"], scorer["scorer_recall"], scorer["end_to_end_recall"]) == (0.5, 0.5, 0.5)
    assert {(one["left"], one["right"]) for one in document["runs"][0]["records"]["by_sources"]} == {
        ("a", "b"), ("b", "a"), ("b", "b")
    }  # fmt: skip
    assert document["slices"][0]["groups"] == {"a": 3, "b": 3}


def test_mentions(told):
    done = told("evaluate", "mentions.csv", "answers.csv", "-m", "P@1 RR")
    assert "answers     0.6667       0.5000  1.0000         1.0000" in done.out
    document = valid(told("evaluate", "mentions.csv", "answers.csv", "-o", "json").out, "evaluate")
    assert document["runs"][0]["linking"]["accuracy_known"] == 0.5


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_rows_hold_every_figure(told, tmp_path, form):
    told("evaluate", "truth.csv", "lists.csv", "clusters.csv", "--out", f"found.{form}", "--interval", "0.9")
    path = tmp_path / f"found.{form}"
    table = pl.read_parquet(path) if form == "parquet" else pl.read_csv(path, separator="\t" if form == "tsv" else ",")
    assert table.columns == ["run", "measure", "mean", "queries", "undefined", "low", "high"]
    figures = {(run, measure): mean for run, measure, mean, *_ in table.iter_rows()}
    assert figures["lists", "R@5"] == pytest.approx(0.9)
    assert figures["lists", "blocking.pair_quality"] == pytest.approx(2 / 3)
    assert figures["clusters", "clusters.muc.recall"] == pytest.approx(2 / 3)


def test_other_forms(told, tmp_path):
    assert told("evaluate", "truth.csv", "lists.csv", "-m", "R@2", "-o", "markdown").out.startswith(
        "| measure | lists |"
    )
    assert r"\toprule" in told("evaluate", "truth.csv", "lists.csv", "-m", "R@2", "-o", "latex").out
    rows = told("evaluate", "truth.csv", "lists.csv", "-m", "R@2", "-q", "-o", "csv").out.splitlines()
    assert rows[:2] == ["run,measure,query,value", "lists,R@2,r1,0.5"]
    tied = told("evaluate", "truth.csv", "blocked.csv", "-m", "R@1", "--ties", "range").out
    assert "R@1      0.3000 [0.3000, 0.3000]" in tied
    told("evaluate", "truth.csv", "lists.csv", "-m", "R@2", "--by", "size", "--out", "page.html")
    assert "R@2" in (tmp_path / "page.html").read_text()
    done = told("evaluate", "truth.csv", "lists.csv", "clusters.csv", "-o", "html", expect=2)
    assert "html: expected lists, or pairs all with scores or all without, found lists, clusters" in done.err


def test_the_conventions_are_those_of_entity_resolution(told):
    text = " ".join(told("evaluate", "--help").out.split())
    for said in (
        "--self-match VALUE Default: drop.",
        "--empty VALUE Default: skip.",
        "--duplicates VALUE Default: best.",
    ):
        assert said in text
    kept = told("evaluate", "truth.csv", "lists.csv", "-m", "P@1", "--self-match", "keep", "-o", "json").out
    assert json.loads(kept)["policy"]["self_match"] == "keep"


def test_compare(told):
    done = told("compare", "truth.csv", "lists.csv", "scored.tsv", "-m", "R@2 Complete@2", "-o", "json")
    document = valid(done.out, "compare")
    assert document["comparison"]["baseline"] == "lists"
    assert "VERDICT by B3-F1" in told("compare", "truth.csv", "clusters.csv", "later.csv").out
    assert "expected one rule for tied items" in told(
        "compare", "truth.csv", "clusters.csv", "later.csv", "--ties", "range", expect=2
    ).err  # fmt: skip


def test_explain(told):
    done = told("explain", "truth.csv", "lists.csv", "--record", "r1", "-m", "R@2")
    assert done.out.startswith("Query r1: R@2 0.5000 in run lists")
    assert "r3        1     3             1.0000" in done.out
    valid(told("explain", "truth.csv", "lists.csv", "scored.tsv", "-o", "json").out, "explain")
    assert "expected lists, or pairs" in told("explain", "truth.csv", "clusters.csv", expect=2).err


def test_report(told, tmp_path):
    told("report", "truth.csv", "lists.csv", "scored.tsv", "--by", "size", "--out", "page.html")
    assert "Complete@10" in (tmp_path / "page.html").read_text()
    assert "found no --out" in told("report", "truth.csv", "lists.csv", expect=2).err


def test_churn(told):
    done = told("churn", "clusters.csv", "later.csv")
    assert done.out.startswith("clusters.csv -> later.csv: 7 records in both")
    assert "merged          2      1        3  several became one" in done.out
    document = valid(told("churn", "clusters.csv", "later.csv", "-o", "json").out, "churn")
    assert document["pairs"] == {"kept": 4, "parted": 0, "joined": 2, "possible": 21}


def test_estimate(told, tmp_path):
    done = told("estimate", "truth.csv", "clusters.csv", "--population", "5")
    assert "3 true clusters with 6 records, of 5 (60.0 %)" in done.out
    (tmp_path / "weights.csv").write_text("entity,weight\nA,1\nB,1\nC,2\n")
    args = ("truth.csv", "clusters.csv", "--weights", "weights.csv", "-o", "json")
    document = valid(told("estimate", *args).out, "estimate")
    assert document["design"] == "weights"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("evaluate", "truth.csv", "nothing.csv"), "nothing.csv: expected a file, found nothing of that name"),
        (("evaluate", "lists.csv", "lists.csv"), "lists: expected true clusters or pairs, found candidate lists"),
        (("evaluate", "truth.csv", "sources.csv"), "expected clusters, candidate lists or pairs, found the columns"),
        (("evaluate", "truth.csv", "lists.csv", "--mode", "link"), "'r1' stands in several (left, right)"),
        (("evaluate", "truth.csv", "lists.csv", "--threshold", "0.5"), "expected pairs with a score"),
        (("evaluate", "-", "-"), "standard input (-): expected once, found 2 times"),
        (("compare", "truth.csv", "lists.csv"), "expected two proposals or more"),
        (("churn", "truth.csv", "lists.csv"), "lists.csv: expected clusters, found lists"),
    ],
)
def test_mistakes_are_one_line(told, args, said):
    done = told(*args, expect=2)
    assert done.err.startswith("Error: ")
    assert said in done.err


def test_standard_input(told):
    done = told("evaluate", "-", "lists.csv", "-m", "R@2", stdin=FILES["truth.csv"].encode())
    assert done.out.startswith("standard input: 7 records")
