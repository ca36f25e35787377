"""Spearman's rho and Kendall's tau as SciPy has them, and where they are undefined."""

import numpy as np
import pytest

from assay.statistics.correlation import correlation

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("things", [4, 17, 60])
def test_as_scipy(seed: int, things: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 9, things).astype(float)
    y = x + rng.integers(0, 12, things)
    x[0], x[1], y[2] = 1, 2, 30  # never constant
    found = correlation(x, y)
    rho = stats.spearmanr(x, y)
    assert found.spearman == pytest.approx(rho.statistic)
    assert found.p == pytest.approx(rho.pvalue)
    assert found.kendall == pytest.approx(stats.kendalltau(x, y).statistic)
    assert found.low < found.spearman < found.high


def test_a_wider_level_reaches_further() -> None:
    x, y = np.arange(20.0), np.arange(20.0) % 7
    narrow, wide = correlation(x, y, level=0.5), correlation(x, y, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_interval_as_written_by_bonett_and_wright() -> None:
    """Of rho .8 and 20 things: artanh(.8) = 1.0986, reach 1.96 sqrt(1.32 / 17) = .5461."""
    x = np.arange(20.0)
    found = correlation(x, x)
    assert (found.spearman, found.low, found.high, found.p) == (1.0, 1.0, 1.0, 0.0)
    y = np.array([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 17, 16, 19, 18.0])
    other = correlation(x, y)
    reach = 1.959964 * np.sqrt((1 + other.spearman**2 / 2) / 17)
    assert other.high == pytest.approx(np.tanh(np.arctanh(other.spearman) + reach), abs=1e-6)


@pytest.mark.parametrize(("a", "b"), [([1, 1, 1, 1], [1, 2, 3, 4]), ([1, 2, 3], [1, 2, 3]), ([], [])])
def test_undefined(a: list[float], b: list[float]) -> None:
    found = correlation(a, b)
    assert (found.things, found.spearman, found.p) == (len(a), None, None)


def test_what_has_no_value_takes_no_part() -> None:
    found = correlation([1, 2, np.nan, 3, 4, 5], [1, 2, 9, 3, np.nan, 5])
    assert (found.things, found.spearman) == (4, pytest.approx(1.0))
