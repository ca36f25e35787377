"""Rank statistics that are adjusted for chance: against published values, by enumeration, and over several queries."""

import math
from itertools import permutations

import numpy as np
import polars as pl
import pytest

from assay import evaluate
from assay.core.judged import Hits, Judged
from assay.errors import ParameterError, UnsupportedError
from assay.measures import MEASURES, parse

NAMES = ("AMR", "AMRI", "AdjustedMRR", "AdjustedHits@1", "AdjustedHits@3")


def per_triple(ranks, candidates):
    """Judge queries with one right answer at each of these ranks."""
    above = np.array(ranks, np.int64) - 1
    number = np.arange(len(above))
    ones = np.ones(len(above))
    return Judged(
        names=pl.Series([str(i) for i in number]),
        hits=Hits(len(above), number, ones, above + 1.0, above, np.ones(len(above), np.int64)),
        ideal=Hits.ranked(len(above), number, ones),
        retrieved=np.array(candidates),
        answered=ones.astype(bool),
        candidates=np.array(candidates),
    )


def micro(text, judged):
    above, below = parse(text).fraction(judged)
    return above.sum() / below.sum()


def test_candidates_of_each_query_make_what_is_expected_of_it():
    judged = per_triple([1, 2, 10], [10, 10, 20])
    assert micro("AMR", judged) == pytest.approx(0.6046511627906976, rel=1e-15)
    assert micro("AMRI", judged) == pytest.approx(0.4594594594594595, rel=1e-15)
    assert micro("AdjustedMRR", judged) == pytest.approx(0.3734109720010291, rel=1e-15)
    assert micro("AdjustedHits@1", judged) == pytest.approx(0.27272727272727276, rel=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_without_the_number_of_candidates_it_says_so(name):
    judged = Judged.of_grades([0, 1], [1])
    with pytest.raises(UnsupportedError, match="number of candidates") as problem:
        parse(name).kernel(judged)
    assert "collection=1000" in problem.value.hint
    with pytest.raises(UnsupportedError):
        evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, name)


def test_the_number_can_be_said_for_an_ordinary_run():
    found = evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "AMRI(collection=5) AMR(collection=5)")
    assert found.mean == {"AMRI(collection=5)": 0.5, "AMR(collection=5)": 2 / 3}


def test_fewer_candidates_than_ranks_are_refused():
    with pytest.raises(ParameterError, match="as many candidates as ranks"):
        parse("AMRI(collection=2)").kernel(Judged.of_grades([0, 0, 1], [1]))
    with pytest.raises(ParameterError):
        parse("AdjustedMRR(collection=2)").kernel(Judged.of_grades([1], [1, 1, 1]))


@pytest.mark.parametrize(("candidates", "relevant"), [(5, 1), (5, 2), (6, 3), (4, 3)])
@pytest.mark.parametrize("name", ["AMRI", "AdjustedMRR", "AdjustedHits@1", "AdjustedHits@2"])
def test_all_orders_of_the_candidates_have_mean_zero_and_the_best_has_one(name, candidates, relevant):
    orders = set(permutations([1] * relevant + [0] * (candidates - relevant)))
    measure = parse(f"{name.partition('@')[0]}(collection={candidates})" + "".join(name.partition("@")[1:]))
    values = [measure.of(order) for order in orders]
    if None in values:
        assert name == "AdjustedHits@2"
        assert (candidates, relevant) == (4, 3)
        return
    assert math.fsum(values) / len(values) == pytest.approx(0, abs=1e-14)
    assert max(values) == pytest.approx(1, rel=1e-14)


def test_a_random_order_has_amr_one():
    orders = set(permutations([1, 0, 0, 0]))
    values = [MEASURES["AMR"](collection=4).of(order) for order in orders]
    assert sum(values) / len(values) == pytest.approx(1)


def test_undefined_where_chance_is_perfect():
    alone = per_triple([1], [1])
    for name in ("AMRI", "AdjustedMRR", "AdjustedHits@1"):
        assert np.isnan(parse(name).kernel(alone)).all()
    assert parse("AMR").kernel(alone) == [1]


def test_a_relevant_item_without_a_rank_leaves_rank_measures_undefined():
    assert MEASURES["AMR"](collection=9).of([0, 1], gold=[1, 1]) is None
    assert MEASURES["AMRI"](collection=9).of([0, 1], gold=[1, 1]) is None
    assert MEASURES["AdjustedMRR"](collection=2).of([0, 0], gold=[1]) == -3
