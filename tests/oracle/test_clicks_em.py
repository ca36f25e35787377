"""The position-based model against its likelihood: what EM in leaps finds is where plain EM and an optimiser end."""

import numpy as np
import pytest

from assay.formats.clicks import ClickLog
from assay.judging.clicks.cells import Cells
from assay.judging.clicks.em import maximised
from assay.judging.clicks.pbm import Pbm
from assay.judging.clicks.propensity import conditional
from tests.unit.click_logs import planted


def likelihood(cells, theta, alpha) -> float:
    click = np.clip(theta[cells.rank] * alpha[cells.pair], 1e-12, 1 - 1e-12)
    shown, clicks = cells.column("shown"), cells.column("clicks")
    return float(clicks @ np.log(click) + (shown - clicks) @ np.log1p(-click))


def plain_em(cells, steps):
    """Return both chances after so many steps of the textbook, the highest θ set to 1."""
    shown, clicks = cells.column("shown"), cells.column("clicks")
    theta, alpha = np.full(len(cells.ranks), 0.5), np.full(cells.pairs.height, 0.5)
    for _ in range(steps):
        look, attract = theta[cells.rank], alpha[cells.pair]
        attracted = clicks + (shown - clicks) * attract * (1 - look) / (1 - look * attract)
        looked = clicks + (shown - clicks) * look * (1 - attract) / (1 - look * attract)
        alpha = cells.by_pair(attracted) / cells.by_pair("shown")
        theta = cells.by_rank(looked) / cells.by_rank("shown")
    return theta / theta.max(), alpha * theta.max()


@pytest.fixture(params=[0, 1], ids=["seed 0", "seed 1"])
def cells(request):
    return Cells.of(ClickLog.of(planted("pbm", request.param, queries=6, searches=3_000)[0]))


def test_leaps_end_where_plain_em_does(cells):
    theta, alpha = plain_em(cells, 20_000)
    found = Pbm().estimate(cells)
    assert found.fit.converged
    assert found.fit.steps < 1_000
    assert found.propensity == pytest.approx(theta, abs=1e-3)
    assert found.raw == pytest.approx(alpha, abs=5e-3)
    assert likelihood(cells, found.propensity, found.raw) > likelihood(cells, theta, alpha) - 1e-3


@pytest.mark.oracle
def test_no_optimiser_finds_a_likelier_place(cells):
    optimize = pytest.importorskip("scipy.optimize")
    found = Pbm().estimate(cells)
    ranks = len(cells.ranks)

    def cost(both):
        theta, alpha = 1 / (1 + np.exp(-both[:ranks])), 1 / (1 + np.exp(-both[ranks:]))
        click = theta[cells.rank] * alpha[cells.pair]
        shown, clicks = cells.column("shown"), cells.column("clicks")
        slope = clicks / click - (shown - clicks) / (1 - click)
        by = np.concatenate([
            cells.by_rank(slope * click) * (1 - theta), cells.by_pair(slope * click) * (1 - alpha)
        ])  # fmt: skip
        return -(clicks @ np.log(click) + (shown - clicks) @ np.log1p(-click)), -by

    best = optimize.minimize(cost, np.zeros(ranks + cells.pairs.height), jac=True, method="L-BFGS-B",
                             options={"maxiter": 10_000, "maxfun": 20_000})  # fmt: skip
    assert likelihood(cells, found.propensity, found.raw) > -best.fun - 1e-2


def test_the_conditional_likelihood_is_near_on_many_looks(cells):
    assert conditional(cells)[0] == pytest.approx(Pbm().estimate(cells).propensity, abs=0.05)


def test_given_looks_stay_and_attraction_is_likeliest(cells):
    theta = 1 / np.arange(1, len(cells.ranks) + 1)
    (same, alpha), fit = maximised(cells, theta, known=True)
    assert fit.converged
    assert same.tolist() == theta.tolist()
    best = likelihood(cells, theta, alpha)
    for by in (-0.01, 0.01):
        assert likelihood(cells, theta, np.clip(alpha + by, 0, 1)) < best
