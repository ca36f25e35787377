"""`assay convert --fuse`: several runs become one, in any format."""

import json

import pytest

from assay.formats import read_run


@pytest.fixture
def two(tmp_path):
    """Two runs, one in TREC's format and one in CSV."""
    (tmp_path / "a.run").write_text("q1 Q0 x 1 9.0 a\nq1 Q0 y 2 5.0 a\nq2 Q0 z 1 1.0 a\n")
    (tmp_path / "b.csv").write_text("query,item,score\nq1,y,0.9\nq1,w,0.1\n")
    return tmp_path


def rows_of(path):
    return {
        (query, item): score for query, item, score in read_run(path).frame().select("query", "item", "score").rows()
    }


def test_two_runs_become_one(assay, two):
    done = assay("convert", "--fuse", "rrf", "a.run", "b.csv", "both.run")
    assert "4 rows written to both.run." in done.err
    assert (two / "both.run").read_text().splitlines()[0].split()[:4] == ["q1", "Q0", "y", "1"]
    expected = {("q1", "y"): 1 / 61 + 1 / 62, ("q1", "x"): 1 / 61, ("q1", "w"): 1 / 62, ("q2", "z"): 1 / 61}
    assert rows_of(two / "both.run") == pytest.approx(expected)


@pytest.mark.parametrize("name", ["both.csv", "both.tsv", "both.json", "both.jsonl", "both.parquet", "both.run.gz"])
def test_every_format_holds_the_same(assay, two, name):
    assay("convert", "--fuse", "combsum", "a.run", "b.csv", name)
    expected = {("q1", "y"): 1.0, ("q1", "x"): 1.0, ("q1", "w"): 0.0, ("q2", "z"): 1.0}
    assert rows_of(two / name) == pytest.approx(expected)


def test_the_settings_of_a_fusion(assay, two):
    asked = ("--weights", "3,1", "--norm", "max", "--depth", "1", "--keep", "1")
    done = assay("convert", "--fuse", "combmnz", "a.run", "b.csv", "-", "--to", "csv", *asked)
    assert done.out.splitlines() == ["query,item,score", "q1,x,3", "q2,z,3"]
    sharp = assay("convert", "--fuse", "rrf", "--fuse-k", "0", "a.run", "b.csv", "-", "--to", "csv").out.splitlines()
    assert sharp[1:3] == ["q1,y,1.5", "q1,x,1"]


def test_ties_and_repeated_items_follow_the_conventions(assay, two):
    (two / "tied.run").write_text("q1 Q0 x 1 1 t\nq1 Q0 y 2 1 t\nq1 Q0 x 3 1 t\n")
    refused = assay("convert", "--fuse", "rrf", "tied.run", "a.run", "o.run", expect=2)
    assert "'x'" in refused.err
    assert not (two / "o.run").exists()
    kept = ("--duplicates", "first", "--depth", "1", "--to", "csv")
    down = assay("convert", "--fuse", "isr", "tied.run", "tied.run", "-", *kept).out
    up = assay("convert", "--fuse", "isr", "tied.run", "tied.run", "-", *kept, "--ties", "id-asc").out
    assert "q1,y,4" in down
    assert "q1,x,4" in up


def test_standard_input_may_be_one_of_them(assay, two):
    rows = b"q1 Q0 x 1 2.0 s\n"
    done = assay("convert", "--fuse", "isr", "-", "a.run", "-", "--to", "csv", stdin=rows)
    assert done.out.splitlines()[1] == "q1,x,4"
    twice = assay("convert", "--fuse", "isr", "-", "-", "o.run", stdin=rows, expect=2)
    assert "standard input (-): expected once, found 2 times" in twice.err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("a.run", "b.csv", "o.run"), "convert: expected IN and OUT, found 3 files\nHint: --fuse rrf makes one run"),
        (("--fuse", "rrf", "a.run", "o.run"), "expected two runs or more and a place to write to, found 1 to read"),
        (("--fuse", "rff", "a.run", "b.csv", "o.run"), "no fusion is called 'rff'. Did you mean 'rrf'?"),
        (
            ("--fuse", "combsum", "--norm", "mx", "a.run", "b.csv", "o.run"),
            "no norm is called 'mx'. Did you mean 'max'?",
        ),
        (
            ("--fuse", "rrf", "--weights", "1", "a.run", "b.csv", "o.run"),
            "weights: expected one for each of 2 runs, found 1",
        ),
        (("--fuse", "rrf", "--weights", "1,b", "a.run", "b.csv", "o.run"), "--weights: expected a number, found 'b'"),
        (
            ("--fuse", "rrf", "--depth", "0", "a.run", "b.csv", "o.run"),
            "--depth: expected a whole number of at least 1",
        ),
        (("--fuse", "rrf", "--kind", "gold", "a.run", "b.csv", "o.run"), "--kind: expected run"),
        (("--fuse", "rrf", "a.run", "none.run", "o.run"), "none.run: expected a file, found nothing of that name"),
        (("--fuse", "rrf", "a.run", "gold.qrels", "o.run"), "this looks like a gold standard"),
        (("--norm", "max", "a.run", "o.run"), "--norm: expected --fuse beside it"),
    ],
)
def test_what_cannot_be_fused_is_said(assay, two, asked, said):
    (two / "gold.qrels").write_text("q1 0 x 1\n")
    assert said in assay("convert", *asked, expect=2).err
    assert not (two / "o.run").exists()


def test_the_hybrid_of_a_real_collection_comes_out(assay, data, tmp_path):
    folder = data / "ir" / "scifact"
    runs = (folder / "runs" / "bm25.run.gz", folder / "runs" / "dense-wordllama.run.gz")
    assay("convert", "--fuse", "rrf", *runs, "hybrid.run")
    done = assay("evaluate", folder / "qrels.test.txt", "hybrid.run", "-m", "R@100", "-o", "json")
    assert json.loads(done.out)["runs"][0]["measures"]["R@100"]["mean"] == pytest.approx(0.9453, abs=0.00005)
