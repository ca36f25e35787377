"""`assay graph gaps` and `assay graph report`, as a newcomer and as a script use them."""

import json

import jsonschema
import polars as pl
import pytest

pytest.importorskip("pyoxigraph")
pytest.importorskip("rdflib")

FULL = """@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:child rdfs:range :Person .
:anna a :Person ; :child :bea , :carl . :bea a :Person ; :job :baker . :carl a :Person ; :job :cook .
:dora a :Person ; :child :erik . :erik a :Robot ; :job :baker .
:baker rdfs:label "Baker" . :cook rdfs:label "Cook" .
"""
SUITE = """questions:
- id: who
  question: What do Anna's children do?
  gold_sparql: PREFIX x{c} <http://x/> SELECT ?j {{ x{c}anna x{c}child ?c . ?c x{c}job ?j }}
  weight: 2
- id: robot
  question: What does Dora's child do?
  gold_sparql: PREFIX x{c} <http://x/> SELECT ?j {{ x{c}dora x{c}child ?c . ?c x{c}job ?j }}
""".format(c=":")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "full.ttl").write_text(FULL)
    (tmp_path / "part.ttl").write_text(FULL.replace("; :job :cook", ""))
    lines = SUITE.replace("gold_sparql: ", "gold_sparql: '").replace("?j }\n", "?j }'\n")
    (tmp_path / "suite.yml").write_text(lines)
    return tmp_path


def test_the_json_names_what_to_fetch(assay, files):
    args = ("part.ttl", "--suite", "suite.yml", "--reference", "full.ttl", "--curve", ".9,.5", "--repeats", "3")
    document = json.loads(assay("graph", "gaps", *args, "-o", "json").out)
    jsonschema.validate(document, json.loads(assay("schema", "graph gaps").out))
    (fact,) = document["missing"]
    assert fact == {
        "subject": "<http://x/carl>", "predicate": "http://x/job", "object": "<http://x/cook>", "source": "reference",
        "demand": 2.0, "lost": 1.0, "questions": ["who"],
    }  # fmt: skip
    assert document["causes"] == {"missing fact": {"questions": 1, "lost": 1.0}}
    assert document["recall"] == pytest.approx((2 * 0.5 + 1) / 3)
    assert [one["kept"] for one in document["curve"]["points"]] == [0.9, 0.5]
    resting = document["resting"]
    assert (resting["traced"], resting["invalid"], resting["links"][0]["object"]) == (2, 1, "<http://x/erik>")
    again = json.loads(assay("graph", "gaps", *args, "-o", "json").out)
    assert again == document


def test_the_table_and_other_forms(assay, files):
    args = ("part.ttl", "--suite", "suite.yml", "--reference", "full.ttl")
    text = assay("graph", "gaps", *args).out
    assert "WHAT TO FETCH FIRST" in text
    assert "carl     job       cook" in text
    assert max(map(len, text.splitlines())) <= 80
    assay("graph", "gaps", *args, "--out", "gaps.csv")
    assert pl.read_csv(files / "gaps.csv")["subject"].to_list() == ["<http://x/carl>"]
    assert "**WHAT TO FETCH FIRST**" in assay("graph", "gaps", *args, "-o", "markdown").out


def test_answers_of_a_file_and_what_a_search_can_return(assay, files):
    assay("answers", "run", "suite.yml", "--graph", "part.ttl", "--answers", "answers.jsonl")
    args = ("--suite", "suite.yml", "--reference", "full.ttl", "--answers", "answers.jsonl")
    document = json.loads(assay("graph", "gaps", "part.ttl", *args, "-o", "json").out)
    assert document["causes"] == {"missing fact": {"questions": 1, "lost": 1.0}}
    (files / "index.txt").write_text("<http://x/baker>\n\n")
    document = json.loads(assay("graph", "gaps", "full.ttl", *args, "--indexed", "index.txt", "-o", "json").out)
    (one,) = document["failures"]
    assert (one["cause"], one["evidence"]) == ("not indexed", "http://x/cook")
    assert document["resting"] is None


def test_right_answers_of_the_same_graph_are_said_to_tell_nothing(assay, files):
    text = assay("graph", "gaps", "part.ttl", "--suite", "suite.yml").out
    assert "0 of 2 questions" in text
    assert "2 questions have no right answers but those of the query that was asked" in " ".join(text.split())


def test_the_report_has_all_that_was_measured(assay, files):
    assay("graph", "sample", "full.ttl", "--size", "5", "--out", "labels.csv")
    rows = (files / "labels.csv").read_text().splitlines()
    frame = pl.read_csv(files / "labels.csv", comment_prefix="#").with_columns(label=pl.lit("right"))
    (files / "labels.csv").write_text("".join(f"{line}\n" for line in rows if line.startswith("#")) + frame.write_csv())
    args = ("--suite", "suite.yml", "--reference", "full.ttl", "--curve", ".9", "--labels", "labels.csv")
    assay("graph", "report", "part.ttl", *args, "--out", "page.html")
    text = (files / "page.html").read_text()
    parts = ("Result", "Gaps", "Curve", "Invalid links", "Answers", "Conventions", "Gold", "Questions", "Completeness",
             "Link validity", "Suspects", "Accuracy", "Reproduce")  # fmt: skip
    assert [one for one in parts if f">{one}</h2>" not in text] == []
    assert "http://" not in text.partition("<main")[0]
    assay("graph", "report", "part.ttl", "--out", "alone.html")
    alone = (files / "alone.html").read_text()
    assert ">Completeness</h2>" in alone
    assert ">Gaps</h2>" not in alone


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("gaps", "part.ttl", "--suite", "suite.yml", "--curve", "x"), "--curve: expected shares"),
        (("gaps", "part.ttl", "--suite", "suite.yml", "--curve", "1.5"), "curve: expected shares above 0"),
        (("gaps", "part.ttl", "--suite", "suite.yml", "--indexed", "none.txt"), "none.txt: expected IRIs"),
        (("gaps", "part.ttl", "--suite", "none.yml"), "none.yml"),
        (("gaps", "part.ttl", "http://x/sparql", "--suite", "suite.yml"), "one address alone"),
        (("report", "part.ttl", "--curve", ".9"), "--curve: expected --suite beside it"),
    ],
)
def test_mistakes_are_said_with_their_place(assay, files, args, said):
    assert said in assay("graph", *args, expect=2).err
