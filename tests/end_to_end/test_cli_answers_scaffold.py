"""`assay answers scaffold`, as a newcomer uses it."""

import json

import pytest

from assay.formats.suites import read_suite

GRAPH = """@prefix : <http://x/> .
:ann a :Person ; :hasBoss :bob ; :livesIn :bonn . :bob a :Person ; :hasBoss :ann ; :livesIn :ulm .
:bonn a :Town ; :inCountry :de . :ulm a :Town ; :inCountry :de .
"""


@pytest.fixture
def graph(tmp_path):
    (tmp_path / "graph.ttl").write_text(GRAPH)
    return tmp_path


def test_a_suite_from_a_graph_in_both_forms(assay, graph):
    printed = assay("answers", "scaffold", "--graph", "graph.ttl", "--least", "1", "-n", "5")
    assert printed.out.startswith("questions:\n  - id: ")
    assert "Note: 5 questions" in printed.err
    assay("answers", "scaffold", "--graph", "graph.ttl", "--least", "1", "-n", "5", "--out", "suite.yaml", "--quiet")
    assay("answers", "scaffold", "--graph", "graph.ttl", "--least", "1", "-n", "5", "--out", "suite.jsonl.gz")
    assert (graph / "suite.yaml").read_text() == printed.out
    assert read_suite(graph / "suite.yaml").questions == read_suite(graph / "suite.jsonl.gz").questions
    assert len(read_suite(graph / "suite.yaml")) == 5


def test_hops_and_classes(assay, graph):
    asked = "answers", "scaffold", "--graph", "graph.ttl", "--least", "1", "-o", "jsonl"
    lines = assay(*asked, "--hops", "2", "--class", "http://x/Person").out.splitlines()
    found = [json.loads(line) for line in lines]
    assert {(one["hops"], one["class"]) for one in found} == {("2", "http://x/Person")}
    assert {one["question"] for one in found} >= {"What is the in country of the lives in of ann?"}


def test_a_suite_from_a_log(assay, tmp_path):
    lines = ["ASK { <http://x/a> ?p ?o }"] * 3 + ["SELECT ?x { ?x ?p 1 }", "DESCRIBE <http://x/a>"]
    (tmp_path / "queries.log").write_text("\n".join(lines))
    done = assay("answers", "scaffold", "--log", "queries.log", "-o", "jsonl")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(one["id"], one.get("weight", 1)) for one in found] == [("log-1", 3), ("log-2", 1)]
    assert "2 of 2 queries, which were sent 4 times" in done.err
    assert "what is no SELECT or ASK query is left out; it was sent 1 times" in done.err


def test_mistakes(assay, graph):
    said = assay("answers", "scaffold", expect=2).err
    assert "expected --graph FILE or --endpoint URL, found neither" in said
    assert (
        "expected no graph beside it, found graph.ttl"
        in assay("answers", "scaffold", "--graph", "graph.ttl", "--log", "x", expect=2).err
    )
    assert "--hops" in assay("answers", "scaffold", "--graph", "graph.ttl", "--hops", "one", expect=2).err
    assert "--least 1 takes all" in assay("answers", "scaffold", "--graph", "graph.ttl", expect=2).err
    assert (
        "no output is called 'json'" in assay("answers", "scaffold", "--graph", "graph.ttl", "-o", "json", expect=2).err
    )
