"""Grades that run the wrong way are suspected, on Cranfield and nowhere else."""

import polars as pl
import pytest

from assay import Gold, audit, evaluate, read_gold, read_run
from assay.audit.inverted import looks_inverted

CRANFIELD_RUNS = ("bm25", "bm25-nostem", "bm25-rm3", "bm25-rocchio", "dense-wordllama", "hybrid-rrf60")
STRAIGHT = {
    "cacm": "cacm/qrels.txt",
    "vaswani": "vaswani/qrels",
    "scifact": "scifact/qrels.test.txt",
    "nfcorpus": "nfcorpus/qrels.test.txt",
    "trec-dl-2019": "trec-dl-2019/qrels.dl19-passage.txt",
    "trec-dl-2020": "trec-dl-2020/qrels.dl20-passage.txt",
    "trec-covid": "trec-covid/qrels.covid-complete.txt.gz",
    "trec-robust03": "trec-robust03/qrels.robust03.txt.gz",
    "trec-core17": "trec-core17/qrels.core17.txt.gz",
    "trec-rag25": "trec-rag25/qrels.rag25.test.txt.gz",
}


@pytest.fixture(scope="module")
def folder(data):
    if not (data / "ir").is_dir():
        pytest.skip(f"needs the folder ir in {str(data)!r}")
    return data / "ir"


@pytest.fixture(scope="module")
def cranfield(folder):
    rows = [line.split() for line in (folder / "cranfield" / "cranqrel").read_text().splitlines()]
    return Gold.from_frame(pl.DataFrame([row[:3] for row in rows], schema=["query", "item", "grade"], orient="row"))


def test_cranfield_alone_is_suspected(cranfield):
    assert looks_inverted(cranfield)
    (finding,) = audit(cranfield).of("grades-inverted")
    assert finding.level == "warning"
    assert "suspicion" in finding.detail


@pytest.mark.parametrize("name", CRANFIELD_RUNS)
def test_cranfield_is_suspected_with_each_of_its_runs(cranfield, folder, name):
    run = read_run(folder / "cranfield" / "runs" / f"{name}.run.gz")
    assert any("may be inverted" in notice for notice in evaluate(cranfield, run, "nDCG@10").notices)


@pytest.mark.parametrize("name", CRANFIELD_RUNS)
def test_its_runs_give_it_away_where_the_grades_below_zero_are_left_out(cranfield, folder, name):
    recoded = Gold(cranfield.table.filter(pl.col("grade") > 0))
    assert not looks_inverted(recoded)
    run = read_run(folder / "cranfield" / "runs" / f"{name}.run.gz")
    assert any("may be inverted" in notice for notice in evaluate(recoded, run, "nDCG@10").notices)


@pytest.mark.parametrize("name", STRAIGHT)
def test_no_other_collection_is_suspected(folder, name):
    gold = read_gold(folder / STRAIGHT[name], "trec")
    assert not looks_inverted(gold)


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("cacm", "cacm/runs"),
        ("vaswani", "vaswani/runs"),
        ("scifact", "scifact/runs"),
        ("trec-robust03", "trec-robust03/top100"),
    ],
)
def test_no_other_collection_is_suspected_with_its_runs(folder, name, runs):
    gold = read_gold(folder / STRAIGHT[name], "trec")
    for path in sorted((folder / runs).iterdir()):
        notices = evaluate(gold, read_run(path, "trec"), "P@10").notices
        assert not any("inverted" in notice for notice in notices), path.name


def test_ratings_from_1_to_5_are_not_suspected_without_a_run_that_says_so():
    ratings = {f"i{grade}{n}": grade for grade, count in enumerate((6, 11, 27, 34, 22), 1) for n in range(count)}
    assert not looks_inverted(Gold.from_mapping({"q": ratings}))
    good = {"q": {item: float(grade) for item, grade in ratings.items()}}
    assert not audit({"q": ratings}, good).of("grades-inverted")
    bad = {"q": {item: -float(grade) for item, grade in ratings.items()}}
    assert audit({"q": ratings}, bad).of("grades-inverted")
