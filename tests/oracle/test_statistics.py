"""SciPy and statsmodels compute the same intervals, tests and corrections."""

import numpy as np
import polars as pl
import pytest

from assay.core.sample import Sample
from assay.statistics.bootstrap import wide
from assay.statistics.difference import significance
from assay.statistics.effect import skewness
from assay.statistics.interval import difference_interval, interval
from assay.statistics.many import adjust

pytestmark = pytest.mark.oracle
stats = pytest.importorskip("scipy.stats")
RANDOM = np.random.default_rng(11)
SAMPLES = {
    "even": RANDOM.random(60),
    "lopsided": RANDOM.beta(0.3, 2, 50),
    "many": RANDOM.beta(2, 0.5, 700),
    "twenty": RANDOM.normal(3, 2, 20),
}


@pytest.fixture(scope="module")
def pairs(data):
    """AP of systems 125 and 126 of TREC-8."""
    table = pl.read_csv(data / "ir" / "urbano2019-scores" / "adhoc8_ap.csv")
    return table["run125"].to_numpy(), table["run126"].to_numpy()


def interval_of(values, **options):
    return interval(Sample(pl.Series(range(len(values))), values), **options)


def monte_carlo_error(values, low, high, resamples):
    """How far an end of both bootstraps may lie from the other's: four of its standard errors."""
    error = np.std(values) / np.sqrt(len(values))
    at = [stats.norm.pdf(abs((end - np.mean(values)) / error)) for end in (low, high)]
    return [4 * np.sqrt(2) * error * np.sqrt(0.025 * 0.975 / resamples) / density for density in at]


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("name", SAMPLES)
def test_a_bootstrap_interval_is_scipys_within_its_chance(method, name):
    values = SAMPLES[name]
    ours = interval_of(values, method=method, resamples=20_000)
    wider = 2 * stats.norm.cdf(wide(0.95, len(values))) - 1
    theirs = stats.bootstrap(
        (values,), np.mean, method=method, confidence_level=wider, n_resamples=20_000, batch=1_000,
        rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    allowed = monte_carlo_error(values, *theirs, 20_000)
    assert ours.method == method
    assert abs(ours.low - theirs.low) < allowed[0]
    assert abs(ours.high - theirs.high) < allowed[1]
    plain = interval_of(values, method="percentile", resamples=20_000)
    if name == "lopsided" and method == "bca":
        assert ours.high - plain.high > allowed[1], "the correction is larger than what chance could hide"


def test_ends_reach_as_far_as_hesterberg_says():
    for units in (5, 50, 5_000):
        expected = -stats.norm.ppf(stats.norm.cdf(np.sqrt(units / (units - 1)) * stats.t.ppf(0.025, units - 1)))
        assert wide(0.95, units) == pytest.approx(expected, rel=1e-9)
    assert wide(0.95, 10**9) == pytest.approx(stats.norm.ppf(0.975))


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_a_t_interval_is_scipys(level):
    values = SAMPLES["even"]
    theirs = stats.ttest_1samp(values, 0).confidence_interval(level)
    found = interval_of(values, method="t", level=level)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)


@pytest.mark.parametrize("method", ["wilson", "exact"])
@pytest.mark.parametrize(("hits", "queries"), [(0, 5), (1, 1), (3, 7), (29, 30), (38, 38), (400, 1_000)])
def test_an_interval_of_a_share_is_scipys(method, hits, queries):
    theirs = stats.binomtest(hits, queries).proportion_ci(0.95, method)
    found = interval_of(np.repeat([1.0, 0.0], [hits, queries - hits]), method=method)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-9, abs=1e-12)


def test_the_paired_tests_of_two_systems_of_trec_8_are_the_published_ones(pairs):
    differences = pairs[0] - pairs[1]
    (student,) = significance(differences, test="t")
    assert student.p == pytest.approx(0.0013193972, abs=5e-11)
    (ranked,) = significance(differences, test="wilcoxon-approx")
    assert ranked.p == pytest.approx(0.003445188, abs=5e-10)
    for seed, flips in ((0, 10_000), (1, 100_000), (2, 1_000_000)):
        (flipped,) = significance(differences, flips=flips, seed=seed)
        assert abs(flipped.p - 0.00120) < 3 * np.sqrt(0.0012 / flips)


def test_the_paired_tests_are_scipys(pairs):
    one, other = pairs
    (student,) = significance(one - other, test="t")
    theirs = stats.ttest_rel(one, other)
    assert (student.p, student.statistic) == pytest.approx((theirs.pvalue, theirs.statistic), rel=1e-12)
    found = difference_interval(other, one, method="t")
    low, high = theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)


@pytest.mark.parametrize("queries", [3, 8, 25, 50])
def test_exact_wilcoxon_is_scipys(queries):
    differences = np.random.default_rng(queries).normal(0.2, 1, queries)
    theirs = stats.wilcoxon(differences, method="exact")
    (ours,) = significance(differences, test="wilcoxon")
    assert (ours.p, ours.statistic) == pytest.approx((theirs.pvalue, theirs.statistic), rel=1e-12)


@pytest.mark.parametrize("queries", [10, 60, 400])
def test_approximate_wilcoxon_is_scipys_with_ties_and_zeros(queries):
    differences = np.random.default_rng(queries).integers(-3, 5, queries) / 1.0
    theirs = stats.wilcoxon(differences, method="asymptotic", correction=True)
    for test in ("wilcoxon", "wilcoxon-approx"):
        (ours,) = significance(differences, test=test)
        assert (ours.p, ours.statistic) == pytest.approx((theirs.pvalue, theirs.statistic), rel=1e-12)


@pytest.mark.parametrize("queries", [2, 5, 12])
def test_exact_flips_are_scipys_permutations(queries):
    differences = np.random.default_rng(queries).normal(0.5, 1, queries)
    theirs = stats.permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf, axis=0)
    assert significance(differences)[0].p == pytest.approx(theirs.pvalue, rel=1e-12)


def test_drawn_flips_are_exact_ones_within_their_chance(monkeypatch):
    table = np.random.default_rng(4).normal(0.2, 1, (15, 40))
    exact = significance(table)
    monkeypatch.setattr("assay.statistics.difference.ENUMERATED", 0)
    drawn = significance(table, flips=20_000)
    assert {one.method for one in exact} == {"sign flips, exact"}
    assert {one.method for one in drawn} == {"sign flips, 20,000 drawn"}
    for one, other in zip(exact, drawn, strict=True):
        assert abs(one.p - other.p) < 4.5 * np.sqrt(one.p * (1 - one.p) / 20_000) + 1e-4


@pytest.mark.parametrize(
    ("ours", "theirs"), [("holm", "holm"), ("hommel", "hommel"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")]
)
@pytest.mark.parametrize("tests", [1, 2, 7, 200])
def test_corrections_are_those_of_statsmodels(ours, theirs, tests):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    ps = np.round(np.random.default_rng(tests).beta(0.4, 1, tests), 3)
    expected = multitest.multipletests(ps, method=theirs)[1]
    assert adjust(ps.tolist(), ours) == pytest.approx(expected.tolist(), rel=1e-12)


@pytest.mark.parametrize("name", SAMPLES)
def test_skewness_is_scipys(name):
    assert skewness(SAMPLES[name]) == pytest.approx(stats.skew(SAMPLES[name]), rel=1e-12)
