"""Gaps on real questions: statements are dropped, and the list has to name them; supports against the store itself."""

import random
from dataclasses import replace

import pytest

pytest.importorskip("pyoxigraph")
pytest.importorskip("rdflib")

from assay.formats.suites import read_suite
from assay.graph.gaps.curve import curve_of
from assay.graph.gaps.gaps import gaps
from assay.graph.gaps.supports import supports
from assay.graph.sparql.store import Store
from assay.graph.validity.validity import validity
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.run import run_suite

EVERY = "SELECT ?s ?p ?o { ?s ?p ?o }"
NAMES = {"pq2h": "urn:pq2h", "wc14": "urn:wc14"}


@pytest.fixture(scope="module", params=NAMES)
def kgqa(request, data):
    folder = data / "sparql" / "local-kgqa"
    name = request.param
    return name, read_suite(folder / f"{name}.jsonl"), Store.open([folder / f"{name}.nt"])


def lines_of(graph):
    return sorted(" ".join(term.n3 for term in row) + " ." for row in graph.select(EVERY).rows)


def without(graph, share, seed):
    """Return a graph that lacks a share of the statements, and what it lacks."""
    lines = lines_of(graph)
    dropped = set(random.Random(seed).sample(lines, round(share * len(lines))))
    return Store.of("\n".join(line for line in lines if line not in dropped)), dropped


def needed(suite, space):
    """Return the facts of the suite as statements."""
    facts = {fact for question in suite.questions for fact in question.facts}
    return {f"<{space}:{s}> <{space}p:{p}> <{space}:{o}> ." for s, p, o in facts}


def named(found, *sources):
    facts = [one for one in found.missing if not sources or one.source in sources]
    return {f"<{one.subject.value}> <{one.predicate}> <{one.object and one.object.value}> ." for one in facts}


def test_the_curve_is_that_of_the_research(kgqa):
    name, suite, full = kgqa
    curve = curve_of(full, suite.questions, shares=(0.99, 0.95, 0.9, 0.8), repeats=5)
    recall = {one.kept: one.recall for one in curve.points}
    assert curve.questions == curve.traced == 400
    assert {one.kept: round(one.expected, 4) for one in curve.points}[0.9] == 0.81
    measured = {"pq2h": {0.95: 0.898, 0.9: 0.807, 0.8: 0.643}, "wc14": {0.95: 0.94, 0.9: 0.868, 0.8: 0.736}}[name]
    for kept, value in measured.items():
        assert recall[kept] == pytest.approx(value, abs=0.025)
    assert all(one.lowest <= one.recall <= one.highest for one in curve.points)
    if name == "wc14":
        full_at = {one.kept: one.full for one in curve.points}
        assert full_at[0.99] == pytest.approx(0.901, abs=0.05)
        assert full_at[0.9] == pytest.approx(0.564, abs=0.05)
        assert recall[0.9] > 0.81, "answers with several proofs lose less than CR^h"


@pytest.mark.parametrize("seed", [0, 1])
def test_the_list_names_the_facts_that_were_dropped(kgqa, seed):
    name, suite, full = kgqa
    part, dropped = without(full, 0.1, seed)
    answers = run_suite(suite, part)
    judged = evaluate_answers(suite, answers, interval=None)
    target = dropped & needed(suite, NAMES[name])
    assert len(target) > 30
    by_reference = gaps(part, suite, answers, judged, reference=full)
    assert target <= named(by_reference) <= dropped, "all that was dropped and needed, and nothing else"
    assert {one.cause for one in by_reference.failures} <= {"missing fact", "entity not linked"}
    by_facts = gaps(part, suite, answers, judged)
    ends = {tuple(part.rpartition(":")[2].strip("<> .") for part in line.split("> <")) for line in target}
    found = {
        tuple(part.rpartition(":")[2].strip("<> .") for part in line.split("> <")) for line in named(by_facts, "facts")
    }
    assert found == ends, "a thing that the graph has lost is named as the suite writes it"


def test_without_facts_and_reference_most_pairs_are_still_named(kgqa):
    name, suite, full = kgqa
    part, dropped = without(full, 0.1, 0)
    bare = replace(suite, questions=tuple(replace(one, facts=()) for one in suite.questions))
    answers = run_suite(bare, part)
    found = gaps(part, bare, answers, evaluate_answers(bare, answers, interval=None))
    pairs = {(f"<{one.subject.value}>", f"<{one.predicate}>") for one in found.missing if one.subject}
    lost = {tuple(line.split()[:2]) for line in dropped & needed(suite, NAMES[name])}
    assert len(lost & pairs) / len(lost) > {"pq2h": 0.9, "wc14": 0.6}[name]
    right = pairs & {tuple(line.split()[:2]) for line in dropped}
    assert len(right) / len(pairs) > 0.9, "a query breaks off where a fact is missing, seldom elsewhere"


def test_lost_recall_sums_to_what_the_questions_lose(kgqa):
    _, suite, full = kgqa
    part, _ = without(full, 0.02, 5)
    answers = run_suite(suite, part)
    found = gaps(part, suite, answers, evaluate_answers(suite, answers, interval=None), reference=full)
    lost = sum(one.lost for one in found.failures)
    assert 0 < lost == pytest.approx((1 - found.recall) * 400)
    listed = sum(one.lost for one in found.missing)
    assert lost <= listed + 1e-9, "an answer may lack several facts, and never none"


@pytest.fixture(scope="module")
def ck25(data):
    place = data / "rdf" / "ck25" / "prod-inst.ttl"
    return read_suite(data / "sparql" / "ck25" / "questions.yml"), Store.open([place])


def test_answers_of_ck25_go_exactly_as_their_supports_say(ck25):
    suite, full = ck25
    part, _ = without(full, 0.1, 0)
    there = {(row[0], row[1].value, row[2]) for row in part.select(EVERY).rows}
    traced = 0
    for question in suite.questions:
        found = supports(question.gold_query, full)
        if found.reason or "LIMIT" in question.gold_query:
            continue
        traced += 1
        left = {row for row, ways in found.answers.items() if any(way <= there for way in ways)}
        answer = part.select(question.gold_query)
        assert left == (set(answer.rows) if answer.boolean is None else {()} if answer.boolean else set())
    assert traced > 20


def test_ck25_answers_that_rest_on_invalid_links(ck25):
    suite, full = ck25
    answers = run_suite(suite, full)
    found = gaps(
        full, suite, answers, evaluate_answers(suite, answers, gold=answers), gold=answers, validity=validity(full)
    )
    resting = found.resting
    assert (found.failures, found.missing, found.recall) == ((), (), 1.0)
    assert resting.traced < resting.found
    assert sum(resting.untraced.values()) + resting.questions == 49, "one is answered by no, which rests on nothing"
    assert 0 < resting.invalid < resting.traced
    assert resting.recall == 1.0 > resting.sound
    predicates = {predicate.rpartition("/")[2] for (_, predicate, _), _ in resting.links}
    assert predicates <= {"addressCountry", "addressCountryCode", "addressLocality", "quantity", "hasProductManager"}
