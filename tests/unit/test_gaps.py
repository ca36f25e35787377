"""Gaps: what to fetch first by what it costs, the curve, and answers that rest on invalid links."""

import json
from dataclasses import replace

import jsonschema
import pytest

pytest.importorskip("pyoxigraph")
pytest.importorskip("rdflib")

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import Term, iri
from assay.errors import InputError, ParameterError
from assay.graph.gaps.curve import curve_of
from assay.graph.gaps.gaps import gaps
from assay.graph.gaps.resting import resting_on
from assay.graph.sparql.store import Store
from assay.report import gaps as report
from assay.report.schema import SCHEMAS
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.run import run_suite

X = "http://x/"
FULL = """@prefix : <http://x/> .
:anna :child :bea , :carl . :bea :job :baker , :smith . :carl :job :baker .
:dora :child :erik . :erik :job :baker . :baker :label "Baker" . :smith :label "Smith" .
"""
PART = FULL.replace(":baker , :smith", ":smith").replace(":erik :job :baker .", "")
ONE = "SELECT DISTINCT ?x { <http://x/anna> <http://x/child>/<http://x/job> ?x }"
TWO = "SELECT DISTINCT ?x { <http://x/dora> <http://x/child>/<http://x/job> ?x }"
SUITE = Suite("s", (Question("1", gold_query=ONE), Question("2", gold_query=TWO, weight=3.0)))


def link(subject, predicate, thing):
    return (iri(X + subject), X + predicate, iri(X + thing))


def joined(part=PART, suite=SUITE, **more):
    graph, full = Store.of(part), Store.of(FULL)
    answers, gold = run_suite(suite, graph), run_suite(suite, full, which="gold")
    judged = evaluate_answers(suite, answers, gold=gold)
    return gaps(graph, suite, answers, judged, gold=gold, reference=full, **more)


def test_facts_are_ranked_by_demand_times_lost_recall():
    found = joined()
    costs = [(one.key[0], one.key[2], one.lost, one.demand, one.questions) for one in found.missing]
    assert costs == [
        (f"<{X}erik>", f"<{X}baker>", 3.0, 3.0, ("2",)),
        (f"<{X}bea>", f"<{X}baker>", 0.0, 1.0, ("1",)),
    ]
    assert found.recall == 0.25
    assert "1 missing fact costs no answer yet: other proofs stand in for them." in found.notices
    (one,) = found.predicates
    assert (one.predicate, one.missing, one.questions, one.lost) == (X + "job", 2, 2, 3.0)


def test_a_fact_costs_the_share_of_proofs_that_need_it():
    part = PART.replace(":carl :job :baker .", "")
    costs = {one.subject.value: one.lost for one in joined(part).missing}
    assert costs == {X + "erik": 3.0, X + "bea": 0.25, X + "carl": 0.25}


def test_facts_of_the_suite_are_names_or_iris():
    facts = {
        "1": (("bea", "job", "baker"), ("anna", "child", "bea")),
        "2": ((X + "erik", X + "job", X + "baker"), ("erik", "job", "tinker")),
    }
    suite = replace(SUITE, questions=tuple(replace(one, facts=facts[one.name]) for one in SUITE.questions))
    graph = Store.of(PART)
    answers, gold = run_suite(suite, graph), run_suite(suite, Store.of(FULL), which="gold")
    found = gaps(graph, suite, answers, evaluate_answers(suite, answers, gold=gold), gold=gold)
    named = {(one.subject, one.predicate, one.object): one.lost for one in found.missing}
    assert named == {
        (iri(X + "erik"), X + "job", iri(X + "baker")): 3.0,
        (iri(X + "erik"), X + "job", Term("text", "tinker")): 3.0,
        link("bea", "job", "baker"): 0.0,
    }
    assert {one.source for one in found.missing} == {"facts"}


def test_literals_of_a_reference_are_compared_by_value():
    text = "<http://x/a> <http://x/size> {} ."
    suite = Suite("s", (Question("1", gold_query="SELECT ?x { <http://x/a> <http://x/size> ?x }"),))
    graph, full = Store.of(text.format("4")), Store.of(text.format("4.0"))
    answers, gold = run_suite(suite, graph), run_suite(suite, full, which="gold")
    found = gaps(graph, suite, answers, evaluate_answers(suite, answers, gold=gold), gold=gold, reference=full)
    assert (found.missing, found.failures, found.recall) == ((), (), 1.0)


def test_what_the_reference_cannot_tell_is_counted():
    query = "SELECT (COUNT(?x) AS ?n) { ?x <http://x/job> ?y }"
    found = joined(suite=Suite("s", (Question("1", gold_query=query),)))
    assert found.notices[0] == ("What answers rest on was not traced for 1 question: it counts or sums up (1).")
    assert found.failures[0].cause == "answers differ"


def test_without_reference_or_facts_the_break_is_named_and_said_to_be_less():
    graph, full = Store.of(PART), Store.of(FULL)
    answers, gold = run_suite(SUITE, graph), run_suite(SUITE, full, which="gold")
    found = gaps(graph, SUITE, answers, evaluate_answers(SUITE, answers, gold=gold), gold=gold)
    assert [(one.key, one.source) for one in found.missing] == [((f"<{X}erik>", X + "job", ""), "query")]
    assert found.notices[-1].startswith("Neither a reference nor facts")


def test_the_curve_at_one_keeps_all_and_falls():
    curve = curve_of(Store.of(FULL), SUITE.questions, shares=[1, 0.5], repeats=20, seed=3)
    whole, half = curve.points
    assert (whole.recall, whole.full, whole.expected, whole.statements) == (1, 1, 1, 9)
    assert half.lowest <= half.recall <= half.highest < 1
    assert half.expected == 0.25
    assert curve_of(Store.of(FULL), SUITE.questions[::-1], shares=[1, 0.5], repeats=20, seed=3).points == curve.points
    assert curve_of(Store.of(FULL), SUITE.questions, shares=[0.5], repeats=20, seed=4).points[0] != half


def test_the_curve_leaves_out_what_has_no_answer_and_refuses_nonsense():
    nothing = Question("3", gold_query="SELECT ?x { ?x <http://x/none> ?y }")
    assert curve_of(Store.of(FULL), [*SUITE.questions, nothing], shares=[0.9], repeats=1).questions == 2
    with pytest.raises(InputError, match="expected an answer to one question at least"):
        curve_of(Store.of(FULL), [nothing])
    for wrong in ({"shares": [0]}, {"shares": [1.1]}, {"shares": []}, {"repeats": 0}):
        with pytest.raises(ParameterError):
            curve_of(Store.of(FULL), SUITE.questions, **wrong)


def test_answers_that_rest_on_invalid_links_alone():
    graph = Store.of(FULL)
    right = run_suite(SUITE, graph)
    wrong = frozenset([link("bea", "job", "baker"), link("bea", "job", "smith")])
    found = resting_on(graph, SUITE.questions, right, right, wrong)
    assert (found.found, found.traced, found.invalid, found.some) == (3, 3, 1, 1)
    assert found.links == ((link("bea", "job", "smith"), 1),)
    assert (found.recall, found.sound) == (1.0, 0.875)
    assert (found.interval.method, found.interval.units) == ("wilson", 3)
    assert round(found.interval.low, 4) == 0.0615


def test_only_right_answers_are_traced_and_others_are_counted_with_the_reason():
    graph = Store.of(FULL)
    suite = (*SUITE.questions, Question("3", gold_query="SELECT (COUNT(?x) AS ?n) { ?x <http://x/job> ?y }"))
    right = run_suite(Suite("s", suite), graph)
    gold = right | {"1": Answer("answered", ("x",), ((iri(X + "smith"),), (iri(X + "cook"),)))}
    found = resting_on(graph, suite, right, gold, frozenset())
    assert (found.found, found.traced, found.untraced) == (3, 2, {"it counts or sums up": 1})
    assert found.recall == (0.5 + 3) / 4
    elsewhere = {"1": gold["1"]}
    assert resting_on(graph, suite, elsewhere, elsewhere, frozenset()).untraced == {
        "its answers are not those of this query on this graph": 1
    }
    none = resting_on(graph, suite, {}, gold, frozenset())
    assert (none.share, none.interval, none.recall) == (None, None, None)


def test_an_evaluation_of_other_questions_is_refused():
    suite = Suite("other", (replace(SUITE.questions[0], name="9"),))
    answers = run_suite(SUITE, Store.of(FULL))
    with pytest.raises(InputError, match="expected the questions that were judged"):
        gaps(Store.of(FULL), suite, answers, evaluate_answers(SUITE, answers, gold=answers))


def test_every_form_has_the_same_facts():
    found = joined(shares=(0.9,), repeats=2)
    document = json.loads(json.dumps(found.to_dict(command=["x"])))
    jsonschema.validate(document, SCHEMAS["graph gaps"])
    frame = report.to_frame(found)
    assert frame["lost"].to_list() == [one["lost"] for one in document["missing"]] == [3.0, 0.0]
    for width in (60, 80, 120):
        text = report.render(found, width)
        assert max(map(len, text.splitlines())) <= width
        assert "WHAT TO FETCH FIRST" in text
    assert "| erik | job | baker | 3.00 | 3 | 1 | reference |" in report.to_markdown(found)
    assert repr(found) == "Gaps(1 of 2 questions failed, 2 facts missing)"
