"""A second engine beside the first, and suites that people use."""

import pytest

from assay.core.answers import Answer, Suite
from assay.core.terms import iri
from assay.errors import AssayError
from assay.formats.suites import read_suite
from assay.graph.sparql.asking import QueryError
from assay.tasks.answers.check import check_suite

pytest.importorskip("pyoxigraph")
from assay.graph.sparql.rdflib_graph import RdflibGraph
from assay.graph.sparql.store import Store

PREFIX = "PREFIX : <http://x/> "


def rows(*names):
    return Answer("answered", ("x",), tuple((iri(f"http://x/{name}"),) for name in names))


def test_the_second_engine_reads_and_answers_like_the_first(tmp_path):
    place = tmp_path / "few.trig"
    place.write_text('@prefix : <http://x/> . :g { :a :n 3 ; :label "a"@en . } :b :n 2 .', encoding="utf-8")
    one, other = Store.open([place]), RdflibGraph.open([place])
    query = PREFIX + "SELECT ?x ?label { ?x :n ?n OPTIONAL { ?x :label ?label } } ORDER BY ?n"
    assert other.ask(query).rows == one.ask(query).rows
    assert other.ask("ASK { ?x ?p 3 }").boolean is True
    assert other.ask("SELECT").status == "error"
    with pytest.raises(QueryError, match="rdflib: expected an answer"):
        other.select("SELECT")


def test_the_second_engine_stops_at_its_limit(tmp_path):
    place = tmp_path / "many.nt"
    place.write_text(
        "".join(f"<http://x/{n}> <http://x/p> <http://x/{n % 7}> .\n" for n in range(300)), encoding="utf-8"
    )
    graph = RdflibGraph.open([place], limit_s=0.2)
    found = graph.ask("SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?p ?d . ?e ?p ?f }")
    assert (found.status, found.seconds < 5) == ("timeout", True)


@pytest.mark.parametrize(
    ("name", "text", "said"), [("x.ttl", "a b", "RDFLib found"), ("x.odd", "a", "ending says nothing")]
)
def test_the_second_engine_refuses_what_it_cannot_read(tmp_path, name, text, said):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(AssayError, match=said):
        RdflibGraph.open([tmp_path / name])


def test_a_company_suite_has_three_limits_that_cut_ties(data):
    suite = read_suite(data / "sparql" / "ck25" / "questions.yml")
    found = check_suite(suite, Store.open([data / "rdf" / "ck25" / "prod-inst.ttl"]))
    assert [one.name for one in found.of("tie-cut")] == ["29", "46", "50"]
    assert found.count()["tie-cut"] == (3, 13)
    assert list(found.left_out()) == ["29", "46", "50"]
    assert [one.name for one in found.of("window")] == ["29"]
    assert [group.taken for group in found.acceptable("46").cut] == [1]


def test_thirty_five_answers_of_a_public_suite_are_empty(data):
    suite = read_suite(data / "sparql" / "qald9plus" / "qald_9_plus_test_dbpedia.json")
    assert check_suite(suite).count()["empty"] == (35, 150)


@pytest.mark.parametrize("name", ["pq2h", "wc14"])
def test_given_answers_of_executable_suites_are_current(data, name):
    folder = data / "sparql" / "local-kgqa"
    found = check_suite(read_suite(folder / f"{name}.jsonl"), Store.open([folder / f"{name}.nt"]))
    assert (found.count()["stale"], found.left_out()) == ((0, 400), {})


def test_two_engines_differ_where_a_cast_is_not_of_sparql(data):
    """Of the questions that RDFLib answers quickly."""
    suite = read_suite(data / "sparql" / "ck25" / "questions.yml")
    quick = tuple(one for one in suite.questions if one.name in {"15", "36", "37", "42", "46", "50"})
    files = [data / "rdf" / "ck25" / "prod-inst.ttl"]
    found = check_suite(Suite("quick", quick), Store.open(files), RdflibGraph.open(files))
    assert [one.name for one in found.of("engine-dependent")] == ["37", "42"]
