"""What gate and charts promise, counted: how often they cry wolf, and how soon they see one.

The world of the gate is TREC-8: pairs of systems of the better three quarters whose mean average precision lies
within .01. A night draws 50 topics with replacement from the differences of a pair, each with a random sign, so that
nothing has changed; a true drop is subtracted. The world of the charts is a daily mean of .55 with a standard
deviation of .02 that falls to .50.
"""

import itertools

import numpy as np
import polars as pl
import pytest

from assay.statistics.confidence_sequence import fall_evidence
from assay.statistics.cusum import cusum
from assay.statistics.ewma import ewma
from assay.statistics.gate_test import Watched, decide, drop_test
from assay.statistics.power import chance
from assay.statistics.repeated_looks import repeated_alarms

pytest.importorskip("scipy", reason="needs SciPy, for the t test")
pytestmark = pytest.mark.slow

TOPICS, NIGHTS = 50, 30
DRAWN = 4_000
MEASURES = ("ap", "p10", "rr")


def tell(words):
    """Print what was counted; `pytest -rP` shows it."""
    print(words)  # noqa: T201


@pytest.fixture(scope="module")
def pairs(data):
    """Differences of all pairs of alike systems by measure, of shape (topics, pairs)."""
    folder = data / "ir" / "urbano2019-scores"
    tables = [pl.read_csv(folder / f"adhoc8_{name}.csv").to_numpy().astype(np.float64) for name in MEASURES]
    means = tables[0].mean(axis=0)
    better = np.sort(np.argsort(-means)[: len(means) * 3 // 4])
    alike = np.array([pair for pair in itertools.combinations(better, 2) if abs(np.diff(means[list(pair)])[0]) <= 0.01])
    return np.stack([table[:, alike[:, 0]] - table[:, alike[:, 1]] for table in tables])


def draw(pairs, random, pair=None):
    """Draw a night on which nothing has changed, of shape (measures, topics)."""
    pair = random.integers(pairs.shape[2]) if pair is None else pair
    return pairs[:, random.integers(0, TOPICS, TOPICS), pair] * random.choice([-1.0, 1.0], TOPICS)


def fresh_month(pairs, random):
    """Other topics each night: looks are independent."""
    pair = random.integers(pairs.shape[2])
    return np.stack([draw(pairs, random, pair)[0] for _ in range(NIGHTS)], axis=1)


def steady_month(pairs, random):
    """The same topics and the same two systems each night: all looks are one."""
    return np.repeat(draw(pairs, random)[0][:, None], NIGHTS, axis=1)


def busy_month(pairs, random):
    """The same topics each night, and every fifth night another system."""
    topics = random.integers(0, TOPICS, TOPICS)
    systems = pairs[0][topics][:, random.integers(0, pairs.shape[2], NIGHTS // 5)]
    return np.repeat(systems * random.choice([-1.0, 1.0], systems.shape), 5, axis=1)


MONTHS = {"fresh": fresh_month, "steady": steady_month, "busy": busy_month}


def naive(month):
    """The nights on which the test of one night alarms."""
    return np.array([(drop_test(night).p or 1) <= 0.05 for night in month.T])


def sequential(month):
    """The nights on which the evidence of a fall alarms, of nights gathered."""
    return np.array([fall_evidence(month.T[: look + 1].clip(-1, 1)).p <= 0.05 for look in range(month.shape[1])])


def spent(month):
    """The nights on which the test of one night alarms that pays for thirty."""
    return np.array([(drop_test(night).p or 1) <= 0.05 / NIGHTS for night in month.T])


def repeated(month):
    """The nights on which the repeated test alarms."""
    return repeated_alarms(month, flips=1_999)


GATES = {"naive": naive, "spent": spent, "repeated": repeated, "sequential": sequential}


def shares(pairs, kind, months, gates, drop=0.0):
    """Return the share of months in which each gate alarms."""
    random = np.random.default_rng(30)
    drawn = [MONTHS[kind](pairs, random) - drop for _ in range(months)]
    return {gate: float(np.mean([GATES[gate](month).any() for month in drawn])) for gate in gates}


@pytest.mark.parametrize("test", ["t", "flips"])
@pytest.mark.parametrize("place", range(3), ids=MEASURES)
def test_a_gate_of_one_measure_seldom_blocks_without_a_change(pairs, place, test):
    random = np.random.default_rng(8)
    nights = [draw(pairs, random)[place] for _ in range(DRAWN if test == "t" else 1_000)]
    blocked = np.mean([decide([Watched.of(night, test=test, flips=1_000)]).blocked for night in nights])
    tell(f"{MEASURES[place]}, {test}: blocks {blocked:.4f} of nights without a change")
    assert 0.02 <= blocked <= 0.065


def test_a_gate_finds_a_true_drop_as_often_as_t_promises(pairs):
    random = np.random.default_rng(9)
    drawn = [draw(pairs, random)[0] - 0.05 for _ in range(DRAWN)]
    blocked = np.mean([decide([Watched.of(night, max_drop=0.01)]).blocked for night in drawn])
    spreads = np.sqrt((pairs[0] ** 2).mean(axis=0))
    promised = chance(0.05 * np.sqrt(TOPICS) / spreads[spreads > 0], TOPICS, 2 * 0.05).mean()
    tell(f"a drop of .05 in AP blocks {blocked:.3f}; the noncentral t says {promised:.3f}")
    assert blocked == pytest.approx(promised, abs=0.05)


def test_what_three_measures_cost(pairs):
    random = np.random.default_rng(10)
    nights = [draw(pairs, random) for _ in range(2_000)]
    drop = np.array([0.05, 0.0, 0.0])[:, None]
    false = np.mean([decide([Watched.of(one) for one in night]).blocked for night in nights])
    alone = np.mean([decide([Watched.of(night[0] - 0.05)]).blocked for night in nights])
    among = np.mean([decide([Watched.of(one) for one in night - drop]).verdicts[0].blocked for night in nights])
    tell(f"three measures with Holm block {false:.4f} of nights without a change")
    tell(f"a drop of .05 in AP is found in {among:.3f}, and alone in {alone:.3f}")
    assert false <= 0.065
    assert alone - 0.2 <= among < alone


@pytest.mark.parametrize(
    ("kind", "held", "broken"),
    [
        ("fresh", ("spent", "repeated", "sequential"), "naive"),
        ("steady", ("spent", "repeated"), "sequential"),
        ("busy", ("spent", "repeated"), "naive"),
    ],
)
def test_thirty_looks_alarm_no_more_often_than_one(pairs, kind, held, broken):
    found = shares(pairs, kind, 200, [*held, broken])
    tell(f"{kind}: {found} of months without a change alarm")
    assert max(found[gate] for gate in held) <= 0.06
    assert found[broken] >= (0.7 if kind == "fresh" else 0.15)


@pytest.mark.parametrize(("kind", "least"), [("fresh", 0.99), ("busy", 0.99), ("steady", 0.85)])
def test_thirty_looks_find_a_true_drop(pairs, kind, least):
    found = shares(pairs, kind, 100, ["spent", "repeated"], drop=0.05)
    tell(f"{kind}: {found} of months with a drop of .05 alarm")
    assert found["repeated"] >= max(least, found["spent"])


def test_fresh_queries_gather_evidence_of_a_small_drop(pairs):
    found = shares(pairs, "fresh", 100, ["spent", "sequential"], drop=0.02)
    tell(f"fresh: {found} of months with a drop of .02 alarm")
    assert found["sequential"] >= 0.95 > found["spent"]


@pytest.mark.parametrize("chart", [cusum, ewma])
@pytest.mark.parametrize("side", ["fall", "both"])
@pytest.mark.parametrize("points", [10, 30, 100])
def test_charts_alarm_in_no_more_stable_quarters_than_they_say(chart, side, points):
    random = np.random.default_rng(11)
    quarters = random.normal(0.55, 0.02, (DRAWN, points + 90))
    alarms = np.mean([bool(chart(days[points:], days[:points], side=side).alarms) for days in quarters])
    tell(f"{chart.__name__}, {side}, {points} points: {alarms:.4f} of stable quarters alarm, 0.05 is stated")
    assert 0.03 <= alarms <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / DRAWN)


@pytest.mark.parametrize(("chart", "options"), [(cusum, {"k": 0.5}), (ewma, {"weight": 0.2})])
def test_the_limits_of_textbooks_alarm_far_more_often(chart, options):
    random = np.random.default_rng(12)
    usual = {cusum: 5.0, ewma: 2.7}[chart]
    quarters = random.normal(0.55, 0.02, (1_000, 120))
    charts = [chart(days[30:], days[:30], side="both", **options) for days in quarters]
    alarms = np.mean([max(found.fall.max(), found.rise.max()) > usual for found in charts])
    tell(f"{chart.__name__} with the limit of textbooks: {alarms:.3f} of stable quarters alarm")
    assert alarms > 0.3


@pytest.mark.parametrize("chart", [cusum, ewma])
@pytest.mark.parametrize("points", [30, 100])
def test_a_fall_of_a_twentieth_is_found_within_three_days(chart, points):
    random = np.random.default_rng(13)
    days = random.normal(0.55, 0.02, (1_000, points + 60))
    days[:, points + 20 :] -= 0.05
    charts = [chart(each[points:], each[:points]) for each in days]
    delays = [
        60 if found.first is None else found.first - 19 for found in charts if found.first is None or found.first >= 20
    ]
    onsets = [found.onset - 20 for found in charts if found.first is not None and found.first >= 20]
    middle, late = np.quantile(delays, [0.5, 0.9])
    tell(f"{chart.__name__}, {points} points: found after {middle:g} days, nine of ten within {late:g}")
    assert middle <= 3
    assert abs(np.median(onsets)) <= 1
    rises = [chart(1.1 - each[points:], 1.1 - each[:points]) for each in days[:200]]
    assert np.mean([bool(found.alarms) for found in rises]) <= 0.1
