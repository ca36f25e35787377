"""`assay answers check`, as a newcomer and as a script use it."""

import json

import jsonschema
import polars as pl
import pytest
from tests.unit.services import served

from assay.formats.sparql_results import document_of

pytest.importorskip("pyoxigraph")
pytest.importorskip("yaml")

GRAPH = "@prefix : <http://x/> . :a :n 3 . :b :n 2 . :c :n 2 . :d :n 1 ."
QUERY = "SELECT ?x { ?x <http://x/n> ?n } ORDER BY DESC(?n)"
QUESTIONS = [
    {"id": "fine", "question": "The largest?", "gold_sparql": f"{QUERY} LIMIT 1"},
    {"id": "tied", "question": "The top 2?", "gold_sparql": f"{QUERY} LIMIT 2"},
    {"id": "none", "question": "Any of size 9?", "gold_sparql": "SELECT ?x { ?x <http://x/n> 9 }"},
    {"id": "wrong", "question": "What?", "gold_sparql": "SELECT"},
]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "sizes.ttl").write_text(GRAPH, encoding="utf-8")
    (tmp_path / "suite.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS), encoding="utf-8")
    return tmp_path


def test_the_table_names_what_is_the_matter(assay, files):
    done = assay("answers", "check", "suite.jsonl", "--graph", "sizes.ttl")
    assert "GOLD of suite, on sizes.ttl: 1 of 4 questions may be trusted, 3 leave the mean." in done.out
    assert "- tied The top 2?: rows 2 to 3 are tied, 1 of them is taken; e.g. b; c" in done.out
    assert "- none Any of size 9?: the gold query finds nothing" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_the_json_follows_its_schema_and_names_the_questions_that_leave(assay, files):
    done = assay("answers", "check", "suite.jsonl", "--graph", "sizes.ttl", "--second-engine", "rdflib", "-o", "json")
    document = json.loads(done.out)
    jsonschema.validate(document, json.loads(assay("schema", "answers check").out))
    assert list(document["left_out"]) == ["tied", "none", "wrong"]
    assert document["findings"]["engine-dependent"] == {"questions": 0, "checked": 3}
    assert document["second"] == "rdflib"


def test_tables_hold_every_question(assay, files):
    assay("answers", "check", "suite.jsonl", "--graph", "sizes.ttl", "--out", "health.csv")
    frame = pl.read_csv(files / "health.csv")
    assert frame["question"].to_list() == ["fine", "tied", "none", "wrong"]
    assert frame["finding"].to_list() == [None, "tie-cut", "empty", "error"]
    assert (
        "| tied | tie-cut |" in assay("answers", "check", "suite.jsonl", "--graph", "sizes.ttl", "-o", "markdown").out
    )


def test_a_suite_may_be_checked_by_itself(assay, files):
    done = assay("answers", "check", "suite.jsonl")
    assert "no graph asked: 4 of 4 questions may be trusted" in done.out.replace("\n", " ").replace("  ", " ")
    assert "4 gold queries were not" in done.out


@pytest.fixture
def service(files):
    """A SPARQL endpoint with the same graph, and one statement more."""
    pytest.importorskip("httpx")
    from assay.graph.sparql.store import Store

    (files / "more.ttl").write_text("<http://x/e> <http://x/n> 8 .", encoding="utf-8")
    store = Store.open([files / "sizes.ttl", files / "more.ttl"])

    def act(handler):
        found = store.ask(handler.query)
        if found.answered:
            handler.send(json.dumps(document_of(found)).encode())
        else:
            handler.send(b"no SPARQL", 400, "text/plain")

    with served(act) as server:
        yield server.url


def test_an_endpoint_is_checked_and_is_a_second_engine(assay, files, service):
    alone = json.loads(assay("answers", "check", "suite.jsonl", "--endpoint", service, "-o", "json").out)
    assert alone["graph"] == service
    assert list(alone["left_out"]) == ["none", "wrong"]
    asked = "suite.jsonl", "--graph", "sizes.ttl", "--second-engine", service
    both = json.loads(assay("answers", "check", *asked, "-o", "json").out)
    assert both["findings"]["engine-dependent"] == {"questions": 2, "checked": 3}
    said = "engine-dependent: 1 row only from the second, 1 row only from the first"
    assert both["left_out"]["fine"] == said


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--second-engine", "rdflib"], "expected files to read, found no --graph"),
        (["--second-engine", "other"], "found 'other'"),
        (
            ["--graph", "sizes.ttl", "--endpoint", "http://localhost/"],
            "expected --graph FILE or --endpoint URL, found both",
        ),
        (["--graph", "absent.ttl"], "absent.ttl"),
        (["--graph", "sizes.ttl", "--limit", "soon"], "--limit: expected a number, found 'soon'"),
        (["--format", "odd"], "no form of a suite is called 'odd'"),
    ],
)
def test_mistakes_are_named(assay, files, args, said):
    done = assay("answers", "check", "suite.jsonl", *args, expect=2)
    assert said in done.err
