"""Explanations against `evaluate`: contributions sum to the value, and what would be is what comes to be."""

import math
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.errors import OverlapError, ParameterError, RunError, UnknownNameError, UnsupportedError
from assay.evaluate import evaluate
from assay.explain import explain, explain_change, most_changed, worst
from assay.measures import MEASURES, parse_many
from assay.measures.base import Measure
from assay.testing import variants
from assay.testing.strategies import collections

SETTINGS = [one for measure in MEASURES.values() for one in variants(measure) if not one.needs_facets]
TIES = ("id-desc", "order", "optimistic", "pessimistic", "realistic", "expected")
SOME = "P@3 R@2 RR AP AP@3 nDCG nDCG@3 HR@2 RBP(p=0.5) ERR@3 SetP SetR Judged@3 Rprec F1@3 Bpref MR"
SIMPLE = {"q": {"a": 2, "b": 1, "c": 0, "far": 1}}
RUN = {"q": {"a": 5.0, "x": 4.0, "b": 3.0, "c": 2.0}}


def value_of(gold, run, query, measure, policy):
    result = evaluate(gold, run, measure, policy=policy)
    found = result.per_query.filter(query=query)["value"].to_list()
    return found[0] if found else None


def same(first, second):
    return first == second or (None not in {first, second} and math.isclose(first, second, abs_tol=1e-12))


def total(found):
    return found.start + sum(place.contribution for place in found.places) + found.rest


def assert_sums(gold, run, query, measure, *, policy, places):
    found = explain(gold, run, query, measure, policy=policy, places=places)
    value = value_of(gold, run, query, measure, policy)
    assert found.value == value
    assert math.isclose(total(found), value or 0.0, abs_tol=1e-9)
    assert len(found.places) == min(places, found.retrieved)


@st.composite
def answered(draw):
    """Draw a collection whose run answers queries of its gold only."""
    made = draw(collections())
    return replace(made, run={query: items for query, items in made.run.items() if query in made.gold})


@pytest.mark.parametrize("ties", TIES)
@given(collection=answered(), measure=st.sampled_from(SETTINGS), places=st.integers(1, 11), data=st.data())
@settings(max_examples=60)
def test_contributions_sum_to_the_value(ties, collection, measure, places, data):
    query = data.draw(st.sampled_from(sorted(collection.gold)))
    unjudged = data.draw(st.sampled_from(["nonrelevant", "drop"]))
    negative = data.draw(st.sampled_from(["unjudged", "nonrelevant"]))
    missing = data.draw(st.sampled_from(["zero", "skip"]))
    policy = Policy(ties=ties, unjudged=unjudged, negative=negative, missing=missing)
    if ties == "expected" and type(measure).expected is Measure.expected:
        with pytest.raises(UnsupportedError, match="ties=expected has no exact form"):
            explain(collection.gold, collection.run, query, measure, policy=policy)
    else:
        assert_sums(collection.gold, collection.run, query, measure, policy=policy, places=places)


@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_contributions_of_every_measure_sum_to_its_value(measure):
    gold = {"q": {"a": 2, "b": 1, "c": 0, "d": -1, "e": 3, "far": 1}, "r": {"a": 4}}
    run = {"q": {"x": 3.0, "a": 3.0, "b": 2.0, "c": 2.0, "y": 2.0, "d": 1.0, "e": 0.5}}
    for ties, places in (("id-desc", 9), ("pessimistic", 3), ("realistic", 2)):
        assert_sums(gold, run, "q", measure, policy=Policy(ties=ties), places=places)


@given(collection=answered(), measure=st.sampled_from(parse_many(SOME)), data=st.data())
@settings(max_examples=40)
def test_a_contribution_is_what_the_next_place_adds(collection, measure, data):
    query = data.draw(st.sampled_from(sorted(collection.gold)))
    found = explain(collection.gold, collection.run, query, str(measure.measure))
    items = [place.item for place in found.places]
    for length, place in enumerate(found.places, start=1):
        cut = {query: items[:length]}
        expected = value_of(collection.gold, cut, query, str(measure.measure), Policy())
        assert same(place.so_far if found.value is not None else 0.0, expected or 0.0)


@pytest.mark.parametrize("ties", TIES)
@given(collection=answered(), measure=st.sampled_from(parse_many(SOME)), data=st.data())
@settings(max_examples=40)
def test_what_would_be_is_what_comes_to_be(ties, collection, measure, data):
    query = data.draw(st.sampled_from(sorted(collection.gold)))
    policy, name = Policy(ties=ties), str(measure.measure)
    if ties == "expected" and name == "Bpref":
        return
    gold, run = collection.gold, collection.run
    found = explain(gold, run, query, name, policy=policy)
    grades = [grade for items in gold.values() for grade in items.values() if grade >= 1]
    grade = min(grades, default=1)
    relevant = {item for item, given in gold[query].items() if given >= 1}
    for place in found.places:
        if place.item in relevant:
            assert place.if_relevant is None
        else:
            other = {**gold, query: {**gold[query], place.item: grade}}
            assert same(place.if_relevant, value_of(other, run, query, name, policy)), place
    for missed in found.missed:
        answers = {**run.get(query, {}), missed.item: math.inf}
        assert same(missed.would_be, value_of(gold, {**run, query: answers}, query, name, policy)), missed
    k = getattr(measure.measure, "k", None)
    ranked = {place.item: place.rank for place in found.places}
    expected = {item for item in relevant if item not in ranked or (k and ranked[item] > k)}
    assert {missed.item for missed in found.missed} == expected


@given(collection=answered(), measure=st.sampled_from(SETTINGS), ties=st.sampled_from(TIES[:5]), data=st.data())
@settings(max_examples=60)
def test_moves_sum_to_the_difference(collection, measure, ties, data):
    query = data.draw(st.sampled_from(sorted(collection.gold)))
    after = {query: {item: -score for item, score in collection.run.get(query, {}).items()}}
    policy = Policy(ties=ties)
    found = explain_change(collection.gold, collection.run, after, query, measure, policy=policy)
    change = sum(move.change for move in found.moves) + found.other
    assert math.isclose(change, found.difference or 0.0, abs_tol=1e-9)
    assert [abs(move.change) for move in found.moves] == pytest.approx(
        sorted((abs(move.change) for move in found.moves), reverse=True)
    )


def test_a_place_says_what_it_is():
    found = explain(SIMPLE, RUN, "q", "AP")
    assert [(p.rank, p.item, p.grade, p.score) for p in found.places] == [
        (1.0, "a", 2.0, 5.0), (2.0, "x", None, 4.0), (3.0, "b", 1.0, 3.0), (4.0, "c", 0.0, 2.0)
    ]  # fmt: skip
    assert [round(p.contribution, 4) for p in found.places] == [0.3333, 0.0, 0.2222, 0.0]
    assert (found.relevant, found.retrieved, found.highest, found.notices) == (3, 4, 1.0, ())
    assert [(m.item, m.grade, m.rank, round(m.would_be, 4)) for m in found.missed] == [("far", 1.0, None, 0.9167)]
    assert found.to_dict()["places"][0]["item"] == "a"


def test_below_the_cutoff_counts_as_missed():
    found = explain(SIMPLE, RUN, "q", "P@2")
    assert [(m.item, m.rank, m.would_be) for m in found.missed] == [("b", 3.0, 1.0), ("far", None, 1.0)]
    assert (found.value, found.highest) == (0.5, 1.0)


def test_an_undefined_value_says_why():
    found = explain({"q": {"a": 0}, "r": {"a": 1}}, {"q": {"a": 1.0}}, "q", "AP")
    assert found.value is None
    assert found.highest is None
    assert found.rest == 0
    assert found.places[0].contribution == 0
    assert found.places[0].if_relevant == 1.0
    why = "AP has no value: the gold holds no relevant item for this query (a grade of at least 1)."
    assert found.notices == (f"{why} The mean counts it as 0.",)
    mean_rank = explain(SIMPLE, RUN, "q", "MR")
    assert mean_rank.value is None
    assert mean_rank.highest == 2.0
    assert "assay measures MR" in mean_rank.notices[0]


def test_a_query_without_an_answer():
    gold = {"q": {"a": 1}, "r": {"b": 1}}
    found = explain(gold, {"r": {"b": 1.0}}, "q", "AP")
    assert (found.value, found.places, found.missed[0].would_be) == (0.0, (), 1.0)
    assert found.notices == ("The run does not answer this query: its value is the worst there is, 0.",)
    skipped = explain(gold, {"r": {"b": 1.0}}, "q", "AP", policy=Policy(missing="skip"))
    assert skipped.value is None
    assert "missing skip" in skipped.notices[0]


def test_tied_items_share_where_all_orders_are_likely():
    gold = {"q": {"a": 1}}
    run = {"q": {"a": 1.0, "b": 1.0, "c": 0.0}}
    found = explain(gold, run, "q", "RR", policy=Policy(ties="expected"))
    assert [(p.rank, p.contribution, p.tied) for p in found.places] == [(1.5, 0.375, 2), (1.5, 0.375, 2), (3.0, 0, 1)]
    assert "share what their places contribute" in found.notices[0]
    realistic = explain(gold, run, "q", "RR", policy=Policy(ties="realistic"))
    assert [(p.item, round(p.contribution, 4)) for p in realistic.places] == [("a", 0.6667), ("b", 0), ("c", 0)]


def test_a_measure_that_begins_above_zero_says_where():
    found = explain(SIMPLE, RUN, "q", "RBPResid")
    assert found.start == 1
    assert found.value == pytest.approx(total(found))


def test_two_runs_item_by_item():
    found = explain_change(SIMPLE, RUN, {"q": ["far", "b", "x", "a"]}, "q", "AP")
    assert [(m.item, m.rank_before, m.rank_after) for m in found.moves] == [
        ("far", None, 1.0), ("b", 3.0, 2.0), ("a", 1.0, 4.0)
    ]  # fmt: skip
    assert sum(move.change for move in found.moves) == pytest.approx(found.difference)
    assert found.other == pytest.approx(0)
    assert found.to_dict()["difference"] == found.difference


def test_facets_are_explained_too():
    rows = {
        "query": ["p", "q", "q", "q", "q"], "group": ["1", "1", "2", "2", "3"], "item": ["z", "a", "a", "b", "c"],
        "grade": [1, 1, 1, 1, 1],
    }  # fmt: skip
    gold = Gold.from_details(pl.DataFrame(rows))
    run = {"q": ["b", "x", "a", "d"], "p": ["z"]}
    for name in ("alpha_nDCG@5", "ERR_IA@5", "StRecall@5", "P_IA@3"):
        found = explain(gold, run, "q", name)
        assert found.value == value_of(gold, run, "q", name, Policy())
        assert total(found) == pytest.approx(found.value)
        assert found.places[0].contribution > 0
        assert [missed.item for missed in found.missed] == ["c"]
        answers = {**run, "q": ["c", *run["q"]]}
        assert found.missed[0].would_be == pytest.approx(value_of(gold, answers, "q", name, Policy()))


def test_unknown_names_and_impossible_requests():
    with pytest.raises(UnknownNameError, match=r"no query of the gold is called 'q2'. Did you mean 'q'\?"):
        explain(SIMPLE, RUN, "q2")
    with pytest.raises(ParameterError, match="expected one to explain, found 2"):
        explain(SIMPLE, RUN, "q", "P@{1,5}")
    with pytest.raises(ParameterError, match="at least 1, found 0"):
        explain(SIMPLE, RUN, "q", places=0)


def test_the_worst_and_the_most_changed_queries():
    gold = {query: {"a": 1} for query in ("q1", "q2", "q3")} | {"none": {"a": 0}}
    first = {"q1": ["a"], "q2": ["x", "a"], "q3": ["x", "y", "a"], "none": ["a"]}
    second = {"q1": ["x", "a"], "q2": ["x", "a"], "q3": ["a"], "none": ["a"]}
    before, after = (evaluate(gold, run, "RR MR") for run in (first, second))
    assert worst(before, "RR", 2) == ["q3", "q2"]
    assert worst(before, "MR", 9) == ["q3", "q2", "q1"]
    assert worst(after, "RR", 2) == ["q1", "q2"]
    assert most_changed(before, after, "RR", 3) == ["q3", "q1", "q2"]


def test_a_run_of_other_queries_is_refused():
    with pytest.raises(OverlapError, match="found none of them"):
        explain(SIMPLE, {"other": ["a"]}, "q")


def test_a_query_that_loses_all_its_items_is_still_answered():
    gold = {"q": {"a": 1}, "r": {"b": 1}}
    run = {"q": {"a": 1.0}, "r": {"b": 1.0}}
    for measure in ("AP", "MR"):
        found = explain(gold, run, "q", measure, exclude={"q": ["a"]})
        values = evaluate(gold, run, measure, exclude={"q": ["a"]}).per_query.filter(query="q")["value"]
        assert (found.value, found.retrieved) == (values[0], 0)
        assert "does not answer" not in " ".join(found.notices)


def test_queries_without_gold_are_refused_where_the_policy_says_so():
    with pytest.raises(RunError, match="'other'"):
        explain(SIMPLE, {**RUN, "other": {"a": 1.0}}, "q", policy=Policy(extra="error"))


def test_other_queries_change_nothing():
    whole = {**RUN, "other": {"a": 1.0}, "r": {"b": 2.0}}
    gold = {**SIMPLE, "r": {"b": 7}}
    for measure in ("ERR@3", "GP@3", "AP", "SDCG@3"):  # the highest grade is that of the whole gold
        found = explain(gold, whole, "q", measure)
        assert found.value == value_of(gold, whole, "q", measure, Policy())


def test_missed_items_of_one_grade_have_one_value_and_are_all_named():
    gold = {"q": {f"m{n}": 1 + n % 2 for n in range(600)} | {"a": 1}}
    found = explain(gold, {"q": ["x", "a"]}, "q", "nDCG@5")
    assert len(found.missed) == 600
    assert len({(one.grade, one.would_be) for one in found.missed}) == 2


def test_profiles_and_exclusions_are_heeded():
    gold, run = {"q": {"a": 1}}, {"q": {"q": 3.0, "b": 2.0, "a": 1.0}}
    beir = explain(gold, run, "q", "RR", profile="beir")
    assert [place.item for place in beir.places] == ["b", "a"]
    found = explain(gold, run, "q", "RR", exclude={"q": ["b"]})
    assert [place.item for place in found.places] == ["q", "a"]
    assert found.value == 0.5
