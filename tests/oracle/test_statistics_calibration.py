"""What statistics promise, counted: how often a test cries wolf, how often an interval holds the truth.

The world is TREC-8: 129 systems, 50 topics. A system's scores are a population with a known mean, from which topics
are drawn with replacement; an interval should hold that mean. The null world of two systems is made in two ways.
Centred: their differences less the mean difference, drawn with replacement; the mean is 0 and the shape is kept, so
this asks about the mean, where flips are valid only roughly. Signed: their differences with random signs; the
systems are exchangeable, which is what flips assume.
"""

import numpy as np
import polars as pl
import pytest

from assay.core.sample import Sample
from assay.statistics.difference import significance
from assay.statistics.interval import difference_intervals, intervals

pytestmark = pytest.mark.slow

TOPICS = 50
PAIRS = 4_000
DRAWN = 5


@pytest.fixture(scope="module")
def scores(data):
    """Scores of TREC-8 by measure, of shape (topics, systems)."""
    folder = data / "ir" / "urbano2019-scores"
    return {name: pl.read_csv(folder / f"adhoc8_{name}.csv").to_numpy().astype(np.float64) for name in ("ap", "p10")}


def null_differences(table, kind, topics):
    """Draw differences of pairs of systems that do not differ, of shape (topics, PAIRS × DRAWN)."""
    random = np.random.default_rng(8)
    one, other = random.integers(0, table.shape[1], (2, PAIRS * DRAWN))
    differences = (table[:, one] - table[:, other])[:, one != other]
    drawn = random.integers(0, len(table), (topics, differences.shape[1]))
    if kind == "centred":
        return np.take_along_axis(differences - differences.mean(axis=0), drawn, axis=0)
    return np.take_along_axis(differences, drawn, axis=0) * random.choice([-1.0, 1.0], drawn.shape)


@pytest.mark.parametrize("test", ["flips", "t"])
@pytest.mark.parametrize("kind", ["centred", "signed"])
@pytest.mark.parametrize("measure", ["ap", "p10"])
def test_one_test_in_twenty_cries_wolf(scores, measure, kind, test):
    found = significance(null_differences(scores[measure], kind, TOPICS), test=test, flips=2_000)
    ps = np.array([1.0 if one.p is None else one.p for one in found])
    assert 0.035 <= np.mean(ps <= 0.05) <= 0.065
    assert 0.005 <= np.mean(ps <= 0.01) <= 0.016


@pytest.mark.parametrize("topics", [5, 10, 14])
def test_exact_flips_never_cry_wolf_more_often_than_they_say(scores, topics):
    found = significance(null_differences(scores["ap"], "signed", topics))
    ps, floors = np.array([(one.p, one.floor) for one in found]).T
    chance = 3 * np.sqrt(0.05 * 0.95 / len(ps))
    assert np.mean(ps <= 0.05) <= 0.05 + chance
    assert (ps >= floors).all()
    if topics == 5:
        assert ps.min() >= 2 / 32, "five topics can never give a p of 0.05"


def coverage(table, topics, method, rounds=40):
    """Return for each system and draw whether the interval holds the mean, and which intervals are flagged."""
    random = np.random.default_rng(20)
    drawn = random.integers(0, len(table), (topics, rounds, table.shape[1]))
    samples = table[drawn, np.arange(table.shape[1])].reshape(topics, -1)
    found = difference_intervals(samples, method=method, bounds=[(0, 1)] * samples.shape[1], resamples=2_000)
    low, high = np.array([(one.low, one.high) for one in found]).T
    truth = np.tile(table.mean(axis=0), rounds)
    return (low <= truth) & (truth <= high), np.array(["skewed" in one.warnings for one in found])


@pytest.mark.parametrize("method", ["auto", "bca", "t"])
@pytest.mark.parametrize("measure", ["ap", "p10"])
def test_nineteen_intervals_in_twenty_hold_the_truth(scores, measure, method):
    holds, _ = coverage(scores[measure], TOPICS, method)
    assert 0.93 <= holds.mean() <= 0.97


def test_intervals_that_hold_less_are_flagged(scores):
    holds, flagged = coverage(scores["ap"], TOPICS, "auto")
    assert 0.03 < flagged.mean() < 0.25
    assert holds[flagged].mean() < holds[~flagged].mean()
    assert holds[~flagged].mean() > 0.93


@pytest.mark.parametrize(("topics", "least"), [(5, 0.86), (10, 0.88), (19, 0.9)])
@pytest.mark.parametrize("measure", ["ap", "p10"])
def test_few_topics_are_sensible(scores, measure, topics, least):
    holds, _ = coverage(scores[measure], topics, "auto", rounds=20)
    assert least < holds.mean() <= 0.97
    if topics == 5:
        bootstrap, _ = coverage(scores[measure], topics, "bca", rounds=20)
        assert holds.mean() > bootstrap.mean(), "with so few, t knows more than resamples"


@pytest.mark.parametrize("share", [0.5, 0.06])  # a skewness of 0 and of 4
def test_a_share_of_0_and_1_is_held(share):
    random = np.random.default_rng(1)
    samples = [Sample(pl.Series(range(50)), (random.random(50) < share).astype(float)) for _ in range(4_000)]
    found = intervals(samples, bounds=[(0, 1)] * len(samples))
    assert 0.93 <= np.mean([one.low <= share <= one.high for one in found]) <= 0.98


def test_queries_in_clusters_need_clusters(scores):
    """Three paraphrases of a query that score nearly alike are worth hardly more than one."""
    random = np.random.default_rng(3)
    system = scores["ap"][:, 30]
    clusters = np.repeat(np.arange(TOPICS), 3)
    drawn = system[random.integers(0, TOPICS, (TOPICS, 2_000))]
    samples = np.repeat(drawn, 3, axis=0) + random.normal(0, 0.01, (3 * TOPICS, 2_000))
    holds = {}
    for name, which in (("clusters", clusters), ("queries", None)):
        found = difference_intervals(samples, clusters=which, resamples=1_000)
        holds[name] = np.mean([one.low <= system.mean() <= one.high for one in found])
    assert 0.915 <= holds["clusters"] <= 0.97
    assert holds["queries"] < 0.8
    null = samples - system.mean()
    wolf = np.mean([one.p <= 0.05 for one in significance(null, clusters=clusters, flips=1_000)])
    assert 0.03 <= wolf <= 0.075
