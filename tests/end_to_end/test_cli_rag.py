"""`assay rag evaluate` and `assay rag compare`, as a newcomer and as a script use them."""

import json

import jsonschema
import polars as pl
import pytest

NEEDED = {f"q{number}": ["a", "b"] if number % 2 else ["a", "b", "c", "d"] for number in range(12)}
SYSTEMS = {"vectors": "axyz", "graph": "abyc"}


@pytest.fixture
def files(tmp_path):
    """Two systems, each an object in a line for each question; questions have one or two hops."""
    for name, retrieved in SYSTEMS.items():
        rows = [
            {"question": query, "retrieved": list(retrieved), "needed": needed, "hops": len(needed) // 2}
            for query, needed in NEEDED.items()
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def evaluated(assay, *args, **options):
    return json.loads(assay("rag", "evaluate", *args, "-o", "json", **options).out)


def test_the_figures_are_those_by_hand(assay, files):
    document = evaluated(assay, "vectors.jsonl", "graph.jsonl", "-m", "Complete@4 R@4 AP P@2 Noise@4")
    vectors, graph = ({name: one["mean"] for name, one in run["measures"].items()} for run in document["runs"])
    assert vectors == pytest.approx({"Complete@4": 0, "R@4": 3 / 8, "AP": 3 / 8, "P@2": 0.5, "Noise@4": 0.75})
    ap = ((1 + 1) / 2 + (1 + 1 + 3 / 4) / 4) / 2
    assert graph == pytest.approx({"Complete@4": 0.5, "R@4": 7 / 8, "AP": ap, "P@2": 1, "Noise@4": 3 / 8})
    assert document["unit"] == "passage"
    assert document["matching"] == {"rule": "id", "threshold": None}
    assert document["policy"]["empty"] == "skip"
    assert [one["found"] for one in document["systems"]] == [12, 30]


def test_the_json_follows_its_schema(assay, files):
    schema = json.loads(assay("schema", "rag evaluate").out)
    document = evaluated(assay, "vectors.jsonl", "graph.jsonl", "--by", "hops", "--interval", "0.9")
    jsonschema.validate(document, schema)
    assert document["slices"][0]["groups"] == {"1": 6, "2": 6}
    figure = document["runs"][0]["measures"]["R@10"]
    assert figure["low"] < figure["mean"] < figure["high"]
    compared = json.loads(assay("rag", "compare", "vectors.jsonl", "graph.jsonl", "-o", "json").out)
    jsonschema.validate(compared, json.loads(assay("schema", "rag compare").out))


def test_the_table_says_what_was_counted(assay, files):
    done = assay("rag", "evaluate", "vectors.jsonl", "graph.jsonl", "-m", "Complete@4 AP ContextP", "--by", "hops")
    assert max(map(len, done.out.splitlines())) <= 80
    for words in ("Unit passage", "matched by ids", "BY HOPS: 1: 6 queries; 2: 6 queries", "WHAT WAS RETRIEVED"):
        assert words in done.out
    assert "it puts first whoever finds one item early" in done.err


def test_gold_in_a_file_of_its_own(assay, files):
    (files / "gold.jsonl").write_text("".join(json.dumps({"id": q, "needed": n}) + "\n" for q, n in NEEDED.items()))
    rows = [json.loads(line) for line in (files / "graph.jsonl").read_text().splitlines()]
    bare = [{"id": row["question"], "contexts": row["retrieved"]} for row in rows]
    (files / "bare.json").write_text(json.dumps(bare))
    own = evaluated(assay, "graph.jsonl", "-m", "R@4")
    apart = evaluated(assay, "bare.json", "--gold", "gold.jsonl", "-m", "R@4")
    assert own["runs"][0]["measures"] == apart["runs"][0]["measures"]
    assert own["gold"]["sha256"] == apart["gold"]["sha256"]


def test_conventions_that_are_said_win(assay, files):
    (files / "scored.jsonl").write_text(
        '{"id": 1, "retrieved": [{"id": "b", "score": 1}, {"id": "a", "score": 1}], "needed": ["a"]}\n'
        '{"id": 2, "retrieved": [], "needed": []}\n'
    )
    policies = [
        evaluated(assay, "scored.jsonl", "-m", "RR", *args)["policy"]
        for args in ([], ["--ties", "id-desc"], ["--empty", "zero"], ["--ties", "range"])
    ]
    assert [(one["ties"], one["empty"]) for one in policies] == [
        ("expected", "skip"), ("id-desc", "skip"), ("expected", "zero"), ("expected", "skip"),
    ]  # fmt: skip
    ranged = evaluated(assay, "scored.jsonl", "-m", "RR", "--ties", "range")["runs"][0]["measures"]["RR"]
    assert (ranged["mean"], ranged["ties"]) == (0.75, {"pessimistic": 0.5, "optimistic": 1.0})
    scored = assay("rag", "evaluate", "scored.jsonl", "-m", "RR")
    assert "means over all orders" in " ".join(scored.out.split())


def test_texts_that_are_alike(assay, files):
    pytest.importorskip("rapidfuzz")
    (files / "texts.jsonl").write_text(
        '{"id": 1, "retrieved": ["Ada was born in 1815"], "needed": ["Ada was born in 1816"]}\n'
    )
    document = evaluated(assay, "texts.jsonl", "-m", "R@1", "--match", "fuzzy", "--threshold", "0.9")
    assert document["matching"] == {"rule": "fuzzy", "threshold": 0.9}
    assert document["runs"][0]["measures"]["R@1"]["mean"] == 1
    table = assay("rag", "evaluate", "texts.jsonl", "-m", "R@1", "--match", "fuzzy", "--threshold", "0.96")
    assert "similarity of at least 0.96" in " ".join(table.out.split())
    assert "no retrieved item is a needed one by their texts" in table.err


@pytest.mark.parametrize("form", ["csv", "tsv", "markdown", "latex"])
def test_other_forms(assay, files, form):
    done = assay("rag", "evaluate", "vectors.jsonl", "-m", "R@4", "--by", "hops", "-o", form)
    assert "0.375" in done.out
    assert "leaves out slices" in done.err


def test_a_page_and_parquet(assay, files):
    assay("rag", "evaluate", "vectors.jsonl", "graph.jsonl", "-m", "R@4 Deducible@4", "--by", "hops", "--out", "a.html")
    page = (files / "a.html").read_text()
    assert "unit passage, matched by id" in page
    assay("rag", "compare", "vectors.jsonl", "graph.jsonl", "-m", "R@4", "--out", "b.html")
    assert "graph" in (files / "b.html").read_text()
    assay("rag", "evaluate", "graph.jsonl", "-m", "R@4", "-q", "--out", "a.parquet")
    assert pl.read_parquet(files / "a.parquet")["value"].to_list() == [0.75, 1.0] * 6


def test_systems_are_compared_question_by_question(assay, files):
    done = assay("rag", "compare", "vectors.jsonl", "graph.jsonl", "-m", "R@4 Complete@4", "--by", "hops")
    said = " ".join(done.out.split())
    assert "graph is better than vectors by R@4: 0.8750 against 0.3750" in said
    assert "BY HOPS" in said
    found = json.loads(assay("rag", "compare", "vectors.jsonl", "graph.jsonl", "-m", "R@4", "-o", "json").out)
    (contrast,) = found["comparison"]["contrasts"]
    assert contrast["difference"] == pytest.approx(0.5)
    assert contrast["verdict"] == "better"


def test_one_question_is_explained(assay, files):
    done = assay("rag", "explain", "graph.jsonl", "--query", "q0", "-m", "R@4")
    assert "3 of 4 relevant items among 4 retrieved" in done.out
    document = json.loads(assay("rag", "explain", "vectors.jsonl", "graph.jsonl", "-m", "AP", "-o", "json").out)
    jsonschema.validate(document, json.loads(assay("schema", "rag explain").out))
    (change,) = document["changes"]
    assert change["before"]["policy"]["empty"] == "skip"
    assert change["difference"] == pytest.approx(change["after"]["value"] - change["before"]["value"])


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["evaluate", "none.jsonl"], "expected a file, found nothing of that name"),
        (["evaluate", "graph.jsonl", "--unit", "fakt"], "no unit is called 'fakt'"),
        (["evaluate", "graph.jsonl", "--match", "by-ear"], "no rule of matching is called 'by-ear'"),
        (["evaluate", "graph.jsonl", "--threshold", "0.5"], "expected the rule fuzzy, found id"),
        (["evaluate", "graph.jsonl", "--by", "hop"], "expected a file, or one of hops"),
        (["evaluate", "graph.jsonl", "--interval", "2"], "expected a confidence between 0 and 1"),
        (["evaluate", "graph.jsonl", "-o", "xml"], "no output is called 'xml'"),
        (["evaluate", "-", "--gold", "-"], "standard input (-): expected once, found 2 times"),
        (["compare", "graph.jsonl"], "expected two systems or more, found 1"),
        (["compare", "graph.jsonl", "vectors.jsonl", "--ties", "range"], "expected one rule for tied items"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_a_line(assay, files, args, message):
    assert message in assay("rag", *args, expect=2).err


def test_standard_input(assay, files):
    done = assay("rag", "evaluate", "-", "-m", "R@4", stdin=(files / "graph.jsonl").read_bytes())
    assert "0.8750" in done.out
