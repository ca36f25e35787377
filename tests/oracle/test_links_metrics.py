"""Link-prediction figures of eight trained models, against PyKEEN's evaluator on the same ranks.

PyKEEN adds ranks up in float32; its figures are those of float64 rounded to float32, in two cases the neighbour.
"""

import json

import numpy as np
import polars as pl
import pytest

from assay.tasks.links.evaluate import evaluate_ranking
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import Ranking

MODELS = (
    "umls_transe_l1", "umls_transe_l2", "umls_distmult", "umls_complex", "umls_rotate", "umls_transr",
    "kinships_complex", "nations_complex",
)  # fmt: skip
NAMES = {"mrr": "RR", "hits@1": "HR@1", "hits@3": "HR@3", "hits@10": "HR@10", "mr": "MR", "adjusted_mrr": "AdjustedMRR"}
MEASURES = "MRR MR HR@{1,3,10} AMR AMRI AdjustedMRR AdjustedHits@10"


def stored(data, name):
    """Return PyKEEN's ranks as a ranking: greater and equal from its optimistic and pessimistic ranks."""
    file = np.load(data / "kg" / "trained" / f"{name}.npz")
    graph = KnowledgeGraph.from_arrays(
        file["train"], file["valid"], file["test"],
        entities=len(file["entity_0"]), relations=len(file["relation_0"]),
    )  # fmt: skip
    test, parts = graph.splits["test"], []
    assert np.array_equal(test, file["test"])
    for side, column in (("tail", 2), ("head", 0)):
        best, worst = (file[f"rank_{side}_{kind}"].astype(np.int64) for kind in ("optimistic", "pessimistic"))
        parts.append(pl.DataFrame({
            "side": [side] * len(test), "head": test[:, 0], "relation": test[:, 1], "tail": test[:, 2],
            "query": test[:, 1] * len(graph.entities) + test[:, 2 - column] + (10**6 if side == "head" else 0),
            "target": test[:, column], "score": np.zeros(len(test)), "greater": best - 1, "equal": worst - best,
            "candidates": file[f"num_candidates_{side}"].astype(np.int64),
        }))  # fmt: skip
    return Ranking(pl.concat(parts), graph, Protocol(), name)


@pytest.fixture(scope="module")
def summary(data):
    return {one["name"]: one["metrics"] for one in json.loads((data / "kg" / "trained" / "summary.json").read_text())}


@pytest.mark.parametrize("name", MODELS)
def test_figures_are_pykeens(data, summary, name):
    found, theirs = evaluate_ranking(stored(data, name), MEASURES), summary[name]
    for key, measure in NAMES.items():
        assert found[measure] == pytest.approx(theirs[key], rel=1.2e-7, abs=1.2e-7), key  # one step of float32
    for side in ("tail", "head"):
        assert found.filtered.figure("RR", side).mean == pytest.approx(theirs[f"{side}.mrr"], rel=1.2e-7)
    for key in ("hits@1", "hits@3", "hits@10"):
        assert found[NAMES[key]] == pytest.approx(theirs[key], abs=1e-15)


@pytest.mark.parametrize("name", MODELS)
def test_figures_in_pykeens_precision_are_the_same_to_1e_9(data, summary, name):
    found, theirs = evaluate_ranking(stored(data, name), MEASURES), summary[name]
    ranks = 1 + found.filtered.evaluation.judged.hits.above + (found.filtered.evaluation.judged.hits.tied - 1) / 2
    rounded = ranks.astype(np.float32)
    assert float(rounded.mean()) == pytest.approx(theirs["mr"], rel=1e-9)
    chance = (found.filtered.evaluation.judged.candidates + 1).mean() / 2
    assert 1 - (theirs["mr"] - 1) / (chance - 1) == pytest.approx(theirs["amri"], abs=1e-9)
    assert found["AMRI"] == pytest.approx(1 - (ranks.mean() - 1) / (chance - 1), abs=1e-12)
    assert float(np.float32(found["MR"])) == pytest.approx(theirs["mr"], rel=1e-9)


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["umls_distmult", "nations_complex", "kinships_complex"])
def test_pykeens_own_metrics_in_float64(data, name):
    metrics = pytest.importorskip("pykeen.metrics.ranking")
    ranking = stored(data, name)
    found = evaluate_ranking(ranking, MEASURES)
    ranks = (ranking.table["greater"] + 1 + ranking.table["equal"] / 2).to_numpy()
    many = ranking.table["candidates"].to_numpy()
    own = {
        "RR": metrics.InverseHarmonicMeanRank(), "MR": metrics.ArithmeticMeanRank(), "HR@10": metrics.HitsAtK(k=10),
        "AMR": metrics.AdjustedArithmeticMeanRank(), "AMRI": metrics.AdjustedArithmeticMeanRankIndex(),
        "AdjustedMRR": metrics.AdjustedInverseHarmonicMeanRank(), "AdjustedHits@10": metrics.AdjustedHitsAtK(k=10),
    }  # fmt: skip
    for measure, metric in own.items():
        assert found[measure] == pytest.approx(metric(ranks=ranks, num_candidates=many), abs=1e-9), measure


@pytest.mark.parametrize("name", ["nations_complex", "kinships_complex"])
def test_the_four_tie_rules_hold_what_pykeen_stored(data, name):
    file = np.load(data / "kg" / "trained" / f"{name}.npz")
    ties = evaluate_ranking(stored(data, name), "MR").filtered.figure("MR").ties
    for kind in ("optimistic", "realistic", "pessimistic"):
        both = np.concatenate([file[f"rank_tail_{kind}"], file[f"rank_head_{kind}"]]).astype(float)
        assert ties[kind] == pytest.approx(both.mean(), rel=1e-12)
