"""Why questions failed: each cause by hand."""

import pytest

pytest.importorskip("pyoxigraph")
pytest.importorskip("rdflib")

from assay.core.answers import Answer, Question, Suite
from assay.core.gaps import CAUSES
from assay.core.terms import Term, iri
from assay.graph.gaps.breaks import break_of
from assay.graph.gaps.gaps import gaps
from assay.graph.gaps.lost import lost_facts
from assay.graph.sparql.store import Store
from assay.graph.validity.validity import validity
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.run import run_suite

X = "http://x/"
GRAPH = """@prefix : <http://x/> .
:anna a :Person ; :boss :bea ; :knows :carl . :bea a :Person ; :town :rome . :carl a :Person .
:dora a :Person ; :boss :gone . :erik a :Person ; :boss :bea , :finn . :finn a :Person ; :town :oslo .
"""
RIGHT = Answer("answered", ("x",), ((iri(X + "rome"),),))
QUERIES = {
    "query error": "SELECT ?x { nonsense",
    "schema mismatch": "SELECT ?x { :anna :livesIn ?x }",
    "schema mismatch, class": "SELECT ?x { ?x a :Robot ; :town ?y }",
    "entity not linked": "SELECT ?x { :zoe :boss ?y . ?y :town ?x }",
    "missing fact": "SELECT ?x { :carl :boss ?y . ?y :town ?x }",
    "missing fact, behind": "SELECT ?x { :anna :knows ?y . ?y :town ?x }",
    "invalid link": "SELECT ?x { :dora :boss ?y . ?y :town ?x }",
    "answers differ": "SELECT ?x { :finn :town ?x }",
}


def joined(queries, *, gold=RIGHT, answers=None, **more):
    graph = Store.of(GRAPH)
    each = queries.items()
    suite = Suite("s", tuple(Question(name, query="PREFIX : <http://x/> " + text, gold=gold) for name, text in each))
    found = run_suite(suite, graph) | (answers or {})
    return gaps(graph, suite, found, evaluate_answers(suite, found), validity=validity(graph), **more)


def test_each_question_has_one_cause_in_order():
    found = joined(QUERIES, answers={"time-out": Answer("timeout")})
    causes = {one.question: one.cause for one in found.failures}
    assert causes == {name: name.partition(",")[0] for name in QUERIES}
    assert list(found.causes()) == [name for name in CAUSES if name in found.causes()]
    assert found.causes()["schema mismatch"] == (2, 2.0)


def test_the_evidence_names_what_is_not_there():
    said = {one.question: one.evidence for one in joined(QUERIES).failures}
    assert said["schema mismatch"] == "never used: property livesIn"
    assert said["schema mismatch, class"] == "never used: class Robot"
    assert said["entity not linked"] == "not in the graph: zoe"
    assert said["missing fact"] == "nothing for carl boss ?"
    assert said["missing fact, behind"] == "nothing for carl town ?"
    assert said["invalid link"] == "dora boss gone"
    assert said["answers differ"] == "0 of 1 right answer among the 1 found"


def test_a_time_out_and_an_answer_that_is_not_there_are_told_apart():
    found = joined({"a": QUERIES["answers differ"], "b": QUERIES["answers differ"]}, answers={"a": Answer("timeout")})
    assert found.failures[0].cause == "time-out"
    suite = Suite("s", (Question("1", query="ASK {}", gold=RIGHT), Question("2", query="ASK {}", gold=RIGHT)))
    graph, answers = Store.of(GRAPH), {"1": RIGHT}
    (one,) = gaps(graph, suite, answers, evaluate_answers(suite, answers)).failures
    assert (one.question, one.cause) == ("2", "no answer")


def test_what_a_search_cannot_return_is_not_indexed():
    graph = Store.of(GRAPH)
    suite = Suite("s", (Question("1", "Where?", gold=RIGHT), Question("2", "Who?", gold=RIGHT)))
    answers = {name: Answer("answered", ("x",), ((iri(X + "oslo"),),)) for name in "12"}
    judged = evaluate_answers(suite, answers)
    assert {one.cause for one in gaps(graph, suite, answers, judged, indexed={X + "oslo"}).failures} == {"not indexed"}
    both = gaps(graph, suite, answers, judged, indexed={X + "oslo", X + "rome"})
    assert {one.cause for one in both.failures} == {"answers differ"}
    assert both.resting is None


def test_where_a_query_breaks_off():
    graph = Store.of(GRAPH)
    broken = break_of(f"SELECT ?x {{ ?y <{X}town> ?x . <{X}dora> <{X}boss> ?y }}", graph)
    assert broken.missing() == [(iri(X + "gone"), X + "town", None)]
    assert break_of(f"SELECT ?x {{ <{X}anna> <{X}boss> ?x FILTER(?x = <{X}carl>) }}", graph) is None
    assert break_of(f"SELECT ?x {{ ?x <{X}town> <{X}rome> ; <{X}boss> ?y }}", graph).missing() == [
        (iri(X + "bea"), X + "boss", None)
    ]
    assert break_of("SELECT ?x { nonsense", graph) is None
    assert break_of(f"SELECT ?x {{ ?x <{X}boss> ?y OPTIONAL {{ ?y <{X}none> ?z }} }}", graph) is None
    nothing = break_of(f"SELECT ?x {{ ?x <{X}none> ?y }}", graph)
    assert nothing.said == "nothing for ?x <http://x/none> ?y ."
    assert nothing.missing() == []


def test_only_links_without_a_valid_one_beside_them_are_to_blame():
    query = f"SELECT ?x {{ <{X}erik> <{X}boss> ?y . ?y <{X}phone> ?x . }}"
    broken = break_of(query, Store.of(GRAPH + ":anna :phone 1 ."))
    bea, finn = ((iri(X + "erik"), X + "boss", iri(X + name)) for name in ("bea", "finn"))
    assert broken.through(frozenset([bea])) == []
    assert set(broken.through(frozenset([bea, finn]))) == {bea, finn}


def test_of_a_right_answer_that_is_not_reached_the_one_pattern_that_fails_is_named():
    graph = ":finn :boss :anna . :gina a :Person ; :boss :anna . :anna :town :oslo ."
    query = "SELECT ?x { ?x :boss :anna ; :town ?t }"
    right = Answer("answered", ("x",), tuple((Term("text", name),) for name in ("finn", "gina", "hugo")))
    store = Store.of(GRAPH + graph)
    suite = Suite("s", (Question("1", query="PREFIX : <http://x/> " + query, gold=right),))
    found = run_suite(suite, store)
    joined = gaps(store, suite, found, evaluate_answers(suite, found))
    (one,) = joined.failures
    assert (one.cause, one.evidence) == ("missing fact", "nothing for gina town ?")
    (fact,) = joined.missing
    assert (fact.subject, fact.predicate, fact.object) == (iri(X + "gina"), X + "town", None)
    assert (fact.source, round(fact.lost, 4)) == ("answer", 0.3333)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT (COUNT(?y) AS ?x) { ?x :boss ?y }",
        "SELECT ?x ?y { ?x :boss ?y }",
        "SELECT ?x { ?x :boss ?y . ?a :knows ?b . ?c :town ?d }",
        "SELECT ?x { ?x a :Person FILTER(?x = :dora) }",
        "SELECT (STR(?y) AS ?x) { ?y :boss ?z }",
    ],
)
def test_where_nobody_can_tell_nothing_is_named(query):
    right = Answer("answered", ("x",), ((iri(X + "bea"),), (Term("blank", "b0"),)))
    assert lost_facts("PREFIX : <http://x/> " + query, right, Store.of(GRAPH)) == {}


def test_an_answer_that_only_the_missing_fact_has_is_the_end_of_that_fact():
    right = Answer("answered", ("t",), ((iri(X + "paris"),),))
    query = f"SELECT ?t {{ <{X}anna> <{X}knows> ?b . ?b <{X}town> ?t }}"
    assert lost_facts(query, right, Store.of(GRAPH)) == {
        (iri(X + "paris"),): [(iri(X + "carl"), X + "town", iri(X + "paris"))]
    }
    known = query.replace("knows", "boss")
    assert lost_facts(known, right, Store.of(GRAPH)) == {}, "bea has another town, so the graph may be whole and wrong"
