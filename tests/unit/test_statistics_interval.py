"""Intervals of figures and of differences."""

import math
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.sample import Sample
from assay.errors import MissingExtraError, ParameterError, UnknownNameError
from assay.statistics.bootstrap import tails
from assay.statistics.interval import difference_interval, difference_intervals, interval, intervals

GRID = st.integers(0, 10).map(lambda value: value / 10)
VALUES = st.lists(GRID, min_size=1, max_size=30)
METHODS = ["auto", "bca", "percentile", "t"]
UNIT = (0.0, 1.0)
MANY = np.random.default_rng(5).beta(0.5, 1, 60)


def sample(values, weights=None, clusters=None, aggregate=None):
    queries = pl.Series([f"q{place}" for place in range(len(values))])
    weights = None if weights is None else np.asarray(weights, np.float64)
    return Sample(queries, np.asarray(values, np.float64), weights, clusters, aggregate)


def median(values, _weights):
    return float(np.median(values))


def ends(found):
    return found.low, found.high


def same(found, other):
    assert (found.method, found.units, found.warnings) == (other.method, other.units, other.warnings)
    for one, two in zip(ends(found), ends(other), strict=True):
        assert one == (two if two is None else pytest.approx(two, rel=1e-9, abs=1e-12))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=30)
@given(values=VALUES, random=st.randoms())
def test_the_order_of_queries_changes_nothing(method, values, random):
    shuffled = values.copy()
    random.shuffle(shuffled)
    one, other = (interval(sample(some), method=method, bounds=UNIT, resamples=300) for some in (values, shuffled))
    same(one, other)


@settings(max_examples=30)
@given(values=st.lists(st.tuples(GRID, st.integers(0, 3), st.integers(0, 4)), min_size=1), random=st.randoms())
def test_the_order_changes_nothing_with_weights_and_clusters_either(values, random):
    shuffled = values.copy()
    random.shuffle(shuffled)
    found = [
        interval(
            sample([v for v, _, _ in rows], [w for _, w, _ in rows], np.array([c for _, _, c in rows])),
            bounds=UNIT, method=method, resamples=300,
        )
        for method in ("auto", "percentile") for rows in (values, shuffled)
    ]  # fmt: skip
    same(*found[:2])
    same(*found[2:])


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=30)
@given(values=VALUES, weight=st.integers(1, 9))
def test_what_weighs_alike_and_stands_alone_is_plain(method, values, weight):
    options = {"method": method, "bounds": UNIT, "resamples": 300}
    plain = interval(sample(values), **options)
    many = len(values)
    twice, pairs = np.repeat(values, 2), np.repeat(np.arange(many), 2)
    same(interval(sample(values, np.full(many, float(weight))), **options), plain)
    same(interval(sample(values, None, np.arange(many)), **options), plain)
    same(interval(sample(twice, None, pairs), **options), plain)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=50)
@given(values=VALUES)
def test_ends_lie_within_the_bounds_and_in_order(method, values):
    found = interval(sample(values), method=method, bounds=UNIT, resamples=300)
    assert 0 <= found.low < found.high <= 1
    assert found.units == len(values)
    assert ("few" in found.warnings) == (len(values) < 20)


@pytest.mark.parametrize("queries", [1, 2, 5, 50, 500])
@pytest.mark.parametrize("method", METHODS)
def test_a_perfect_score_is_never_certain(queries, method):
    found = interval(sample(np.ones(queries)), method=method, bounds=UNIT)
    assert found.method == "exact"
    assert found.low == pytest.approx(0.025 ** (1 / queries), rel=1e-12)
    assert found.high == 1
    nothing = interval(sample(np.zeros(queries)), method=method, bounds=UNIT)
    assert ends(nothing) == pytest.approx((0, 1 - found.low))


def test_equal_values_may_hide_others_in_both_directions():
    found = interval(sample(np.full(30, 0.25)), bounds=UNIT)
    unseen = 1 - 0.025 ** (1 / 30)
    assert ends(found) == pytest.approx((0.25 * (1 - unseen), 0.25 + unseen * 0.75))


def test_equal_values_of_uneven_weight_say_less():
    even, uneven = interval(sample(np.ones(10)), bounds=UNIT), interval(sample(np.ones(10), np.arange(10)), bounds=UNIT)
    assert uneven.low < even.low


def test_a_sample_knows_the_bounds_of_its_measure():
    perfect = Sample(pl.Series(["a", "b"]), np.ones(2), bounds=UNIT)
    assert interval(perfect) == intervals([perfect])[0] == interval(sample(np.ones(2)), bounds=UNIT)
    assert interval(perfect, bounds=(0, 2)).high > 1


@pytest.mark.parametrize("bounds", [(0.0, math.inf), (-math.inf, math.inf)])
def test_equal_values_without_bounds_have_no_interval(bounds):
    found = interval(sample(np.full(30, 7.0)), bounds=bounds)
    assert (found.method, *ends(found), found.units) == ("none", None, None, 30)
    assert found.resamples is None


def test_no_queries_have_no_interval():
    assert interval(sample([]), bounds=UNIT).to_dict().items() >= {"method": "none", "low": None, "units": 0}.items()


def test_shares_get_wilson_and_exact_on_request():
    values = np.repeat([1.0, 0.0], [9, 1])
    assert interval(sample(values)).method == "wilson"
    assert ends(interval(sample(values), method="exact")) == pytest.approx((0.5549839, 0.9974714), abs=1e-7)
    assert interval(sample(values, np.arange(10))).method == "t", "unequal weights make no share"
    assert interval(sample(values, None, np.arange(10) // 2)).method == "t", "half a pair right is no 0 and no 1"


@pytest.mark.parametrize("method", ["wilson", "exact"])
def test_what_is_no_share_gets_no_interval_of_one(method):
    with pytest.raises(ParameterError, match="expects values that are 0 or 1 and weigh alike"):
        interval(sample([0.5, 1.0]), method=method)
    with pytest.raises(ParameterError, match="expects values that are 0 or 1"):
        difference_interval(np.zeros(2), np.array([0.0, 1.0]), method=method)


def test_few_units_get_t_within_the_bounds():
    values = np.array([0.9, 1.0, 0.4, 1.0, 0.95])
    found = interval(sample(values), bounds=UNIT)
    reach = 2.7764451051977987 * values.std(ddof=1) / math.sqrt(5)
    assert found.method == "t"
    assert found.low == pytest.approx(values.mean() - reach)
    assert values.mean() + reach > found.high == 1
    assert interval(sample(values), bounds=UNIT, level=0.9).low > found.low


def test_from_20_units_on_the_bootstrap_is_taken():
    assert [interval(sample(MANY[:many])).method for many in (19, 20)] == ["t", "bca"]
    clusters = np.arange(60) // 4
    assert interval(sample(MANY, None, clusters)).method == "t", "60 queries in 15 clusters are 15 units"


def test_a_bootstrap_has_a_seed():
    first, again, other = (interval(sample(MANY), seed=seed, resamples=500) for seed in (1, 1, 2))
    assert first == again
    assert ends(first) != ends(other)
    assert (first.seed, first.resamples) == (1, 500)
    assert interval(sample(MANY), method="t").seed is None


def test_lopsided_values_are_flagged_where_it_matters():
    values = np.zeros(60)
    values[:2] = 0.5
    values[2] = 1.0
    for method in ("bca", "percentile", "t"):
        assert interval(sample(values), method=method).warnings == ("skewed",)
    assert interval(sample(values[:5]), bounds=UNIT).warnings == ("few",)
    assert interval(sample(values > 0)).warnings == (), "Wilson's interval is made for rare hits"


def test_samples_are_measured_alike_alone_and_together():
    random = np.random.default_rng(2)
    weights, clusters = random.random(60), np.arange(60) // 2
    samples = [
        sample(MANY), sample(MANY**2), sample(MANY, weights), sample(MANY, weights, clusters), sample(MANY > 0.5),
        sample(MANY[:30]), sample(MANY, None, None, median), sample(np.ones(60)), sample(MANY, None, clusters),
    ]  # fmt: skip
    for method in ("auto", "percentile", "t"):
        together = intervals(samples, method=method, bounds=[UNIT] * len(samples), resamples=500)
        for one, found in zip(samples, together, strict=True):
            same(found, interval(one, method=method, bounds=UNIT, resamples=500))


def test_batches_of_resamples_and_blocks_of_series_change_nothing(monkeypatch):
    samples = [sample(MANY), sample(MANY**2), sample(MANY**3, np.arange(60.0)), sample(MANY, np.arange(60.0))]
    whole = intervals(samples, resamples=500)
    monkeypatch.setattr("assay.statistics.resampling._CELLS", 1_000)
    monkeypatch.setattr("assay.statistics.resampling._KEPT", 0)
    monkeypatch.setattr("assay.statistics.resampling._BLOCK", 1)
    for one, found in zip(whole, intervals(samples, resamples=500), strict=True):
        same(one, found)


def test_clusters_that_repeat_a_query_widen_the_interval_to_that_of_the_clusters():
    tripled, clusters = np.repeat(MANY, 3), np.repeat(np.arange(60), 3)
    plain, naive, right = map(interval, (sample(MANY), sample(tripled), sample(tripled, None, clusters)))
    assert ends(right) == pytest.approx(ends(plain), rel=1e-9)
    assert naive.high - naive.low < 0.7 * (right.high - right.low)


def test_a_weighted_bootstrap_takes_the_ratio_of_each_resample():
    weights = np.random.default_rng(4).integers(1, 6, 60).astype(np.float64)
    found = interval(sample(MANY, weights), method="percentile")
    random = np.random.default_rng(9)
    drawn = random.integers(0, 60, (20_000, 60))
    means = (weights[drawn] * MANY[drawn]).sum(axis=1) / weights[drawn].sum(axis=1)
    assert ends(found) == pytest.approx(tuple(np.quantile(means, tails(0.95, 60))), abs=0.006)


def test_bca_falls_back_to_percentile_where_no_resample_lies_below(monkeypatch):
    monkeypatch.setattr("assay.statistics.bootstrap._share_below", lambda means, _: np.zeros(len(means)))
    corrected, plain = (interval(sample(MANY), method=method) for method in ("bca", "percentile"))
    assert corrected == plain
    assert corrected.method == "percentile"


def test_a_median_is_resampled_by_its_own_figure():
    found = interval(sample(MANY, None, None, median))
    assert (found.method, found.resamples) == ("percentile", 2_000)
    assert found.low < np.median(MANY) < found.high
    shuffled = np.random.default_rng(1).permutation(MANY)
    assert found == interval(sample(shuffled, None, None, median))


def test_the_median_of_clusters_is_that_of_drawn_clusters():
    clusters = np.repeat(np.arange(30), 2)
    one = interval(sample(np.repeat(MANY[:30], 2), None, clusters, median), resamples=300)
    assert one.units == 30
    same(one, interval(sample(MANY[:30], None, None, median), resamples=300))


def test_a_weighted_sum_is_resampled_with_the_weights_of_its_queries():
    weights = np.arange(1.0, 61.0)
    found = interval(sample(MANY, weights, np.arange(60) // 2, lambda values, weights: float(values @ weights)))
    sums = (MANY * weights).reshape(30, 2).sum(axis=1)
    means = sums[np.random.default_rng(9).integers(0, 30, (20_000, 30))].sum(axis=1)
    assert found.units == 30
    assert ends(found) == pytest.approx(tuple(np.quantile(means, tails(0.95, 30))), rel=0.03)


@pytest.mark.parametrize("figure", [60.0, None])
def test_a_figure_that_never_varies_has_no_interval(figure):
    assert interval(sample(MANY, None, None, lambda *_: figure)).method == "none"


def test_the_interval_of_a_difference_is_that_of_paired_differences():
    before, after = MANY, np.clip(MANY + np.linspace(-0.1, 0.2, 60), 0, 1)
    same(difference_interval(before, after), interval(sample(after - before)))
    same(difference_intervals(np.column_stack([after - before, before - after]))[0], interval(sample(after - before)))


def test_a_query_that_one_side_lacks_is_left_out():
    before, after = MANY.copy(), MANY[::-1].copy()
    before[3] = after[7] = np.nan
    kept = ~np.isnan(after - before)
    found = difference_interval(before, after, weights=np.arange(1.0, 61.0))
    same(found, difference_interval(before[kept], after[kept], weights=np.arange(1.0, 61.0)[kept]))
    assert found.units == 58


def test_no_difference_at_all_is_certain_only_as_far_as_the_queries_reach():
    nothing = difference_interval(MANY, MANY)
    assert (nothing.method, nothing.low) == ("none", None)
    bounded, unseen = difference_interval(MANY, MANY, bounds=(-1, 1)), 1 - 0.025 ** (1 / 60)
    assert (bounded.method, *ends(bounded)) == ("exact", pytest.approx(-unseen), pytest.approx(unseen))


def test_differences_of_0_and_1_are_no_shares():
    assert difference_interval(np.zeros(30), (MANY[:30] > 0.5).astype(float), bounds=(-1, 1)).method == "bca"


def test_requests_that_cannot_be_met_are_refused():
    with pytest.raises(ParameterError, match="expected a level between 0 and 1, found 95"):
        interval(sample(MANY), level=95)
    with pytest.raises(ParameterError, match="expected 100 resamples or more, found 10"):
        interval(sample(MANY), resamples=10)
    with pytest.raises(UnknownNameError, match="Did you mean 'percentile'"):
        interval(sample(MANY), method="percentil")


def test_what_needs_scipy_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    for method in ("auto", "bca", "percentile", "t"):
        with pytest.raises(MissingExtraError, match="an interval needs scipy"):
            interval(sample(MANY), method=method)
    with pytest.raises(MissingExtraError, match="an exact interval needs scipy"):
        interval(sample(MANY > 0.5), method="exact")
    methods = [interval(sample(values), bounds=UNIT).method for values in (MANY > 0.5, np.ones(3))]
    assert methods == ["wilson", "exact"]
