"""`run_suite`: every question asked once, every answer kept."""

import json
import threading

import pytest

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import iri
from assay.errors import InputError, ParameterError
from assay.formats.answer_files import read_answers
from assay.graph.sparql.store import Store
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.run import gold_answers, run_suite

pytest.importorskip("pyoxigraph")

TURTLE = "@prefix : <http://x/> . :a :p 1 ; :q :b . :b :p 2 ."
QUESTIONS = (
    Question("ordered", query="SELECT ?x { ?x <http://x/p> ?n } ORDER BY DESC(?n)"),
    Question("set", query="SELECT ?x { ?x <http://x/p> ?n }", gold_query="SELECT ?x { ?x <http://x/p> 1 }"),
    Question("yes", gold_query="ASK { ?x <http://x/q> ?y }"),
    Question("none", gold_query="SELECT ?x { ?x <http://x/z> ?y } ORDER BY ?x"),
    Question("wrong", query="SELEC"),
    Question("text", "Which one?"),
)
SUITE = Suite("six", QUESTIONS)


class Counted:
    """A graph that keeps what it was asked, and fails or stops when told to."""

    def __init__(self, name="counted", stop=None):
        self.store, self.name, self.asked, self.stop = Store.of(TURTLE), name, [], stop

    def ask(self, query):
        if self.stop is not None and len(self.asked) >= self.stop:
            raise KeyboardInterrupt
        self.asked.append(query)
        return self.store.ask(query)

    def select(self, query):
        return self.store.select(query)


def plain(answers):
    return {
        name: (one.status, one.boolean, one.ordered, [row[0].value for row in one.rows])
        for name, one in answers.items()
    }


RIGHT = {
    "ordered": ("answered", None, True, ["http://x/b", "http://x/a"]),
    "set": ("answered", None, False, ["http://x/a", "http://x/b"]),
    "yes": ("answered", True, False, []),
    "none": ("answered", None, False, []),
    "wrong": ("error", None, False, []),
    "text": ("error", None, False, []),
}


def as_right(answers):
    found = plain(answers)
    name = "set"
    return {**found, name: (*found[name][:3], sorted(found[name][3]))}


@pytest.mark.parametrize("concurrency", [1, 4])
def test_each_question_gets_its_answer_in_the_order_of_the_suite(concurrency):
    graph, done = Counted(), []
    found = run_suite(SUITE, graph, concurrency=concurrency, progress=lambda now, of: done.append((now, of)))
    assert as_right(found) == RIGHT
    assert list(found) == [one.name for one in QUESTIONS]
    assert found["text"].message == "the suite gives no SPARQL for it"
    assert done == [(number, 6) for number in range(1, 7)]
    assert sorted(graph.asked) == sorted(one.asked for one in QUESTIONS if one.asked)


def test_gold_is_that_of_the_gold_queries():
    assert plain(run_suite(SUITE, Counted(), which="gold")) == {
        "set": ("answered", None, False, ["http://x/a"]),
        "yes": RIGHT["yes"],
        "none": RIGHT["none"],
    }


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_run_that_was_stopped_goes_on_where_it_stopped(tmp_path, concurrency):
    kept, first, second = tmp_path / "answers.jsonl", Counted(stop=2), Counted()
    with pytest.raises(KeyboardInterrupt):
        run_suite(SUITE, first, resume=kept, concurrency=concurrency)
    before = len(read_answers(kept).answers)
    assert before <= 4
    found = run_suite(SUITE, second, resume=kept, concurrency=concurrency)
    assert as_right(found) == RIGHT
    assert as_right(read_answers(kept).answers) == RIGHT
    assert len(second.asked) <= 5 - (before if concurrency == 1 else 0)
    third = Counted()
    assert as_right(run_suite(SUITE, third, resume=kept)) == RIGHT
    assert third.asked == []


def test_a_line_that_was_cut_in_two_is_asked_again(tmp_path):
    kept = tmp_path / "answers.jsonl"
    run_suite(SUITE, Counted(), resume=kept)
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(lines[:3]) + lines[3][:20])
    graph = Counted()
    assert as_right(run_suite(SUITE, graph, resume=kept)) == RIGHT
    assert len(graph.asked) == 3
    assert as_right(read_answers(kept).answers) == RIGHT


def test_errors_are_asked_again_when_asked_for(tmp_path):
    kept = tmp_path / "answers.jsonl"
    run_suite(SUITE, Counted(), resume=kept)
    graph = Counted()
    assert as_right(run_suite(SUITE, graph, resume=kept, again=True)) == RIGHT
    assert graph.asked == ["SELEC"]
    assert as_right(read_answers(kept).answers) == RIGHT


def test_answers_of_something_else_are_not_gone_on_with(tmp_path):
    kept = tmp_path / "answers.jsonl"
    run_suite(SUITE, Counted(), resume=kept)
    with pytest.raises(InputError, match="expected answers of other, found those of counted"):
        run_suite(SUITE, Counted("other"), resume=kept)
    with pytest.raises(InputError, match="found answers to other ones"):
        run_suite(Suite("five", QUESTIONS[1:]), Counted(), resume=kept)
    with pytest.raises(InputError, match="expected answers of search, found those of SPARQL"):
        run_suite(Suite("six", QUESTIONS), Counted(), resume=kept, search=lambda _: Answer("answered"))
    kept.write_text(json.dumps({"id": "set", "status": "timeout"}) + "\n")
    with pytest.raises(InputError, match="does not say what was asked"):
        run_suite(SUITE, Counted(), resume=kept)
    with pytest.raises(InputError, match="expected a folder to write into"):
        run_suite(SUITE, Counted(), resume=tmp_path / "none" / "answers.jsonl")


def test_an_empty_file_is_begun(tmp_path):
    kept = tmp_path / "answers.jsonl"
    kept.touch()
    run_suite(SUITE, Counted(), resume=kept)
    assert as_right(read_answers(kept).answers) == RIGHT


def test_a_search_answers_in_place_of_sparql():
    found = run_suite(SUITE, Counted(), search=lambda question: Answer("answered", ("x",), ((iri(question.text),),)))
    assert found["text"].rows == ((iri("Which one?"),),)


def test_no_more_are_asked_at_once_than_allowed():
    lock, now, most = threading.Lock(), [0], [0]
    gate = threading.Barrier(2, timeout=10)

    def search(question):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        gate.wait()
        with lock:
            now[0] -= 1
        return Answer("answered")

    run_suite(SUITE, Counted(), search=search, concurrency=2)
    assert most == [2]
    with pytest.raises(ParameterError, match="expected 1 or more"):
        run_suite(SUITE, Counted(), concurrency=0)


def test_right_answers_come_from_gold_queries_and_say_how_many_say_nothing():
    graph = Counted()
    found = run_suite(SUITE, graph)
    gold, same = gold_answers(SUITE, graph, found)
    assert (same, set(gold)) == (2, {"set", "yes", "none"})
    assert gold["yes"] is found["yes"]
    assert gold["set"].rows == ((iri("http://x/a"),),)
    searched, none = gold_answers(SUITE, graph, found, searched=True)
    assert (none, plain(searched)) == (0, plain(gold))


def test_a_gold_query_that_fails_when_it_is_asked_is_a_failure_and_not_left_out():
    suite = Suite("one", (Question("wrong", gold_query="SELEC"), QUESTIONS[2]))
    graph = Counted()
    found = run_suite(suite, graph)
    gold, _ = gold_answers(suite, graph, found)
    system = evaluate_answers(suite, found, gold=gold, interval=None).systems[0]
    assert [(system.count(name).count, system.count(name).of) for name in ("error", "executed")] == [(1, 2)] * 2
    assert {one.f1.value for one in system.figures if one.convention != "micro"} == {0.5}
