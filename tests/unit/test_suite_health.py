"""Which right answers of a suite may be trusted."""

from dataclasses import replace

import jsonschema
import pytest

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import XSD, Term, iri, literal
from assay.graph.sparql.asking import QueryError
from assay.report import suite_health
from assay.report.schema import SCHEMAS
from assay.tasks.answers.changes import Changes
from assay.tasks.answers.check import check_suite
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.wording import repeated, window_in_words

pytest.importorskip("pyoxigraph")
from assay.graph.sparql.store import Store

PREFIX = "PREFIX : <http://x/> "
STORE = Store.of("@prefix : <http://x/> . :a :n 3 . :b :n 2 . :c :n 2 . :d :n 1 .", "sizes")


def rows(*names):
    return Answer("answered", ("x",), tuple((iri(f"http://x/{name}"),) for name in names))


def codes(*questions, graph=STORE, other=None):
    return [one.codes for one in check_suite(Suite("made", questions), graph, other).questions]


class Saying:
    """A graph that says the same to every query."""

    name = "saying"

    def __init__(self, answer):
        self.answer = answer

    def ask(self, query):
        del query
        return self.answer

    def select(self, query):
        if not self.answer.answered:
            raise QueryError(self.answer.message)
        return self.ask(query)


ALL = PREFIX + "SELECT ?x { ?x :n ?n } ORDER BY DESC(?n)"


def test_a_question_in_order_has_no_finding():
    assert codes(Question("1", gold_query=ALL, gold=rows("d", "c", "b", "a"))) == [()]


def test_answers_that_changed_are_stale_and_shown():
    found = check_suite(Suite("made", (Question("1", gold_query=ALL, gold=rows("a", "b", "c", "z")),)), STORE)
    (finding,) = found["1"].findings
    assert (finding.code, finding.detail) == ("stale", "1 row given and not found, 1 row found and not given")
    assert finding.examples == ("<http://x/z>", "<http://x/d>")
    assert found.left_out() == {"1": "stale: 1 row given and not found, 1 row found and not given"}


def test_an_empty_gold_is_found_with_and_without_a_graph():
    none = PREFIX + "SELECT ?x { ?x :m ?n }"
    assert codes(Question("1", gold_query=none)) == [("empty",)]
    assert codes(Question("1", gold_query=none, gold=rows("a"))) == [("empty", "stale")]
    assert codes(Question("1", gold_query=ALL, gold=rows())) == [("stale",)]
    assert codes(Question("1", gold_query=ALL, gold=rows()), graph=None) == [("empty",)]


def test_an_aggregate_over_nothing_is_empty_and_a_count_of_nothing_is_not():
    assert codes(Question("1", gold_query=PREFIX + "SELECT (MAX(?n) AS ?m) { ?x :m ?n }")) == [("empty",)]
    assert codes(Question("1", gold_query=PREFIX + "SELECT (COUNT(?n) AS ?m) { ?x :m ?n }")) == [()]
    assert codes(Question("1", gold_query=PREFIX + "ASK { ?x :m ?n }")) == [()]


def test_errors_and_time_outs_are_never_empty():
    failing, slow = Saying(Answer("error", message="no")), Saying(Answer("timeout", message="late"))
    question = Question("1", gold_query=ALL)
    assert codes(question, graph=failing) == [("error",)]
    assert codes(question, graph=slow) == [("timeout",)]
    assert check_suite(Suite("made", (question,)), slow).left_out() == {"1": "timeout: late"}
    assert codes(Question("1", gold_query="SELECT nothing", gold=rows("a"))) == [("error",)]


def test_a_question_without_gold_is_missing_it():
    assert codes(Question("1", "Who?", query=ALL)) == [("missing",)]


def test_a_tie_at_the_limit_leaves_the_mean_and_offers_what_is_acceptable():
    question = Question("1", gold_query=ALL + " LIMIT 2")
    found = check_suite(Suite("made", (question,)), STORE)
    assert found.left_out() == {"1": "tie-cut: rows 2 to 3 are tied, 1 of them is taken"}
    ties = found.acceptable("1")
    assert [row[0].value[-1] for row in ties.acceptable] == ["a", "b", "c"]
    assert ties.size == 2
    assert check_suite(Suite("made", (Question("1", gold_query=ALL + " LIMIT 3"),)), STORE).acceptable("1") is None


@pytest.mark.parametrize(("given", "stale"), [("ab", False), ("ac", False), ("ad", True), ("bc", True), ("a", True)])
def test_each_of_the_acceptable_answers_is_current(given, stale):
    (found,) = codes(Question("1", gold_query=ALL + " LIMIT 2", gold=rows(*given)))
    assert ("stale" in found) is stale
    assert "tie-cut" in found


def test_a_limit_without_an_order_is_said_to_have_none():
    found = check_suite(Suite("made", (Question("1", gold_query=PREFIX + "SELECT ?x { ?x :n ?n } LIMIT 2"),)), STORE)
    assert found.left_out() == {"1": "tie-cut: no order for 4 rows, 2 of them are taken"}


def test_a_second_engine_is_held_against_the_first():
    question = Question("1", gold_query=ALL)
    assert codes(question, other=Saying(rows("a", "b", "c", "d"))) == [()]
    assert codes(question, other=Saying(rows("a"))) == [("engine-dependent",)]
    assert codes(question, other=Saying(Answer("error", message="no"))) == [("engine-dependent",)]
    assert codes(question, other=Saying(Answer("timeout"))) == [("undecided",)]


@pytest.mark.parametrize(("names", "same"), [("abcd", True), ("acbd", True), ("bacd", False), ("dcba", False)])
def test_an_order_is_part_of_an_answer_up_to_ties(names, same):
    given = replace(rows(*names), ordered=True)
    assert codes(Question("1", gold_query=ALL, gold=given)) == [() if same else ("stale",)]
    assert codes(Question("1", gold_query=ALL), other=Saying(given)) == [() if same else ("engine-dependent",)]
    assert codes(Question("1", gold_query=ALL, gold=replace(given, ordered=False))) == [()]
    assert codes(Question("1", gold_query=PREFIX + "SELECT ?x { ?x :n ?n }", gold=given)) == [()]


def test_rows_that_look_the_same_at_several_places_may_stand_at_each():
    store = Store.of("@prefix : <http://x/> . :a :n 1 ; :m 5 . :b :n 2 ; :m 6 . :c :n 3 ; :m 5 .")
    query = PREFIX + "SELECT ?m { ?x :n ?n ; :m ?m } ORDER BY ?n"
    given = Answer("answered", ("m",), tuple((literal(text, XSD + "integer"),) for text in ("6", "5")), ordered=True)
    assert codes(Question("1", gold_query=query, gold=given), graph=store) == [()]


def test_the_other_choice_from_a_tie_is_no_difference_of_engines():
    question = Question("1", gold_query=ALL + " LIMIT 2")
    assert (
        codes(question, other=Saying(rows("a", "b"))) == codes(question, other=Saying(rows("a", "c"))) == [("tie-cut",)]
    )
    assert codes(question, other=Saying(rows("a", "d"))) == [("tie-cut", "engine-dependent")]


def test_a_query_by_chance_is_unstable():
    assert codes(Question("1", gold_query="SELECT (RAND() AS ?x) { VALUES ?y { 1 } } ORDER BY ?y LIMIT 1")) == [
        ("unstable",)
    ]


def test_what_is_only_noted_stays_in_the_mean():
    text = "The top three?"
    questions = Question("1", text, gold_query=ALL + " LIMIT 1"), Question("2", " the TOP three? ", gold_query=ALL)
    found = check_suite(Suite("made", questions), STORE)
    assert [one.codes for one in found.questions] == [("window",), ("duplicate",)]
    assert (found.healthy, found.left_out()) == (2, {})


@pytest.mark.parametrize(
    ("text", "window", "said"),
    [
        ("6th to 10th", "LIMIT 5 OFFSET 10", "the text says places 6 to 10, the query takes 11 to 15"),
        ("6th to 10th", "LIMIT 5 OFFSET 5", None),
        ("the 1st through 3rd", "LIMIT 3", None),
        ("the top-5 parts", "LIMIT 3", "the text says places 1 to 5, the query takes 1 to 3"),
        ("the top three parts", "LIMIT 3", None),
        ("the top parts of the 19th century", "LIMIT 3", None),
        ("the top 5 parts", "", None),
    ],
)
def test_places_in_words(text, window, said):
    assert window_in_words(Question("1", text, gold_query=f"{ALL} {window}")) == said


def test_questions_are_repeated_by_text_or_by_query():
    suite = Suite(
        "made",
        (
            Question("1", "Who?", gold_query="ASK {}"),
            Question("2", "Whom?", gold_query="ASK{ }"),
            Question("3", "who?"),
        ),
    )
    assert repeated(suite) == {"2": "same query as 1", "3": "same text as 1"}
    assert repeated(Suite("empty", (Question("1"), Question("2")))) == {}


def test_terms_are_the_same_by_value_and_columns_by_name_or_place():
    one = Answer("answered", ("a", "b"), ((literal("4", XSD + "integer"), literal("x", language="en")),))
    two = Answer("answered", ("b", "a"), ((literal("x", language="en"), literal("4.0", XSD + "decimal")),))
    assert not Changes.between(one, two).any
    assert not Changes.between(one, Answer("answered", ("p", "q"), one.rows)).any
    assert Changes.between(one, Answer("answered", ("a",), ((literal("x"),),))).said == "2 columns became 1"


def test_decimals_that_were_divided_to_different_lengths_are_the_same():
    third = [Answer("answered", ("x",), ((literal("0." + "3" * many, XSD + "decimal"),),)) for many in (11, 18, 28)]
    assert not Changes.between(third[1], third[2]).any
    assert Changes.between(third[0], third[1]).any
    ones = [Answer("answered", ("x",), ((literal(text, XSD + "decimal"),),)) for text in ("-0." + "9" * 28, "-1")]
    assert not Changes.between(*ones).any


def test_texts_stand_for_the_things_they_name():
    given = Answer("answered", ("x",), ((Term("text", "a"),), (Term("text", "c"),)))
    found = Changes.between(given, rows("a", "b"))
    assert (found.lost, found.added) == (((Term("text", "c"),),), rows("b").rows)


def test_yes_and_no_are_answers():
    yes, no = Answer("answered", boolean=True), Answer("answered", boolean=False)
    assert not Changes.between(no, no).any
    assert Changes.between(yes, no).said == "yes became no"
    assert codes(Question("1", gold_query=PREFIX + "ASK { :a :n 9 }", gold=yes)) == [("stale",)]


def test_answers_that_are_not_whole_are_not_compared():
    cut = Answer("answered", ("x",), rows("a").rows, truncated=True)
    found = codes(Question("1", gold_query="SELECT ?x {}", gold=rows("b")), graph=Saying(cut), other=Saying(rows("c")))
    assert found == [("undecided",)]


def test_what_was_not_looked_at_is_not_counted_as_fine():
    suite = Suite("made", (Question("1", gold_query=ALL, gold=rows("a")),))
    assert check_suite(suite).count()["stale"] == (0, 0)
    assert "No graph was asked" in check_suite(suite).notices[0]
    assert check_suite(suite, STORE).count()["stale"] == (1, 1)
    assert "not evaluated" in suite_health.render(check_suite(suite))


def test_a_limit_in_a_sub_select_is_named():
    query = "SELECT ?x { { SELECT ?x { ?x ?p ?n } LIMIT 1 } }"
    assert "sub-selects" in check_suite(Suite("made", (Question("7", gold_query=query),)), STORE).notices[0]


def test_a_tie_at_the_limit_may_stay_with_the_answers_that_are_right(tmp_path):
    questions = Question("tied", gold_query=ALL + " LIMIT 2"), Question("none", gold_query="SELECT ?x { ?x a ?x }")
    found = check_suite(Suite("made", questions), STORE)
    assert list(found.left_out()) == ["tied", "none"]
    assert list(found.left_out(but={"tie-cut"})) == ["none"]
    assert list(found.choices()) == ["tied"]
    gold = {"tied": STORE.ask(questions[0].gold_query)}
    for name in "bc":
        answer = {"tied": rows("a", name)}
        judged = evaluate_answers(
            Suite("made", questions), answer, gold=gold, left_out=found.left_out(but={"tie-cut"}),
            ties=found.choices(), interval=None,
        )  # fmt: skip
        assert judged.systems[0].figure("row-major").f1.value == 1


def test_the_report_names_each_finding_and_hides_nothing():
    questions = [Question(str(place), f"q{place}\x1b[31m", gold_query=ALL + " LIMIT 2") for place in range(25)]
    found = check_suite(Suite("made", tuple(questions)), STORE)
    drawn = suite_health.render(found)
    assert "GOLD of made, on sizes: 0 of 25 questions may be trusted, 25 leave the mean." in drawn
    assert "and 5 more: -o csv or json has all." in drawn
    assert "\x1b" not in drawn
    assert max(map(len, drawn.splitlines())) <= 80
    jsonschema.validate(found.to_dict(command=["assay"]), SCHEMAS["answers check"])
    frame = suite_health.to_frame(found)
    assert frame.filter(frame["finding"] == "tie-cut")["question"].to_list() == [str(place) for place in range(25)]
    assert "| 3 | tie-cut | rows 2 to 3 are tied, 1 of them is taken |" in suite_health.to_markdown(found)
