"""Sampled evaluation: what is drawn, how it is corrected, and that it never passes for exact."""

import itertools
import json
from math import comb

import jsonschema
import numpy as np
import pytest
from tests.unit.link_rankings import answers, random_graph, random_scores

from assay.errors import ParameterError, RunError, UnknownNameError
from assay.report.links_sample import render, to_frame
from assay.report.schema.links_sample import LINKS_SAMPLE
from assay.statistics.sampled_ranks import chances, corrected, grid, unbiased_rank
from assay.tasks.links.candidates import seen_candidates
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import rank
from assay.tasks.links.sample import sample_links

GRAPH = random_graph(3, entities=9, triples=80)
MODEL = DistMult(*(np.random.default_rng(1).normal(size=(many, 4)) for many in (9, 2)))


def large_graph(seed=0, entities=400, triples=600):
    """Make triples that a DistMult model predicts in part."""
    rng = np.random.default_rng(seed)
    vectors, relations = rng.normal(size=(entities, 6)), rng.normal(size=(3, 6))
    head, relation = rng.integers(entities, size=triples), rng.integers(3, size=triples)
    scores = (vectors[head] * relations[relation]) @ vectors.T + 1.5 * rng.gumbel(size=(triples, entities))
    rows = np.unique(np.column_stack([head, relation, scores.argmax(axis=1)]), axis=0)
    rng.shuffle(rows)
    graph = KnowledgeGraph.from_arrays(rows[:300], rows[300:350], rows[350:], entities=entities, relations=3)
    return graph, DistMult(vectors, relations)


def test_chances_are_those_of_counting_all_draws():
    pool = [1, 1, 0, 0, 0, 0]
    counted = np.bincount([sum(some) for some in itertools.combinations(pool, 3)], minlength=4) / comb(6, 3)
    np.testing.assert_allclose(chances(6, np.array([2]), 3)[0], counted, atol=1e-12)
    np.testing.assert_allclose(chances(50, np.arange(51), 7).sum(axis=1), 1, atol=1e-12)


def test_a_true_rank_of_51_looks_like_a_hit_among_100_of_1000():
    likely = chances(1000, np.array([50]), 100)[0]
    seen = np.arange(101)
    assert likely @ seen == pytest.approx(5.0)
    assert likely[:10].sum() == pytest.approx(0.9785596706185975, abs=1e-10)
    assert likely @ (1 / (seen + 1)) == pytest.approx(0.19359261845637676, abs=1e-10)
    assert unbiased_rank(1001, 5, 100) == pytest.approx(51.0)
    assert likely @ unbiased_rank(1001, seen, 100) == pytest.approx(51.0)
    steps = grid(1000)
    for naive, value, truth in (
        (likely[:10].sum(), (steps < 10) * 1.0, 0.0),
        (likely @ (1 / (seen + 1)), 1 / (steps + 1), 1 / 51),
    ):
        fixed = likely @ corrected(1000, 100, value, steps)
        assert abs(fixed - truth) < 0.12 * abs(naive - truth)


def test_a_table_that_trusts_the_prior_alone_is_the_posterior_mean():
    steps, value = grid(40), 1 / (grid(40) + 1.0)
    prior = np.diff(np.log(np.append(steps, 41) + 1.0))
    likely = chances(40, steps, 5) * prior[:, None]
    np.testing.assert_allclose(
        corrected(40, 5, value, steps, trust=1.0), value @ likely / likely.sum(axis=0), rtol=1e-9
    )


def test_a_table_minimises_what_it_says():
    steps, value = grid(30), (grid(30) < 3) * 1.0
    prior = np.diff(np.log(np.append(steps, 31) + 1.0))
    likely = chances(30, steps, 6)
    table = corrected(30, 6, value, steps, trust=0.1)

    def loss(some):
        mean = likely @ some
        spread = likely @ np.square(some) - mean**2
        return prior @ (np.square(mean - value) + 0.1 * spread)

    rng = np.random.default_rng(0)
    assert all(loss(table) <= loss(table + 0.01 * rng.normal(size=7)) for _ in range(50))


def test_with_as_many_candidates_as_there_are_the_figures_are_exact():
    found = sample_links(GRAPH, MODEL, negatives=20, exact=0)
    ranks = rank(GRAPH, MODEL).ranks()
    assert found.figure("MRR").sampled == pytest.approx((1 / ranks).mean(), rel=1e-12)
    for one in found.figures:
        assert one.corrected == pytest.approx(one.sampled, rel=1e-12)
        assert one.exact is None
        assert one.anchored is None
    assert found.figure("HR@3").sampled == pytest.approx((ranks <= 3).mean())


@pytest.mark.parametrize("kind", ["uniform", "relation", "hard"])
def test_what_is_drawn_is_counted_as_by_looking(kind):
    scores = random_scores(GRAPH, 2, levels=3)
    model = Scorer(lambda e, r, side: np.stack([scores(side, a, b) for a, b in zip(e, r, strict=True)]), 9, 2)
    found = sample_links(GRAPH, model, negatives=3, kind=kind, exact=0)
    allowed = seen_candidates(GRAPH)
    for row in found.table.iter_rows(named=True):
        tail = row["side"] == "tail"
        given, target = (row["head"], row["tail"]) if tail else (row["tail"], row["head"])
        known = answers(GRAPH, row["side"], given, row["relation"], ["train", "valid", "test"])
        pool = set(allowed[row["side"], row["relation"]].tolist()) if kind == "relation" else set(range(9))
        pool -= known
        assert row["candidates"] == len(pool - {target}) + 1
        assert row["drawn"] == min(3, len(pool))
        own = scores(row["side"], given, row["relation"])[target]
        better = sum(scores(row["side"], given, row["relation"])[one] > own for one in pool)
        assert row["greater"] <= better
        if len(pool) <= 3:
            assert row["greater"] == better


def test_the_exact_ranks_are_those_of_the_full_ranking():
    graph, model = large_graph()
    found = sample_links(graph, model, negatives=20, exact=40)
    every = rank(graph, model)
    exact = every.table.with_columns(rank=every.ranks())
    joined = found.table.join(exact, on=["side", "head", "relation", "tail"], how="inner")
    checked = joined.drop_nulls("exact_rank")
    assert checked.height == 80
    assert checked["exact_rank"].to_list() == checked["rank"].to_list()


def test_corrected_and_anchored_figures_are_nearer_than_naive_ones():
    graph, model = large_graph()
    ranks = rank(graph, model).ranks()
    found = sample_links(graph, model, negatives=40, exact=100)
    for name, truth in (("MRR", (1 / ranks).mean()), ("HR@10", (ranks <= 10).mean())):
        one = found.figure(name)
        assert abs(one.corrected - truth) < 0.4 * abs(one.sampled - truth)
        assert one.anchored.low <= truth <= one.anchored.high
    middle = found.figure("MR")
    assert middle.interval.low <= ranks.mean() <= middle.interval.high
    assert found.figure("MRR").needed > found.exact_triples
    assert found.figure("MR").needed is None


def test_neither_the_order_of_triples_nor_repetition_changes_a_figure():
    graph, model = large_graph()
    rows = graph.splits["test"]
    turned = KnowledgeGraph.from_arrays(
        graph.splits["train"][::-1], graph.splits["valid"], rows[::-1], entities=400, relations=3
    )
    one, two = (
        json.dumps(sample_links(some, model, negatives=15, exact=10, triples=60, seed=4).to_dict()["measures"])
        for some in (graph, turned)
    )
    assert one == two
    other = sample_links(graph, model, negatives=15, exact=10, triples=60, seed=5)
    assert json.dumps(other.to_dict()["measures"]) != one


def test_hard_candidates_have_no_correction_but_a_check():
    graph, model = large_graph()
    other = DistMult(np.random.default_rng(8).normal(size=(400, 3)), np.random.default_rng(9).normal(size=(3, 3)))
    ranks = rank(graph, model).ranks()
    for hard in (None, model, other):
        found = sample_links(graph, model, negatives=20, kind="hard", exact=80, hard=hard)
        assert found.figure("MRR").corrected is None
        assert found.figure("MRR").anchored.low <= (1 / ranks).mean() <= found.figure("MRR").anchored.high
    assert int(found.table["drawn"].min()) == 20
    best = sample_links(graph, model, negatives=20, kind="hard", exact=0, hard=model)
    np.testing.assert_array_equal(np.minimum(ranks, 21), best_order(best, graph, model) + 1)


def best_order(found, graph, model):
    """Return how many of the best 20 beat each triple, in the order of the ranking."""
    keys = ["side", "head", "relation", "tail"]
    return (
        rank(graph, model)
        .table.select(keys)
        .join(found.table, on=keys, how="left", maintain_order="left")["greater"]
        .to_numpy()
    )


def test_the_relation_kind_estimates_constrained_ranks():
    graph, model = large_graph()
    found = sample_links(graph, model, negatives=10, kind="relation", exact=10_000)
    typed = rank(graph, model, Protocol(outside="add"), constrained=seen_candidates(graph))
    assert found.figure("MRR").exact == pytest.approx((1 / typed.ranks("realistic", "typed")).mean())
    assert found.outside == int((~typed.table["typed_inside"]).sum())
    assert any("do not occur in train" in line for line in found.notices)


@pytest.mark.parametrize(("kind", "exact"), [("uniform", 5), ("hard", 5), ("relation", 0)])
def test_the_document_has_its_schema(kind, exact):
    document = sample_links(GRAPH, MODEL, negatives=2, exact=exact, kind=kind).to_dict()
    jsonschema.validate(json.loads(json.dumps(document, allow_nan=False)), LINKS_SAMPLE)


def test_the_result_says_that_it_is_sampled():
    found = sample_links(GRAPH, MODEL, negatives=2, exact=5)
    document = found.to_dict()
    assert document["sampled"] is True
    assert document["protocol_name"] == "sampled-uniform-2"
    assert "runs" not in document
    text = render(found)
    assert text.startswith("SAMPLED (sampled-uniform-2)")
    assert max(map(len, text.splitlines())) <= 80
    assert to_frame(found)["protocol"].unique().to_list() == ["sampled-uniform-2"]


def test_what_cannot_be_sampled_is_refused():
    with pytest.raises(UnknownNameError, match="unifrom"):
        sample_links(GRAPH, MODEL, kind="unifrom")
    with pytest.raises(ParameterError, match="at least 1"):
        sample_links(GRAPH, MODEL, negatives=0)
    with pytest.raises(ParameterError, match="none"):
        sample_links(GRAPH, MODEL, triples=0)
    with pytest.raises(ParameterError, match="confidence"):
        sample_links(GRAPH, MODEL, confidence=1.0)
    broken = Scorer(lambda e, *_: np.full((len(e), 9), np.nan), 9, 2)
    with pytest.raises(RunError, match="none"):
        sample_links(GRAPH, broken, negatives=2)
    with pytest.raises(ParameterError, match="trust"):
        corrected(10, 2, np.ones(11), grid(10), trust=0)
    with pytest.raises(ParameterError, match="up to 3"):
        chances(3, np.array([4]), 2)
