"""Files of preferences and of qrels by user: read by name, held to agree with themselves, printed by trec_eval."""

import re
from dataclasses import replace

import numpy as np
import pytest

from assay.core.policy import Policy
from assay.engines import judge
from assay.errors import FormatError, GoldError, UnsupportedError
from assay.evaluate import evaluate
from assay.formats import FORMATS, Source, detect, read_gold, read_run
from assay.measures import parse

PREFS = """# who judged what
q1 u1 p1 a 3
q1\tu1  p1 b 2.5

q1 u1 p2 b 1
q1 u1 p2 c 0
q1 u2 p1 c 1
q1 u2 p1 a 0
"""


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "judged.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_preferences_have_groups_and_parts(file):
    gold = read_gold(file(PREFS), "prefs")
    assert gold.details.select("group", "part", "item", "grade").rows() == [
        ("u1", "p1", "a", 3.0), ("u1", "p1", "b", 2.5), ("u1", "p2", "b", 1.0), ("u1", "p2", "c", 0.0),
        ("u2", "p1", "c", 1.0), ("u2", "p1", "a", 0.0),
    ]  # fmt: skip
    run = {"q1": {"b": 2.0, "a": 1.0}}
    asked = "NumPrefs NumPrefsFul PrefsSimple PrefsPair PrefsAvgJG"
    assert evaluate(gold, run, asked).mean == pytest.approx({
        "NumPrefs": 4, "NumPrefsFul": 2, "PrefsSimple": 1 / 2, "PrefsPair": (0 + 1 / 2 + 1) / 3, "PrefsAvgJG": 1 / 3
    })  # fmt: skip


def test_qrels_of_users_are_groups_of_one_part(file):
    path = file("q1 u1 a 1\nq1 u1 b 0\nq1 u2 a 0\nq1 u2 b 1\n")
    run = {"q1": {"a": 2.0, "b": 1.0}}
    for name in ("qrels_jg", "qrels_prefs"):
        assert evaluate(read_gold(path, name), run, "P_AvgJG@1 AP_AvgJG PrefsSimple").mean == {
            "P_AvgJG@1": 0.5, "AP_AvgJG": 0.75, "PrefsSimple": 0.5,
        }  # fmt: skip


def test_they_are_asked_for_by_name_or_suffix(file):
    assert detect(Source.open(file("q u a 1\n")), "gold").name == "trec"
    assert detect(Source.open(file("q u a 1\n", "a.qrels_jg")), "gold").name == "qrels_jg"
    assert detect(Source.open(file(PREFS, "a.prefs")), "gold").name == "prefs"
    assert detect(Source.open(file(PREFS, "a.prefs")), "run").name == "trec"
    assert FORMATS["qrels_prefs"] is FORMATS["qrels_jg"]


WRONG = [
    ("q u p1 a 2\nq u p1 b 1\nq u p2 b 2\nq u p2 a 1\n", "line 1", "found 'a' over 'b' over 'a'"),
    ("q u 1 c 2\nq u 1 a 1\nq u 2 a 2\nq u 2 b 1\nq u 3 b 7\nq u 3 c 5\n", "line 2", "'a' over 'b' over 'c' over 'a'"),
    ("q u p1 a 2\nq u p1 b 1\nq u p2 x 2\nq u p2 a 0\n", "line 1", "found 'a' at 0 and above"),
]


@pytest.mark.parametrize(("text", "place", "found"), WRONG)
def test_groups_that_contradict_themselves_are_refused_with_items_and_line(file, text, place, found):
    with pytest.raises(FormatError, match=re.escape(place) + ".*group 'u' of query 'q'.*" + re.escape(found)):
        read_gold(file(text), "prefs")


def test_groups_may_contradict_each_other(file):
    gold = read_gold(file("q u 1 a 2\nq u 1 b 1\nq v 1 b 2\nq v 1 a 1\n"), "prefs")
    assert evaluate(gold, {"q": {"a": 1.0}}, "PrefsSimple").mean == {"PrefsSimple": 0.5}


def test_equal_levels_in_one_part_leave_room_for_a_preference_in_another(file):
    gold = read_gold(file("q u 1 a 2\nq u 1 b 2\nq u 2 b 2\nq u 2 a 1\n"), "prefs")
    assert evaluate(gold, {"q": {"a": 1.0}}, "NumPrefs NumPrefsFul").mean == {"NumPrefs": 1, "NumPrefsFul": 0}


@pytest.mark.parametrize(("name", "text"), [("prefs", "q u p a 2\nq u p a 1\n"), ("qrels_jg", "q u a 2\nq u a 2\n")])
def test_an_item_twice_in_a_part_is_refused_with_its_lines(file, name, text):
    with pytest.raises(GoldError, match="lines 1 and 2: item 'a' is judged more than once"):
        read_gold(file(text), name)


def test_ties_are_ordered_by_id_or_expected_but_not_by_grade(file):
    gold = read_gold(file("q u p a 2\nq u p b 1\n"), "prefs")
    run = {"q": {"a": 1.0, "b": 1.0}}
    found = [evaluate(gold, run, "PrefsSimple", policy=Policy(ties=ties)) for ties in ("id-desc", "id-asc", "expected")]
    assert [result.mean["PrefsSimple"] for result in found] == [0, 1, 0.5]
    for ties, asked in (("optimistic", "PrefsSimple"), ("realistic", "AP_AvgJG"), ("expected", "PrefsAvgJGRnonrel")):
        with pytest.raises(UnsupportedError, match="one grade each"):
            evaluate(gold, run, asked, policy=Policy(ties=ties))


def test_items_that_a_user_did_not_judge_can_be_dropped_for_that_user(file):
    gold = read_gold(file("q u a 1\nq v b 1\nq v c 0\n"), "qrels_jg")
    run = {"q": {"x": 4.0, "b": 3.0, "c": 2.0, "a": 1.0}}
    assert evaluate(gold, run, "AP_AvgJG AP_AvgJG(judged_only=True)").mean == {
        "AP_AvgJG": 0.375, "AP_AvgJG(judged_only=True)": 1,
    }  # fmt: skip
    assert evaluate(gold, run, "AP_AvgJG", policy=Policy(unjudged="drop")).mean == {"AP_AvgJG": 1}


def test_a_line_of_another_layout_is_refused(file):
    with pytest.raises(FormatError, match=r"line 2: expected 5 columns \(query group part item grade\), found 4"):
        read_gold(file("q u p a 1\nq u a 1\n"), "prefs")


def test_errors_say_which_formats_there_are(file):
    with pytest.raises(FormatError, match="--gold-format prefs, prels or strata"):
        read_gold(file(PREFS))
    with pytest.raises(UnsupportedError, match="--gold-format diversity, prefs, qrels_jg"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "PrefsSimple")


def test_a_query_without_a_preference_has_no_value(file):
    gold = read_gold(file("q u p a 1\nq u p b 1\nr u p a 1\nr u p b 0\n"), "prefs")
    result = evaluate(gold, {"q": {"a": 1.0}, "r": {"b": 1.0}}, "PrefsSimple PrefsSimpleRet NumPrefs")
    values = {(measure, query): value for _, measure, query, value in result.per_query.iter_rows()}
    assert values == {
        ("PrefsSimple", "q"): None, ("PrefsSimple", "r"): 0, ("PrefsSimpleRet", "q"): None,
        ("PrefsSimpleRet", "r"): 0, ("NumPrefs", "q"): 0, ("NumPrefs", "r"): 1,
    }  # fmt: skip


GOLDEN = [
    ("prefs.test", "prefs", "prefs.results.test", "out.test.prefs", "id-asc", 336),
    ("prefs.comment.test", "prefs", "prefs.results.test", "out.test.prefs", "id-asc", 336),
    ("qrels.test", "qrels_prefs", "results.test", "out.test.qrels_prefs", "id-asc", 42),
    ("qrels.123", "qrels_jg", "results.test", "out.test.qrels_jg", "id-desc", 60),
    ("qrels.comments.123", "qrels_jg", "results.test", "out.test.qrels_jg", "id-desc", 60),
]


def as_printed(name):
    """Return the measure as trec_eval's program computes it."""
    measure = parse(name)
    return replace(measure, surplus="paired") if "Rnonrel" in name else measure


@pytest.mark.parametrize(("gold", "form", "run", "out", "ties", "many"), GOLDEN)
def test_trec_eval_prints_these_values(data, gold, form, run, out, ties, many):  # noqa: PLR0917 - one case
    folder = data / "ir" / "trec_eval-tests"
    judged = judge(read_run(folder / run, "trec"), read_gold(folder / gold, form), Policy(ties=ties))
    lines = [line.split() for line in (folder / out).read_text().splitlines()]
    values = {}
    for name in {name for name, query, _ in lines if query != "all"}:
        measure = as_printed(name)
        found = np.nan_to_num(np.where(measure.defined(judged), measure.kernel(judged), np.nan))
        values |= {(name, query): value for query, value in zip(judged.names.to_list(), found.tolist(), strict=True)}
    printed = {(name, query): float(value) for name, query, value in lines if query != "all"}
    assert len(printed) == many
    assert values == pytest.approx(printed, abs=5.0001e-5)
