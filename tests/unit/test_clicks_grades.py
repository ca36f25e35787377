"""Grades from clicks as gold, what is refused, and whether intervals hold."""

import numpy as np
import polars as pl
import pytest
from tests.unit.click_logs import planted, small

from assay import evaluate
from assay.errors import GoldError, InputError, ParameterError, UnknownNameError
from assay.judging.clicks import grade_clicks, model_of
from assay.judging.clicks.pbm import Pbm
from assay.judging.clicks.propensity import read_propensities

RAW = {"min_exposure": 0, "prior": 0}


def test_grades_are_gold_that_runs_are_judged_by():
    log, truth = planted("pbm", 0)
    best = truth.select("query", "item", score="truth")
    worst = truth.select("query", "item", score=-pl.col("truth"))
    gold = grade_clicks(log, "pbm").gold
    assert evaluate(gold, best, ["nDCG@8"]).mean["nDCG@8"] > 0.95 > evaluate(gold, worst, ["nDCG@8"]).mean["nDCG@8"]


def test_a_search_without_clicks_was_looked_through_to_its_end():
    rows = [("q", item, rank, 0, "s") for rank, item in enumerate("abc", 1)]
    rows += [("q", item, rank, int(rank == 1), "t") for rank, item in enumerate("abc", 1)]
    log = pl.DataFrame(rows, schema=["query", "item", "rank", "click", "session"], orient="row")
    for model in ("cascade", "sdbn"):
        assert grade_clicks(log, model, **RAW).table["examined"].to_list() == [2, 1, 1]


def test_a_log_without_any_click_has_grades_of_nought_or_none():
    rows = [("q", "a", rank, 0, f"s{n}") for n in range(20) for rank in (1, 2)]
    log = pl.DataFrame(rows, schema=["query", "item", "rank", "click", "session"], orient="row")
    for model in ("ctr", "cascade", "sdbn"):
        assert grade_clicks(log, model).table["grade"].to_list() == [0.0]
    for model in ("coec", "pbm", "ipw"):
        with pytest.raises(GoldError, match="expected pairs looked at"):
            grade_clicks(log, model)


def test_what_is_wrong_is_said():
    log = small(1)
    with pytest.raises(UnknownNameError, match=r"no click model is called 'dbm'\. Did you mean 'pbm'"):
        grade_clicks(log, "dbm")
    with pytest.raises(InputError, match="expected a column that says which search a row belongs to"):
        grade_clicks(log.drop("session"), "sdbn")
    with pytest.raises(InputError, match="at which rank"):
        grade_clicks(log.drop("rank"), "coec")
    with pytest.raises(GoldError, match="expected pairs looked at 1000 times or more, found none in 10 pairs"):
        grade_clicks(log, "ctr", min_exposure=1000)
    with pytest.raises(ParameterError, match="prior: expected a number of looks"):
        grade_clicks(log, "ctr", prior=-1)
    with pytest.raises(UnknownNameError, match="interval"):
        grade_clicks(log, "ctr", interval="wald")
    with pytest.raises(ParameterError, match="level between 0 and 1"):
        grade_clicks(log, "ctr", level=95)
    with pytest.raises(ParameterError, match="found none for 2, 3, 4"):
        grade_clicks(log, model_of("pbm", {1: 1.0}))
    with pytest.raises(ParameterError, match="expected the model pbm or ipw, found ctr"):
        model_of("ctr", {1: 1.0})
    with pytest.raises(ParameterError, match="clip"):
        model_of("ipw", None, 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rank,propensity\n1,1\n1,0.5\n", "expected each rank once"),
        ("rank,propensity\n1,0\n", "above 0 and at most 1 for rank 1"),
        ("rank,propensity\n0,1\n", "expected each rank once"),
        ("rank,propensity\nx,1\n", "found 'x'"),
        ("a,b\n1,1\n", "expected the columns rank and propensity"),
    ],
    ids=["twice", "zero", "rank 0", "no rank", "no columns"],
)
def test_a_file_of_propensities_that_is_wrong(tmp_path, text, said):
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        read_propensities(tmp_path / "p.csv")


def test_steps_that_do_not_suffice_are_said():
    found = grade_clicks(small(2, searches=400), Pbm(steps=2))
    assert not found.fit.converged
    assert "The fit stopped after" in found.notices[-1]


def test_intervals_of_many_shares_are_those_of_one():
    from assay.statistics.proportion import wilson
    from assay.statistics.rates import ends_of
    from assay.statistics.share_intervals import jeffreys

    shares, units = np.array([0.1, 0.5, 0.93]), np.array([7.0, 40.5, 1_000.0])
    for name, one in (("wilson", wilson), ("beta", jeffreys)):
        low, high = ends_of(name, shares, units, 0.9)
        expected = [one(share, many, 0.9) for share, many in zip(shares.tolist(), units.tolist(), strict=True)]
        assert list(zip(low, high, strict=True)) == [pytest.approx(ends, abs=1e-12) for ends in expected]


@pytest.mark.parametrize("name", ["wilson", "beta"])
def test_intervals_of_ratios_hold_them_as_often_as_they_say(name):
    from assay.statistics.rates import ends_of

    random = np.random.default_rng(3)
    ratio, expected = random.uniform(0.2, 4, 20_000), random.uniform(3, 60, 20_000)
    low, high = ends_of(name, random.poisson(ratio * expected) / expected, expected, 0.95, ratio=True)
    assert 0.94 < np.mean((low <= ratio) & (ratio <= high)) < 0.965
