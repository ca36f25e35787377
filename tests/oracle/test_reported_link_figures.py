"""Reports about figures of link prediction: what each protocol must give on the reported input.

Each line of reported_link_figures.jsonl is one report: where it was made, the input and what must come out.
"""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay import AP, Gold, Run, evaluate
from assay.statistics.sampled_ranks import chances, unbiased_rank
from assay.tasks.links.evaluate import evaluate_links
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.pooled import evaluate_pooled, shared_negatives
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import rank

LINES = Path(__file__).with_name("reported_link_figures.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"][:5]: report for report in map(json.loads, LINES)}


def test_ogbs_hits_are_counted_against_one_list():
    given, expected = REPORTS["kg-09"]["input"], REPORTS["kg-09"]["expected"]
    found = shared_negatives(given["y_pred_pos"], given["y_pred_neg"], k=[given["k"]])
    assert found.hits == {3: expected["ogb_hits_at_3"]}
    assert shared_negatives([0.5] * 5, [0.5] * 5, k=[3]).hits == {3: expected["all_tied_ogb"]}
    assert shared_negatives([0.1], [0.9], k=[3]).hits == {3: expected["fewer_negatives_than_k"]}
    assert found.protocol == "ogb-shared-negatives"


@pytest.mark.parametrize(("given", "wanted"), [("input", "expected"), ("input2", "expected2")])
def test_each_normaliser_of_ap_has_a_name(given, wanted):
    one, expected = REPORTS["kg-11"][given], REPORTS["kg-11"][wanted]
    grades = [int(item in one["relevant"]) for item in one["ranking"]]
    gold = [1] * len(one["relevant"])
    names = {"min_k_R": "min", "R_trec_map_cut": "R", "retrieved_only_torchmetrics": "found", "retrieved_only": "found"}
    for name, norm in names.items():
        if name in expected:
            assert AP(k=one["k"], norm=norm).of(grades, gold=gold) == pytest.approx(expected[name])
    if "ap_full" in expected:
        assert AP().of(grades, gold=gold) == pytest.approx(expected["ap_full"])


def test_sampled_ranks_are_too_good():
    given, expected = REPORTS["kg-15"]["input"], REPORTS["kg-15"]["expected"]
    total, many = given["num_candidates"] - 1, given["num_negatives"]
    likely = chances(total, np.array([given["true_rank"] - 1]), many)[0]
    better = np.arange(many + 1)
    assert likely @ better == pytest.approx(expected["expected_better_in_sample"])
    assert likely[better < 10].sum() == pytest.approx(expected["naive_hits_at_10"], abs=1e-10)
    assert likely @ (1 / (better + 1)) == pytest.approx(expected["naive_expected_rr"], abs=1e-10)
    assert unbiased_rank(total + 1, 5, many) == expected["b5_rank_estimate"]
    assert likely @ unbiased_rank(total + 1, better, many) == pytest.approx(given["true_rank"])


def test_the_chances_are_those_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    for total, better, drawn in ((1000, 50, 100), (14_540, 3, 500), (40, 39, 40)):
        wanted = stats.hypergeom.pmf(np.arange(drawn + 1), total, better, drawn)
        np.testing.assert_allclose(chances(total, np.array([better]), drawn)[0], wanted, rtol=1e-7, atol=1e-12)


def test_one_question_with_many_answers_has_two_protocols():
    given, expected = REPORTS["kg-20"]["input"], REPORTS["kg-20"]["expected"]
    row = np.array(given["tail_scores"])
    graph = KnowledgeGraph.from_arrays(
        [(0, 0, one) for one in given["train"]], test=[(0, 0, one) for one in given["answers_test"]],
        entities=len(row), relations=1,
    )  # fmt: skip
    model = Scorer(lambda entity, *_: np.tile(row, (len(entity), 1)), len(row), 1)
    protocol = Protocol(sides=("tail",))
    names = ["P@3", "R@3", "F1@3", "HR@3", "RR", "AP", "nDCG@3"]
    lists = evaluate_links(graph, model, names, protocol=protocol).under("multi-answer")
    for name in names:
        assert lists.figure(name).mean == pytest.approx(expected[name])
    ranks = rank(graph, model, protocol).ranks()
    assert ranks.tolist() == expected["per_triple_filtered_ranks"]
    assert (1 / ranks).mean() == pytest.approx(expected["per_triple_mrr"])


def test_one_list_of_triples_is_no_mean_over_questions():
    given, expected = REPORTS["kg-21"]["input"], REPORTS["kg-21"]["expected"]
    rows = [(query, "r", f"e{entity}", score) for query, entity, score, _ in given["candidates"]]
    right = [row[:3] for row, (*_, label) in zip(rows, given["candidates"], strict=True) if label]
    graph = KnowledgeGraph.from_arrays([("A", "s", "e2")], test=right)
    scored = pl.DataFrame(rows, schema=["head", "relation", "tail", "score"], orient="row")
    found = evaluate_pooled(graph, scored, "P@{1,3,4} AP").mean
    assert found == pytest.approx({name: expected[name] for name in ("P@1", "P@3", "P@4", "AP")})
    gold = Gold.from_frame(
        pl.DataFrame([(h, t, 1) for h, _, t in right], schema=["query", "item", "grade"], orient="row")
    )
    run = Run.from_frame(scored.select(query="head", item="tail", score="score"))
    assert evaluate(gold, run, "P@1").mean["P@1"] == pytest.approx(expected["mean_per_query_p_at_1"])


def test_every_report_is_looked_at():
    text = Path(__file__).read_text("utf-8")
    assert [name for name in REPORTS if f'REPORTS["{name}"]' not in text] == []
