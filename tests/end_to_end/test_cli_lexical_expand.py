"""`assay lexical expand` as people run it."""

import csv
import io
import json

import jsonschema
import pytest

from assay.report.schema import SCHEMAS

PAIRS = 12
TEXTS = ("--documents", "corpus.jsonl", "--queries", "queries.tsv")


@pytest.fixture
def files(tmp_path):
    """Documents, queries and gold: for even queries the word beside theirs is the one that is missing."""
    pytest.importorskip("Stemmer")
    texts, queries, gold = {}, {}, []
    for place in range(PAIRS):
        topic, mate = f"topic{place}", f"mate{place}"
        texts |= {
            f"a{place:02}": f"{topic} {mate}", f"b{place:02}": f"{mate} mint", f"c{place:02}": f"{topic} metal ore",
        }  # fmt: skip
        queries[f"q{place:02}"] = topic
        gold.append(f"q{place:02} 0 {'c' if place % 3 else 'b'}{place:02} 1\n")
    corpus = "".join(json.dumps({"_id": name, "text": text}) + "\n" for name, text in texts.items())
    (tmp_path / "corpus.jsonl").write_text(corpus)
    (tmp_path / "queries.tsv").write_text("".join(f"{name}\t{text}\n" for name, text in queries.items()))
    (tmp_path / "gold.qrels").write_text("".join(gold))
    return tmp_path


def run(assay, *more, **options):
    return assay("lexical", "expand", "gold.qrels", *TEXTS, *more, **options)


def test_it_says_what_expansion_brings_and_why(assay, files):
    done = run(assay, "--expand", "rm3(docs=1)", "-m", "AP nDCG@10")
    assert max(map(len, done.out.splitlines())) <= 80
    for part in ("VERDICT by AP, against bm25", "bm25+rm3(docs=1) against bm25", "helped", "new words", "HOW TO READ"):
        assert part in done.out


def test_json_holds_words_weights_and_causes(assay, files):
    found = json.loads(run(assay, "--expand", "rm3(docs=1),rocchio(docs=1)", "-m", "AP", "-o", "json").out)
    jsonschema.validate(found, SCHEMAS["lexical expand"])
    rm3, rocchio = found["expansion"]["ways"]
    assert (rm3["name"], rocchio["name"]) == ("bm25+rm3(docs=1)", "bm25+rocchio(docs=1)")
    assert rm3["counts"] == {"helped": 4, "hurt": 0, "same": 8}
    first = rm3["queries"][0]
    assert (first["query"], first["outcome"], first["cause"], first["found"]) == ("q00", "helped", "new words", 1)
    assert {term["term"] for term in first["terms"]} >= {"topic0", "mate0"}
    assert found["comparison"]["contrasts"][0]["wins"] == 4


def test_csv_has_a_row_for_each_query_and_way(assay, files):
    rows = list(csv.DictReader(io.StringIO(run(assay, "-o", "csv", "--expand", "rm3(docs=1)").out)))
    assert len(rows) == PAIRS
    assert rows[0]["terms"].startswith("topic0^")
    assert "| means | helped | hurt | same |" in run(assay, "-o", "markdown").out


def test_synonyms_of_a_file(assay, files):
    (files / "words.txt").write_text("topic0, mate0\ntopic3 => mate3\n")
    found = json.loads(run(assay, "--synonyms", "words.txt", "-m", "AP", "-o", "json").out)
    (way,) = found["expansion"]["ways"]
    assert (way["name"], way["settings"]) == ("bm25+synonyms", {"weight": 0.5})
    assert {one["query"] for one in way["queries"] if one["outcome"] == "helped"} == {"q00", "q03"}
    both = json.loads(run(assay, "--synonyms", "words.txt", "--expand", "rm3,synonyms(weight=.2)", "-o", "json").out)
    assert [one["name"] for one in both["expansion"]["ways"]] == ["bm25+rm3", "bm25+synonyms(weight=0.2)"]


def test_another_run_is_fused_and_the_result_written(assay, files):
    lines = [f"q{place:02} Q0 b{place:02} 1 1.0 dense\n" for place in range(0, PAIRS, 3)]
    (files / "dense.run").write_text("".join(lines))
    found = json.loads(run(assay, "--run", "dense.run", "-m", "AP", "-o", "json", "--save-run", "both.run").out)
    (way,) = found["expansion"]["ways"]
    assert (way["name"], way["counts"]["helped"]) == ("bm25+rrf(dense)", 4)
    again = json.loads(assay("evaluate", "gold.qrels", "both.run", "-m", "AP", "-o", "json").out)
    assert again["runs"][0]["measures"]["AP"]["mean"] == pytest.approx(found["runs"][1]["measures"]["AP"]["mean"])


def test_selective_expansion_is_tried_on_queries_that_no_rule_has_seen(assay, files):
    asked = ("--selective", "--expand", "rm3(docs=1)", "-m", "AP", "--save-run", "chosen.run")
    found = json.loads(run(assay, *asked, "-o", "json").out)
    (one,) = found["expansion"]["selections"]
    assert len(one["rules"]) == 6
    again = json.loads(assay("evaluate", "gold.qrels", "chosen.run", "-m", "AP", "-o", "json").out)
    assert again["runs"][0]["measures"]["AP"]["mean"] == pytest.approx(one["selective"])
    assert "bm25+rm3(docs=1): only some queries" in run(assay, *asked).out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--expand", "rm4"], "no expansion is called 'rm4'. Did you mean 'rm3'?"),
        (["--expand", "synonyms"], "synonyms: expected a file of them, found no --synonyms"),
        (["--synonyms", "none.txt"], "none.txt"),
        (["--run", "-", "--synonyms", "-"], "standard input (-): expected once, found 2 times"),
        (["--expand", "rm3,prf", "--save-run", "x.run"], "--save-run: expected one way to expand"),
        (["--ties", "range"], "--ties range: expected one rule for tied items"),
    ],
)
def test_mistakes_are_said_in_one_line(assay, files, more, said):
    done = run(assay, *more, expect=2)
    assert said in done.err
