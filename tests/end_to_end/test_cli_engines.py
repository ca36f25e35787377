"""`--engine`: the same figures, whatever counts."""

import json

import polars as pl
import pytest

pytest.importorskip("duckdb", reason="needs the extra duckdb")


@pytest.fixture
def runs(tmp_path):
    """A gold standard, and a run in partitions."""
    (tmp_path / "gold.qrels").write_text("007 0 b 1\n007 0 a 0\n8 0 c 2\n")
    for query, items in (("007", ["a", "b"]), ("8", ["a", "c"])):
        folder = tmp_path / "bm25" / f"qid={query}"
        folder.mkdir(parents=True)
        pl.DataFrame({"docno": items, "score": [1.5, 1.5]}).write_parquet(folder / "part-0.parquet")
    return tmp_path


def test_duckdb_gives_the_figures_of_the_local_engine(assay, runs):
    command = ("evaluate", "gold.qrels", "bm25", "-m", "RR nDCG@10", "-o", "json")
    local = json.loads(assay(*command).out)
    other = json.loads(assay(*command, "--engine", "duckdb", "--memory", "1GB", "--engine-option", "threads=1").out)
    assert local.keys() == other.keys()
    assert {key: other[key] for key in other if key != "command"} == {
        key: local[key] for key in local if key != "command"
    }


def test_a_result_of_a_dataset_is_verified(assay, runs):
    assay("evaluate", "gold.qrels", "bm25", "-m", "RR", "-o", "json", "--out", "said.json", "--engine", "duckdb")
    assay("verify", "said.json")
    (runs / "bm25" / "qid=8" / "part-0.parquet").rename(runs / "bm25" / "qid=8" / "part-1.parquet")
    assay("verify", "said.json", expect=1)


def test_explain_looks_into_a_pattern(assay, runs):
    found = assay("explain", "gold.qrels", "bm25/qid=*", "-m", "RR", "--query", "007", "--engine", "duckdb")
    assert "b" in found.out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--engine", "duck"], "no engine is called 'duck'. Did you mean 'duckdb'?"),
        (["--engine", "duckdb", "--engine-option", "threads"], "--engine-option: expected NAME=VALUE, found 'threads'"),
        (["--engine", "duckdb", "--ties", "order"], "expected a column for the rank or the position, as --ties order"),
    ],
    ids=["name", "option", "order"],
)
def test_mistakes_are_one_line_and_a_hint(assay, runs, more, said):
    assert said in assay("evaluate", "gold.qrels", "bm25", *more, expect=2).err
