"""Mistakes that were reported of other link-prediction evaluators, as small graphs with the right ranks.

Each line of reported_links.jsonl is one report: where it was made, the input and what must come out.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from assay.engines.blocks import Batch, Lists, count
from assay.errors import RunError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import rank

LINES = Path(__file__).with_name("reported_links.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}
RELATIONS = 1


def report(name):
    one = REPORTS[name]
    return one["input"], one["expected"]


def tails(scores):
    """Return a model that gives the same scores to every question."""
    row = np.array(scores, np.float64)
    return Scorer(lambda entity, *_: np.tile(row, (len(entity), 1)), len(row), RELATIONS)


def asked(given, scores=None, **protocol):
    """Rank the tail of one triple among all entities."""
    size = given["num_entities"]
    graph = KnowledgeGraph.from_arrays([[0, 0, 0]], test=[[1, 0, given["true"]]], entities=size, relations=RELATIONS)
    return rank(graph, tails(given["scores"] if scores is None else scores), Protocol(sides=("tail",), **protocol))


def tail_ranks(ranking, protocol="filtered"):
    found = ranking.ranks(protocol=protocol).tolist()
    return [found[row] for row, side in enumerate(ranking.table["side"]) if side == "tail"]


@pytest.mark.parametrize("name", ["kg-01-constant-model", "kg-02-tie-block"])
def test_ties_make_three_ranks(name):
    given, expected = report(name)
    ranking = asked(given)
    for kind in ("optimistic", "pessimistic", "realistic"):
        assert ranking.ranks(kind).tolist() == [expected["rank"][kind]]


def test_a_model_without_numbers_is_refused_or_last():
    given, _ = report("kg-03-nan-model")
    nothing = [np.nan] * given["num_entities"]
    with pytest.raises(RunError, match="found 5 of 5 that are NaN or infinite"):
        asked(given, nothing)
    ranking = asked(given, nothing, nan="worst")
    assert ranking.ranks("pessimistic").tolist() == [5]
    assert ranking.nan == 5


def test_the_score_of_the_target_comes_from_the_same_kernel():
    given, expected = report("kg-05-true-score-float-path")
    ranking = asked({**given, "scores": given["scores_matrix"]})
    assert [ranking.ranks(kind)[0] for kind in ("optimistic", "pessimistic", "realistic")] == [1, 4, 2.5]
    assert expected["rank"] == {"optimistic": 1, "pessimistic": 4, "realistic": 2.5}
    same = Batch(np.arange(1), "dot", np.array([[0.1, 0.2]]), np.ones((4, 2)))
    counts = count([same], Lists.of(np.array([0]), np.array([1]), 1), {}, entities=4)
    assert (counts.greater[0], counts.equal[0]) == (0, 3)


def test_the_filter_holds_every_split():
    given, expected = report("kg-06-filter-splits")
    splits = [given[name] for name in ("train", "valid", "test")]
    graph = KnowledgeGraph.from_arrays(*splits, entities=given["num_entities"], relations=RELATIONS)
    model = tails(given["tail_scores_for_0_0"])
    everything = rank(graph, model)
    assert tail_ranks(everything, "raw") == expected["raw"]
    assert tail_ranks(everything) == expected["filter_all"]
    for known, name in ((("train",), "filter_train_only"), (("train", "test"), "filter_train_test")):
        assert tail_ranks(rank(graph, model, Protocol(known=known))) == expected[name]
    assert np.mean(1 / np.array(tail_ranks(everything, "raw"))) == pytest.approx(expected["mrr_raw"])


def test_the_filter_of_a_time_holds_what_is_true_then():
    given, expected = report("kg-12-time-aware-filter")
    graph = KnowledgeGraph.from_arrays(given["quads_known"], test=given["test"], entities=5, relations=RELATIONS)
    ranking = rank(graph, tails(given["tail_scores"]), Protocol(sides=("tail",)))
    names = {"raw": "raw", "filtered": "static_filter", "time": "time_aware_filter"}
    assert [ranking.ranks(protocol=one).tolist() for one in names] == [[expected[name]] for name in names.values()]


def test_each_relation_and_side_has_its_candidates():
    given, expected = report("kg-13-type-constrained-candidates")
    rows = {0: given["tail_scores"][0], 1: given["tail_scores"][1]}
    table = np.array([rows.get(head, rows[0]) for head in range(6)])
    model = Scorer(lambda entity, *_: table[entity], 6, RELATIONS)
    graph = KnowledgeGraph.from_arrays(given["known"], test=given["test"], entities=6, relations=RELATIONS)
    sets = {("tail", 0): np.array(given["tail_candidates"]["0"]), ("head", 0): np.array(given["head_candidates"]["0"])}
    missed = rank(graph, model, Protocol(sides=("tail",)), constrained=sets)
    first = expected["first"]
    assert missed.ranks().tolist()[0] == first["unconstrained_rank"]
    assert missed.ranks(protocol="typed").tolist() == [first["constrained_rank"], np.inf]
    assert missed.table["typed_candidates"].to_list() == [first["num_candidates"], 3]
    assert missed.table["typed_inside"].to_list() == [True, False]
    added = rank(graph, model, Protocol(sides=("tail",), outside="add"), constrained=sets)
    assert added.ranks(protocol="typed").tolist() == [2, 1]


def test_both_sides_weigh_the_same():
    given, expected = report("kg-17-sides")
    size = 21
    graph = KnowledgeGraph.from_arrays([[0, 0, 0]], test=[[1, 0, 2], [3, 0, 4]], entities=size, relations=RELATIONS)
    wanted = {("tail", 1): (2, given["tail_ranks"][0]), ("tail", 3): (4, given["tail_ranks"][1])}
    wanted |= {("head", 2): (1, given["head_ranks"][0]), ("head", 4): (3, given["head_ranks"][1])}

    def scores(entity, relation, side):
        made = np.zeros((len(entity), size))
        for row, one in enumerate(entity.tolist()):
            target, place = wanted[side, one]
            others = [other for other in range(size) if other != target]
            made[row, others[: place - 1]] = 2
            made[row, target] = 1
        return made

    inverse = 1 / rank(graph, Scorer(scores, size, RELATIONS)).ranks()
    assert inverse[:2].mean() == pytest.approx(expected["tail"])
    assert inverse[2:].mean() == pytest.approx(expected["head"])
    assert inverse.mean() == pytest.approx(expected["both"])


def test_unseen_entities_are_kept_or_dropped():
    given, expected = report("kg-23-unseen-entities")
    graph = KnowledgeGraph.from_arrays(
        given["train"], test=given["test"], entities=given["num_entities"], relations=RELATIONS
    )
    for policy in ("keep", "drop"):
        ranking = rank(graph, tails(np.zeros(5)), Protocol(unseen=policy))
        assert ranking.table.height == expected[policy]["n_queries_both_sides"]
        assert set(ranking.table["raw_candidates"]) == {expected[policy]["num_entities"]}
        assert ranking.dropped == (expected["affected_test_triples"] if policy == "drop" else 0)


def test_every_report_is_looked_at():
    text = Path(__file__).read_text("utf-8")
    assert [name for name in REPORTS if f'"{name}"' not in text] == []
