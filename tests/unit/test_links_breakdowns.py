"""Breakdowns of link ranks: each figure is that of the rows of its group."""

import json

import numpy as np
import polars as pl
import pytest
from tests.unit.link_rankings import brute_ranking, random_graph, random_scores

from assay.errors import FormatError, InputError, ParameterError
from assay.tasks.links.breakdowns import categories_of, columns_of, degrees_of, read_types
from assay.tasks.links.evaluate import evaluate_ranking
from assay.tasks.links.graph import KnowledgeGraph


@pytest.fixture
def ranking():
    graph = random_graph(4, triples=60)
    return brute_ranking(graph, random_scores(graph, 4))


def reciprocal(table):
    return table.with_columns(rr=1 / (pl.col("greater") + 1 + pl.col("equal") / 2))


def figures(ranking, by, **options):
    (slicing,) = evaluate_ranking(ranking, "MRR", by=[by], **options).breakdowns
    return slicing, {one.group: (one.mean, one.queries) for one in slicing.figures}


def test_relations_and_sides(ranking):
    for by in ("relation", "side"):
        slicing, found = figures(ranking, by)
        for (group,), rows in reciprocal(ranking.table).group_by(by):
            name = f"r{group}" if by == "relation" else group
            assert found[name] == (pytest.approx(rows["rr"].mean()), rows.height)
        assert sum(slicing.groups.values()) == ranking.table.height
    assert list(figures(ranking, "side")[0].groups) == ["tail", "head"]


def test_categories_say_splits_and_threshold():
    train = [[0, 0, 1], [0, 0, 2], [3, 1, 1], [3, 2, 1], [4, 2, 1], [0, 3, 1], [0, 3, 2], [4, 3, 1], [4, 3, 2]]
    graph = KnowledgeGraph.from_arrays(train, test=[[0, 4, 1], [3, 1, 2], [3, 1, 4]])
    assert categories_of(graph).to_list() == ["1-N", "1-1", "N-1", "N-N", "not in train"]
    assert categories_of(graph, splits=("train", "test"))[1] == "1-N"
    assert categories_of(graph, threshold=2)[0] == "1-1"
    assert set(categories_of(graph)[:4]) == {"1-1", "1-N", "N-1", "N-N"}


def test_a_relation_at_the_threshold_is_one_to_one():
    graph = KnowledgeGraph.from_arrays([[0, 0, 1], [0, 0, 2], [3, 0, 4]])
    assert categories_of(graph)[0] == "1-1"  # 3 triples of 2 heads: 1.5 tails per head


def test_categories_do_not_mix_sides(ranking):
    slicing, found = figures(ranking, "category")
    categories = categories_of(ranking.graph)
    for (relation, side), rows in reciprocal(ranking.table).group_by("relation", "side"):
        group = f"{categories[relation]} {side}"
        alike = [n for n, one in enumerate(categories) if one == categories[relation]]
        if len(alike) == 1:
            assert found[group] == (pytest.approx(rows["rr"].mean()), rows.height)
    assert "1.5" in slicing.column


def test_degrees_of_the_true_entity_in_train(ranking):
    degrees = degrees_of(ranking.graph)
    train = ranking.graph.splits["train"]
    assert degrees.sum() == 2 * len(train)
    columns = columns_of(ranking, ["degree"])
    named = dict(zip(columns["query"], columns["degree"], strict=True))
    assert named == {
        name: degrees[int(name.rpartition(" e")[2])] for name in columns["query"]
    }  # fmt: skip
    slicing, found = figures(ranking, "degree")
    assert sum(slicing.groups.values()) == ranking.table.height
    whole = sum(mean * rows for mean, rows in found.values()) / ranking.table.height
    assert whole == pytest.approx(evaluate_ranking(ranking, "MRR")["RR"])


def test_an_entity_with_two_types_counts_in_both(ranking):
    types = {"e0": ["place", "city"], "e1": ["place"], "e2": [], "e9": ["city"]}
    slicing, found = figures(ranking, "type", types=types)
    for group, targets in (("place", [0, 1]), ("city", [0])):
        rows = reciprocal(ranking.table).filter(pl.col("target").is_in(targets))
        assert found[group] == (pytest.approx(rows["rr"].mean()), rows.height)
    assert slicing.unassigned == ranking.table.filter(~pl.col("target").is_in([0, 1])).height


def test_types_of_no_entity_of_the_graph_are_refused(ranking):
    with pytest.raises(ParameterError, match="such as 'e"):
        evaluate_ranking(ranking, by=["type"], types={"paris": ["city"]})


def test_groups_have_intervals_only_where_they_are_asked_for(ranking):
    slicing, _ = figures(ranking, "side")
    assert all(one.interval.low is None for one in slicing.figures)
    slicing, _ = figures(ranking, "side", interval=0.9)
    assert all(one.interval.low <= one.mean <= one.interval.high for one in slicing.figures)
    assert all(one.interval.units < one.queries for one in slicing.figures)


def test_rows_without_a_value_leave_their_group():
    graph = random_graph(4, triples=60)
    typed = {(side, relation): {0, 1, 2} for side in ("tail", "head") for relation in range(2)}
    ranking = brute_ranking(graph, random_scores(graph, 4), typed=typed)
    from assay.tasks.links.breakdowns import breakdowns_of
    from assay.tasks.links.evaluate import evaluation_of

    evaluation = evaluation_of(ranking, "typed", "MR")
    (slicing,) = breakdowns_of(ranking, evaluation, ["relation"])
    inside = ranking.table.filter("typed_inside").with_columns(
        rank=pl.col("typed_greater") + 1 + pl.col("typed_equal") / 2
    )
    for one in slicing.figures:
        rows = inside.filter(pl.col("relation") == int(one.group[1:]))
        assert (one.mean, one.queries) == (pytest.approx(rows["rank"].mean()), rows.height)


def test_types_are_read_from_json_and_from_rows(tmp_path):
    one, other, wrong = (tmp_path / name for name in ("types.json", "types.tsv", "wrong.tsv"))
    one.write_text(json.dumps({"a": ["x", "y"], "b": "x"}))
    other.write_text("entity\ttype\na\tx\na\ty\nb\tx\n")
    wrong.write_text("a\tx\na\tx\ty\n")
    assert read_types(one) == read_types(other) == {"a": ["x", "y"], "b": ["x"]}
    with pytest.raises(FormatError, match="line 2"):
        read_types(wrong)
    one.write_text("{nothing")
    with pytest.raises(InputError, match="JSON"):
        read_types(one)


def test_every_measure_keeps_its_own_average(ranking):
    (slicing,) = evaluate_ranking(ranking, "MedianRank AMRI", by=["side"]).breakdowns
    rows = ranking.table.with_columns(rank=pl.col("greater") + 1 + pl.col("equal") / 2)
    for side in ("tail", "head"):
        part = rows.filter(pl.col("side") == side)
        found = {one.measure: one.mean for one in slicing.figures if one.group == side}
        assert found["MedianRank"] == part["rank"].median()
        chance = (part["candidates"] + 1).mean() / 2
        assert found["AMRI"] == pytest.approx(1 - (part["rank"].mean() - 1) / (chance - 1))
    assert np.isfinite([one.mean for one in slicing.figures]).all()
