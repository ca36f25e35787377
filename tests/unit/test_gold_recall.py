"""How much of what is relevant was found, and when to stop looking."""

import math

import numpy as np
import polars as pl
import pytest

from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import AssayError, InputError, ParameterError
from assay.judging.recall import draw_unjudged, recall
from assay.judging.stopping import by_budget, by_control, by_elusion, by_knee, slope_ratio
from assay.statistics.finite import at_most

ITEMS = [f"d{number}" for number in range(400)]
RELEVANT = {f"d{number}": int(number % 8 == 0) for number in range(400)}


def judged(first=200):
    """The first items of each of three queries are judged; 50 of 400 are relevant, 25 of them among the first."""
    rows = {item: RELEVANT[item] for item in ITEMS[:first]}
    return Gold.from_mapping(dict.fromkeys(("q1", "q2", "q3"), rows))


def labelled(drawn):
    return Gold.from_frame(drawn.with_columns(grade=drawn["item"].replace_strict(RELEVANT)))


def test_an_elusion_sample_holds_the_true_recall_as_often_as_it_says():
    held = []
    for seed in range(60):
        found = recall(judged(), sample=labelled(draw_unjudged(judged(), ITEMS, 40, seed))).estimates[0]
        held.append(found.interval.low <= 0.5 <= found.interval.high)
    assert sum(held) >= 55


def test_a_sample_of_all_leaves_no_doubt():
    found = recall(judged(), sample=labelled(draw_unjudged(judged(), ITEMS, 1000))).estimates[0]
    assert (found.recall, found.missed, found.total) == (0.5, 75, 150)
    assert (found.interval.low, found.interval.high) == (0.5, 0.5)


def test_the_chance_of_a_pair_or_the_number_left_say_the_same():
    drawn = draw_unjudged(judged(), ITEMS, 40)
    plain = Gold(labelled(drawn).table)
    by_chance, by_number = recall(judged(), sample=labelled(drawn)), recall(judged(), sample=plain, left=600)
    assert by_chance.estimates == by_number.estimates
    with pytest.raises(InputError, match="--left"):
        recall(judged(), sample=plain)


def test_unequal_chances_weigh_and_widen():
    rows = {
        "query": ["q1"] * 4,
        "item": ["a", "b", "c", "d"],
        "grade": [1, 0, 0, 0],
        "probability": [0.5, 0.5, 0.01, 0.01],
    }
    found = recall({"q1": {"z": 1}}, sample=pl.DataFrame(rows), target=0.9)
    assert found.estimates[0].missed == 2
    assert found.estimates[0].interval.units == 2
    assert found.rules[0].name == "elusion bound"
    assert found.rules[0].stop is False


def test_a_larger_draw_holds_the_smaller_and_the_order_of_items_does_not_matter():
    small, large = (draw_unjudged(judged(), items, size) for items, size in ((ITEMS, 5), (ITEMS[::-1], 9)))
    keys = [set(frame.select("query", "item").iter_rows()) for frame in (small, large)]
    assert keys[0] < keys[1]
    assert not {item for _, item in keys[1]} & set(ITEMS[:200])
    assert small["probability"].unique().to_list() == [5 / 200]


def test_a_sample_of_judged_pairs_is_refused():
    with pytest.raises(InputError, match="without a judgment"):
        recall(judged(), sample={"q1": {"d3": 0}}, left=9)


def test_a_control_sample_counts_what_was_reached():
    control = {"q1": {"d0": 1, "d8": 1, "d1": 0, "d392": 1}}
    found = recall(judged(), control=control)
    estimate = found.estimates[0]
    assert (estimate.recall, estimate.found, estimate.total) == (pytest.approx(2 / 3), 75, pytest.approx(112.5))
    assert found.rules[0].stop is False
    nothing = recall(judged(), control={"q1": {"d1": 0}}).estimates[0]
    assert (nothing.recall, nothing.interval.low, nothing.interval.method) == (None, None, "none")


def test_two_searches_that_know_nothing_of_each_other_tell_the_total():
    random = np.random.default_rng(0)
    truth = Gold.from_mapping({"q": dict.fromkeys(ITEMS, 1)})
    searches = [
        Run.from_mapping({"q": [ITEMS[place] for place in random.choice(400, 200, replace=False)]}, name=name)
        for name in ("one", "two")
    ]
    estimate = recall(truth, searches=searches).estimates[0]
    assert estimate.total == pytest.approx(400, abs=40)
    assert estimate.interval.low < estimate.found / 400 < estimate.interval.high
    with pytest.raises(ParameterError, match="expected two runs"):
        recall(truth, searches=searches[:1])


def test_the_hypergeometric_tail_is_that_of_the_formula():
    right = sum(math.comb(5, x) * math.comb(15, 6 - x) for x in range(2)) / math.comb(20, 6)
    assert at_most(1, 6, 20, 5) == pytest.approx(right)


def test_the_elusion_test_seldom_stops_too_early():
    """100 found and 12 missed of 1,000: recall is .893, so a target of .9 was not reached."""
    random = np.random.default_rng(1)
    left = np.arange(1000) < 12
    early = [
        by_elusion(
            100, int(left[random.choice(1000, 300, replace=False)].sum()), 300, 1000, target=0.9, level=0.95
        ).stop
        for _ in range(400)
    ]
    assert sum(early) <= 0.08 * 400
    assert by_elusion(100, 0, 1, 3, target=0.9, level=0.95).stop


def test_the_control_rule_needs_59_of_59_for_95_with_95():
    assert [by_control(number, number, 0.95, 0.95).stop for number in (58, 59)] == [False, True]
    assert by_control(0, 0, 0.95, 0.95).stop is False


def test_the_knee_is_where_the_curve_bends():
    row = np.repeat([True, False], [160, 1600])
    assert slope_ratio(row) == pytest.approx(1600)
    assert by_knee([row]).stop
    assert not by_knee([row, np.array([True, False, True])]).stop
    assert [slope_ratio(np.array(flags, bool)) for flags in ([], [True], [False] * 3, [True] * 3)] == [0, 0, 0, 0]


def test_the_budget_asks_for_effort_and_a_flat_curve():
    row = np.repeat([True, False], [100, 400])
    assert by_budget([row], 5000).stop
    assert not by_budget([row], 6000).stop
    assert by_budget([np.zeros(80, bool)], 100).stop


def test_order_gives_rules_and_no_estimate():
    found = recall(judged(), in_order=True, collection=400)
    assert [rule.name for rule in found.rules] == ["knee", "budget"]
    assert found.estimates == ()


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({}, "expected a sample"),
        ({"in_order": True, "target": 1.0}, "target: expected a share"),
        ({"sample": {"q1": {"d390": 1, "d391": 0}}, "left": 1}, "left: expected at least the 2 pairs"),
    ],
)
def test_what_cannot_be_estimated_is_said(terms, message):
    with pytest.raises(AssayError, match=message):
        recall(judged(), **terms)
    with pytest.raises(InputError, match="items to draw from"):
        draw_unjudged(judged(), [], 3)


def test_nothing_found_and_nothing_missed_is_no_recall():
    found = recall({"q": {"a": 0}}, sample={"q": {"b": 0}}, left=1)
    assert found.estimates[0].recall is None
    assert found.rules == ()
