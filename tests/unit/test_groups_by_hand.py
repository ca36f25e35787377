"""Measures of several users' judgments and of proofs, by hand, where plain loops over random cases do not reach."""

from dataclasses import replace

import pytest

from assay.measures import MEASURES, parse
from assay.measures.grouped import judge_groups

BELOW_0 = [{"a": 1, "b": 0, "c": -2}]
"""One relevant item, and two that are not, one of them worse than the other."""

SURPLUS = [
    ("PrefsAvgJGRnonrel", ["b", "a", "c"], 0),
    ("PrefsAvgJGRnonrel", ["a", "b", "c"], 1),
    ("PrefsAvgJGRnonrelRet", ["b", "a", "c"], 0),
    ("PrefsAvgJGRnonrel(surplus='paired')", ["b", "a", "c"], 2 / 4),
    ("PrefsAvgJGRnonrel(surplus='paired')", ["a", "b", "c"], 3 / 4),
]


@pytest.mark.parametrize(("text", "ranking", "value"), SURPLUS)
def test_items_below_grade_0_are_surplus_as_those_of_0_are(text, ranking, value):
    """With one relevant item one other is kept, the first in the ranking; trec_eval drops none and pairs one more."""
    assert parse(text).of_groups(BELOW_0, ranking) == pytest.approx(value)


@pytest.mark.parametrize("text", ["Deducible@1", "ProofR@1", "P_AvgJG@1", "AP_AvgJG", "PrefsSimple"])
@pytest.mark.parametrize("what", ["kernel", "expected"])
def test_hits_that_do_not_say_their_row_are_none_of_the_judged_items(text, what):
    judged = judge_groups([{"a": 1, "b": 0}], ["a"])
    assert getattr(parse(text), what)(judged)[0] == 1
    nameless = replace(judged, hits=replace(judged.hits, row=None))
    assert getattr(parse(text), what)(nameless)[0] == 0


def test_a_preference_alone_carries_nothing_on():
    assert MEASURES["NumPrefs"]().of_groups([[{"a": 2, "b": 1}, {"c": 0}]], ["a"]) == 1
    assert MEASURES["NumPrefs"]().of_groups([[{"a": 1}, {"c": 0}]], ["a"]) == 0
    parts = [{f"{n}": 2, f"{n + 1}": 1} for n in range(8)]
    assert MEASURES["NumPrefs"]().of_groups([parts], ["0"]) == 9 * 8 / 2


def test_nothing_retrieved_and_nothing_preferred():
    nothing = judge_groups([{"a": 1, "b": 0}], [])
    for name in ("PrefsSimple", "PrefsSimpleRet", "PrefsPair", "PrefsAvgJG", "PrefsAvgJGRnonrel"):
        assert MEASURES[name]().kernel(nothing).tolist() == [0]
