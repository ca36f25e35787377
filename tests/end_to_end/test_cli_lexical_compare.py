"""`assay lexical compare`, on small runs and on real ones."""

import csv
import io
import json

import jsonschema
import pytest

from assay.report.schema import SCHEMAS

RUNS = ("bm25", "bm25-rm3", "dense-wordllama", "hybrid-rrf60")


@pytest.fixture
def three(tmp_path):
    """Gold of 12 queries; a sparse run that is right on most, a dense one that is right on the others."""
    queries = [f"q{i:02}" for i in range(12)]
    (tmp_path / "gold.qrels").write_text("".join(f"{q} 0 a 1\n{q} 0 b 1\n" for q in queries))
    for name, right in (("sparse", queries[:9]), ("dense", queries[9:])):
        rows = [
            f"{q} Q0 {item} {i} {9 - i} {name}\n"
            for q in queries
            for i, item in enumerate(("a", "x") if q in right else ("y", "z"), 1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    return tmp_path


def test_two_runs_side_by_side(assay, three):
    done = assay("lexical", "compare", "gold.qrels", "sparse.run", "dense.run", "-m", "P@1 AP")
    shown = " ".join(done.out.split())
    assert "Among its first 10, dense finds 3 relevant items that sparse does not; sparse finds 9 that dense" in shown
    assert "Of 24 relevant items, 12 stand in no list" in shown
    assert "By P@1, sparse is the best system: 0.7500." in shown
    assert "would reach 1.0000 (alone the best: sparse on 9 and dense on 3 queries)" in shown
    assert max(map(len, done.out.splitlines())) <= 80


def test_the_document_follows_its_schema(assay, three):
    done = assay("lexical", "compare", "gold.qrels", "sparse.run", "dense.run", "-m", "P@1 AP", "-o", "json")
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["lexical compare"])
    jsonschema.validate(document, json.loads(assay("schema", "lexical compare").out))
    sides = document["sides"]
    assert sides["systems"] == ["sparse", "dense"]
    assert sides["found"][0]["only"] == [9, 3]
    assert sides["ceilings"][0]["chosen"] == 1.0
    assert [one["run"] for one in document["comparison"]["contrasts"]][:2] == ["dense", "RRF"]
    assert (
        assay("lexical", "compare", "gold.qrels", "sparse.run", "dense.run", "-m", "P@1 AP", "-o", "json").out
        == done.out
    )


def test_rows_and_markdown(assay, three):
    rows = assay("lexical", "compare", "gold.qrels", "sparse.run", "dense.run", "-m", "P@1", "-o", "csv").out
    found = list(csv.DictReader(io.StringIO(rows)))
    assert [(row["kind"], row["name"]) for row in found[:3]] == [
        ("system", "sparse"),
        ("system", "dense"),
        ("fusion", "RRF"),
    ]
    assert found[1]["found_alone"] == "3"
    shown = assay("lexical", "compare", "gold.qrels", "sparse.run", "dense.run", "--out", "sides.md")
    assert not shown.out
    assert "**Which relevant items are found**" in (three / "sides.md").read_text()


def test_names_texts_and_fusions_can_be_said(assay, three):
    asked = ("--names", "BM25,vectors", "--fuse", "isr", "--shown", "1", "-m", "P@1")
    done = assay("lexical", "compare", "gold.qrels", "sparse.run", "dense.run", *asked)
    assert "vectors against BM25" in done.out
    assert "ISR" in done.out
    assert "RRF" not in done.out
    none = assay("lexical", "compare", "gold.qrels", "sparse.run", "dense.run", "--fuse", "none", "-m", "P@1")
    assert "reaches" not in none.out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("sparse.run",), "compare: expected two runs or more, found 1"),
        (("sparse.run", "dense.run", "--names", "one"), "--names: expected 2 different names"),
        (("sparse.run", "dense.run", "--fuse", "rff"), "no fusion is called 'rff'. Did you mean 'rrf'?"),
        (("sparse.run", "dense.run", "--cutoff", "0"), "--cutoff: expected a whole number of at least 1"),
        (("sparse.run", "dense.run", "--depth", "5"), "depth: expected at least the cutoff, 10, found 5"),
        (("sparse.run", "dense.run", "--fuse-weights", "1"), "weights: expected one for each of 2 runs, found 1"),
        (("sparse.run", "dense.run", "--ties", "range"), "expected one rule for tied items"),
        (("sparse.run", "dense.run", "-o", "pdf"), "no output is called 'pdf'"),
    ],
)
def test_what_cannot_be_compared_is_said(assay, three, asked, said):
    assert said in assay("lexical", "compare", "gold.qrels", *asked, expect=2).err


def test_real_runs_side_by_side(assay, data):
    folder = data / "ir" / "scifact"
    runs = [folder / "runs" / f"{name}.run.gz" for name in RUNS]
    asked = ("-m", "nDCG@10 R@100", "--fuse", "none", "--ties", "order", "-o", "json")
    found = json.loads(assay("lexical", "compare", folder / "qrels.test.txt", *runs, *asked).out)
    means = [[run["measures"][name]["mean"] for run in found["runs"]] for name in ("nDCG@10", "R@100")]
    assert means[0] == pytest.approx([0.679, 0.646, 0.513, 0.636], abs=0.0005)
    assert means[1] == pytest.approx([0.925, 0.915, 0.854, 0.946], abs=0.0005)


def test_what_sparse_and_dense_find_on_scifact(assay, data):
    folder = data / "ir" / "scifact"
    runs = [folder / "runs" / f"{name}.run.gz" for name in ("bm25", "dense-wordllama")]
    done = assay("lexical", "compare", folder / "qrels.test.txt", *runs, "--names", "BM25,dense")
    shown = " ".join(done.out.split())
    assert "dense finds 19 relevant items that BM25 does not; BM25 finds 61 that dense does not." in shown
    assert "A perfect choice of the system for each query would reach 0.7245" in shown
    assert "RRF reaches 0.6285, CombSUM reaches 0.6713" in shown
    assert "Note: RRF gives some items equal scores: by their order nDCG@10 lies between 0.6273 and 0.6372." in done.err
    assert max(map(len, done.out.splitlines())) <= 80


def test_texts_of_queries_stand_beside_those_that_are_won(assay, data):
    folder = data / "ir" / "scifact"
    runs = [folder / "runs" / f"{name}.run.gz" for name in ("bm25", "dense-wordllama")]
    asked = ("--queries", folder / "topics.test.tsv.gz", "-m", "nDCG@10", "--fuse", "rrf")
    done = assay("lexical", "compare", folder / "qrels.test.txt", *runs, *asked)
    row = next(line for line in done.out.splitlines() if line.startswith("623 "))
    assert len(row.split()) > 5
    assert max(map(len, done.out.splitlines())) <= 80
