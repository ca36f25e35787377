"""Conventions against plain loops over questions, written from their definitions."""

import math
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.answers import Answer, Question, Suite
from assay.core.terms import iri
from assay.errors import InputError, ParameterError, UnknownNameError
from assay.tasks.answers.conventions import CONVENTIONS, convention_of
from assay.tasks.answers.evaluate import evaluate_answers

VALUES = st.lists(st.sampled_from("abcd"), max_size=4, unique=True)
ANSWERS = st.sampled_from(["error", "timeout", None]) | VALUES
QUESTIONS = st.lists(st.tuples(VALUES, ANSWERS), min_size=1, max_size=8)


def listed(values):
    return Answer("answered", ("v",), tuple((iri(value),) for value in values))


def given_answer(what):
    return Answer(what) if isinstance(what, str) else listed(what)


def judged(questions, **options):
    suite = Suite("suite", tuple(Question(f"q{n}", gold=listed(gold)) for n, (gold, _) in enumerate(questions)))
    answers = {f"q{n}": given_answer(what) for n, (_, what) in enumerate(questions) if what is not None}
    return evaluate_answers(suite, {"it": answers}, **{"interval": None} | options)


def by_the_book(questions, *, empty, silent=False):
    """Return P, R, F1 of each question that counts."""
    out = []
    for gold, what in questions:
        failed = what is None or isinstance(what, str)
        found = set() if failed else set(what)
        tp, fp, fn = len(found & set(gold)), len(found - set(gold)), len(set(gold) - found)
        if not gold and not empty:
            continue
        if failed:
            out.append((0, 0, 0))
        elif tp == 0:
            right = float(fp == 0 and fn == 0)
            out.append((1 if silent and fp == 0 and fn > 0 else right, right, right))
        else:
            p, r = tp / (tp + fp), tp / (tp + fn)
            out.append((p, r, 2 * p * r / (p + r)))
    return out


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0


@given(QUESTIONS)
def test_means_are_those_of_a_plain_loop(questions):
    if not any(gold for gold, _ in questions):
        return
    system = judged(questions)["it"]
    for name in ("set", "gerbil", "row-exact", "row-superset", "row-major"):
        expected = by_the_book(questions, empty=name == "gerbil")
        found = system.figure(name)
        assert found.questions == len(expected)
        for part, column in zip(("precision", "recall", "f1"), zip(*expected, strict=True), strict=True):
            assert getattr(found, part).value == pytest.approx(fmean(column), abs=1e-12)


@given(QUESTIONS)
def test_f1_of_means_and_of_sums(questions):
    system = judged(questions)["it"]
    for name, silent in (("f1-of-means", False), ("qald", True)):
        columns = list(zip(*by_the_book(questions, empty=True, silent=silent), strict=True))
        p, r = fmean(columns[0]), fmean(columns[1])
        assert system.figure(name).f1.value == pytest.approx(harmonic(p, r), abs=1e-12)
    pairs = [(set(gold), set(what) if isinstance(what, list) else set()) for gold, what in questions]
    tp = sum(len(gold & found) for gold, found in pairs)
    below = sum(len(gold) + len(found) for gold, found in pairs)
    micro = system.figure("micro").f1.value
    assert micro is None if not below else math.isclose(micro, 2 * tp / below, abs_tol=1e-12)


@settings(max_examples=15)
@given(QUESTIONS, st.sampled_from(["row-major", "micro"]), st.randoms(use_true_random=False))
def test_neither_the_order_of_questions_nor_of_rows_changes_a_bit(questions, convention, chance):
    named = list(enumerate(questions))
    suite = Suite("suite", tuple(Question(f"q{n}", gold=listed(gold)) for n, (gold, _) in named))
    answers = {f"q{n}": given_answer(what) for n, (_, what) in named if what is not None}
    turned = Suite("suite", tuple(Question(one.name, gold=turn(one.gold, chance)) for one in mixed(suite, chance)))
    back = {name: turn(answers[name], chance) for name in reversed(answers)}
    options = {"interval": 0.9, "measures": "AP P@2", "convention": convention}
    one, other = (evaluate_answers(a, {"it": b}, **options).to_dict() for a, b in ((suite, answers), (turned, back)))
    assert one == other


def turn(answer, chance):
    return Answer(answer.status, answer.columns, tuple(chance.sample(answer.rows, len(answer.rows))))


def mixed(suite, chance):
    return chance.sample(suite.questions, len(suite.questions))


def test_demand_weighs_questions():
    suite = Suite("s", (Question("a", gold=listed("x"), weight=3), Question("b", gold=listed("y"))))
    found = evaluate_answers(suite, {"a": listed("x"), "b": listed("z")}, interval=None, measures="P@1")
    system = found.systems[0]
    assert {name: system.figure(name).f1.value for name in ("row-major", "gerbil", "f1-of-means", "micro")} == {
        "row-major": 0.75, "gerbil": 0.75, "f1-of-means": 0.75, "micro": 0.75,
    }  # fmt: skip
    assert (system.count("answerable").share, system.count("answerable").demand) == (0.5, 0.75)
    assert system.ranked.mean == {"P@1": 0.75}
    assert found.weighted


def test_yes_or_no_where_rows_are_asked_for_and_the_other_way_round():
    rows, yes = listed("ab"), Answer("answered", boolean=True)
    suite = Suite("s", (Question("q", gold=rows), Question("r", gold=yes), Question("e", gold=listed(""))))
    system = evaluate_answers(suite, {"q": yes, "r": rows, "e": yes}, convention="gerbil", interval=None).systems[0]
    assert [one.f1 for one in system.questions] == [0, 0, 0]
    assert system.count("empty").count == 0
    assert [one.found for one in system.questions] == [1, 0, 2]  # in the order of ids: e, q, r


def test_labels_beside_things_are_no_wrong_values():
    gold = listed("a")
    named = Answer("answered", ("film", "filmLabel"), ((iri("a"), iri("name of a")),))
    suite = Suite("s", (Question("q", gold=gold),))
    f1 = [
        evaluate_answers(suite, {"q": named}, interval=None, labels=rule).systems[0].figure("set").f1.value
        for rule in ("leave-out", "keep")
    ]
    assert f1 == [1, pytest.approx(2 / 3)]


def test_what_is_left_out_is_counted_with_its_reason():
    suite = Suite("s", (Question("a", gold=listed("x")), Question("b"), Question("c", gold=listed("y"))))
    answers = {"a": listed("x"), "c": listed("z")}
    found = evaluate_answers(suite, answers, left_out={"c": "tie-cut: two rows"}, interval=None)
    assert (found.judged, found.systems[0].figures[0].f1.value) == (1, 1)
    assert found.left_out == {"b": "no right answers are known", "c": "tie-cut: two rows"}
    other = evaluate_answers(suite, answers, gold={"b": listed("x"), "c": Answer("timeout")}, interval=None)
    assert other.left_out == {"c": "its gold query gave no answer (timeout)"}
    assert other.systems[0].count("absent").count == 1


def test_several_right_answers_of_a_cut_tie():
    from assay.core.suite_health import TieGroup, Ties

    first, second, third = ((iri(name),) for name in "abc")
    ties = Ties(("v",), (TieGroup((first, second), 1),), limit=1)
    suite = Suite("s", (Question("q", gold=listed("a")),))
    score = {
        row: evaluate_answers(suite, {"q": Answer("answered", ("w",), (row,))}, ties={"q": ties}, interval=None)
        for row in (first, second, third)
    }
    assert [found.systems[0].figures[0].f1.value for found in score.values()] == [1, 1, 0]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"convention": "gerbill"}, UnknownNameError, "gerbil"),
        ({"interval": 95}, ParameterError, "95"),
        ({"seed": -1}, ParameterError, "-1"),
        ({"left_out": {"q0": "why"}}, InputError, "why"),
    ],
)
def test_mistakes_are_named(options, error, says):
    with pytest.raises(error) as caught:
        judged([("a", ["a"])], **options)
    assert says in f"{caught.value} {caught.value.hint}"


def test_answers_to_other_questions_are_an_error():
    suite = Suite("s", (Question("q1", gold=listed("a")),))
    with pytest.raises(InputError, match="Q1"):
        evaluate_answers(suite, {"Q1": listed("a")})


def test_every_convention_says_what_it_does_in_one_line():
    for name, one in CONVENTIONS.items():
        assert convention_of(name) is one
        assert 10 < len(one.says) <= 44


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_intervals_hold_the_figure_and_grow_with_the_level(level):
    questions = [(["a", "b"], ["a"] if n % 3 else ["a", "b", "c"]) for n in range(40)]
    for convention in CONVENTIONS:
        system = judged(questions, interval=level, convention=convention)["it"]
        for part in ("precision", "recall", "f1"):
            one = getattr(system.figures[0], part)
            assert one.interval.level == level
            assert one.interval.low < one.value < one.interval.high
    share = system.count("answerable")
    assert share.interval.method == "wilson"
    assert share.interval.low < share.share <= share.interval.high + 1e-12


def test_groups_of_questions_have_figures_of_their_own():
    questions = (
        Question("a", gold=listed("x"), groups={"type": "who"}),
        Question("b", gold=listed("y"), groups={"type": "what"}),
        Question("c", gold=listed("z")),
    )
    suite, answers = Suite("s", questions), {"a": listed("x"), "b": listed("z"), "c": listed("z")}
    found = evaluate_answers(suite, answers, by="type", interval=None)
    assert {one.value: one.figures[0].f1.value for one in found.groups} == {"(none)": 1, "what": 0, "who": 1}
    with pytest.raises(InputError, match="expected one of type, found 'hops'"):
        evaluate_answers(suite, answers, by=["hops"], interval=None)
