"""What `assay gold judge` reads and begins: pools, statements, records, facts; scales; projects that go on."""

import gzip
import json

import pytest

pytest.importorskip("sqlalchemy")

from assay.core.judging import BINARY, CORRECT, SAME, TREC
from assay.errors import FormatError, InputError, ParameterError, UnknownNameError
from assay.graph.accuracy.draws import design_of, draw
from assay.graph.accuracy.label_file import LabelFile, read_labels
from assay.graph.accuracy.statements import read_statements
from assay.judging.app.material import shown
from assay.judging.app.texts import keys
from assay.judging.beginning import begin
from assay.judging.pool_file import read_pairs
from assay.judging.scales import scale_of
from assay.store.judging import JudgingStore


@pytest.fixture
def store(tmp_path):
    found = JudgingStore.open(str(tmp_path / "kept.db"))
    yield found
    found.close()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_pool_with_its_queries_and_documents(tmp_path, mark, packed):
    pool, queries, documents = tmp_path / "pool.csv", tmp_path / "queries.jsonl", tmp_path / "documents.csv"
    text = "query,item,stratum,probability,runs,rank\nq1,d1,deep,0.25,3,1\nq1,d2,,,1,9\n"
    content = text.replace(",", mark).encode()
    pool.write_bytes(gzip.compress(content) if packed else content)
    queries.write_text('{"_id": "q1", "text": "what?", "narrative": "all of it", "metadata": {}}\n')
    documents.write_text('id,title,text\nd1,One,"two\nlines, quoted ""so"""\nd9,never,asked for\n')
    material, pairs = read_pairs(pool, queries, documents)
    first, second = pairs
    assert material == "document"
    assert (first.query, first.item, first.question, first.need) == ("q1", "d1", "what?", "all of it")
    assert (first.stratum, first.probability) == ("deep", 0.25)
    assert first.fields == {"title": "One", "text": 'two\nlines, quoted "so"'}
    assert (second.fields, second.probability) == ({}, None)
    assert shown(second).title == "d2"
    assert "rank" not in json.dumps(first.fields)


def test_a_sample_of_a_graph_keeps_its_ids(tmp_path):
    graph, path = tmp_path / "graph.csv", tmp_path / "labels.csv"
    graph.write_text("subject,predicate,object\n" + "".join(f"http://x/s{n},http://x/p,=o{n}\n" for n in range(9)))
    statements = read_statements([str(graph)])
    design = design_of(statements, "simple", seed=1)
    path.write_text(LabelFile.of(design, draw(statements, design, 5)).text())
    material, pairs = read_pairs(path)
    found = list(pairs)
    assert material == "triple"
    assert {one.item: tuple(one.fields.values()) for one in found} == {
        name: row.statement for name, row in read_labels(path).rows.items()
    }
    assert {one.fields["object"][:2] for one in found} == {"=o"}


def test_pairs_of_records_stand_side_by_side(tmp_path):
    pool, records = tmp_path / "pairs.csv", tmp_path / "records.jsonl"
    pool.write_text("left,right,score\na1,b1,0.9\n")
    told = [
        {"id": "a1", "name": "Ann  Lee", "year": 1990, "town": "Ulm"},
        {"id": "b1", "name": "ann lee", "year": 1991},
    ]
    records.write_text("".join(f"{json.dumps(one)}\n" for one in told))
    material, pairs = read_pairs(pool, documents=records)
    (pair,) = pairs
    assert (material, pair.query, pair.item) == ("records", "a1", "b1")
    assert [(row.name, row.left, row.right, row.mark) for row in shown(pair).rows] == [
        ("name", "Ann  Lee", "ann lee", "same"), ("year", "1990", "1991", "different"), ("town", "Ulm", "", "one only"),
    ]  # fmt: skip


def test_facts_that_were_retrieved(tmp_path):
    path = tmp_path / "found.jsonl"
    told = {
        "id": "q7", "question": "Who found radium?", "answer": "Curie",
        "retrieved": [["Curie", "discovered", "radium"], {"id": "p1", "text": "Radium glows."}], "needed": ["p1"],
    }  # fmt: skip
    path.write_text(json.dumps(told) + "\n")
    material, pairs = read_pairs(path)
    triple, text = pairs
    assert (material, triple.query, triple.question) == ("fact", "q7", "Who found radium?")
    assert [term.name for term in shown(triple).statement] == ["Curie", "discovered", "radium"]
    assert (text.item, shown(text).text) == ("p1", "Radium glows.")
    assert text.fields["answer of the system"] == "Curie"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,b\n1,2\n", "expected the columns query and item"),
        ("query,item\nq1,\n", "line 2: expected a query and an item"),
        ("query,item,probability\nq,d,often\n", "line 2: expected a probability"), ("query,item\n", "found none"),
        ("query,item,probability\nq,d,0\n", "above 0 and up to 1"), ("query,item,probability\nq,d,nan\n", "above 0"),
        ("Left,Right\na,\n", "line 2: expected two records"), ("Subject,Predicate,Object\na,b,\n", "expected subject"),
        ("left,right\na,\n", "line 2: expected two records"),
        ("subject,predicate,object\na,b,\n", "line 2: expected subject"),
        ("", "expected content"),
    ],
)  # fmt: skip
def test_what_is_no_pool_is_refused_with_its_place(tmp_path, content, said):
    path = tmp_path / "pool.csv"
    path.write_text(content)
    with pytest.raises((InputError, FormatError), match=said):
        list(read_pairs(path)[1])


def test_scales_by_name_and_written():
    assert [scale_of(name) for name in ("binary", "trec", "correct", "same")] == [BINARY, TREC, CORRECT, SAME]
    written = scale_of("2=yes,0=no,1=partly")
    assert [(one.grade, one.name) for one in written.levels] == [(0, "no"), (1, "partly"), (2, "yes")]
    assert [given for _, given in keys(scale_of("-1=bad,0.5=fair,1=good"))] == [("a", "1"), ("s", "2"), ("d", "3")]
    many = ",".join(f"{n}=x" for n in range(10))
    for text in ("0=no", "0=no,0=yes", "x=no,1=yes", "nan=no,1=yes", "0=no,inf=yes", many):
        with pytest.raises(ParameterError, match="scale"):
            scale_of(text)
    with pytest.raises(UnknownNameError, match="Did you mean 'trec'"):
        scale_of("tres")


def test_a_project_goes_on_with_its_terms(tmp_path, store):
    pool = tmp_path / "sports.csv"
    pool.write_text("query,item\nq,a\nq,b\n")
    project, added = begin(store, pool, guideline="one", overlap=0.5, scale=BINARY)
    assert (project.name, project.scale, project.overlap, added) == ("sports", BINARY, 0.5, 2)
    pool.write_text("query,item\nq,a\nq,c\n")
    again, added = begin(store, pool)
    assert (again, added) == (project, 1)
    assert begin(store)[0] == project
    changed, _ = begin(store, guideline="two")
    assert (changed.guideline.version, changed.guideline.text) == (2, "two")
    with pytest.raises(InputError, match="expected the terms"):
        begin(store, pool, scale=TREC)
    with pytest.raises(ParameterError, match="overlap"):
        begin(store, pool, overlap=2)


def test_nothing_to_begin_with(store):
    with pytest.raises(InputError, match="expected a project in the store or a pool"):
        begin(store)


def test_topics_may_name_their_id_as_pools_do(tmp_path):
    (tmp_path / "pool.csv").write_text("query,item\nq1,d1\n")
    (tmp_path / "topics.csv").write_text("query,question,need\nq1,who?,a name\n")
    _, pairs = read_pairs(tmp_path / "pool.csv", tmp_path / "topics.csv")
    (pair,) = pairs
    assert (pair.query, pair.question, pair.need) == ("q1", "who?", "a name")


@pytest.mark.parametrize(
    "topics",
    [
        "<top>\n<num> Number: 1\n<title> gold?\n<narr> Narrative:\nall of it\n</top>\n",
        (
            '<topics><topic number="1"><query>gold</query><question>gold?</question>'
            "<narrative>all of it</narrative></topic></topics>"
        ),
    ],
)
def test_topics_and_documents_of_trec_say_what_is_asked(tmp_path, topics):
    pool, queries, documents = tmp_path / "pool.csv", tmp_path / "topics", tmp_path / "docs"
    pool.write_text("query,item\n1,d1\n")
    queries.write_text(topics)
    documents.write_text("<DOC><DOCNO>d1</DOCNO><TITLE>Mines</TITLE><TEXT>of gold</TEXT></DOC>\n")
    (pair,) = read_pairs(pool, queries, documents)[1]
    assert (pair.question, pair.need) == ("gold?", "all of it")
    assert pair.fields == {"title": "Mines", "text": "of gold"}
