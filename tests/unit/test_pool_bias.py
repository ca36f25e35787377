"""What it costs a run not to have helped to make the pool."""

import pytest

from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import InputError, ParameterError
from assay.health import health
from assay.judging.pool_bias import pool_bias

RUNS = [
    Run.from_mapping({"q1": ["a", "b", "c"], "q2": ["a", "x", "y"], "q3": ["p", "q", "r"]}, name="one"),
    Run.from_mapping({"q1": ["a", "d", "b"], "q2": ["z", "a", "x"], "q3": ["q", "p", "s"]}, name="two"),
    Run.from_mapping({"q1": ["e", "f", "g"], "q2": ["u", "v", "w"], "q3": ["p", "t", "o"]}, name="odd"),
]
GOLD = Gold.from_mapping(
    {"q1": {"a": 1, "e": 1, "f": 1, "d": 0}, "q2": {"u": 1, "a": 1, "z": 0}, "q3": {"p": 1, "t": 1}}
)


def test_a_run_that_finds_alone_loses_without_itself():
    (bias,) = pool_bias(RUNS, GOLD, depth=2, measures="P@2")
    odd = next(one for one in bias.left_out if one.run == "odd")
    assert (odd.mean, odd.without, odd.unique) == (pytest.approx(5 / 6), pytest.approx(1 / 6), 4)
    verdict = bias.verdicts[0]
    assert verdict.worst == odd
    assert (odd.place, odd.place_without) == (1, 3)
    assert verdict.detectable > 0


def test_at_the_depth_of_the_measure_it_is_what_health_says():
    (bias,) = pool_bias(RUNS, GOLD, depth=2, measures="P@2")
    other = {one.run: one for one in health(GOLD, RUNS, "P@2").left_out}
    for one in bias.left_out:
        assert one.without == pytest.approx(other[one.run].without)


def test_leaving_a_group_out_costs_more_than_leaving_one_of_it_out():
    twins = [*RUNS, Run.from_mapping({"q1": ["e", "f"], "q2": ["u", "v"], "q3": ["p", "t"]}, name="odd too")]
    groups = {"one": "x", "two": "x", "odd": "y", "odd too": "y"}
    alone, together = pool_bias(twins, GOLD, depth=2, measures="P@2", groups=groups)
    lost = [next(o.without for o in bias.left_out if o.run == "odd") for bias in (alone, together)]
    assert lost == [pytest.approx(5 / 6), pytest.approx(1 / 6)]
    assert (together.by, together.groups) == ("group", groups)


@pytest.mark.parametrize("strategy", ["mtf", "bandit"])
def test_a_strategy_that_learns_is_walked_again(strategy):
    (bias,) = pool_bias(RUNS, GOLD, strategy, depth=3, budget=6, measures="P@2 AP")
    assert len(bias.left_out) == 6
    assert [one.measure for one in bias.verdicts] == ["P@2", "AP"]


def test_runs_that_never_differ_give_no_verdict():
    same = [Run.from_mapping({"q1": ["a"]}, name=name) for name in "xy"]
    verdict = pool_bias(same, {"q1": {"a": 1}}, depth=1, measures="P@1")[0].verdicts[0]
    assert (verdict.detectable, verdict.reusable, verdict.tau) == (None, None, None)


def test_what_cannot_be_left_out_is_said():
    with pytest.raises(ParameterError, match="at least two runs"):
        pool_bias(RUNS[:1], GOLD)
    with pytest.raises(ParameterError, match="found stratified"):
        pool_bias(RUNS, GOLD, "stratified")
    with pytest.raises(InputError, match="found none for 'odd'"):
        pool_bias(RUNS, GOLD, groups={"one": "x", "two": "y"})
    with pytest.raises(ParameterError, match="at least two"):
        pool_bias(RUNS, GOLD, groups=dict.fromkeys(("one", "two", "odd"), "x"))
