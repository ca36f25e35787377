"""Power and margins against statsmodels and scipy, which compute the same tests."""

import itertools

import numpy as np
import polars as pl
import pytest

from assay.statistics.equivalence import margin
from assay.statistics.power import chance, power

power_of = pytest.importorskip("statsmodels.stats.power", reason="needs statsmodels, which is compared with")
weights_of = pytest.importorskip("statsmodels.stats.weightstats")
stats = pytest.importorskip("scipy.stats")

pytestmark = pytest.mark.oracle


def differences(queries, mean=0.02, spread=0.1, seed=0):
    return np.random.default_rng(seed).normal(mean, spread, queries)


@pytest.mark.parametrize("units", [2, 3, 10, 50, 1000])
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.8, 6.0])
@pytest.mark.parametrize("alpha", [0.01, 0.05])
def test_the_chance_is_that_of_statsmodels(units, shift, alpha):
    wanted = power_of.TTestPower().power(shift / np.sqrt(units), units, alpha)
    assert chance(shift, units, alpha) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("queries", [5, 20, 50, 300])
@pytest.mark.parametrize(("alpha", "wanted"), [(0.05, 0.8), (0.01, 0.9), (0.1, 0.5)])
def test_the_detectable_difference_is_found_with_just_that_chance(queries, alpha, wanted):
    values = differences(queries)
    found = power(values, alpha=alpha, power=wanted).detectable
    effect = found / values.std(ddof=1)
    assert power_of.TTestPower().power(effect, queries, alpha) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("mean", [0.005, 0.02, 0.05, 0.1])
@pytest.mark.parametrize(("alpha", "wanted"), [(0.05, 0.8), (0.001, 0.95)])
def test_so_many_queries_suffice_and_one_fewer_does_not(mean, alpha, wanted):
    values = differences(40, mean, seed=3)
    effect = abs(values.mean()) / values.std(ddof=1)
    needed = power(values, alpha=alpha, power=wanted).needed
    known = power_of.TTestPower().power
    assert known(effect, needed, alpha) >= wanted
    assert needed == 2 or known(effect, needed - 1, alpha) < wanted


@pytest.mark.parametrize("edge", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_margins_are_those_of_scipy_and_statsmodels(edge, higher_is_better):
    values = differences(25, 0.03)
    found = margin(values, edge, higher_is_better=higher_is_better)
    below = stats.ttest_1samp(values, -edge, alternative="greater").pvalue
    above = stats.ttest_1samp(values, edge, alternative="less").pvalue
    assert found.not_worse == pytest.approx(below if higher_is_better else above)
    assert found.equal == pytest.approx(weights_of.DescrStatsW(values).ttost_mean(-edge, edge)[0])


@pytest.mark.parametrize(("queries", "wanted"), [(50, 0.056), (100, 0.039), (200, 0.028), (1000, 0.012)])
def test_what_the_better_half_of_trec_8_can_tell_by_average_precision(data, queries, wanted):
    table = pl.read_csv(data / "ir/urbano2019-scores/adhoc8_ap.csv").to_numpy()
    better = table[:, np.argsort(-table.mean(axis=0))[: table.shape[1] // 2]].T
    spread = np.median([(a - b).std(ddof=1) for a, b in itertools.combinations(better, 2)])
    values = np.tile([1.0, -1.0], queries // 2)
    found = power(values * spread / values.std(ddof=1))
    assert (round(spread, 3), round(found.detectable, 3)) == (0.140, wanted)
