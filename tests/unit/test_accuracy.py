"""A share in a population from samples of several designs, and how many units a margin takes."""

import math

import numpy as np
import pytest

from assay.errors import ParameterError, UnknownNameError
from assay.statistics.cluster_sample import cluster_share, part_share, simple_share, stratified_share
from assay.statistics.sample_plan import alikeness, design_effect, units_needed
from assay.statistics.share_intervals import METHODS, margin_of, share_ends


@pytest.mark.parametrize("method", METHODS)
def test_a_census_has_no_doubt(method):
    values = np.array([1.0, 0.0, 1.0])
    found = simple_share(values, 3)
    assert (found.error, found.worth, found.design_effect) == (0.0, math.inf, 0.0)
    interval = found.interval(method=method)
    assert (interval.low, interval.high) == (values.mean(), values.mean())
    by_stratum = stratified_share(values, np.array([0, 0, 1]), np.array([2.0, 1.0]))
    assert (by_stratum.error, by_stratum.worth) == (0.0, math.inf)


def test_a_finite_population_makes_the_interval_shorter_and_an_endless_one_does_not():
    values = np.repeat([1.0, 0.0], [40, 10])
    endless, large, small = (simple_share(values, population) for population in (None, 10**9, 100))
    assert large.worth == pytest.approx(endless.worth, rel=1e-6)
    assert small.worth == pytest.approx(50 * 99 / 50)
    assert small.error == pytest.approx(math.sqrt(0.5 * 0.8 * 0.2 / 49))
    assert margin_of("wilson", 0.8, small.worth, 0.95) < margin_of("wilson", 0.8, endless.worth, 0.95)


def test_clusters_of_equal_units_are_worth_one_each_and_of_unlike_units_no_more_than_all():
    draws = np.repeat(np.arange(40), 3)
    alike = np.repeat(np.random.default_rng(0).integers(0, 2, 40), 3).astype(float)
    assert cluster_share(alike, draws).design_effect == pytest.approx(3, rel=0.05)
    balanced = np.tile([1.0, 1.0, 0.0], 40)
    assert cluster_share(balanced, draws).worth == 120
    right = cluster_share(np.ones(120), draws)
    assert (right.worth, right.design_effect) == (40, 3)
    assert right.interval().low < simple_share(np.ones(120)).interval().low


def test_one_draw_gives_no_interval():
    for found in (
        cluster_share(np.array([1.0, 0.0]), np.array([1, 1])),
        part_share(np.ones(2), np.ones(2), np.ones(2)),
    ):
        assert found.error is None
        interval = found.interval()
        assert (interval.low, interval.high, interval.method) == (None, None, "none")
    with pytest.raises(UnknownNameError):
        cluster_share(np.array([1.0]), np.array([1])).interval(method="no")


def test_all_statements_of_one_kind_are_all_statements():
    random = np.random.default_rng(3)
    draws = np.sort(random.integers(0, 30, 80))
    values, sizes = random.integers(0, 2, 80).astype(float), np.bincount(draws)
    weights = 1 / sizes[draws]
    part, whole = part_share(values, weights, draws), cluster_share(values, draws)
    assert part.value == pytest.approx(whole.value)
    assert part.error == pytest.approx(whole.error)
    assert part.worth == pytest.approx(whole.worth)


def test_strata_weigh_by_their_size():
    values, stratum = np.array([1.0, 1.0, 1.0, 0.0, 1.0, 0.0]), np.array([0, 0, 0, 0, 1, 1])
    found = stratified_share(values, stratum, np.array([90.0, 10.0]))
    assert found.value == pytest.approx(0.9 * 0.75 + 0.1 * 0.5)
    variance = 0.81 * (1 - 4 / 90) * 0.75 * 0.25 / 3 + 0.01 * (1 - 2 / 10) * 0.25 / 1
    assert found.error == pytest.approx(math.sqrt(variance))
    with pytest.raises(ValueError, match="number 1"):
        stratified_share(values[:4], stratum[:4], np.array([90.0, 10.0]))


def test_few_draws_widen_the_interval_by_the_quantile_of_t():
    means = np.array([1.0, 1.0, 0.0, 1.0, 0.0])
    found = cluster_share(means, np.arange(5))
    plain = share_ends("wilson", found.value, found.worth, 0.95)
    interval = found.interval()
    assert interval.low < plain[0]
    assert interval.high > plain[1]
    assert interval.warnings == ("few",)


@pytest.mark.parametrize("method", ["wilson", "exact", "agresti-coull", "jeffreys", "hpd", "ahpd"])
@pytest.mark.parametrize("share", [0.5, 0.9, 1.0])
def test_the_fewest_units_reach_the_margin(method, share):
    found = units_needed(0.05, share, method=method)
    assert margin_of(method, share, found, 0.95) <= 0.05
    assert margin_of(method, share, found - 1, 0.95) > 0.05


def test_a_finite_population_needs_fewer_units():
    assert units_needed(0.05, 0.5, population=381) == math.ceil(381 / (1 + 380 / 381))
    assert units_needed(0.05, 0.5, population=10) == 10
    assert units_needed(0.02, 0.5) == 2398


def test_a_design_effect_comes_from_how_alike_units_are_and_says_it():
    assert design_effect(0.0, 5) == 1
    assert design_effect(1.0, 5) == 5
    assert alikeness(design_effect(0.37, 4), 4) == pytest.approx(0.37)
    assert alikeness(0.5, 3) == 0
    assert alikeness(1.0, 1) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"margin": 0}, "above 0 and below 0.5"), ({"margin": 0.5}, "above 0 and below 0.5"),
        ({"share": 1.5}, "from 0 to 1"), ({"population": 0}, "at least 1"), ({"level": 1}, "level between 0 and 1"),
        ({"method": "wald"}, "found wald"), ({"margin": 1e-9}, "that some sample reaches"),
    ],
)  # fmt: skip
def test_plans_that_make_no_sense_are_refused(given, said):
    with pytest.raises(ParameterError, match=said):
        units_needed(**({"margin": 0.05, "share": 0.5} | given))


@pytest.mark.parametrize(("population", "drawn"), [(75, 40), (75, 20), (500, 100)])
def test_intervals_hold_whatever_the_share_of_a_finite_population(population, drawn):
    stats = pytest.importorskip("scipy.stats")
    shares = [simple_share(np.repeat([1.0, 0.0], [hits, drawn - hits]), population) for hits in range(drawn + 1)]
    held = {}
    for method in ("exact", "wilson"):
        found = [share.interval(method=method) for share in shares]
        low, high = (np.array([getattr(one, end) for one in found]) for end in ("low", "high"))
        held[method] = np.array([
            stats.hypergeom.pmf(range(drawn + 1), population, marked, drawn)[
                (low <= marked / population + 1e-12) & (high >= marked / population - 1e-12)
            ].sum()
            for marked in range(population + 1)
        ])  # fmt: skip
    assert held["exact"].min() >= 0.95
    assert held["wilson"].mean() >= 0.95
