"""What other evaluators of answers were reported to get wrong, and figures that were published, from real data.

Each line of reported_answers.jsonl is one report: the input and what must come out.
"""

import json
import math
from pathlib import Path

import pytest

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import Term, iri
from assay.formats.answer_files import read_answers
from assay.formats.suites import read_suite
from assay.tasks.answers.conventions import overlaps
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.matching import Matching
from assay.tasks.answers.ranked import evaluated, ranking

LINES = Path(__file__).with_name("reported_answers.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}


def report(name):
    one = REPORTS[name]
    return one["input"], one["expected"]


def listed(values, *, ordered=False):
    return Answer("answered", ("v",), tuple((iri(value),) for value in values), ordered=ordered)


def judged(gold, answers, convention="row-major"):
    """Return the one system that gave these answers."""
    suite = Suite("suite", tuple(Question(f"q{n}", gold=one) for n, one in enumerate(gold)))
    found = evaluate_answers(suite, {f"q{n}": one for n, one in enumerate(answers)}, convention=convention)
    return found.systems[0]


def test_each_convention_has_its_rule_for_nothing():
    given, expected = report("sparql-01-empty-rules")
    gold = [listed(one) for one in given["gold"]]
    found = judged(gold, [listed(one) for one in given["answers"]])
    gerbil, micro = found.figure("gerbil"), found.figure("micro")
    assert [gerbil.precision.value, gerbil.recall.value, gerbil.f1.value] == [
        expected["gerbil_macro"][name] for name in ("p", "r", "f1")
    ]
    assert found.figure("qald").f1.value == pytest.approx(expected["gerbil_macro_f1_qald"], abs=1e-12)
    assert [micro.precision.value, micro.recall.value, micro.f1.value] == [
        expected["micro"][name] for name in ("p", "r", "f1")
    ]
    assert found.figure("set").f1.value == expected["macro_f1_empty_gold_dropped"]
    assert (found.figure("set").questions, gerbil.questions) == (3, 5)
    silent = judged(gold, [Answer("answered")] * len(gold))
    assert silent.figure("gerbil").f1.value == expected["answer_nothing_system_gerbil_macro_f1"]


@pytest.mark.parametrize("place", range(4))
def test_a_no_is_an_answer(place):
    given, expected = report("sparql-03-boolean")
    gold, answer = (Answer("answered", boolean=given[place][name]) for name in ("gold", "answer"))
    found = judged([gold], [answer])
    assert {one.f1.value for one in found.figures} == {expected[place]["f1"]}
    assert found.count("empty").count == 0
    assert found.ranked is None


def rows_of(rows):
    columns = tuple(rows[0])
    return Answer("answered", columns, tuple(tuple(iri(row[name]) for name in columns) for row in rows))


@pytest.mark.parametrize("place", range(2))
def test_values_that_belong_together_stand_in_one_row(place):
    given, expected = report("sparql-04-rows")
    made = overlaps(rows_of(given[place]["gold"]), rows_of(given[place]["answer"]), Matching())
    wanted = expected[place]
    assert made["value"].f1 == pytest.approx(wanted["pooled_values_f1"])
    assert made["row-exact"].f1 == wanted["row_exact_f1"]
    if "spinach_row_major_f1" in wanted:
        assert made["row-partial"].f1 == pytest.approx(wanted["spinach_row_major_f1"])
        assert made["row-partial"].precision == made["row-partial"].recall == wanted["mean_cell_overlap"]
    else:
        assert made["row-superset"].f1 == wanted["row_superset_f1"]


def test_a_reversed_order_is_not_perfect():
    given, expected = report("sparql-05-order")
    gold, answer = (listed(given[name], ordered=True) for name in ("gold_order", "answer_order"))
    found = judged([gold], [answer])
    assert found.figure("set").f1.value == expected["set_f1"]
    assert found.questions[0].order == expected["kendall_tau"]
    made = ranking("q", gold, answer, Matching(), by_value=False)
    assert evaluated([made], "nDCG").mean["nDCG"] == pytest.approx(expected["ndcg_gain_by_position_3_2_1"], abs=1e-15)


def test_an_error_is_never_an_empty_answer():
    given, expected = report("sparql-09-error-is-not-empty")
    gold = [listed(one["gold"]) for one in given.values()]
    results = [one["result"] for one in given.values()]
    answers = [listed(one) if isinstance(one, list) else Answer(one) for one in results]
    found = judged(gold, answers, "gerbil")
    assert [one.f1 for one in found.questions] == expected["f1"]
    assert found.count("executed").count == expected["executed"]
    assert found.count("executed").share == expected["execution_rate"]
    assert found.count("answerable").share == expected["answerable_rate"]
    failed = [name for name, one in zip(given, found.questions, strict=True) if one.outcome in {"error", "timeout"}]
    assert failed == expected["errors"]


def test_a_system_that_says_nothing_on_real_questions(data):
    suite = read_suite(data / "sparql/qald9plus/qald_9_plus_test_dbpedia.json")
    assert sum(one.gold.empty for one in suite.questions) == 35
    found = evaluate_answers(suite, {one.name: Answer("answered") for one in suite.questions}, interval=None)
    system = found.systems[0]
    shown = {one.convention: f"{one.f1.value:.4f}" for one in system.figures}
    assert (shown["gerbil"], shown["qald"], shown["micro"], shown["set"]) == ("0.2333", "0.3784", "0.0000", "0.0000")
    assert system.figure("set").questions == 115
    assert "0.2333 by gerbil, 0.3784 by qald" in " ".join(found.notices)


def test_right_answers_are_all_right_under_every_convention(data):
    suite = read_suite(data / "sparql/qald9plus/qald_9_plus_test_dbpedia.json")
    found = evaluate_answers(suite, {one.name: one.gold for one in suite.questions}, interval=None)
    assert {one.f1.value for one in found.systems[0].figures} == {1.0}


def test_the_published_figures_of_a_real_system(data):
    path = data / "sparql/spinach-qald10/spinach_output_test.json"
    found = evaluate_answers(read_suite(path), read_answers(path).answers, interval=None)
    system = found.systems[0]
    shown = {one.convention: f"{one.f1.value:.4f}" for one in system.figures}
    assert {name: shown[name] for name in ("row-major", "set", "qald", "f1-of-means", "micro")} == {
        "row-major": "0.6954", "set": "0.6512", "qald": "0.6911", "f1-of-means": "0.6752", "micro": "0.5201",
    }  # fmt: skip
    published = {one["question"]: one["f1"] for one in json.loads(path.read_text("utf-8"))}
    assert len(system.questions) == len(published) == 387
    for one in system.questions:  # each question, not the mean alone
        assert math.isclose(one.f1, published[one.text], abs_tol=1e-12), one.text
    differ = sum(not math.isclose(one.f1, one.f1_by["set"], abs_tol=1e-12) for one in system.questions)
    assert differ == 58


@pytest.mark.parametrize("language", ["ignore", "basic", "exact"])
def test_the_language_of_texts_changes_little_there(data, language):
    path = data / "sparql/spinach-qald10/spinach_output_test.json"
    found = evaluate_answers(read_suite(path), read_answers(path).answers, interval=None, language=language)
    assert f"{found.systems[0].figures[0].f1.value:.4f}" == "0.6954"


@pytest.mark.parametrize("name", ["pq2h", "wc14"])
def test_texts_of_a_gold_standard_match_what_a_graph_answers(data, name):
    pytest.importorskip("pyoxigraph")
    from assay.graph.sparql.store import Store

    suite = read_suite(data / f"sparql/local-kgqa/{name}.jsonl")
    graph = Store.open([data / f"sparql/local-kgqa/{name}.nt"])
    found = evaluate_answers(suite, {one.name: graph.ask(one.asked) for one in suite.questions}, interval=None)
    assert found.systems[0].count("exactly").count == len(suite) == 400


def test_a_term_of_unknown_kind_is_no_blank_node():
    assert not Matching().same(Term("text", "b0"), Term("blank", "b0"))
