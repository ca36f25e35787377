"""Possible values, against every judging of the items without a judgment, one by one."""

import math
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.judged import UNJUDGED, Hits, Judged
from assay.core.policy import Policy
from assay.errors import UnsupportedError
from assay.measures import MEASURES, parse, possible
from assay.measures.average_precision import AveragePrecision
from assay.testing import variants
from assay.testing.strategies import collections

SETTINGS = [one for measure in MEASURES.values() for one in variants(measure) if not measure.needs_facets]
SETTINGS += [AveragePrecision(norm=norm, k=k) for norm in ("min", "found") for k in (None, 1, 2)]
EXACT = {
    "P", "R", "RCap", "RelP", "Complete", "F1", "F", "HR", "RR", "AP", "GMAP", "DCG", "nDCG", "IDCG", "SDCG", "ERR",
    "RBP", "GP", "GR", "SetP", "SetR", "SetF", "SetAP", "SetRelP", "NumRelRet", "NumRel",
}  # fmt: skip

PLACES = st.lists(st.sampled_from((UNJUDGED, UNJUDGED, -1, 0, 1, 2)), max_size=5)
UNFOUND = st.lists(st.sampled_from((-1, 0, 1, 2, 3)), max_size=2)


def judged_of(queries):
    """Judge queries, each given as the grades of its ranking and those of the gold that it does not retrieve."""
    made = [Judged.of_grades(ranked, [g for g in ranked if g > UNJUDGED] + unfound) for ranked, unfound in queries]
    return Judged(
        names=pl.Series([str(number) for number in range(len(made))]),
        hits=joined([one.hits for one in made]),
        ideal=joined([one.ideal for one in made]),
        retrieved=np.concatenate([one.retrieved for one in made]),
        answered=np.concatenate([one.answered for one in made]),
        whole_top=max(one.top_grade for one in made),
    )


def joined(parts):
    query = np.concatenate([np.full(len(part), number) for number, part in enumerate(parts)]).astype(np.int64)
    columns = (np.concatenate([getattr(part, name) for part in parts]) for name in ("grade", "rank", "above", "tied"))
    return Hits(len(parts), query, *columns)


def judgings(ranked, unfound, top):
    """Judge one query in every way: each open place with every grade from 0 to the top."""
    open_places = [place for place, grade in enumerate(ranked) if grade < 0]
    table = np.tile(np.array(ranked, float), ((int(top) + 1) ** len(open_places), 1))
    table[:, open_places] = list(product(range(int(top) + 1), repeat=len(open_places)))
    many, places = table.shape
    gold = np.hstack([table, np.tile(np.array(unfound, float), (many, 1))])
    gold = -np.sort(-gold, axis=1)
    return Judged(
        names=pl.Series([str(number) for number in range(many)]),
        hits=Hits.ranked(many, np.repeat(np.arange(many), places), table.ravel()),
        ideal=Hits.ranked(many, np.repeat(np.arange(many), gold.shape[1]), gold.ravel()),
        retrieved=np.full(many, places),
        answered=np.full(many, places > 0),
        whole_top=top,
    )


@settings(max_examples=40)
@given(st.lists(st.tuples(PLACES, UNFOUND), min_size=1, max_size=3))
def test_no_judging_leaves_them_and_where_they_are_exact_some_judging_reaches_them(queries):
    judged = judged_of(queries)
    every = {}
    for measure in SETTINGS:
        found, top = measure.possible(judged), measure.highest(judged)
        for number, (ranked, unfound) in enumerate(queries):
            if (number, top) not in every:
                every[number, top] = judgings(ranked, unfound, top)
            gradings = every[number, top]
            values = measure.kernel(gradings)[measure.defined(gradings)]
            values = values[~np.isnan(values)]
            if len(values):
                told = (measure, queries[number], found.low[number], found.high[number])
                assert found.low[number] <= values.min() + 1e-12, told
                assert found.high[number] >= values.max() - 1e-12, told
                if found.exact:
                    assert found.high[number] == pytest.approx(values.max(), abs=1e-12), told
                if found.exact and measure.defined(judged)[number]:
                    assert found.low[number] == pytest.approx(values.min(), abs=1e-12), told


@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_which_are_exact(measure):
    judged = judged_of([([1, UNJUDGED, 2], [3])])
    exact = measure.name in EXACT and "norm='found'" not in str(measure)
    assert measure.possible(judged).exact == exact


@given(collections())
def test_any_collection_has_them_around_its_value(collection):
    judged = collection.judged
    for measure in SETTINGS:
        found, value = measure.possible(judged), measure.kernel(judged)
        known = measure.defined(judged) & ~np.isnan(value)
        assert (found.low[known] <= value[known] + 1e-12).all(), measure
        assert (found.high[known] >= value[known] - 1e-12).all(), measure


def test_small_pieces_give_the_same(monkeypatch):
    rng = np.random.default_rng(3)
    queries = [(rng.choice([UNJUDGED, 0, 1, 2], rng.integers(0, 9)).tolist(), [1, 2]) for _ in range(20)]
    judged = judged_of(queries)
    whole = {measure: measure.possible(judged) for measure in SETTINGS}
    monkeypatch.setattr(possible, "PLACES", 10)
    monkeypatch.setattr(possible, "CELLS", 20)
    for measure in SETTINGS:
        again = measure.possible(judged)
        assert np.array_equal(again.low, whole[measure].low, equal_nan=True), measure
        assert np.array_equal(again.high, whole[measure].high, equal_nan=True), measure


def test_fractional_grades_and_gains_that_fall():
    judged = judged_of([([0.5, UNJUDGED, UNJUDGED, 2.5], [1.5, 2.5])])
    ndcg = MEASURES["nDCG"](k=3).possible(judged)
    between = np.array(list(product(np.linspace(0, 2.5, 26), repeat=2)))
    values = [MEASURES["nDCG"](k=3).of([0.5, a, b, 2.5], [0.5, a, b, 2.5, 1.5, 2.5]) for a, b in between.tolist()]
    assert ndcg.high[0] == pytest.approx(max(values))
    assert ndcg.low[0] == pytest.approx(min(values))
    assert MEASURES["nDCG"](gains={1: 5}).possible(judged).exact is False  # 1.5 is worth less than 1
    assert MEASURES["DCG"](gains={0: 1}).possible(judged).exact is False  # a judged 0 is worth more than none


def test_tied_items_that_share_a_rank_have_none():
    judged = judged_of([([1, UNJUDGED, 2], [3])])
    hits = Hits(1, judged.hits.query, judged.hits.grade, np.array([1.5, 1.5]), np.zeros(2, int), np.full(2, 2))
    shared = Judged(judged.names, hits, judged.ideal, judged.retrieved, judged.answered).under(Policy(ties="realistic"))
    with pytest.raises(UnsupportedError, match="place of its own"):
        MEASURES["AP"]().possible(shared)


CEILINGS = [
    ("P@10", 0.3), ("R@2", 2 / 3), ("F1@10", 6 / 13), ("RCap@2", 1), ("RR", 1), ("AP@2", 2 / 3), ("AP", 1),
    ("nDCG@5", 1), ("Bpref", 1), ("SetP", 1), ("Complete@2", 0), ("MR", 2), ("DCG", 3 + 1 / math.log2(3) + 0.5),
    ("P(rel=2)@2", 0.5), ("RBP(p=0.5,gain='linear',rel=3)", (0.5 * 3 + 0.25 + 0.125) / 3),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), CEILINGS)
def test_the_ceiling_is_the_value_of_the_best_ranking(text, value):
    judged = judged_of([([0, 1, UNJUDGED], [3, 1, -1])])
    assert parse(text).ceiling(judged)[0] == pytest.approx(value)


def test_the_best_ranking_is_by_gain_not_by_grade():
    judged = judged_of([([1, 2], [3])])
    ceiling = MEASURES["DCG"](gains={1: 5, 3: 0}).ceiling(judged)
    assert ceiling[0] == pytest.approx(5 + 2 / math.log2(3))


@given(collections())
def test_no_ranking_is_above_its_ceiling(collection):
    for measure in SETTINGS:
        ceiling = measure.ceiling(collection.judged)
        if ceiling is None:
            continue
        value, sign = measure.kernel(collection.judged), 1 if measure.higher_is_better else -1
        known = measure.defined(collection.judged) & ~np.isnan(value)
        assert (sign * (ceiling - value)[known] >= -1e-12).all(), measure


@pytest.mark.parametrize("name", ["NumRet", "Judged", "Utility", "statAP"])
def test_counts_and_measures_of_the_judging_have_no_ceiling(name):
    assert next(variants(MEASURES[name])).ceiling(judged_of([([1, 0], [])])) is None
