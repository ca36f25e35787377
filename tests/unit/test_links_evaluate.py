"""Link predictors judged: every protocol against brute force, and the figures that are known by hand."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.link_rankings import answers, brute_ranking, one_question, random_graph, random_scores

from assay.core.policy import Policy
from assay.errors import ParameterError, UnknownNameError, UnsupportedError
from assay.measures import parse
from assay.tasks.links.evaluate import evaluate_links, evaluate_ranking
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.judged import ranks_per_query, ranks_per_triple
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import Ranking, rank

KINDS = ("optimistic", "realistic", "pessimistic", "expected")


def ranking_of(rows, entities=9):
    """Make a ranking of tails of different questions from greater, equal and candidates of each."""
    triples = np.array([(i, 0, (i + 1) % entities) for i in range(len(rows))], np.int64)
    graph = KnowledgeGraph(pl.Series([f"e{i}" for i in range(entities)]), pl.Series(["r"]), {"test": triples})
    table = pl.DataFrame({
        "side": ["tail"] * len(rows), "head": triples[:, 0], "relation": triples[:, 1], "tail": triples[:, 2],
        "query": range(len(rows)), "target": triples[:, 2], "score": [0.0] * len(rows),
        "greater": [row[0] for row in rows], "equal": [row[1] for row in rows], "candidates": [row[2] for row in rows],
    })  # fmt: skip
    return Ranking(table, graph, Protocol(sides=("tail",)), "made")


def ties(ranking, measure, protocol="filtered"):
    return evaluate_ranking(ranking, measure).under(protocol).figure(measure).ties


def test_a_constant_model_is_not_perfect():
    found = one_question([0.0] * 5, [2])
    assert ties(found, "MR") == {"optimistic": 1, "realistic": 3, "pessimistic": 5, "expected": 3}
    assert ties(found, "RR") == pytest.approx(
        {"optimistic": 1, "realistic": 1 / 3, "pessimistic": 0.2, "expected": 137 / 300}, rel=1e-15
    )
    assert ties(found, "HR@1") == {"optimistic": 1, "realistic": 0, "pessimistic": 0, "expected": pytest.approx(0.2)}
    assert evaluate_ranking(found).filtered.tied_share == 1


def test_a_block_of_ties_has_four_ranks():
    found = one_question([0.9, 0.5, 0.5, 0.5, 0.1, 0.5], [2])
    assert ties(found, "MR") == {"optimistic": 2, "realistic": 3.5, "pessimistic": 5, "expected": 3.5}
    assert ties(found, "RR")["expected"] == pytest.approx(0.32083333333333336, rel=1e-15)
    assert ties(found, "HR@3")["expected"] == pytest.approx(0.5)
    assert ties(found, "HR@3")["realistic"] == 0


def test_sides_stand_beside_their_union():
    scores = {"tail": {0: 1, 1: 2}, "head": {2: 10, 3: 20}}
    graph = KnowledgeGraph(
        pl.Series([str(i) for i in range(40)]), pl.Series(["r"]), {"test": np.array([(0, 0, 2), (1, 0, 3)])}
    )
    rows = [
        {
            "side": side, "head": h, "relation": 0, "tail": t, "query": number, "target": t if side == "tail" else h,
            "score": 0.0, "greater": scores[side][h if side == "tail" else t] - 1, "equal": 0, "candidates": 40,
        }
        for number, (side, h, t) in enumerate((s, h, t) for s in ("tail", "head") for h, t in ((0, 2), (1, 3)))
    ]  # fmt: skip
    found = evaluate_ranking(Ranking(pl.DataFrame(rows), graph, Protocol(), "made"), "MRR")
    assert found["RR"] == pytest.approx(0.4125)
    assert found["MRR"] == found["RR"]
    assert found.filtered.figure("RR", "tail").mean == pytest.approx(0.75)
    assert found.filtered.figure("RR", "head").mean == pytest.approx(0.075)


def test_adjusted_figures_are_ratios_of_sums_over_triples():
    found = evaluate_ranking(ranking_of([(0, 0, 10), (1, 0, 10), (9, 0, 20)]), "AMR AMRI AdjustedMRR AdjustedHits@1")
    wanted = {
        "AMR": 0.6046511627906976, "AMRI": 0.4594594594594595,
        "AdjustedMRR": 0.3734109720010291, "AdjustedHits@1": 0.27272727272727276,
    }  # fmt: skip
    assert found.mean == pytest.approx(wanted, rel=1e-14)


def test_a_question_with_many_answers_is_a_list_under_its_own_name():
    found = evaluate_ranking(
        one_question([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2], [0, 3, 6], train=[1]), "P@3 R@3 F1@3 HR@3 RR AP nDCG@3"
    )
    lists = found.under("multi-answer")
    assert {figure.name: figure.mean for figure in lists.figures} == pytest.approx(
        {
            "P@3": 2 / 3, "R@3": 2 / 3, "F1@3": 2 / 3, "HR@3": 1, "RR": 1, "AP": 0.7222222222222222,
            "nDCG@3": 0.7039180890341347,
        },
        rel=1e-14,
    )  # fmt: skip
    assert found["RR"] == pytest.approx((1 + 1 / 2 + 1 / 4) / 3)
    assert lists.queries == 1
    assert lists.ranks == 3


def test_average_precision_of_a_list_is_divided_by_all_answers():
    scores = [0.9, 0.6, 0.7, 0.8, 0.5, 0.4, 0.3]
    found = evaluate_ranking(one_question(scores, [0, 2, 4, 5, 6]), "AP@3 AP(norm='min')@3 AP(norm='found')@3").under(
        "multi-answer"
    )
    values = [figure.mean for figure in found.figures]
    assert values == pytest.approx([1 / 3, 5 / 9, 5 / 6])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_every_protocol_is_that_of_brute_force(seed):
    graph, typed = random_graph(seed), {}
    rng = np.random.default_rng(seed)
    for side in ("tail", "head"):
        for relation in range(2):
            typed[side, relation] = set(np.flatnonzero(rng.random(6) < 0.7).tolist())
    scores = random_scores(graph, seed)
    model = Scorer(lambda e, r, side: np.stack([scores(side, a, b) for a, b in zip(e, r, strict=True)]), 6, 2)
    counted = rank(graph, model, constrained={key: np.array(sorted(one), np.int64) for key, one in typed.items()})
    brute = brute_ranking(graph, scores, typed=typed)
    shared = [name for name in brute.table.columns if name != "query"]
    assert counted.table.select(shared).equals(
        brute.table.select(shared).cast(dict(counted.table.select(shared).schema))
    )
    one, other = (evaluate_ranking(found, "RR MR HR@3 AP").to_dict(per_query=True) for found in (counted, brute))
    assert one["runs"][0]["measures"] == other["runs"][0]["measures"]
    assert one["protocols"] == other["protocols"]
    assert one["runs"][0]["per_query"] == other["runs"][0]["per_query"]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_a_list_holds_what_its_ranking_holds(seed):
    graph = random_graph(seed)
    scores = random_scores(graph, seed, levels=50_000)
    judged = ranks_per_query(brute_ranking(graph, scores)).judged
    values = parse("AP").kernel(judged.under(Policy(ties="optimistic")))
    for name, value in zip(judged.names, values, strict=True):
        side = "head" if name.startswith("(?") else "tail"
        parts = [int(part[1:]) for part in name.strip("()").split(", ") if part != "?"]
        given_, relation = parts if side == "tail" else reversed(parts)
        right = answers(graph, side, given_, relation, ["test"])
        before = answers(graph, side, given_, relation, ["train", "valid"]) - right
        order = sorted(set(range(6)) - before, key=lambda one: -scores(side, given_, relation)[one])
        assert value == pytest.approx(parse("AP").of([float(one in right) for one in order], [1] * len(right)))


def test_averages_by_query_and_by_relation():
    graph = random_graph(3)
    ranking = brute_ranking(graph, random_scores(graph, 3))
    table = ranking.table.with_columns(rr=1 / (pl.col("greater") + 1 + pl.col("equal") / 2))
    figure = evaluate_ranking(ranking, "MRR").filtered.figure("RR")
    assert figure.mean == pytest.approx(table["rr"].mean(), rel=1e-14)
    assert figure.by_query == pytest.approx(table.group_by("query").agg(pl.col("rr").mean())["rr"].mean(), rel=1e-14)
    assert figure.by_relation == pytest.approx(
        table.group_by("relation").agg(pl.col("rr").mean())["rr"].mean(), rel=1e-14
    )
    median = evaluate_ranking(ranking, "MedianRank").filtered.figure("MedianRank")
    assert median.ties["expected"] is None
    assert median.by_relation == pytest.approx(
        table.group_by("relation").agg(rank=(1 / pl.col("rr")).median())["rank"].mean(), rel=1e-14
    )


def test_a_target_outside_its_candidates_is_a_miss_unless_it_is_added():
    graph = KnowledgeGraph(pl.Series(list("abcdef")), pl.Series(["r"]), {"test": np.array([(0, 0, 2)])})
    typed = {("tail", 0): {3, 4, 5}}
    scores = lambda *_: np.array([0.9, 0.8, 0.7, 0.5, 0.6, 0.2])  # noqa: E731
    missed = evaluate_ranking(brute_ranking(graph, scores, Protocol(sides=("tail",)), typed), "RR MR HR@1").under(
        "typed"
    )
    assert (missed["RR"], missed["MR"], missed["HR@1"], missed.outside) == (0, None, 0, 1)
    added = Protocol(sides=("tail",), outside="add")
    found = evaluate_ranking(brute_ranking(graph, scores, added, typed), "RR MR").under("typed")
    assert (found["RR"], found["MR"], found.outside) == (1, 1, 0)


def test_figures_do_not_depend_on_the_order_of_the_triples():
    graph = random_graph(5)
    scores = random_scores(graph, 5)
    turned = KnowledgeGraph(
        graph.entities, graph.relations, {split: rows[::-1].copy() for split, rows in graph.splits.items()}, name="tiny"
    )
    one, other = (
        evaluate_ranking(brute_ranking(g, scores), interval=0.9, by=["relation", "degree"]) for g in (graph, turned)
    )
    assert [figure.mean for figure in one.filtered.figures] == pytest.approx(
        [figure.mean for figure in other.filtered.figures], rel=1e-14
    )
    assert one.worst == other.worst
    for a, b in zip(one.breakdowns, other.breakdowns, strict=True):
        assert a.groups == b.groups
        assert [figure.mean for figure in a.figures] == pytest.approx([figure.mean for figure in b.figures], rel=1e-14)


def test_intervals_take_each_question_as_one_unit():
    graph = random_graph(8, triples=60)
    found = evaluate_ranking(brute_ranking(graph, random_scores(graph, 8)), "MRR", interval=0.95)
    interval = found.filtered.figure("RR").interval
    assert interval.units == found.filtered.queries < found.filtered.ranks
    assert interval.low < found["RR"] < interval.high


def test_the_json_is_strict_and_holds_every_protocol():
    graph = random_graph(1)
    found = evaluate_ranking(brute_ranking(graph, random_scores(graph, 1)), by=["category"])
    document = json.loads(json.dumps(found.to_dict(command=["links"]), allow_nan=False))
    assert list(document["protocols"]) == ["raw", "multi-answer"]
    measures = document["runs"][0]["measures"]
    assert measures["RR"]["requested"] == "MRR"
    assert set(measures["RR"]["ties"]) == set(KINDS)
    assert measures["RR"]["queries"] == document["runs"][0]["ranks"] == 2 * len(graph.splits["test"])
    assert document["protocol"]["known"] == ["train", "valid", "test"]
    assert document["graph"]["entities"] == 6
    assert document["breakdowns"][0]["column"].startswith("category and side (train, more than 1.5)")
    assert len(document["worst"]) == 10


def test_what_a_reader_should_know_is_said():
    graph = KnowledgeGraph.from_arrays([["a", "r", "b"]], test=[["a", "r", "c"], ["b", "r", "a"]])
    model = Scorer(lambda e, *_: np.zeros((len(e), 3)), 3, 1)
    found = evaluate_links(graph, model, protocol=Protocol(known=("train",)))
    said = " ".join(found.notices)
    assert "tie with other candidates (100 %)" in said
    assert "test is not among the known splits" in said
    assert "2 questions hold an entity or relation that train does not; they are kept" in said
    dropped = evaluate_links(graph, model, protocol=Protocol(unseen="drop"))
    assert dropped.dropped == 1
    assert "1 triple is left out" in " ".join(dropped.notices)


def test_one_triple_at_two_times_has_two_names():
    rows = [("a", "r", "b", 1), ("a", "r", "b", 2), ("a", "r", "c", 2)]
    graph = KnowledgeGraph.from_arrays([("a", "r", "c", 1)], test=rows)
    model = Scorer(lambda e, *_: np.tile([0.1, 0.3, 0.2], (len(e), 1)), 3, 1)
    ranking = rank(graph, model)
    names = ranks_per_triple(ranking, side="tail").judged.names.to_list()
    assert names == ["(a, r, ?) b", "(a, r, ?) b #2", "(a, r, ?) c"]
    questions = ranks_per_query(ranking).judged
    assert len(set(questions.names)) == questions.queries
    assert {"time", "filtered", "raw", "multi-answer"} == {one.protocol for one in evaluate_ranking(ranking).results}


def test_queries_are_sorted_by_bytes_and_keep_their_relation():
    graph = random_graph(11)
    ranks = ranks_per_triple(brute_ranking(graph, random_scores(graph, 11)))
    names = ranks.judged.names.to_list()
    assert names == sorted(names, key=str.encode)
    assert all(f"r{number}" in name for name, number in zip(names, ranks.relation, strict=True))


def test_what_does_not_exist_is_named():
    graph = random_graph(0)
    ranking = brute_ranking(graph, random_scores(graph, 0), Protocol(sides=("tail",)))
    with pytest.raises(UnknownNameError, match="typed"):
        ranks_per_triple(ranking, "typed")
    with pytest.raises(ParameterError, match="side head"):
        ranks_per_triple(ranking, side="head")
    with pytest.raises(UnknownNameError, match="bucket"):
        evaluate_ranking(ranking, by=["bucket"])
    with pytest.raises(UnknownNameError, match="filterd"):
        evaluate_ranking(ranking).under("filterd")
    with pytest.raises(ParameterError, match="by type"):
        evaluate_ranking(ranking, by=["type"])
    with pytest.raises(KeyError):
        evaluate_ranking(ranking, "MRR")["HR@5"]
    with pytest.raises(UnsupportedError):
        evaluate_ranking(ranking, "alpha_nDCG@5")
