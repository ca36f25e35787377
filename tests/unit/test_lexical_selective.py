"""Selective expansion: what a rule may learn, and that no query decides on itself."""

import math

import numpy as np
import polars as pl
import pytest

from assay.tasks.lexical.selective import Lesson, cross_validated, decided, learn, lesson


def taught(gains, **features):
    """Return a lesson of gains and predictors, each a list over the same queries."""
    queries = [f"q{place}" for place in range(len(gains))]
    table = pl.DataFrame({"query": queries, **features})
    return lesson(dict(zip(queries, gains, strict=True)), table)


def test_a_threshold_that_tells_is_learned_and_brings_its_gain():
    values = [place / 50 for place in range(100)]
    given = taught([0.1 if value > 1 else -0.1 for value in values], noise=[0.0] * 100, signal=values)
    rule = learn(given)
    assert (rule.choice, rule.predictor) == ("above", "signal")
    assert rule.threshold == pytest.approx(1.01)
    expanded, rules = cross_validated(given)
    assert given.gains[expanded].sum() > 0.9 * 0.1 * 49
    assert {(one.choice, one.predictor) for one in rules} == {("above", "signal")}
    assert [one.fold for one in rules] == [1, 2, 3, 4, 5]


def test_low_values_can_be_the_ones_to_expand():
    given = taught([0.1] * 30 + [-0.1] * 30, signal=[float(place) for place in range(60)])
    assert (learn(given).choice, learn(given).threshold) == ("below", 29.5)


@pytest.mark.parametrize(("gain", "choice"), [(0.1, "always"), (-0.1, "never"), (0.0, "never")])
def test_without_a_difference_between_queries_nothing_is_selected(gain, choice):
    given = taught([gain] * 40, signal=[float(place) for place in range(40)])
    assert learn(given).choice == choice
    expanded, rules = cross_validated(given)
    assert expanded.tolist() == [choice == "always"] * 40
    assert {(one.choice, one.predictor, one.threshold) for one in rules} == {(choice, None, None)}


def test_noise_brings_no_gain_in_the_mean_over_many_draws():
    random = np.random.default_rng(0)
    brought = []
    for _ in range(60):
        features = {f"x{place}": random.normal(size=50).tolist() for place in range(8)}
        given = taught((random.normal(size=50) * 0.1).tolist(), **features)
        expanded, _ = cross_validated(given)
        brought.append(given.gains[expanded].mean() if expanded.any() else 0.0)
    assert abs(np.mean(brought)) < 3 * np.std(brought) / math.sqrt(len(brought)) + 1e-9


def test_a_query_is_not_decided_by_its_own_gain():
    random = np.random.default_rng(1)
    gains = (random.normal(size=40) * 0.1).tolist()
    signal = random.normal(size=40).tolist()
    before, _ = cross_validated(taught(gains, signal=signal))
    given = taught(gains, signal=signal)
    place = given.queries.index("q7")
    changed = taught([9.0 if query == 7 else gain for query, gain in enumerate(gains)], signal=signal)
    after, _ = cross_validated(changed)
    assert before[place] == after[place]


def test_the_order_of_queries_changes_nothing_and_the_seed_does():
    gains = {f"q{place}": math.sin(place) for place in range(40)}
    table = pl.DataFrame({"query": list(gains), "x": [math.cos(place) for place in range(40)]})
    one = lesson(gains, table, 3)
    other = lesson(dict(reversed(gains.items())), table.reverse(), 3)
    assert one.queries == other.queries
    assert cross_validated(one)[1] == cross_validated(other)[1]
    assert lesson(gains, table, 4).queries != one.queries


def test_an_undefined_predictor_never_expands():
    given = taught([0.1] * 20 + [-0.1] * 20, signal=[*[1.0] * 19, None, *[0.0] * 20])
    rule = learn(given)
    assert rule.predictor == "signal"
    flags = dict(zip(given.queries, decided(rule, given), strict=True))
    assert not flags["q19"]
    assert flags["q0"]


def test_few_queries_learn_without_a_crash():
    for count in range(1, 8):
        given = taught([0.1] * count, signal=[float(place) for place in range(count)])
        expanded, rules = cross_validated(given)
        assert len(expanded) == count
        assert len(rules) == 5
    empty = Lesson(np.empty(0), np.empty((0, 1)), ("x",), ())
    assert learn(empty).choice == "never"


def test_noise_teaches_no_threshold():
    """The best of some predictors of noise gains on queries held out, but seldom by more than a standard error."""
    learned = []
    for seed in range(40):
        random = np.random.default_rng(seed)
        features = {f"x{place}": random.normal(size=60).tolist() for place in range(3)}
        learned.append(learn(taught((random.normal(size=60) * 0.1).tolist(), **features)).choice)
    assert learned.count("never") + learned.count("always") > 30
