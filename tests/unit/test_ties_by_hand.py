"""Means over the orders of tied items, by hand: fractional grades, extreme grades, and ties deep in a ranking."""

import math
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from assay.core.judged import Judged
from assay.measures import MEASURES, err, parse, possible, tie_groups
from assay.testing import brute_force

LOG3 = math.log2(3)


def tied(*grades, above=0):
    """Judge one query whose items all tie, under `above` items without a judgment; None: no judgment."""
    gold = {f"{number}": grade for number, grade in enumerate(grades) if grade is not None}
    run = {f"{number}": 1.0 for number, _ in enumerate(grades)} | {f"above {n}": 2.0 for n in range(above)}
    return brute_force.judge({"q": gold}, {"q": run})


HALF_GRADES = [
    ("DCG", (0.5 + 0.5 / LOG3) / 2),
    ("nDCG", (1 + 1 / LOG3) / 2),
    ("SDCG(max_rel=1)@1", 0.25),
    ("GP(max_rel=1)@1", 0.25),
    ("GR@1", 0.5),
    ("ERR(max_rel=1)", (math.sqrt(2) - 1) / 2 * 0.75),
    ("RBP(p=0.5,gain='linear',max_rel=1)", (0.25 + 0.125) / 2),
    ("TopicRBP(p=0.5)", (0.25 + 0.125) / 2),
    ("P(rel=0.5)@1", 0.5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), HALF_GRADES)
def test_half_a_grade_counts_in_the_mean_over_orders_and_in_each(text, value):
    judged = tied(0.5, None)
    measure = parse(text)
    assert measure.expected(judged)[0] == pytest.approx(value, rel=1e-14)
    each = [measure.kernel(Judged.of_grades(grades, [0.5]))[0] for grades in ([0.5, -np.inf], [-np.inf, 0.5])]
    assert sum(each) / 2 == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("grade", [60, 200])
def test_err_of_items_that_satisfy_for_sure(grade):
    assert MEASURES["ERR"]().expected(tied(grade, grade))[0] == 1
    assert MEASURES["ERR"]().expected(tied(grade, None))[0] == 0.75


def stacked(many, above):
    """Judge one query of many tied items of grade 1 far down in a ranking."""
    ones = np.ones(many)
    plain = Judged.of_grades(ones, ones)
    numbers = ones.astype(np.int64)
    hits = replace(plain.hits, above=numbers * above, tied=numbers * many, rank=plain.hits.rank + above)
    return replace(plain, hits=hits, retrieved=np.array([above + many]))


@pytest.mark.parametrize("many", [2, 40, 90, 200])
@pytest.mark.parametrize("above", [0, 10_000_000, 10_000_000_000])
def test_err_among_equals_is_that_of_any_order(many, above):
    """All tied items are alike, so each order has the same value, of which the last terms are beyond notice."""
    value = math.fsum(0.5**place / (above + place) for place in range(1, many + 1))
    judged = stacked(many, above)
    assert MEASURES["ERR"]().expected(judged)[0] == pytest.approx(value, rel=4e-15)
    assert MEASURES["ERR"]().kernel(judged)[0] == pytest.approx(value, rel=4e-15)


def test_err_of_ties_that_hardly_satisfy():
    """All of 50 items are looked at where each satisfies with a chance of 1/1024."""
    chance = 1 / 1024
    value = math.fsum((1 - chance) ** (place - 1) * chance / place for place in range(1, 51))
    assert MEASURES["ERR"](max_rel=10).expected(stacked(50, 0))[0] == pytest.approx(value, rel=1e-13)


def test_err_of_ties_that_next_to_never_satisfy():
    """With a chance of 2^-60 nobody stops early: each of four places adds its share, however small the sum is."""
    value = 2.0**-60 * (1 + 1 / 2 + 1 / 3 + 1 / 4)
    assert MEASURES["ERR"](max_rel=60).expected(stacked(4, 0))[0] == pytest.approx(value, rel=1e-13, abs=0)


def test_a_query_with_more_places_than_a_board_has_cells_is_laid_out_alone(monkeypatch):
    monkeypatch.setattr(possible, "CELLS", 2)
    assert list(islice(possible._rows(np.array([1, 1, 3])), 3)) == [slice(0, 2), slice(2, 3)]


def test_gains_that_fall_leave_only_outer_bounds_of_the_ideal():
    """A grade of 2 that is worth less than 1: no rule says which judging of an open place is the best."""
    judged = Judged.of_grades([1, -np.inf], [2, 1])
    found = parse("IDCG(gains={2:0.5})").possible(judged)
    assert (found.low[0], found.high[0], found.exact) == (0, math.inf, False)
    plain = parse("IDCG").possible(judged)
    assert plain.exact
    assert (plain.low[0], plain.high[0]) == pytest.approx((2 + 1 / LOG3, 2 + 2 / LOG3 + 0.5))


def test_measures_of_aspects_have_only_their_bounds():
    found = parse("StRecall@1").possible(Judged.of_grades([1, -np.inf], [1]))
    assert (found.low.tolist(), found.high.tolist(), found.exact) == ([0], [1], False)


@pytest.mark.parametrize("text", ["AP", "RR", "nDCG", "ERR", "AP(norm='found')@7", "ERR@9"])
def test_groups_that_are_worked_out_in_small_parts_give_the_same(text, monkeypatch):
    grades = [[1, None, 2, None, 0, 1, 3][: 1 + number % 7] for number in range(30)]
    gold = {f"{n:02}": {f"{i}": g for i, g in enumerate(some) if g is not None} for n, some in enumerate(grades)}
    run = {f"{n:02}": {f"{i}": float(i // (2 + n % 4)) for i, _ in enumerate(some)} for n, some in enumerate(grades)}
    measure, judged = parse(text), brute_force.judge(gold, run)
    whole = measure.expected(judged)
    for most in (1, 2, 5):
        monkeypatch.setattr(tie_groups, "PLACES", most)
        monkeypatch.setattr(err, "PLACES", most)
        assert np.array_equal(measure.expected(judged), whole)


def test_a_chance_is_exact_where_none_or_all_must_be_hit():
    tied, holds, places = np.array([4, 4, 4, 6, 5]), np.array([1, 3, 4, 2, 5]), np.array([4, 2, 0, 3, 1])
    assert tie_groups.chance_of_none(tied, holds, places).tolist() == [0, 0, 1, pytest.approx(3 / 15), 0]
    assert not np.signbit(tie_groups.chance_of_none(tied, holds, places)).any()


@pytest.mark.parametrize(
    ("tied", "holds", "places"), [(4, 2, 2), (9, 4, 5), (6, 6, 2), (5, 0, 3), (5, 3, 5), (5, 1, 0), (4000, 3000, 3000)]
)
def test_chances_are_those_of_drawing_without_putting_back(tied, holds, places):
    numbers, found = tie_groups.chances(tied, holds, places)
    ways = [math.comb(holds, y) * math.comb(tied - holds, places - y) for y in numbers.tolist()]
    assert sum(ways) == math.comb(tied, places)
    assert found.tolist() == pytest.approx([way / sum(ways) for way in ways], rel=1e-14)


@pytest.mark.parametrize(
    ("text", "value"), [("Bpref", 1), ("AP", 1), ("MR", 1), ("nDCG", 1), ("P@2", 0.5), ("infAP", 1)]
)
def test_a_ranking_that_is_wholly_judged_has_one_possible_value(text, value):
    found = parse(text).possible(Judged.of_grades([1, 0], [1, 0]))
    assert (found.low[0], found.high[0]) == (value, value)


@pytest.mark.parametrize("text", ["R(rel=0)@2", "RCap(rel=0)@2", "Complete(rel=0)@2", "F(rel=0)@2", "F1(rel=0)@2"])
def test_where_a_grade_of_0_is_relevant_the_bounds_are_outer_ones(text):
    """Every judging makes an open item relevant, so that the value as it stands is none of the possible ones."""
    assert not parse(text).possible(Judged.of_grades([1, -np.inf], [1])).exact
