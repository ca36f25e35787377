"""One grade for each pair out of what several judges say, and the queue of pairs to look at again."""

import json

import jsonschema
import numpy as np
import polars as pl
import pytest

import assay
from assay.core.labels import Labels
from assay.errors import GoldError, ParameterError, UnknownNameError, UnsupportedError
from assay.judging.adjudicate import adjudicate
from assay.report import adjudication as report
from assay.report.schema.adjudication import GOLD_ADJUDICATE

NAN = None


def labels(rows, judges=("ann", "bob", "eve")):
    """Make labels of `{(query, item): grades}`; "?" is a judge who could not tell, None one who was not asked."""
    table = [
        (query, item, judge, None if grade == "?" else float(grade))
        for (query, item), grades in rows.items()
        for judge, grade in zip(judges, grades, strict=True)
        if grade is not None
    ]
    return Labels(pl.DataFrame(table, schema=["query", "item", "judge", "grade"], orient="row"), "test")


SOME = labels({("q", "a"): (1, 1, 1), ("q", "b"): (1, 0, 1), ("q", "c"): (0, 0, 0), ("q", "d"): (0, 0, 1)})
TIED = labels({("q", "a"): (1, 0, None), ("q", "b"): (2, 2, None), ("q", "c"): ("?", None, None)})


def column(found, name):
    return found.table[name].to_list()


def test_the_majority_settles_and_says_where_there_is_none():
    found = adjudicate(TIED, method="majority")
    assert column(found, "grade") == [None, 2.0, None]
    assert column(found, "by") == ["open", "majority", "open"]
    assert column(found, "votes") == ["0:1 1:1", "2:2", ""]
    assert found.open == 2
    assert found.gold.table.rows() == [("q", "b", 2.0)]


def test_a_pair_of_which_nobody_could_tell_comes_first_in_the_queue():
    assert adjudicate(TIED, method="majority").queue["item"].to_list() == ["c", "a"]


def test_entropy_and_gap_are_those_of_the_votes():
    found = adjudicate(SOME, method="majority")
    third = -(1 / 3) * np.log2(1 / 3) - (2 / 3) * np.log2(2 / 3)
    assert column(found, "entropy") == pytest.approx([0, third, 0, third])
    assert column(found, "certainty") == pytest.approx([1, 2 / 3, 1, 2 / 3])
    assert column(found, "gap") == [1.0] * 4


def test_a_wide_gap_comes_before_a_narrow_one():
    found = adjudicate(labels({("q", "a"): (0, 0, 1), ("q", "b"): (0, 0, 3)}), method="majority")
    assert found.queue["item"].to_list() == ["b", "a"]
    assert found.queue["priority"].to_list() == pytest.approx([0.918 * 3, 0.918], abs=1e-2)


def test_two_judges_are_settled_by_majority_and_that_is_said():
    found = adjudicate(TIED)
    assert (found.method, "too few" in found.why) == ("majority", True)
    assert any("cannot tell whose errors" in line for line in adjudicate(TIED, method="dawid-skene").notices)


def test_a_panel_of_machines_is_settled_by_majority():
    people = labels({("q", "a"): (1,), ("q", "b"): (0,)}, ("ann",))
    machines = labels({("q", "a"): (1, 0, 1), ("q", "b"): (0, 0, 0)}, ("m1", "m2", "m3"))
    found = adjudicate(people, machines=machines)
    assert (found.method, "machines" in found.why) == ("majority", True)
    assert [one.kind for one in found.judges] == ["person", "machine", "machine", "machine"]
    assert any("--check a sample" in line for line in found.notices)


def test_what_is_known_settles_its_pairs_and_leaves_the_queue():
    found = adjudicate(SOME, known={"q": {"b": 0}})
    row = found.table.row(1, named=True)
    assert (row["grade"], row["by"], row["entropy"], row["priority"]) == (0.0, "known", 0.0, 0.0)
    assert "b" not in found.queue["item"].to_list()


def test_a_check_counts_only_pairs_that_are_not_known():
    found = adjudicate(SOME, method="majority", known={"q": {"a": 1}}, check={"q": {"a": 1, "b": 1, "c": 1}})
    majority = found.checks[0]
    assert (majority.pairs, majority.open, majority.right) == (2, 0, 0.5)


def test_negative_grades_are_no_judgments():
    found = adjudicate(labels({("q", "a"): (-1, 1, 1), ("q", "b"): (-1, 0, 0)}))
    assert [one.name for one in found.judges] == ["bob", "eve"]
    assert any("2 grades below 0" in line for line in found.notices)


def test_grades_that_are_not_on_the_scale_are_left_out():
    found = adjudicate(labels({("q", "a"): (1, 1, 10), ("q", "b"): (0, 0, 0)}), scale=(0, 1))
    assert found.grades == (0.0, 1.0)
    assert any("1 judgment is not on the scale" in line for line in found.notices)


RUNS = [{"q": {"b": 3.0, "x": 2.0, "d": 1.0}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}]


def test_the_effect_is_how_far_the_measure_moves_when_the_grade_is_the_other():
    found = adjudicate(SOME, method="majority", runs=RUNS, measure="nDCG@2")
    rows = {row["item"]: row for row in found.table.iter_rows(named=True)}
    for item in ("b", "d"):
        now = {row["item"]: row["grade"] for row in rows.values()}
        other = {**now, item: 1 - now[item]}
        moved = [
            abs(assay.evaluate({"q": now}, run, "nDCG@2").mean["nDCG@2"]
                - assay.evaluate({"q": other}, run, "nDCG@2").mean["nDCG@2"])
            for run in RUNS
        ]  # fmt: skip
        assert rows[item]["effect"] == pytest.approx(max(moved))
    assert rows["a"]["effect"] == 0.0
    assert found.queue["item"].to_list()[0] == "b"


def test_effects_are_those_of_evaluating_again_on_many_queries():
    chance = np.random.default_rng(3)
    rows = {(f"q{q}", f"d{d}"): tuple(chance.integers(0, 3, 3)) for q in range(6) for d in range(8)}
    run = {f"q{q}": {f"d{d}": float(chance.random()) for d in range(10)} for q in range(6)}
    found = adjudicate(labels(rows), method="dawid-skene", runs=[run], measure="AP")
    now = {q: dict(found.gold.table.filter(query=q).select("item", "grade").iter_rows()) for q in run}
    before = assay.evaluate(now, run, "AP").mean["AP"]
    doubtful = found.table.filter(pl.col("entropy") > 1e-6)
    for row in doubtful.iter_rows(named=True):
        sign = [g for g in found.grades if abs(abs(g - row["grade"]) - row["gap"]) < 1e-9 and g != row["grade"]]
        changed = {q: dict(items) for q, items in now.items()}
        moved = []
        for grade in sign:
            changed[row["query"]][row["item"]] = grade
            moved.append(abs(assay.evaluate(changed, run, "AP").mean["AP"] - before))
        assert any(row["effect"] == pytest.approx(one, abs=1e-12) for one in moved)


def test_a_measure_without_one_grade_for_each_item_has_no_effects():
    with pytest.raises(UnsupportedError, match="effect"):
        adjudicate(SOME, runs=RUNS, measure="alpha_nDCG@5")
    with pytest.raises(ParameterError, match="expected one"):
        adjudicate(SOME, runs=RUNS, measure="P@1 P@2")


def test_the_order_of_rows_and_the_names_of_judges_change_nothing():
    shuffled = Labels(SOME.table.sample(fraction=1.0, shuffle=True, seed=4), "test")
    assert adjudicate(SOME).table.equals(adjudicate(shuffled).table)
    renamed = Labels(SOME.table.with_columns(judge=pl.col("judge").replace({"ann": "zoe"})), "test")
    assert column(adjudicate(SOME), "grade") == column(adjudicate(renamed), "grade")


def test_people_who_copy_each_other_are_warned_of():
    chance = np.random.default_rng(0)
    truth = chance.integers(0, 2, 400)
    one, two, three, four = (np.where(chance.random(400) < 0.75, truth, 1 - truth) for _ in range(4))
    rows = {("q", f"d{n:03}"): (one[n], one[n], one[n], two[n], three[n], four[n]) for n in range(400)}
    answers = {"q": {f"d{n:03}": int(truth[n]) for n in range(400)}}
    found = adjudicate(labels(rows, "abcdef"), check=answers)
    (group,) = found.together
    assert group.closest == ("a", "b", pytest.approx(1.0))
    assert group.effective < 4.5
    assert any("err together" in line for line in found.notices)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"method": "mean"}, UnknownNameError),
        ({"most": -1}, ParameterError),
        ({"smoothing": 0.0}, ParameterError),
        ({"check": {"other": {"x": 1}}}, GoldError),
        ({"machines": SOME}, GoldError),
    ],
)
def test_what_makes_no_sense_is_refused(given, error):
    with pytest.raises(error, match=r"expected|unknown|method"):
        adjudicate(SOME, **given)


def test_json_follows_its_schema_and_text_keeps_its_width():
    found = adjudicate(SOME, check={"q": {"a": 1, "c": 0}}, runs=RUNS)
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), GOLD_ADJUDICATE)
    for text in (report.render(found, width=60), report.render(adjudicate(TIED), width=60)):
        assert max(map(len, text.splitlines())) <= 60
    assert "LOOK AT AGAIN" in report.to_markdown(found)


def test_settled_grades_are_written_as_qrels():
    assert report.to_trec(adjudicate(SOME)).splitlines()[0] == "q 0 a 1"
    with pytest.raises(ParameterError, match="whole grades"):
        report.to_trec(adjudicate(labels({("q", "a"): (0.5, 0.5, 0.5)})))
