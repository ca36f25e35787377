"""Pooled lists of predicted triples, and OGB's shared negatives."""

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError, ParameterError, RunError, UnknownNameError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.pooled import evaluate_pooled, pooled_result, shared_negatives

RIGHT = [("A", "r", "0"), ("A", "r", "1"), ("B", "r", "0"), ("C", "r", "1")]
SCORED = pl.DataFrame(
    [
        ("A", "r", "0", 0.99), ("A", "r", "1", 0.98), ("A", "r", "2", 0.97), ("B", "r", "0", 0.5), ("B", "r", "1", 0.4),
        ("C", "r", "0", 0.3), ("C", "r", "1", 0.2),
    ],
    schema=["head", "relation", "tail", "score"], orient="row",
)  # fmt: skip


@pytest.fixture
def graph():
    return KnowledgeGraph.from_arrays([("A", "s", "2")], test=RIGHT)


def test_one_list_of_all_triples_by_score(graph):
    found = evaluate_pooled(graph, SCORED, "P@{1,3,4} AP")
    assert found.mean == pytest.approx({"P@1": 1, "P@3": 2 / 3, "P@4": 0.75, "AP": 0.8303571428571429})
    assert found.queries == 1
    assert "pooled" in found.gold.name


def test_it_is_not_the_mean_over_questions(graph):
    found = evaluate_pooled(graph, SCORED, "P@{1,2}", given="head")
    assert found.mean == pytest.approx({"P@1": 2 / 3, "P@2": 2 / 3})
    assert evaluate_pooled(graph, SCORED, "P@3", given="relation").mean == pytest.approx({"P@3": 2 / 3})


def test_nine_of_the_top_ten_predicted_triples_are_right():
    companies = [(f"c{i}", "hasCEO", f"p{i}") for i in range(100)]
    graph = KnowledgeGraph.from_arrays([("x", "y", "z")], test=companies)
    rows = [(*triple, 1 - i / 100) for i, triple in enumerate(companies)]
    rows[4] = ("c4", "hasCEO", "p5", rows[4][3])
    table = pl.DataFrame(rows, schema=["head", "relation", "tail", "score"], orient="row")
    assert evaluate_pooled(graph, table, "P@10").mean == {"P@10": pytest.approx(0.9)}
    assert evaluate_pooled(graph, table, "P@10", given="head").mean["P@10"] < 0.1


def test_what_is_known_before_is_taken_out():
    graph = KnowledgeGraph.from_arrays([("A", "r", "2")], test=RIGHT)
    assert evaluate_pooled(graph, SCORED, "P@3").mean == {"P@3": 1}
    assert evaluate_pooled(graph, SCORED, "P@3", known=()).mean == {"P@3": pytest.approx(2 / 3)}


def test_ties_give_the_mean_over_all_orders(graph):
    tied = SCORED.with_columns(score=pl.lit(0.5))
    assert evaluate_pooled(graph, tied, "P@1").mean == {"P@1": pytest.approx(4 / 7)}


def test_a_triple_predicted_twice_counts_once(graph):
    twice = pl.concat([SCORED, SCORED.with_columns(score=pl.col("score") / 2)])
    assert evaluate_pooled(graph, twice, "P@4 AP").mean == evaluate_pooled(graph, SCORED, "P@4 AP").mean


def test_numbers_are_rows(graph):
    entities = {name: number for number, name in enumerate(graph.entities)}
    relations = {name: number for number, name in enumerate(graph.relations)}
    numbered = SCORED.with_columns(
        pl.col("head").replace_strict(entities), pl.col("tail").replace_strict(entities),
        pl.col("relation").replace_strict(relations),
    )  # fmt: skip
    assert evaluate_pooled(graph, numbered, "AP").mean == evaluate_pooled(graph, SCORED, "AP").mean
    with pytest.raises(InputError, match="from 0 to"):
        evaluate_pooled(graph, numbered.with_columns(head=pl.lit(99)))


def test_what_is_missing_is_named(graph):
    with pytest.raises(InputError, match="score"):
        evaluate_pooled(graph, SCORED.drop("score"))
    with pytest.raises(UnknownNameError, match="side"):
        evaluate_pooled(graph, SCORED, given="side")
    with pytest.raises(ParameterError, match="valid"):
        evaluate_pooled(graph, SCORED, split="valid")


def test_shared_negatives():
    found = shared_negatives([0.8, 0.9, 0.4, 0.5, 0.3], [0.7, 0.45, 0.2, 0.1, 0.6], k=[1, 3, 10])
    assert found.hits == {1: pytest.approx(0.4), 3: pytest.approx(0.6), 10: 1.0}
    assert found.notices == ("OGB-Hits@10 is 1 by OGB's rule: there are only 5 negatives.",)
    assert found.to_dict()["hits"]["OGB-Hits@3"] == pytest.approx(0.6)
    assert found.to_dict()["protocol"] == "ogb-shared-negatives"


def test_a_positive_that_ties_with_the_threshold_is_a_miss():
    assert shared_negatives(np.zeros(4), np.zeros(9), k=[3]).hits == {3: 0.0}


def test_scores_that_are_no_numbers_are_refused():
    with pytest.raises(RunError, match="1 that are none"):
        shared_negatives([0.1, np.nan], [0.2])
    with pytest.raises(RunError, match="negative"):
        shared_negatives([0.1], [np.nan])
    with pytest.raises(ParameterError):
        shared_negatives([], [0.2])


def test_a_model_has_a_pooled_result_beside_the_others():
    named = KnowledgeGraph.from_arrays([[3, 1, 4]], test=[[0, 0, 1], [2, 0, 1], [3, 1, 0]])
    scores = np.array([[0.1, 0.9, 0.8, 0.0, 0.0], [0.3, 0.2, 0.0, 0.0, 0.0]])
    model = Scorer(lambda e, r, _: scores[r] + np.zeros((len(e), 5)), 5, 2)
    result = pooled_result(named, model, measures="P@{1,2,5}")
    assert result.protocol == "pooled"
    # (0, 0, 1) and (2, 0, 1) share 0.9, (0, 0, 2) and (2, 0, 2) 0.8, (3, 1, 0) has 0.3.
    assert {one.name: one.mean for one in result.figures} == pytest.approx({"P@1": 1, "P@2": 1, "P@5": 0.6})
    assert set(result.figure("P@1").ties) == {"optimistic", "realistic", "pessimistic", "expected"}
    by_relation = pooled_result(named, model, "relation", "P@1")
    assert by_relation.protocol == "pooled by relation"
    assert by_relation.figure("P@1").mean == 1
    assert by_relation.queries == 2
