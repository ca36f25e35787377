"""Pools of 17 real runs of TREC Robust 2003 against what was computed for them by another program."""

from itertools import islice

import numpy as np
import polars as pl
import pytest

from assay import evaluate
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.formats import read_gold, read_run
from assay.judging.found import found
from assay.judging.pool_bias import pool_bias
from assay.judging.pool_rankings import Rankings
from assay.judging.pools import pool, sample_gold

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def folder(data):
    place = data / "ir" / "trec-robust03"
    if not place.is_dir():
        pytest.skip("needs the runs of TREC Robust 2003")
    return place


@pytest.fixture(scope="module")
def runs(folder):
    return [read_run(path) for path in sorted((folder / "top100").glob("*.gz"))]


@pytest.fixture(scope="module")
def gold(folder):
    return read_gold(folder / "qrels.robust03.txt.gz")


def test_the_pool_of_depth_10_has_6107_pairs(runs):
    made = pool(runs, depth=10)
    assert (len(made), made.pooled, made.queries, len(made.runs)) == (6107, 6107, 100, 17)


def test_leaving_a_run_out_costs_it_up_to_72_thousandths(runs, gold):
    verdict = pool_bias(runs, gold, depth=10, measures="P@10")[0].verdicts[0]
    assert verdict.worst.run == "input.NLPR03vb10"
    assert verdict.worst.without - verdict.worst.mean == pytest.approx(-0.072)
    assert verdict.median == pytest.approx(-0.019)
    assert verdict.reusable is False


def test_relevant_found_after_5000_and_10000_judgments(runs, gold):
    """Other programs: depth 1,090 and 1,621; move to front 1,336 and 1,874; bandit 1,369 and 2,026 (other chance)."""
    curve = found(runs, gold, budget=10_000)
    half = curve.budgets.index(5000)
    depth, mtf, bandit = ((row[half], row[-1]) for row in curve.relevant.values())
    assert depth == (pytest.approx(1090, abs=10), pytest.approx(1621, abs=10))
    assert mtf == (pytest.approx(1336, abs=20), pytest.approx(1874, abs=20))
    assert bandit == (pytest.approx(1369, abs=30), pytest.approx(2026, abs=35))
    assert bandit[1] / depth[1] > 1.2


def test_judging_in_batches_loses_little(runs, gold):
    judged = None
    for _ in range(6):
        step = pool(runs, "bandit", budget=3000, judged=judged)
        new = step.table.join(gold.table, on=["query", "item"], how="left").select(
            "query", "item", pl.col("grade").fill_null(0.0)
        )
        judged = Gold(new if judged is None else pl.concat([judged.table, new]))
    assert len(judged) == 3000
    at_once = found(runs, gold, budget=3000).relevant["bandit"][-1]
    assert (judged.table["grade"] >= 1).sum() > 0.95 * at_once


def test_a_tenth_of_the_pairs_estimates_average_precision(runs, gold):
    rankings = Rankings.of(runs, 100, Policy())
    whole = rankings.pairs.select("query", "item").join(gold.table, on=["query", "item"], how="left")
    whole = Gold(whole.with_columns(pl.col("grade").fill_null(0.0)))
    sample = pool(runs, "stratified", budget=5000, seed=1)
    drawn = Gold.from_frame(sample_gold(sample, whole))
    some = list(islice(runs, 0, None, 3))
    right = np.array([evaluate(whole, run, "AP").mean["AP"] for run in some])
    for measure in ("statAP", "xinfAP"):
        estimates = np.array([evaluate(drawn, run, measure).mean[measure] for run in some])
        assert np.abs(estimates - right).max() < 0.07
    plain = np.array([evaluate(drawn, run, "AP").mean["AP"] for run in some])
    assert np.abs(estimates - right).mean() < np.abs(plain - right).mean()
