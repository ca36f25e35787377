"""OGB's link evaluators: the same figures under the profile `ogb`, and what they get wrong, each fault as a test."""

import sys

import numpy as np
import polars as pl
import pytest

from assay import evaluate
from assay.core.policy import Policy
from assay.errors import RunError
from assay.tasks.links.evaluate import evaluate_links
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.predictions import Predictions
from assay.tasks.links.pooled import shared_negatives
from assay.tasks.links.profiled import SHARED, protocol_like, with_profile

pytestmark = [pytest.mark.torch, pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

KEYS = {"mrr_list": "RR", "hits@1_list": "HR@1", "hits@3_list": "HR@3", "hits@10_list": "HR@10"}
SHARED_K = {"ogbl-ddi": 20, "ogbl-collab": 50, "ogbl-ppa": 100}
FLOAT32 = 1e-7
EXPECTED = Policy(ties="expected")


@pytest.fixture(scope="module")
def evaluator():
    """Make OGB's evaluator of a data set; without the package that asks the network for newer versions at import."""
    pytest.importorskip("torch")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "outdated", None)
        return pytest.importorskip("ogb.linkproppred").Evaluator


def drawn(seed, levels, shape=(40, 25)):
    """Return scores of true triples and their negatives; few levels make ties."""
    random = np.random.default_rng(seed)
    numbers = random.integers(0, levels, (shape[0], shape[1] + 1)).astype(np.float64)
    return numbers[:, 0], numbers[:, 1:]


def lists(evaluator, positive, negative):
    import torch

    given = {"y_pred_pos": torch.tensor(positive), "y_pred_neg": torch.tensor(negative)}
    found = evaluator("ogbl-wikikg2").eval(given)
    return {measure: found[key].numpy().astype(np.float64) for key, measure in KEYS.items()}


def hits(evaluator, name, positive, negative):
    given = {"y_pred_pos": np.asarray(positive, float), "y_pred_neg": np.asarray(negative, float)}
    return evaluator(name).eval(given)[f"hits@{SHARED_K[name]}"]


@pytest.mark.parametrize("levels", [4, 30, 10**6])
@pytest.mark.parametrize("seed", range(5))
def test_ranks_among_given_negatives_are_ogbs(evaluator, seed, levels):
    positive, negative = drawn(seed, levels)
    theirs = lists(evaluator, positive, negative)
    names = [f"q{place:02d}" for place in range(len(positive))]
    gold = {query: {"true": 1} for query in names}
    run = {
        query: {"true": one} | {f"n{place}": score for place, score in enumerate(others)}
        for query, one, others in zip(names, positive, negative, strict=True)
    }
    found = evaluate(gold, run, list(KEYS.values()), profile="ogb")
    for measure, values in theirs.items():
        ours = found.per_query.filter(pl.col("measure") == measure).sort("query")["value"].to_numpy()
        assert ours == pytest.approx(values, abs=FLOAT32), measure
        assert found[measure] == pytest.approx(values.mean(), abs=FLOAT32), measure


def of_triples(positive, negative):
    """Return one question for each true triple, its negatives among other entities, and all of them as predictions."""
    many, others = negative.shape
    entities, first = 2 * many + others, 2 * many
    heads = np.arange(many)
    test = np.column_stack([heads, np.zeros(many, int), many + heads])
    graph = KnowledgeGraph.from_arrays(
        np.zeros((0, 3), int), test=test, entities=entities, relations=1
    )  # fmt: skip
    wrong = np.column_stack([
        np.repeat(heads, others), np.zeros(many * others, int), np.tile(first + np.arange(others), many)
    ])  # fmt: skip
    scores = np.concatenate([positive, negative.ravel()])
    return graph, Predictions(np.concatenate([test, wrong]), scores, entities, 1)


@pytest.mark.parametrize("levels", [4, 10**6])
def test_a_file_of_scores_under_the_profile_gives_ogbs_figures(evaluator, levels):
    positive, negative = drawn(7, levels)
    graph, model = of_triples(positive, negative)
    protocol = protocol_like("ogb", sides=("tail",))
    found = with_profile(
        evaluate_links(graph, model, "MRR HR@1 HR@3 HR@10", protocol=protocol), "ogb", graph, model, protocol
    )
    for measure, values in lists(evaluator, positive, negative).items():
        assert found[measure] == pytest.approx(values.mean(), abs=FLOAT32), measure
    for name, k in SHARED_K.items():
        theirs = hits(evaluator, name, positive, negative.ravel())
        assert found.under(SHARED)[f"OGB-Hits@{k}"] == theirs == shared_negatives(positive, negative, [k]).hits[k]
    assert found.evaluation.profile == "ogb"


@pytest.mark.parametrize("name", SHARED_K)
@pytest.mark.parametrize("tensors", [False, True])
@pytest.mark.parametrize("levels", [5, 10**6])
def test_hits_against_shared_negatives_are_ogbs(evaluator, name, tensors, levels):
    import torch

    random, k = np.random.default_rng(levels), SHARED_K[name]
    positive, negative = (random.integers(0, levels, many).astype(np.float64) for many in (300, 400))
    made = torch.tensor if tensors else np.asarray
    theirs = evaluator(name).eval({"y_pred_pos": made(positive), "y_pred_neg": made(negative)})
    assert shared_negatives(positive, negative, [k]).hits[k] == theirs[f"hits@{k}"]


def test_fault_fewer_negatives_than_k_are_a_perfect_score(evaluator):
    positive, negative = [0.1, 0.2], [0.9] * 49
    assert hits(evaluator, "ogbl-collab", positive, negative) == 1.0
    ours = shared_negatives(positive, negative, [49, 50])
    assert ours.hits == {49: 0.0, 50: 1.0}
    assert ours.notices == ("OGB-Hits@50 is 1 by OGB's rule: there are only 49 negatives.",)


def test_fault_nan_is_a_perfect_score_among_given_negatives(evaluator):
    """Every comparison with NaN is false, so nothing stands above; right is no score at all, or the last place."""
    nothing = np.full((3, 25), np.nan)
    theirs = lists(evaluator, nothing[:, 0], nothing)
    assert {measure: values.tolist() for measure, values in theirs.items()} == dict.fromkeys(KEYS.values(), [1.0] * 3)
    gold, run = {"q": {"true": 1}}, {"q": {"true": np.nan} | {f"n{place}": np.nan for place in range(25)}}
    with pytest.raises(RunError, match="NaN"):
        evaluate(gold, run, "RR", profile="ogb")


def test_fault_one_nan_among_shared_negatives_is_their_best(evaluator):
    """NaN sorts above every number: 50 of them among the negatives, and no true triple is a hit."""
    positive, negative = np.arange(100.0), np.full(200, -1.0)
    assert hits(evaluator, "ogbl-collab", positive, negative) == 1.0
    negative[:50] = np.nan
    assert hits(evaluator, "ogbl-collab", positive, negative) == 0.0
    with pytest.raises(RunError, match="negative scores: expected numbers, found 50 that are none"):
        shared_negatives(positive, negative, [50])


def test_fault_ties_have_two_rules(evaluator):
    """A constant model: MRR ranks it in the middle, Hits@K counts it last; the mean over all orders is neither."""
    positive, negative = np.zeros(4), np.zeros((4, 99))
    assert lists(evaluator, positive, negative)["RR"].tolist() == pytest.approx([1 / 50.5] * 4)
    assert hits(evaluator, "ogbl-collab", positive, negative.ravel()) == 0.0
    gold, run = {"q": {"true": 1}}, {"q": {"true": 0.0} | {f"n{place}": 0.0 for place in range(99)}}
    right = evaluate(gold, run, "RR HR@50", policy=EXPECTED)
    assert right["RR"] == pytest.approx(sum(1 / place for place in range(1, 101)) / 100)
    assert right["HR@50"] == pytest.approx(0.5)


def test_fault_a_place_between_two_is_no_hit(evaluator):
    """One better, one tie: the mean rank 2.5 is no hit at 2 and one at 3; the chance of a hit at 2 is 1/2."""
    positive, negative = np.array([0.5]), np.array([[0.9, 0.5, 0.1]])
    assert lists(evaluator, positive, negative)["HR@3"].tolist() == [1.0]
    gold, run = {"q": {"true": 1}}, {"q": {"true": 0.5, "a": 0.9, "b": 0.5, "c": 0.1}}
    assert evaluate(gold, run, "HR@2", profile="ogb")["HR@2"] == 0.0
    assert evaluate(gold, run, "HR@2", policy=EXPECTED)["HR@2"] == 0.5


def test_fault_mrr_fails_on_arrays_that_its_input_check_takes(evaluator):
    positive, negative = drawn(0, 5)
    with pytest.raises(TypeError, match="dim"):
        evaluator("ogbl-wikikg2").eval({"y_pred_pos": positive, "y_pred_neg": negative})
