"""Measures of several users' judgments: the mean over users, each by the book of the measure of one."""

import math
from dataclasses import replace

import pytest
from tests.oracle.pairs import case, judge_scores, mean, ties_of

from assay.errors import UnsupportedError
from assay.measures import parse, parse_many

ASKED = "P_AvgJG@{1,3} P_AvgJG(rel=2)@2 AP_AvgJG AP_AvgJG(rel=2) RprecMult_AvgJG@{0,0.35,1,2}"
USERS = [one.measure for one in parse_many(ASKED)]


def one_user(measure, grades, ranking):
    """Return the value of the measure of one group, by the book; None where nothing is relevant."""
    alone = measure.alone()
    known = [item for item in ranking if not measure.judged_only or (item in grades and grades[item] >= 0)]
    if max(grades.values()) < measure.rel:
        return None
    return alone.by_the_book([grades.get(item, -math.inf) for item in known], [*grades.values()])


def users_of(seed):
    groups, ranking = case(seed)
    return [{item: int(grade) - (seed % 5 == 0) for item, grade in parts[0].items()} for parts in groups], ranking


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("measure", USERS, ids=str)
def test_groups_are_the_mean_over_users_each_by_the_book(measure, judged_only):
    measure = replace(measure, judged_only=judged_only)
    for seed in range(100):
        groups, ranking = users_of(seed)
        values = [one_user(measure, grades, ranking) for grades in groups]
        wanted = None if values == [None] * len(groups) else mean(values)
        assert measure.of_groups(groups, ranking) == pytest.approx(wanted, abs=1e-12), (groups, ranking)


@pytest.mark.parametrize("measure", USERS, ids=str)
def test_expected_groups_are_the_mean_over_all_orders(measure):
    for seed in range(20):
        users, _ = users_of(seed)
        _, scores, orders = ties_of(seed)
        values = [measure.of_groups(users, order) for order in orders]
        expected = measure.expected(judge_scores(users, scores))[0]
        if values[0] is None:
            assert expected == 0
        else:
            assert expected == pytest.approx(math.fsum(values) / len(values), abs=1e-12)


def test_an_item_in_several_parts_of_a_group_counts_once_and_by_its_best_grade():
    groups = [[{"a": 1, "b": 0}, {"a": 0, "b": 1, "c": 1}]]
    for text in ASKED.split():
        for one in parse_many(text):
            assert one.measure.of_groups(groups, ["a", "c"]) == one.measure.of_groups(
                [{"a": 1, "b": 1, "c": 1}], ["a", "c"]
            )


def test_grades_alone_are_refused():
    with pytest.raises(UnsupportedError, match="group"):
        parse("P_AvgJG@1").by_the_book([1.0], [1.0])
    with pytest.raises(UnsupportedError, match="group"):
        parse("P_AvgJG@1").of([1])
