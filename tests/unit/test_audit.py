"""The full audit: what it finds, at which level, with which examples."""

import json
import random

import pytest

from assay import Audit, Gold, Run, audit

GOLD = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"d": 1, "e": 0}}
RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"d": 2.0, "e": 1.0}}


def codes(found, level=None):
    return {finding.code for finding in found.findings if level in {None, finding.level}}


def only(found, code):
    (finding,) = found.of(code)
    return finding


def test_good_inputs_have_no_error_and_no_warning():
    found = audit(GOLD, RUN)
    assert found.count()["error"] == found.count()["warning"] == 0
    assert only(found, "items-found").title == "items of the gold that occur in the run: 5 of 5"
    assert only(found, "grades").title == "judgments by grade: 0: 2, 1: 2, 2: 1"


def test_gold_alone_is_audited():
    assert audit(GOLD).runs == ()


def test_missing_extra_empty_and_unjudged_queries():
    found = audit({**GOLD, "3": {"x": 0}, "4": {}}, {"1": {"a": 1.0}, "9": {"z": 1.0}})
    assert only(found, "missing-queries").examples == ("2", "3")
    assert only(found, "extra-queries").examples == ("9",)
    assert only(found, "empty-queries").examples == ("3",)
    assert only(found, "unjudged-queries").examples == ("4",)


def test_nothing_relevant_is_an_error():
    assert "nothing-relevant" in codes(audit({"1": {"a": 0}, "2": {"b": 0.5}}), "error")


def test_duplicates_are_reported_with_their_lines_and_the_rest_is_audited_all_the_same(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n1 Q0 a 3 1 r\n2 Q0 d 1 1 r\n")
    found = audit(GOLD, [path])
    finding = only(found, "duplicates")
    assert finding.level == "error"
    assert finding.place == str(path)
    assert "query '1', item 'a': 2 times" in finding.examples[0]
    assert "1 and 3" in finding.examples[0]
    assert found.runs[0].audit.duplicates == 1


def test_gold_that_judges_an_item_twice_is_an_error_and_the_run_is_audited_all_the_same(tmp_path):
    path = tmp_path / "a.qrels"
    path.write_text("1 0 a 1\n1 0 a 0\n")
    found = audit(path, [{"1": {"a": 1.0, "b": 1.0}}])
    assert "judged more than once" in only(found, "unreadable").title
    assert found.gold is None
    assert "constant-scores" in codes(found)


def test_an_unreadable_run_does_not_hide_the_others(tmp_path):
    found = audit(GOLD, [tmp_path / "none.run", RUN, {"1": {"a": "high"}}])
    assert [finding.code for finding in found.errors] == ["unreadable", "unreadable"]
    assert [run.audit is None for run in found.runs] == [True, False, True]


def test_nan_and_infinite_scores():
    found = audit(GOLD, {"1": {"a": float("nan"), "b": float("inf")}, "2": {"d": 1.0}})
    assert only(found, "nan-scores").examples == ("query '1', item 'a'",)
    assert only(found, "infinite-scores").examples == ("query '1', item 'b'",)


def test_constant_scores():
    found = audit(GOLD, {"1": {"a": 1.0, "b": 1.0}, "2": {"d": 2.0, "e": 1.0}})
    assert only(found, "constant-scores").title == "lists in which all items have the same score: 1 of 2"
    assert "1 at k = 1" in only(found, "ties").detail
    assert "1 at k = 1" in only(found, "decisive-ties").detail


def test_ties_among_equal_grades_decide_nothing():
    assert "decisive-ties" not in codes(audit({"1": {"a": 1, "b": 1}}, {"1": {"a": 1.0, "b": 1.0}}))


def test_scores_that_32_bits_cannot_tell_apart():
    gold = {"q": {"a": 1, "b": 0}}
    moved = audit(gold, {"q": {"a": 0.99999999, "b": 0.99999998}})
    assert only(moved, "float32-ties").level == "warning"
    assert "changes in 1 of them" in only(moved, "float32-ties").detail
    kept = audit(gold, {"q": {"b": 0.99999999, "a": 0.99999998}})
    assert only(kept, "float32-ties").level == "note"
    assert "float32-ties" not in codes(audit(gold, {"q": {"a": 0.5, "b": 0.25}}))


@pytest.mark.parametrize(
    ("ours", "theirs", "cause"),
    [
        ("1", "q1", "letters in front"),
        ("1", "1.0", "a trailing .0"),
        ("Q1", "q1", "case"),
        (" q1", "q1", "white space"),
        ("q01", "q1", "zero padding"),
        ("caf\u00e9", "cafe\u0301", "Unicode normalisation"),
        ("<http://ex.org/a>", "http://ex.org/a", "quotes or brackets"),
        ("http://ex.org/Q42", "Q42", "the path or prefix"),
        ("page.html", "page", "an ending after a dot"),
    ],
)
def test_ids_that_differ_only_by(ours, theirs, cause):
    for one, other in ((ours, theirs), (theirs, ours)):
        queries = audit({one: {"a": 1}}, {other: {"a": 1.0}})
        assert cause in only(queries, "no-common-query").detail
        assert only(queries, "no-common-query").examples == (f"{one!r} (gold) and {other!r} (run)",)
        items = audit({"1": {one: 1}}, {"1": {other: 1.0}})
        assert cause in only(items, "no-common-item").detail
        assert "no-common-item" in codes(items, "error")


def test_a_few_ids_that_differ_only_by_case_are_a_warning():
    found = audit({"1": {"A": 1, "b": 1}, "Q2": {"c": 1}}, {"1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}})
    assert "but for case: 1" in only(found, "similar-query-ids").title
    assert "but for case: 1" in only(found, "similar-item-ids").title


def test_no_common_item_without_a_likely_cause_is_no_error_for_a_small_gold():
    assert only(audit({"1": {"a": 1}}, {"1": {"x": 1.0}}), "no-common-item").level == "warning"
    many = {"1": {f"a{i}": 1 for i in range(20)}}
    assert only(audit(many, {"1": {"x": 1.0}}), "no-common-item").level == "error"


def test_no_overlap_without_a_likely_cause_names_both_sides():
    finding = only(audit({"A.1": {"d1": 1}}, {"B": {"d1": 1.0}}), "no-common-query")
    assert finding.examples == ("'A.1' (gold) and 'B' (run)",)


def test_unjudged_shares_at_each_cutoff():
    finding = only(audit(GOLD, {"1": {"a": 2.0, "x": 1.0}, "2": {"d": 2.0, "e": 1.0}}, cutoffs=[1, 2]), "unjudged")
    assert finding.title == "share of items not judged: 0.0 % at k = 1, 25.0 % at k = 2"
    assert finding.level == "note"


def test_short_lists_and_ceilings():
    found = audit(GOLD, RUN, cutoffs=[1, 3, 10])
    assert "1 at k = 3, 2 at k = 10" in only(found, "short-lists").detail
    assert "2 at k = 3" in only(found, "few-relevant").detail
    assert "1 at k = 1" in only(found, "many-relevant").detail


def test_grades_that_are_fractions_below_zero_or_all_relevant():
    found = audit({"1": {"a": 1.5, "b": -1}, "2": {"c": 1}})
    assert {"fractional-grades", "negative-grades"} <= codes(found)
    assert "only-relevant" in codes(audit({"1": {"a": 1}}))


def test_look_alikes_and_self_matches():
    found = audit({"1": {"Doc": 1, "doc": 0, "1": 0}}, {"1": {"1": 1.0, "Doc": 0.5}})
    assert only(found, "look-alikes").examples == ("'Doc' and 'doc'",)
    assert {"self-judged", "self-matches"} <= codes(found)


def test_equal_runs_and_equal_names_are_notes():
    other = {query: dict(reversed(items.items())) for query, items in reversed(RUN.items())}
    found = audit(GOLD, [Run.from_mapping(RUN, name="a"), Run.from_mapping(other, name="a")])
    assert only(found, "equal-runs").examples == ("a", "a")
    assert only(found, "equal-names").level == "note"
    different = audit(GOLD, [Run.from_mapping(RUN, name="a"), Run.from_mapping({"1": {"a": 3.0}}, name="b")])
    assert not different.of("equal-runs")


def test_the_order_of_rows_changes_nothing():
    chance = random.Random(1)
    gold_rows = [(query, item, grade) for query, items in GOLD.items() for item, grade in items.items()]
    run_rows = [(query, item, score) for query, items in RUN.items() for item, score in items.items()] + [
        ("1", "a", 1.0), ("1", "x", 2.0), ("7", "y", 0.99999999), ("7", "z", 0.99999998),
    ]  # fmt: skip
    made = set()
    for _ in range(5):
        chance.shuffle(gold_rows)
        chance.shuffle(run_rows)
        found = audit(_gold(gold_rows), [_run(run_rows)])
        made.add(json.dumps(found.to_dict()))
    assert len(made) == 1


def _gold(rows):
    import polars as pl

    return Gold.from_frame(pl.DataFrame(rows, schema=["query", "item", "grade"], orient="row"))


def _run(rows):
    import polars as pl

    return Run.from_frame(pl.DataFrame(rows, schema=["query", "item", "score"], orient="row"))


def test_errors_come_first_and_the_audit_is_plain_data():
    found = audit({"1": {"a": 1}, "2": {"b": 0}}, [{"1": {"a": float("nan")}}, {"x": {"a": 1.0}}])
    levels = [finding.level for finding in found.findings]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["counts"]["error"] == len(found.errors)
    assert set(plain["findings"][0]) == {"level", "code", "title", "detail", "examples", "place"}
    assert isinstance(found, Audit)


def test_an_empty_run():
    assert "empty-run" in codes(audit(GOLD, [{}]), "error")
