"""`assay gold pool` and `assay gold recall` as people run them."""

import json
from io import StringIO

import jsonschema
import polars as pl
import pytest

from assay.report.schema import SCHEMAS


@pytest.fixture
def files(tmp_path):
    """Two runs, judgments of them, the judgments of all items, and the items."""
    for name, shift in (("a", 0), ("b", 3)):
        rows = [f"q{q} Q0 d{(r + shift * q) % 12} {r + 1} {12 - r} {name}\n" for q in range(4) for r in range(8)]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    grades = [(q, d, int((q + d) % 3 == 0)) for q in range(4) for d in range(12)]
    (tmp_path / "all.qrels").write_text("".join(f"q{q} 0 d{d} {g}\n" for q, d, g in grades))
    (tmp_path / "some.qrels").write_text("".join(f"q{q} 0 d{d} {g}\n" for q, d, g in grades if d < 8))
    (tmp_path / "docs.csv").write_text("id,text\n" + "".join(f"d{d},text\n" for d in range(12)))
    (tmp_path / "groups.csv").write_text("run,group\na,x\nb,y\n")
    return tmp_path


def test_a_pool_is_a_file_to_judge(assay, files):
    done = assay("gold", "pool", "a.run", "b.run", "--depth", "3", "--out", "pool.csv")
    assert done.out == ""
    assert "assay gold judge pool.csv" in done.err
    frame = pl.read_csv(files / "pool.csv")
    assert frame.columns[:2] == ["query", "item"]
    assert frame["query"].n_unique() == 4
    again = assay("gold", "pool", "b.run", "a.run", "--depth", "3", "-o", "csv", "--quiet")
    assert again.out == (files / "pool.csv").read_text()


def test_a_pool_as_json_follows_its_schema(assay, files):
    done = assay(
        "gold", "pool", "a.run", "b.run", "--depth", "3", "--known", "all.qrels", "-m", "P@3 AP", "--groups",
        "groups.csv", "--random", "1", "-o", "json",
    )  # fmt: skip
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["gold pool"])
    assert [one["by"] for one in document["bias"]] == ["run", "group"]
    assert document["found"]["relevant"].keys() == {"depth", "mtf", "bandit"}
    assert document["command"][:2] == ["gold", "pool"]


def test_the_report_says_whether_the_pool_is_fair(assay, files):
    done = assay("gold", "pool", "a.run", "b.run", "--depth", "3", "--known", "all.qrels", "-m", "P@3")
    for line in (
        "WHAT EACH RUN BRINGS within rank 3",
        "RELEVANT FOUND",
        "P@3 WITHOUT THE RUN",
        "CAN NEW RUNS BE JUDGED",
    ):
        assert line in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_judging_in_batches_comes_to_an_end(assay, files):
    judged, rounds = "", 0
    grades = {tuple(row.split()[::2]): row.split()[3] for row in (files / "all.qrels").read_text().splitlines()}
    while True:
        more = ["--judged", "judged.qrels"] if judged else []
        options = ("--strategy", "bandit", "--budget", "20", "--batch", "6", "--seed", "3")
        done = assay("gold", "pool", "a.run", "b.run", *options, *more, "-o", "csv", "--quiet")
        named = pl.read_csv(StringIO(done.out))
        if not named.height:
            break
        judged += "".join(f"{q} 0 {d} {grades[q, d]}\n" for q, d in named.select("query", "item").iter_rows())
        (files / "judged.qrels").write_text(judged)
        rounds += 1
    assert (rounds, judged.count("\n")) == (4, 20)


def test_a_judged_sample_becomes_gold(assay, files):
    done = assay(
        "gold", "pool", "a.run", "b.run", "--strategy", "stratified", "--depth", "8", "--budget", "24", "--judged",
        "all.qrels", "--gold", "sample.csv",
    )  # fmt: skip
    assert "STRATA" in done.out
    assert "24 judgments with their chances" in done.err
    found = assay("evaluate", "sample.csv", "a.run", "-m", "statAP xinfAP", "-o", "json")
    means = json.loads(found.out)["runs"][0]["measures"]
    assert all(0 < means[name]["mean"] < 1.2 for name in ("statAP", "xinfAP"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.run"], "expected a depth or a budget"),
        (["a.run", "--depth", "x"], "--depth: expected a whole number"),
        (["a.run", "--depth", "3", "--gold", "x.csv"], "--judged FILE"),
        (["a.run", "--depth", "3", "--strategy", "bandits"], "Did you mean 'bandit'"),
        (["a.run", "b.run", "--depth", "3", "--known", "all.qrels", "--groups", "docs.csv"], "columns run and group"),
        (["a.run", "--depth", "3", "--ties", "range"], "one rule for tied items"),
        (["-", "-", "--depth", "3"], "expected once, found 2 times"),
    ],
)
def test_mistakes_are_named(assay, files, arguments, message):
    assert message in assay("gold", "pool", *arguments, expect=2).err


def test_from_a_draw_to_the_recall(assay, files):
    done = assay("gold", "recall", "some.qrels", "--draw", "2", "--documents", "docs.csv", "--out", "draw.csv")
    assert "draw.csv: 8 pairs to judge" in done.err
    drawn = pl.read_csv(files / "draw.csv")
    grade = [int((int(q[1:]) + int(d[1:])) % 3 == 0) for q, d in drawn.select("query", "item").iter_rows()]
    drawn.with_columns(grade=pl.Series(grade)).write_csv(files / "judged.csv")
    told = assay("gold", "recall", "some.qrels", "--sample", "judged.csv")
    assert "HOW MUCH OF WHAT IS RELEVANT WAS FOUND" in told.out
    assert "elusion test: go on" in told.out
    document = json.loads(assay("gold", "recall", "some.qrels", "--sample", "judged.csv", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["gold recall"])
    estimate = document["estimates"][0]
    assert estimate["interval"]["low"] < estimate["recall"] < estimate["interval"]["high"]


def test_the_recall_by_two_searches_and_by_order(assay, files):
    options = ("--search", "a.run", "--search", "b.run", "--in-order", "--collection", "12")
    done = assay("gold", "recall", "all.qrels", *options)
    for part in ("recapture", "knee: ", "budget: "):
        assert part in done.out
    assert "expected a sample" in assay("gold", "recall", "all.qrels", expect=2).err
    assert "--documents" in assay("gold", "recall", "all.qrels", "--draw", "3", expect=2).err
