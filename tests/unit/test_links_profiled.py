"""Profiles of tools that judge link predictors: their protocol, and OGB's Hits@K of a file of scores."""

import numpy as np
import pytest

from assay.errors import RunError, UnknownNameError
from assay.tasks.links.evaluate import evaluate_links
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models import Scorer
from assay.tasks.links.models.predictions import Predictions
from assay.tasks.links.profiled import OGB_HITS, SHARED, protocol_like, shared_result, with_profile
from assay.tasks.links.protocol import Protocol

MANY = 40


def listed(true, wrong, extra=()):
    """Return a graph with a test triple for each true score, and these triples, wrong and extra ones as predictions."""
    test = [(0, 0, tail) for tail in range(len(true))]
    false = [(1, 0, tail) for tail in range(len(wrong))]
    graph = KnowledgeGraph.from_arrays([(2, 0, 3), (0, 0, 38)], test=test, entities=MANY, relations=1)
    rows = np.array([*test, *false, *[row for row, _ in extra]], np.int64)
    scores = np.array([*true, *wrong, *[score for _, score in extra]], np.float64)
    return graph, Predictions(rows, scores, MANY, 1)


def under(profile, graph, model, **said):
    protocol = protocol_like(profile, sides=("tail",), **said)
    return with_profile(evaluate_links(graph, model, "RR", protocol=protocol), profile, graph, model, protocol)


def test_what_is_said_outright_wins_over_the_profile():
    assert protocol_like("pykeen") == Protocol(unseen="drop")
    assert protocol_like("pykeen", unseen="keep", ties=None, split="valid") == Protocol(split="valid")
    assert protocol_like("ogb") == protocol_like(None) == Protocol()
    with pytest.raises(UnknownNameError, match="no profile of link prediction is called 'beir'"):
        protocol_like("beir")


def test_a_profile_is_named_in_the_result_and_explained():
    graph, model = listed([0.1, 0.2, 0.3, 0.9], [0.7])
    found = under("pykeen", graph, model)
    assert (found.dropped, found.filtered.ranks) == (1, 3)
    assert found.to_dict()["profile"] == "pykeen"
    assert any(line.startswith("Profile pykeen. PyKEEN's RankBasedEvaluator") for line in found.notices)
    assert found.to_dict()["runs"][0]["notices"] == list(found.notices)
    assert [result.protocol for result in found.results] == ["filtered", "raw", "multi-answer"]


def test_true_triples_are_held_against_all_wrong_ones_in_the_file():
    true = np.array([9.0, 5.0, 5.0, 1.0])
    wrong = [5.0] * 3 + [8.0] * 17 + [2.0] * 15
    found = under("ogb", *listed(true, wrong)).under(SHARED)
    figure = found.figure("OGB-Hits@20")
    assert (figure.mean, figure.rule, figure.queries) == (1 / 4, "pessimistic", 4)
    assert figure.ties == {"optimistic": 3 / 4, "realistic": 3 / 4, "pessimistic": 1 / 4, "expected": 5 / 8}
    assert (found.ranks, found.tied, found.candidates) == (4, 2, (35, 35, 35))


def test_a_triple_that_some_split_holds_is_no_negative():
    graph, model = listed([0.5], [0.1], extra=[((2, 0, 3), 0.9)])
    assert shared_result(graph, model, Protocol()).candidates[0] == 1
    assert shared_result(graph, model, Protocol(known=())).candidates[0] == 1


def test_fewer_negatives_than_k_are_said():
    found = under("ogb", *listed([0.1], [0.9] * 30))
    assert [figure.mean for figure in found.under(SHARED).figures] == [0, 1, 1]
    assert [line for line in found.notices if line.startswith("OGB-Hits@")] == [
        f"OGB-Hits@{k} is 1 by OGB's rule: there are only 30 negatives." for k in OGB_HITS[1:]
    ]


def test_a_true_triple_that_is_not_listed_is_a_miss():
    graph, _ = listed([0.1, 0.2], [0.0] * 30)
    model = Predictions(np.array([(0, 0, 0), *((1, 0, tail) for tail in range(30))]), np.r_[0.1, np.zeros(30)], MANY, 1)
    assert shared_result(graph, model, Protocol())["OGB-Hits@20"] == 0.5


@pytest.mark.parametrize("wrong", [[], None])
def test_without_negatives_that_is_said(wrong):
    graph, model = listed([0.9, 0.5], [])
    if wrong is None:
        model = Scorer(lambda entity, *_: np.zeros((len(entity), MANY)), MANY, 1)
    found = under("ogb", graph, model)
    assert SHARED not in [result.protocol for result in found.results]
    assert "OGB's Hits@K needs scored triples that no split holds" in " ".join(found.notices)


def test_scores_that_are_no_numbers_are_refused_or_last():
    graph, model = listed([0.9, np.nan], [0.7] * 20)
    with pytest.raises(RunError, match="positive scores: expected numbers, found 1"):
        shared_result(graph, model, Protocol())
    assert shared_result(graph, model, Protocol(nan="worst"))["OGB-Hits@20"] == 0.5
