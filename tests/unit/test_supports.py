"""What answers rest on: an answer goes exactly when each way to it has lost a statement."""

import random

import pytest

pytest.importorskip("pyoxigraph")
pytest.importorskip("rdflib")

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.terms import iri
from assay.graph.gaps.supports import hops, supports, untraceable
from assay.graph.sparql.store import Store

X = "http://x/"
PREFIX = "PREFIX : <http://x/> "
TRACED = (
    "SELECT ?z { :n0 :p ?y . ?y :q ?z }",
    "SELECT DISTINCT ?x ?z { ?x :p/:q ?z } ORDER BY ?z LIMIT 2",
    "SELECT ?x { ?x :p [ :q ?z ] ; :p ?z }",
    "SELECT ?x { ?x :p ?y . ?y :p ?x FILTER(?x != ?y) }",
    "SELECT * { ?x :p ?y # all\n . ?y ?how :n1 }",
    "SELECT ?x ?y { VALUES ?x { :n0 :n1 } ?x :q ?y }",
    "SELECT (STR(?y) AS ?name) { ?x ^:p ?y . ?y :q ?z }",
    "ASK { ?x :p ?y . ?y :q :n2 }",
)
REFUSED = {
    "SELECT (COUNT(?x) AS ?n) { ?x :p ?y }": "it counts or sums up",
    "SELECT ?x { { ?x :p ?y } UNION { ?x :q ?y } }": "it offers a choice (UNION)",
    "SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?z } }": "it has optional parts",
    "SELECT ?x { ?x :p+ ?y }": "it has a path that repeats or chooses",
    "SELECT ?x { ?x :p ?y FILTER NOT EXISTS { ?y :q ?z } }": "it asks for what is not there",
    "SELECT ?x { ?x :p ?y FILTER EXISTS { ?y :q ?z } }": "it asks for what is not there",
    "SELECT ?x { ?x :p ?y MINUS { ?y :q ?z } }": "it asks for what is not there",
    "SELECT ?x { ?x :p ?y } GROUP BY ?x": "it groups its rows",
    "SELECT ?x { ?x :p ?y { SELECT ?y { ?y :q ?z } } }": "it has a query within",
    "SELECT ?x { ?x :p ?y SERVICE <http://y/> { ?x :q ?y } }": "it asks another endpoint",
    "CONSTRUCT { ?x :p ?y } WHERE { ?x :p ?y }": "it is CONSTRUCT",
    "SELECT ?x { BIND(1 AS ?x) }": "it has no patterns",
    "SELECT ?x { ?x :p": "it cannot be read",
    "  ": "there is no query",
}


def rows(graph, query):
    answer = graph.select(query)
    return {()} if answer.boolean else set(answer.rows)


def turtle(links):
    return "\n".join(f"<{X}{s}> <{X}{p}> <{X}{o}> ." for s, p, o in links)


names = st.sampled_from(["n0", "n1", "n2", "n3"])
graphs = st.sets(st.tuples(names, st.sampled_from("pq"), names), min_size=1, max_size=12)


@pytest.mark.parametrize("query", TRACED)
@settings(max_examples=40)
@given(links=graphs, seed=st.integers(0, 99))
def test_an_answer_is_lost_exactly_when_each_way_has_lost_a_statement(query, links, seed):
    whole = Store.of(turtle(links))
    text = PREFIX + query.replace(" LIMIT 2", "")
    traced = supports(PREFIX + query, whole)
    assert traced.reason == ""
    assert set(traced.answers) == rows(whole, text)
    kept = set(random.Random(seed).sample(sorted(links), len(links) // 2))
    there = {(iri(X + s), X + p, iri(X + o)) for s, p, o in kept}
    left = {row for row, ways in traced.answers.items() if any(way <= there for way in ways)}
    assert left == rows(Store.of(turtle(kept)), text)


@pytest.mark.parametrize(("query", "reason"), REFUSED.items())
def test_what_cannot_be_traced_says_why(query, reason):
    text = PREFIX + query if query.strip() else query
    assert untraceable(text) == reason
    assert supports(text, Store.of("<http://x/a> <http://x/p> <http://x/b> .")).reason == reason
    assert hops(text) is None


def test_several_ways_stay_apart():
    graph = Store.of(turtle([("a", "p", "b"), ("a", "p", "c"), ("b", "q", "d"), ("c", "q", "d")]))
    ways = supports(f"SELECT ?z {{ <{X}a> <{X}p> ?y . ?y <{X}q> ?z }}", graph).answers[iri(X + "d"),]
    assert [{str(s.value[-1] + o.value[-1]) for s, _, o in way} for way in ways] == [{"ab", "bd"}, {"ac", "cd"}]


def test_facts_are_counted_once():
    assert hops(f"SELECT ?x {{ ?x <{X}p>/<{X}q> ?y . ?x <{X}p> ?z }}") == 3
    assert hops(f"SELECT ?x {{ ?x <{X}p> ?y . ?x <{X}p> ?y }}") == 1


def test_a_failing_graph_is_a_reason_and_no_empty_answer():
    class Failing:
        name = "failing"

        def ask(self, _query):
            from assay.core.answers import Answer

            return Answer("timeout")

    assert supports(f"SELECT ?x {{ ?x <{X}p> ?y }}", Failing()).reason.endswith("failed (timeout)")
