"""Slices of a comparison: groups of queries, figures and tests in each, the worst, reversals."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from assay.compare import compare, compare_evaluations, slice_evaluations, slices_of
from assay.compare.derived import columns_by
from assay.compare.grouping import groupings_of
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.errors import ParameterError
from assay.evaluate import evaluate
from assay.inputs import as_gold
from assay.report.slices import render


def groups_of(values):
    columns = pl.DataFrame({"query": [f"q{i:03}" for i in range(len(values))], "column": values}, strict=False)
    (grouping,) = groupings_of(columns, columns["query"])
    return {label: len(queries) for label, queries in grouping.groups.items()}, grouping.unassigned


def collection(queries=40):
    gold = {f"q{i:03}": {"a": 1} | ({"b": 1} if i % 2 else {}) for i in range(queries)}
    old = {q: ["x", "a", "b"] for q in gold}
    new = {q: ["a", "b"] if i % 2 else ["x", "y", "a"] for i, q in enumerate(gold)}
    return gold, {"old": old, "new": new}


def test_few_different_numbers_are_groups_by_themselves_in_their_order():
    assert groups_of([10, 2, 2, 4, 2]) == ({"2": 3, "4": 1, "10": 1}, 0)
    assert groups_of([0.5, 0.25, None, float("nan")]) == ({"0.25": 1, "0.5": 1}, 2)


def test_many_different_numbers_are_cut_into_four_groups_of_about_equal_size():
    assert groups_of(list(range(1, 41))) == ({"1–10": 10, "11–20": 10, "21–30": 10, "31–40": 10}, 0)


def test_equal_numbers_stay_together_even_if_groups_become_fewer():
    groups, _ = groups_of([1] * 90 + list(range(2, 12)))
    assert groups == {"1": 90, "2–11": 10}


def test_texts_are_groups_the_largest_first_and_the_rest_is_other():
    assert groups_of(["b", "a", "a", "c", None]) == ({"a": 2, "b": 1, "c": 1}, 1)
    groups, _ = groups_of([f"t{i}" for i in range(20)] + ["t19"])
    assert list(groups)[:2] == ["t19", "t0"]
    assert (len(groups), groups["other"]) == (12, 9)
    assert groups_of(["other"] * 3 + [f"t{i:02}" for i in range(14)])[0]["other (2)"] == 4


def test_truths_are_yes_and_no():
    assert groups_of([True, False, True, None]) == ({"yes": 2, "no": 1}, 1)


def test_the_figure_of_a_group_is_that_of_its_queries_alone():
    gold, runs = collection()
    found = evaluate(gold, runs["old"], "RR R@2 GMAP")
    (slicing,) = slice_evaluations([found], pl.DataFrame({"query": list(gold), "kind": ["even", "odd"] * 20}))
    odd = {q: items for q, items in gold.items() if len(items) == 2}
    alone = evaluate(odd, runs["old"], "RR R@2 GMAP").mean
    means = {one.measure: one.mean for one in slicing.figures if one.group == "odd"}
    assert means == pytest.approx(alone)
    assert slicing.groups == {"even": 20, "odd": 20}
    assert slicing.contrasts == ()
    assert all(one.interval.low <= one.mean <= one.interval.high for one in slicing.figures if one.interval.low)


def test_the_tests_of_a_slicing_are_corrected_over_groups_pairs_and_measures():
    gold, runs = collection()
    (slicing,) = compare(gold, runs, "RR R@2", by="relevant").slices
    ps = [one.significance.p for one in slicing.contrasts]
    assert len(ps) == 4
    holm = np.maximum.accumulate(np.sort(ps) * np.arange(4, 0, -1)).clip(max=1)
    assert sorted(one.significance.adjusted for one in slicing.contrasts) == pytest.approx(holm.tolist())


def test_the_worst_group_follows_the_direction_of_the_measure():
    gold, runs = collection()
    (slicing,) = compare(gold, runs, "RR MR", by="relevant").slices
    assert slicing.worst[("new", "RR")] == "1"
    assert slicing.worst[("new", "MR")] == "1"
    assert ("old", "RR") not in slicing.worst


def test_a_group_that_points_against_the_whole_is_named():
    gold, runs = collection()
    (slicing,) = compare(gold, runs, "RR", by="relevant").slices
    assert [one for one in slicing.reversals if "worse where relevant items is 1 (-0.1667)" in one]
    assert not [one for one in slicing.reversals if "Simpson" in one]


def test_a_run_that_wins_overall_and_loses_in_every_group_is_pointed_out():
    gold = {f"q{i:03}": {"a": 1} for i in range(40)}
    easy, hard = list(gold)[:20], list(gold)[20:]
    old = {q: ["a"] for q in easy[:2]} | {q: ["x", "y", "z", "a"] for q in hard}
    new = {q: ["x", "a"] for q in easy} | {q: ["w", "x", "y", "z", "a"] for q in hard[:2]}
    found = compare(
        gold, {"old": old, "new": new}, "RR", policy=Policy(missing="skip"),
        by={q: "easy" if q in easy else "hard" for q in gold},
    )  # fmt: skip
    (sentence,) = [one for one in found.slices[0].reversals if "Simpson" in one]
    assert sentence.startswith("new is better than old by RR over all queries")
    assert "worse in every group by group" in sentence


def test_items_are_counted_for_each_query():
    gold, runs = collection(4)
    found = evaluate(gold, runs["new"], "RR")
    columns = columns_by(["relevant", "judged", "retrieved"], as_gold(gold), found)
    assert columns.columns == ["query", "relevant items", "judged items", "retrieved items"]
    assert columns.rows()[:2] == [("q000", 1, 1, 3), ("q001", 2, 2, 2)]


def test_texts_of_queries_become_their_number_of_words():
    gold = as_gold({"a": {"x": 1}, "b": {"x": 1}})
    texts = pl.DataFrame({"query": ["a", "b"], "text": ["who wrote  this", "when"], "kind": ["p", "q"]})
    columns = columns_by(texts, gold, evaluate(gold, {"a": ["x"], "b": ["x"]}, "RR"))
    assert columns.select("query", "words of text", "kind").rows() == [("a", 3, "p"), ("b", 1, "q")]
    assert "text" not in columns.columns


def test_results_without_ranks_cannot_be_counted_but_grouped_by_a_table():
    gold, runs = collection()
    found = compare(gold, runs, "RR", by="relevant")
    bare = [replace(one, judged=None) for one in found.evaluations]
    with pytest.raises(ParameterError, match="expected gold and runs to count relevant items of"):
        compare_evaluations(bare, by="relevant")
    (slicing,) = compare_evaluations(bare, by={q: str(len(items)) for q, items in gold.items()}).slices
    assert [one.mean for one in slicing.figures] == [one.mean for one in found.slices[0].figures]


def test_a_family_of_slices_too_large_for_the_flips_is_said_aloud():
    random = np.random.default_rng(0)
    gold = {f"q{i:03}": {"a": 1} for i in range(80)}
    runs = {f"s{i}": {q: random.permutation(list("abcdefgh")).tolist() for q in gold} for i in range(6)}
    found = compare(gold, runs, "RR P@1", by={q: f"g{i % 3}" for i, q in enumerate(gold)}, flips=200)
    assert any(line.startswith("by group: ") and "only 200 sign flips" in line for line in found.notices)


def test_figures_alone_are_given_where_no_contrasts_are_wanted():
    gold, runs = collection()
    found = [evaluate(gold, run, "RR") for run in runs.values()]
    (slicing,) = slices_of(found, Gold.from_mapping(gold), "relevant", contrasts=False)
    assert slicing.contrasts == slicing.reversals == ()
    assert len(slicing.figures) == 4
    assert "run [interval]" in render(slicing)


def test_queries_without_a_group_are_counted_and_left_out():
    gold, runs = collection()
    found = evaluate(gold, runs["old"], "RR")
    (slicing,) = slices_of([found], Gold.from_mapping(gold), dict.fromkeys(list(gold)[:10], "x"))
    assert (slicing.groups, slicing.unassigned) == ({"x": 10}, 30)


def test_a_margin_decides_in_groups_as_it_does_in_the_whole():
    gold, runs = collection()
    found = compare(gold, {"old": runs["old"], "same": runs["old"]}, "RR", by="relevant", margin=0.1)
    assert {one.verdict for one in (*found.contrasts, *found.slices[0].contrasts)} == {"no difference that matters"}


def test_queries_of_no_group_are_the_reason_where_they_turn_the_whole():
    gold, runs = collection()
    found = compare(gold, runs, "RR", by={q: f"g{i % 4 // 2}" for i, q in enumerate(gold) if i % 2 == 0})
    (sentence,) = [one for one in found.slices[0].reversals if "in every group" in one]
    assert sentence.endswith("the 20 queries of no group make the difference.")


def test_a_column_that_says_nothing_is_said_to():
    gold, runs = collection()
    columns = pl.DataFrame({"query": list(gold), "kind": [""] * len(gold)})
    (slicing,) = compare(gold, runs, "RR", by=columns).slices
    assert render(slicing) == "BY KIND: nothing is known of 40 queries\n"
