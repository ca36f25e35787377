"""Intervals of an evaluation: which figures have one, over which units, with which conventions."""

import numpy as np
import polars as pl
import pytest

import assay
from assay.errors import ParameterError, UnsupportedError

QUERIES = [f"q{i:02}" for i in range(30)]
GOLD = {query: {"a": 1, "b": 1} for query in QUERIES}
RUN = {
    query: {"a": 3.0, "x": 2.0, "b": 1.0} if i % 3 else {"x": 3.0, "y": 2.0, "a": 1.0}
    for i, query in enumerate(QUERIES)
}


def test_a_figure_has_an_interval_only_where_one_was_asked_for() -> None:
    assert assay.evaluate(GOLD, RUN, "AP").figure("AP").interval is None
    figure = assay.evaluate(GOLD, RUN, "AP", interval=0.9).figure("AP")
    assert figure.interval.level == 0.9
    assert figure.interval.low < figure.mean < figure.interval.high
    assert figure.to_dict()["low"] == figure.interval.low


def test_the_verb_and_the_method_agree() -> None:
    found = assay.evaluate(GOLD, RUN, "AP P@1", interval=0.95, seed=3)
    assert found.interval("AP", level=0.95, seed=3) == found.figure("AP").interval
    assert found.figure("P@1").interval.method == "wilson"


def test_the_order_of_queries_changes_nothing() -> None:
    turned = {query: RUN[query] for query in reversed(QUERIES)}
    one, other = (assay.evaluate(GOLD, run, "AP", interval=0.95).figure("AP") for run in (RUN, turned))
    assert one.interval == other.interval


def test_a_micro_average_is_resampled_as_a_ratio() -> None:
    gold = {query: {f"r{j}": 1 for j in range(1 + i % 4)} for i, query in enumerate(QUERIES)}
    run = {query: {"r0": 2.0, "x": 1.0} if i % 5 else {"x": 1.0} for i, query in enumerate(QUERIES)}
    figure = assay.evaluate(gold, run, "R@2", aggregate="micro", interval=0.95).figure("R@2 (micro)")
    assert figure.interval.low < figure.mean < figure.interval.high
    sample = assay.evaluate(gold, run, "R@2", aggregate="micro").samples["R@2 (micro)"]
    assert np.average(sample.values, weights=sample.weights) == pytest.approx(figure.mean, rel=1e-12)


def test_queries_of_one_cluster_are_one_unit() -> None:
    pairs = pl.DataFrame({"query": QUERIES, "cluster": [f"c{i // 2}" for i in range(30)]})
    found = assay.evaluate(GOLD, RUN, "AP", weights=pairs, interval=0.95)
    assert found.figure("AP").interval.units == 15
    assert not found.weighted
    assert any("15 clusters" in notice for notice in found.notices)


def test_a_sum_and_a_pooled_list_have_none() -> None:
    found = assay.evaluate(GOLD, RUN, "NumRet AP", interval=0.95)
    assert found.figure("NumRet").interval is None
    with pytest.raises(UnsupportedError, match="NumRet: expected a figure made of one value for each query"):
        found.interval("NumRet")
    pooled = assay.evaluate(GOLD, RUN, "P@10", aggregate="pooled", interval=0.95)
    assert pooled.figures[0].interval is None


def test_a_measure_with_a_figure_of_its_own_is_resampled_by_it() -> None:
    figure = assay.evaluate(GOLD, RUN, "GMAP", interval=0.95).figure("GMAP")
    assert figure.interval.method == "percentile"
    assert figure.interval.low <= figure.mean <= figure.interval.high


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_lies_between_0_and_1(level: float) -> None:
    with pytest.raises(ParameterError, match="interval: expected a confidence between 0 and 1"):
        assay.evaluate(GOLD, RUN, "AP", interval=level)


def test_few_and_skewed_queries_are_said_aloud() -> None:
    few = {query: RUN[query] for query in QUERIES[:6]}
    found = assay.evaluate({query: GOLD[query] for query in few}, few, "AP", interval=0.95)
    assert any(notice.startswith("6 queries are few") for notice in found.notices)
    rare = {query: RUN["q01"] if i == 0 else {"x": 1.0} for i, query in enumerate(QUERIES)}
    found = assay.evaluate(GOLD, rare, "AP", interval=0.95)
    assert any("skewness" in notice for notice in found.notices)
