"""Preferences, against plain loops over every pair of items."""

import math
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from tests.oracle.pairs import case, judge_scores, plainly, preferred, ties_of

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import judge
from assay.errors import GoldError, UnsupportedError
from assay.measures import MEASURES, parse
from assay.measures.grouped import GroupMeasure, judge_groups

ASKED = [name for name, known in MEASURES.items() if issubclass(known, GroupMeasure)]
PREFERENCES = [MEASURES[name]() for name in ASKED if "Prefs" in name]
SETTINGS = [*PREFERENCES, *(replace(one, surplus="paired") for one in PREFERENCES if "Rnonrel" in one.name)]


def places_of(ranking):
    return {item: place for place, item in enumerate(ranking, 1)}


@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_preferences_are_what_loops_over_pairs_count(measure):
    for seed in range(250):
        groups, ranking = case(seed)
        wanted = plainly(measure, groups, places_of(ranking))
        assert measure.of_groups(groups, ranking) == pytest.approx(wanted, abs=1e-12), (seed, groups, ranking)


@pytest.mark.parametrize("measure", [one for one in PREFERENCES if "Rnonrel" not in one.name], ids=str)
def test_expected_preferences_are_the_mean_over_all_orders(measure):
    for seed in range(25):
        groups, scores, orders = ties_of(seed)
        values = [measure.of_groups(groups, order) for order in orders]
        expected = measure.expected(judge_scores(groups, scores))[0]
        if None in values:
            assert values == [None] * len(orders)
            assert expected == 0
        else:
            assert expected == pytest.approx(math.fsum(values) / len(values), abs=1e-12), (groups, scores)


@pytest.mark.parametrize("name", ["PrefsAvgJGRnonrel", "PrefsAvgJGRnonrelRet"])
def test_what_has_no_exact_mean_says_so(name):
    with pytest.raises(UnsupportedError, match="range"):
        MEASURES[name]().expected(judge_groups([{"a": 1}], ["a"]))


def several(seeds):
    """Return one gold and one run of several queries."""
    rows, run = [], {}
    for seed in seeds:
        groups, ranking = case(seed)
        run[f"q{seed}"] = {item: float(-place) for place, item in enumerate(ranking)}
        rows += [
            {"query": f"q{seed}", "group": f"u{group}", "part": f"p{part}", "item": item, "grade": float(grade)}
            for group, parts in enumerate(groups)
            for part, grades in enumerate(parts)
            for item, grade in grades.items()
        ]
    return rows, run


def values_of(measure, rows, run):
    gold = Gold.from_details(pl.DataFrame(rows))
    judged = judge(Run.from_mapping(run), gold, Policy())
    values = np.where(measure.defined(judged), measure.kernel(judged), np.nan)
    return dict(zip(judged.names.to_list(), values.tolist(), strict=True))


@pytest.mark.parametrize("name", ASKED)
def test_queries_and_rows_do_not_touch_each_other(name):
    measure = MEASURES[name]() @ 2 if MEASURES[name].needs_at else MEASURES[name]()
    rows, run = several(range(40))
    together = values_of(measure, rows, run)
    random.Random(1).shuffle(rows)
    np.testing.assert_equal(values_of(measure, rows, run), together)
    for seed in range(40):
        groups, ranking = case(seed)
        alone = measure.of_groups(groups, ranking)
        assert together[f"q{seed}"] == pytest.approx(np.nan if alone is None else alone, nan_ok=True, abs=1e-12)


@pytest.mark.parametrize("name", ASKED)
def test_values_are_within_the_bounds(name):
    measure = MEASURES[name]() @ 2 if MEASURES[name].needs_at else MEASURES[name]()
    low, high = measure.bounds
    for seed in range(100):
        groups, ranking = case(seed)
        value = measure.of_groups(groups, ranking)
        assert value is None or low <= value <= high


@pytest.mark.parametrize("name", ["NumPrefsFul", "PrefsSimple", "PrefsPair", "PrefsAvgJG", "PrefsAvgJGRnonrel"])
def test_what_every_user_prefers_may_move_up(name):
    for seed in range(100):
        groups, ranking = case(seed)
        wanted = [preferred(parts) for parts in groups]
        for place, (first, second) in enumerate(pairwise(ranking)):
            if any((second, first) in pairs for pairs in wanted) and not any(
                (first, second) in pairs for pairs in wanted
            ):
                moved = [*ranking[:place], second, first, *ranking[place + 2 :]]
                before, after = (MEASURES[name]().of_groups(groups, order) for order in (ranking, moved))
                assert after >= before - 1e-12, (groups, ranking, moved)


def test_parts_that_contradict_each_other_are_refused():
    with pytest.raises(GoldError, match="query '1': the parts of a judgment group contradict each other"):
        parse("PrefsSimple").of_groups([[{"a": 2, "b": 1}, {"b": 2, "c": 1}, {"c": 2, "a": 1}]], ["a"])


def test_a_group_of_many_items_is_counted_without_its_pairs():
    """Ten thousand items make fifty million pairs; counted by levels they take no notice."""
    rng = random.Random(5)
    grades = {str(number): rng.random() for number in range(10_000)}
    best = sorted(grades, key=lambda item: -grades[item])
    assert parse("NumPrefs").of_groups([grades], best) == 10_000 * 9_999 / 2
    assert parse("PrefsSimple").of_groups([grades], best) == 1
    assert parse("PrefsSimple").of_groups([grades], best[::-1]) == 0


def test_grades_alone_are_refused():
    with pytest.raises(UnsupportedError, match="groups"):
        parse("PrefsSimple").of([1, 0])
