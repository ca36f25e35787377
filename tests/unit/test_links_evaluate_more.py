"""Evaluations of links as evaluations like any other."""

import math

import polars as pl
import pytest
from tests.unit.link_rankings import brute_ranking, one_question, random_graph, random_scores

from assay.errors import ParameterError
from assay.tasks.links.evaluate import evaluate_ranking, evaluation_of


def test_an_evaluation_like_any_other():
    graph = random_graph(2)
    found = evaluation_of(brute_ranking(graph, random_scores(graph, 2)), measures="MRR HR@1")
    assert list(found.mean) == ["RR", "HR@1"]
    assert found.gold.queries == 2 * len(graph.splits["test"])
    assert len(found.gold.digest()) == 64
    assert math.isclose(found.per_query.filter(pl.col("measure") == "RR")["value"].mean(), found["RR"])
    assert found.interval("RR").low < found["RR"]


def test_right_answers_that_share_the_first_place_are_both_right():
    lists = evaluate_ranking(one_question([0.9, 0.9, 0.2], [0, 1]), "P@1 MedianRank").under("multi-answer")
    assert (lists["P@1"], lists.figure("P@1").rule) == (1, "expected")
    assert lists.figure("P@1").ties["realistic"] == 0
    assert lists.figure("MedianRank").rule == "realistic"


def test_very_many_questions_have_the_interval_of_a_normal_mean(monkeypatch):
    graph = random_graph(8, triples=60)
    ranking = brute_ranking(graph, random_scores(graph, 8))
    resampled = evaluate_ranking(ranking, "MRR HR@1", interval=0.9)
    monkeypatch.setattr("assay.tasks.links.intervals.MANY", 10)
    normal = evaluate_ranking(ranking, "MRR HR@1 MedianRank", interval=0.9)
    for measure in ("RR", "HR@1"):
        one, other = (found.filtered.figure(measure).interval for found in (resampled, normal))
        assert other.method == "t"
        assert other.units == one.units
        assert other.low == pytest.approx(one.low, abs=0.05)
        assert other.high == pytest.approx(one.high, abs=0.05)
    assert normal.filtered.figure("MedianRank").interval.method == "percentile"
    assert f"each of the {normal.filtered.queries} questions" in " ".join(normal.notices)
    with pytest.raises(ParameterError, match="between 0 and 1"):
        evaluate_ranking(ranking, "MRR", interval=95)
