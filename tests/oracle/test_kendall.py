"""Kendall's tau against scipy."""

import math

import numpy as np
import pytest

from assay.statistics.agreement import kendall_tau

stats = pytest.importorskip("scipy.stats", reason="needs scipy, which is compared with")

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("size", [2, 5, 20, 300])
@pytest.mark.parametrize("levels", [2, 5, 1000])
@pytest.mark.parametrize("seed", range(5))
def test_tau_is_equal(size, levels, seed):
    chance = np.random.default_rng(seed)
    a, b = chance.integers(0, levels, size), chance.integers(0, levels, size)
    wanted = stats.kendalltau(a, b).statistic
    assert kendall_tau(a, b) == (None if math.isnan(wanted) else pytest.approx(wanted))
