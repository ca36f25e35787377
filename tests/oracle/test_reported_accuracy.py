"""Intervals of a share and the estimate of a cluster sample: reported faults, and other programs' numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from assay.statistics.cluster_sample import cluster_share
from assay.statistics.judges import krippendorff_alpha
from assay.statistics.share_intervals import PRIORS, share_ends

stats = pytest.importorskip("scipy.stats")
LINES = Path(__file__).with_name("reported_graph.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}
NAMES = {"clopper_pearson": "exact"}
THEIRS = {
    "wilson": "wilson", "exact": "beta", "agresti-coull": "agresti_coull", "jeffreys": "jeffreys", "wald": "normal",
}  # fmt: skip
SEEN = [(0, 1), (1, 1), (0, 30), (1, 30), (29, 30), (30, 30), (17, 40), (250, 500), (499, 500)]


@pytest.mark.parametrize("place", range(5))
def test_intervals_at_the_ends_are_as_reported(place):
    report = REPORTS["acc-01-intervals"]
    given, expected = report["input"][place], report["expected"][place]
    level = 1 - given.get("alpha", 0.05)
    for name, ends in expected.items():
        found = share_ends(NAMES.get(name, name), given["x"] / given["n"], given["n"], level)
        assert found == pytest.approx(tuple(ends), abs=5e-8)


def test_a_cluster_sample_is_estimated_as_reported():
    report = REPORTS["acc-02-cluster-sample"]
    clusters, expected = report["input"]["clusters_drawn_PPS"], report["expected"]
    labels = np.concatenate(clusters).astype(float)
    draws = np.repeat(range(len(clusters)), [len(cluster) for cluster in clusters])
    found = cluster_share(labels, draws)
    assert found.value == pytest.approx(expected["twcs_estimate"], rel=1e-12)
    assert found.error**2 == pytest.approx(expected["var_of_mean"], rel=1e-12)
    assert labels.mean() == pytest.approx(expected["pooled_share"], rel=1e-12)
    assert found.design_effect == pytest.approx(12 * found.error**2 / (found.value * (1 - found.value)), rel=1e-12)


@pytest.mark.oracle
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("method", THEIRS)
def test_intervals_equal_those_of_statsmodels(method, level):
    theirs = pytest.importorskip("statsmodels.stats.proportion").proportion_confint
    for hits, units in SEEN:
        expected = theirs(hits, units, alpha=1 - level, method=THEIRS[method])
        if method == "jeffreys":  # where all agree, Brown, Cai and DasGupta let the interval reach the end
            expected = (0.0 if hits == 0 else expected[0], 1.0 if hits == units else expected[1])
        clipped = tuple(np.clip(expected, 0, 1))
        assert share_ends(method, hits / units, units, level) == pytest.approx(clipped, abs=1e-10)


@pytest.mark.parametrize(("hits", "units"), SEEN)
def test_the_interval_of_highest_density_is_the_shortest_of_its_mass(hits, units):
    lengths = []
    for prior in PRIORS:
        posterior = stats.beta(hits + prior, units - hits + prior)
        tails = np.linspace(0, 0.05, 20_001)
        lengths.append((posterior.ppf(tails + 0.95) - posterior.ppf(tails)).min())
    jeffreys = stats.beta(hits + 0.5, units - hits + 0.5)
    low, high = share_ends("hpd", hits / units, units, 0.95)
    assert jeffreys.cdf(high) - jeffreys.cdf(low) == pytest.approx(0.95, abs=1e-9)
    assert high - low == pytest.approx(lengths[1], abs=1e-6)
    low, high = share_ends("ahpd", hits / units, units, 0.95)
    assert high - low == pytest.approx(min(lengths), abs=1e-6)


def test_alpha_is_that_of_the_textbook():
    judges = ["*****34121133*3", "1*213343*******", "**21344*21133*4"]
    table = [[label for label in column if label != "*"] for column in zip(*judges, strict=True)]
    assert krippendorff_alpha(table) == pytest.approx(0.691, abs=5e-4)


def test_alpha_of_two_judges_is_scotts_pi_of_a_small_sample():
    random = np.random.default_rng(0)
    pairs = [
        (int(a), int(a if b < 0.8 else 1 - a))
        for a, b in zip(random.integers(2, size=60), random.random(60), strict=True)
    ]
    ones = np.array(pairs).mean()
    expected = 2 * ones * (1 - ones)
    observed = np.mean([first != second for first, second in pairs])
    pi = 1 - observed / expected
    assert krippendorff_alpha(pairs) == pytest.approx(pi + (1 - pi) / 120, rel=1e-12)
    assert krippendorff_alpha([(1, 1), (1, 1)]) is None
    assert krippendorff_alpha([(1, 0)]) is None
    assert krippendorff_alpha([(1,), (0,)]) is None
