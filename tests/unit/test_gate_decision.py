"""What a gate blocks: drops that are larger than allowed and not chance."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.core.estimates import Significance
from assay.errors import ParameterError, UnknownNameError
from assay.statistics.gate_test import Watched, decide, drop_test

stats = pytest.importorskip("scipy.stats")

GRID = st.integers(-10, 10).map(lambda value: value / 10)
FEW = st.lists(GRID, min_size=2, max_size=10).map(np.array)
DROP = np.random.default_rng(5).normal(-0.06, 0.14, 50)
NO_DROP = np.random.default_rng(6).normal(0.01, 0.14, 50)


def of_p(p, drop=0.1, **limits):
    """A figure whose test gave p."""
    return Watched(drop, Significance(p, "paired t", 50, 0.0, why="" if p is not None else "no queries"), **limits)


@given(FEW)
def test_t_is_the_one_sided_t_of_scipy(differences):
    assume(np.ptp(differences) > 0)
    expected = stats.ttest_1samp(differences, 0, alternative="less").pvalue
    assert drop_test(differences).p == pytest.approx(expected, abs=1e-12)


@given(FEW)
def test_flips_are_all_patterns_that_fall_as_far(differences):
    assume(differences.sum() < -1e-9)
    sums = np.array(list(product((-1, 1), repeat=len(differences)))) @ differences
    expected = np.mean(sums <= differences.sum() + 1e-9)
    assert drop_test(differences, test="flips").p == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("test", ["t", "flips"])
def test_a_rise_is_no_drop_and_directions_are_mirrored(test):
    assert drop_test(DROP, test=test).p < 0.05
    assert drop_test(-DROP, test=test).p > 0.95
    assert drop_test(-DROP, test=test, higher_is_better=False) == drop_test(DROP, test=test)


@pytest.mark.parametrize("test", ["t", "flips"])
def test_queries_without_a_difference_are_left_out(test):
    gaps = np.insert(DROP, [0, 9], np.nan)
    weights, clusters = np.arange(1.0, 53), np.arange(52) // 2
    kept = ~np.isnan(gaps)
    assert drop_test(gaps, test=test).p == pytest.approx(drop_test(DROP, test=test).p)
    weighted = drop_test(gaps, test=test, weights=weights, clusters=clusters)
    assert weighted.p == pytest.approx(drop_test(DROP, test=test, weights=weights[kept], clusters=clusters[kept]).p)
    assert weighted.units == 26


@pytest.mark.parametrize("test", ["t", "flips"])
@pytest.mark.parametrize(("value", "p"), [(-0.1, 1 / 32), (0.0, 1.0), (0.1, 1.0)])
def test_differences_that_do_not_vary_are_judged_by_their_signs(test, value, p):
    assert drop_test(np.full(5, value), test=test).p == p


@pytest.mark.parametrize("values", [[], [np.nan, np.nan], [0.3]])
def test_too_few_queries_have_no_test(values):
    found = drop_test(np.array(values))
    assert found.p is None
    assert found.why == f"expected 2 independent queries or more, found {found.units}"


def test_a_drop_blocks_when_it_is_both_large_and_significant():
    cases = [of_p(0.01), of_p(0.2), of_p(0.01, max_drop=0.2), of_p(0.2, max_drop=0.2), of_p(0.01, drop=-0.1)]
    verdicts = decide(cases, correction="none").verdicts
    expected = [(True, True), (True, False), (False, True), (False, False), (False, True)]
    assert [(each.large, each.significant) for each in verdicts] == expected
    assert [each.blocked for each in verdicts] == [True, False, False, False, False]


def test_a_drop_of_just_what_is_allowed_does_not_block():
    assert not decide([of_p(0.001, drop=0.02, max_drop=0.02)]).blocked


def test_p_values_are_corrected_over_what_has_a_test():
    found = decide([of_p(0.02), of_p(None, drop=None), of_p(0.6), of_p(0.03)])
    assert [each.test.adjusted for each in found.verdicts] == pytest.approx([0.06, None, 0.6, 0.06])
    assert (found.family, found.undefined, found.blocked) == (3, (1,), False)
    assert found.verdicts[1].why == "no queries"
    assert decide([of_p(0.02), of_p(0.03)]).blocked
    assert not decide([]).blocked


def test_a_test_without_queries_never_blocks():
    assert not decide([of_p(None, drop=1.0)]).blocked


def test_each_figure_has_its_own_level():
    found = decide([of_p(0.02, alpha=0.05), of_p(0.02, alpha=0.01)], correction="none")
    assert [each.blocked for each in found.verdicts] == [True, False]


def test_what_is_watched_is_the_mean_that_got_worse():
    weights = np.arange(1.0, 51)
    assert Watched.of(DROP).drop == pytest.approx(-DROP.mean())
    assert Watched.of(DROP, higher_is_better=False).drop == pytest.approx(DROP.mean())
    assert Watched.of(np.append(DROP, np.nan)).drop == pytest.approx(-DROP.mean())
    assert Watched.of(DROP, weights=weights).drop == pytest.approx(-np.average(DROP, weights=weights))
    assert Watched.of(np.empty(0)).drop is None


def test_the_order_of_queries_does_not_matter():
    mixed = np.random.default_rng(0).permutation(50)
    for test in ("t", "flips"):
        one, other = drop_test(DROP, test=test), drop_test(DROP[mixed], test=test)
        assert other.p == pytest.approx(one.p, rel=1e-12)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"alpha": 0.0}, "alpha above 0 and up to 0.5, found 0"),
        ({"alpha": float("nan")}, "found nan"),
        ({"max_drop": -0.1}, "max_drop of 0 or more, found -0.1"),
        ({"max_drop": float("inf")}, "found inf"),
    ],
)
def test_limits_that_cannot_be_are_refused(limits, words):
    with pytest.raises(ParameterError, match=words):
        decide([of_p(0.1, **limits)])


def test_tests_that_cannot_be_are_refused():
    with pytest.raises(UnknownNameError, match="test"):
        drop_test(DROP, test="z")
