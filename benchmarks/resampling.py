"""Benchmarks of statistics: intervals of many queries, tests of many pairs; the rival is SciPy, in this process."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import NormalDist

import numpy as np
import polars as pl

from assay.core.estimates import Interval, Significance
from assay.core.judged import Floats
from assay.core.sample import Sample
from assay.statistics.difference import significance
from assay.statistics.interval import intervals
from assay.statistics.many import adjust
from benchmarks.inputs import PART, SEED
from benchmarks.measuring import call, in_turns
from benchmarks.options import Options
from benchmarks.table import heading, row

ROUNDS = 3
RIVAL = "scipy"
DRAWN = 10_000
QUERIES, MEASURED = 6_980, 10
SYSTEMS, TOPICS, MEASURES, SOME = 129, 50, 3, 24
TOLERANCE = 4.5
"""In standard errors of what 10,000 draws can say: two generators do not draw alike."""


@dataclass(frozen=True)
class StatisticsBenchmark:
    """One question of statistics: `contenders` answer it, `apart` says how far the rival's answer is from ours."""

    letter: str
    what: Callable[[Floats], str]
    make: Callable[[float], Floats]
    contenders: dict[str, Callable[[Floats], object]]
    apart: Callable[[Floats], Floats]

    def run(self, options: Options) -> bool:
        """Compare the answers, then the times; return whether all were equal within their chance."""
        if find_spec(RIVAL) is None or RIVAL in options.without:
            print(heading(self.letter, f"left out: no {RIVAL} (pip install {RIVAL})"))
            return True
        values = self.make(PART if options.small else 1.0)
        print(heading(self.letter, self.what(values)))
        apart = self.apart(values)
        equal = bool(apart.max() <= TOLERANCE)
        verdict = "equal" if equal else "DIFFERENT"
        print(
            f"   {verdict}: {apart.size} values, at most {apart.max():.1f} standard errors of {DRAWN:,} draws "
            f"from those of {RIVAL} (tolerance {TOLERANCE})"
        )
        if equal:
            calls = [lambda c=c: call(lambda: c(values)) for c in self.contenders.values()]
            measured = in_turns(calls, options.times(ROUNDS))
            for name, spent in zip(self.contenders, measured, strict=True):
                print(row(name, spent, measured[0]))
        return equal


def scores(part: float) -> Floats:
    """Return the scores of many queries by ten measures, of shape (queries, measures), none of them normal."""
    shapes = np.linspace(0.2, 2, MEASURED)
    return np.random.default_rng(SEED).beta(shapes, 1.5, (max(round(QUERIES * part), 2), MEASURED))


def our_intervals(values: Floats) -> list[Interval]:
    """Return the interval of each measure, by the same resamples."""
    queries = pl.Series(range(len(values)))
    return intervals([Sample(queries, column) for column in values.T], method="bca", resamples=DRAWN)


def their_intervals(values: Floats, method: str = "BCa") -> Floats:
    """Return the ends for each measure, of shape (measures, 2); all at once SciPy wants gigabytes."""
    from scipy.stats import bootstrap

    random = np.random.default_rng(SEED)
    ends = [
        bootstrap((column,), np.mean, method=method, n_resamples=DRAWN, batch=100, rng=random).confidence_interval
        for column in values.T
    ]
    return np.array(ends)


def ends_apart(values: Floats) -> Floats:
    """Return how many standard errors of an end of a bootstrap interval lie between both."""
    ours = np.array([(found.low, found.high) for found in our_intervals(values)])
    many, tail = len(values), NormalDist().pdf(1.96)
    end = np.sqrt(2 * 0.025 * 0.975 / DRAWN) / tail * values.std(axis=0) / math.sqrt(many)
    wider = (values.std(axis=0) / math.sqrt(many)) * 2.5 / many  # what t makes of so many units
    return np.maximum(np.abs(ours - their_intervals(values)) - wider[:, None], 0) / end[:, None]


def differences(part: float) -> Floats:
    """Return the differences of all pairs of systems by three measures, of shape (topics, pairs)."""
    random = np.random.default_rng(SEED)
    systems = max(round(SYSTEMS * math.sqrt(part)), 5)
    one, other = np.triu_indices(systems, 1)
    topics = random.normal(0, 1, (TOPICS, 1))
    skill = random.normal(0, 0.3, systems)
    tables = [random.normal(topics + skill, 0.5) for _ in range(MEASURES)]
    return np.concatenate([table[:, one] - table[:, other] for table in tables], axis=1)


def our_tests(table: Floats) -> list[Significance]:
    """Test some pairs by flips."""
    return significance(table[:, :SOME], flips=DRAWN)


def their_tests(table: Floats) -> Floats:
    """Test the same pairs by SciPy's permutations of samples."""
    from scipy.stats import permutation_test

    found = permutation_test(
        (table[:, :SOME],), np.sum, permutation_type="samples", n_resamples=DRAWN, batch=1_000, axis=0,
        rng=np.random.default_rng(SEED),
    )  # fmt: skip
    return np.asarray(found.pvalue)


def all_tests(table: Floats) -> list[float | None]:
    """Test all pairs by flips and correct over the whole family."""
    return adjust([found.p for found in significance(table, flips=DRAWN)], "holm")


def tests_apart(table: Floats) -> Floats:
    """Return how many standard errors of a drawn p value lie between both; SciPy doubles the smaller side."""
    ours = np.array([found.p for found in our_tests(table)])
    error = np.sqrt((ours * (1 - ours) + 2 * ours) / DRAWN) + 1 / DRAWN
    return np.abs(ours - their_tests(table)) / error


STATISTICS = [
    StatisticsBenchmark(
        "boot",
        lambda values: f"BCa intervals: {DRAWN:,} resamples of {len(values):,} queries × {MEASURED} measures",
        scores,
        {"Assay": our_intervals, RIVAL: their_intervals, "scipy, plain": lambda v: their_intervals(v, "percentile")},
        ends_apart,
    ),
    StatisticsBenchmark(
        "flips",
        lambda table: f"{DRAWN:,} sign flips: {SOME} pairs × {TOPICS} topics; all {table.shape[1]:,} pairs with Holm",
        differences,
        {"Assay": our_tests, RIVAL: their_tests, "Assay, all": all_tests},
        tests_apart,
    ),
]
