"""Weights, clusters and columns of queries, whatever they are given as."""

import numpy as np
import polars as pl
import pytest

from assay.core.gold import Gold
from assay.errors import InputError
from assay.inputs import as_columns, as_gold, as_loads

GOLD = Gold.from_mapping({query: {"x": 1} for query in ("q1", "q2", "q3", "q4")})
QUERIES = ["q4", "q3", "q2", "q1"]


def loads(**columns):
    return as_loads(pl.DataFrame({"query": QUERIES, **columns}), GOLD)


def test_weights_come_in_the_order_of_the_gold():
    found = loads(traffic=[4, 3, 2, 1])
    assert found.weights.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert (found.clusters, found.cluster_names) == (None, ())
    mapped = as_loads({"q4": 4, "q1": 1, "q2": 2.0, "q3": "3", "q9": 9}, GOLD)
    assert mapped.weights.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert as_loads(dict.fromkeys(QUERIES, 2), GOLD).weights.tolist() == [2.0] * 4


def test_clusters_are_numbered_as_they_appear_and_an_empty_one_is_the_query_itself():
    found = loads(session=["b", None, "a", "b"], weight=[1, 1, 1, 0])
    assert found.clusters.tolist() == [0, 1, 2, 0]
    assert found.cluster_names == ("b", "a", "q3")
    assert found.weights.tolist() == [0.0, 1.0, 1.0, 1.0]
    assert found.clusters.dtype == np.int64


def test_a_cluster_that_is_called_as_a_query_is_not_that_query():
    assert loads(cluster=["", "", "", "q4"]).clusters.tolist() == [0, 1, 2, 3]


def test_paraphrases_belong_to_the_query_they_are_of():
    found = loads(paraphrase_of=["q2", "", "q1", None])
    assert found.clusters.tolist() == [0, 0, 1, 0]
    assert found.cluster_names == ("q1", "q3")
    circle = loads(paraphrase_of=["q3", "q4", "elsewhere", "elsewhere"])
    assert circle.clusters.tolist() == [0, 0, 1, 1]
    assert circle.cluster_names == ("elsewhere", "q3")


def test_a_topic_is_the_query_where_nothing_else_is_and_else_the_cluster():
    frame = pl.DataFrame({"topic": QUERIES, "weight": [1, 1, 1, 1]})
    assert as_loads(frame, GOLD).clusters is None
    assert loads(topic=["a", "a", "b", "b"]).clusters.tolist() == [0, 0, 1, 1]


def test_a_file_has_weights_and_clusters(tmp_path):
    path = tmp_path / "queries.csv"
    path.write_text("qid,demand,Group\nq1,1,a\nq2,2.5,a\nq3,3,\nq4,0,b\n")
    found = as_loads(path, GOLD)
    assert found.weights.tolist() == [1.0, 2.5, 3.0, 0.0]
    assert found.cluster_names == ("a", "q3", "b")


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"q1": 1, "q2": 1}, "found none for 2, such as 'q3'"),
        ({}, "found none for 4"),
        (dict.fromkeys(QUERIES, 0), "a sum above 0, found 0"),
        (dict.fromkeys(QUERIES, -1), "at least 0"),
        (dict.fromkeys(QUERIES, float("nan")), "at least 0"),
        (dict.fromkeys(QUERIES), "at least 0"),
        (dict.fromkeys(QUERIES, "heavy"), "found something else"),
        (pl.DataFrame({"query": [*QUERIES, "q1"], "weight": [1] * 5}), "found 'q1' twice"),
        (pl.DataFrame({"query": QUERIES, "colour": ["red"] * 4}), "weight or the cluster"),
        (pl.DataFrame({"colour": ["red"]}), "a column for the query"),
        (dict.fromkeys(QUERIES, 1e308), r"a sum above 0, found 1e\+308"),
        (5, "weights: expected a path or a dataframe, found int"),
    ],
)
def test_what_is_wrong_with_weights_is_said(given, match):
    with pytest.raises(InputError, match=match):
        as_loads(given, GOLD)


@pytest.mark.parametrize(
    "given",
    [
        pl.DataFrame({"qid": ["q3", "q1", "q9"], "kind": ["short", "", "x"], "hops": [1, 2, 3]}),
        {"query": ["q3", "q1"], "kind": ["short", None], "hops": [1, 2]},
        {"q3": {"kind": "short", "hops": 1}, "q1": {"hops": 2}},
    ],
)
def test_columns_stand_in_the_order_of_the_gold(given):
    found = as_columns(given, GOLD)
    assert found.rows(named=True) == [
        {"query": "q1", "kind": None, "hops": 2},
        {"query": "q2", "kind": None, "hops": None},
        {"query": "q3", "kind": "short", "hops": 1},
        {"query": "q4", "kind": None, "hops": None},
    ]


def test_columns_come_from_a_file_and_numbers_may_name_queries(tmp_path):
    path = tmp_path / "slices.tsv"
    path.write_text("topic\tlanguage\n1\tde\n2\t\n")
    gold = Gold.from_mapping({"1": {"x": 1}, "2": {"x": 1}})
    assert as_columns(path, gold).rows() == [("1", "de"), ("2", None)]
    frame = pl.DataFrame({"query": [2, 1], "language": ["en", "de"]})
    assert as_columns(frame, gold).rows() == [("1", "de"), ("2", "en")]


def test_one_value_for_each_query_is_a_group():
    assert as_columns({"q1": "a", "q4": "b"}, GOLD)["group"].to_list() == ["a", None, None, "b"]


@pytest.mark.parametrize(
    ("given", "match"),
    [
        (pl.DataFrame({"query": ["q1", "q1"], "kind": ["a", "b"]}), "found 'q1' twice"),
        (pl.DataFrame({"query": ["q1"]}), "a column beside 'query'"),
        (pl.DataFrame({"query": ["q9"], "kind": ["a"]}), "rows for queries of the gold such as 'q1'"),
        (pl.DataFrame({"kind": ["a"]}), "a column for the query"),
    ],
)
def test_what_is_wrong_with_columns_is_said(given, match):
    with pytest.raises(InputError, match=match):
        as_columns(given, GOLD)


def test_a_file_without_names_is_refused_where_they_should_stand(tmp_path):
    path = tmp_path / "hops.csv"
    path.write_text("q1,easy\nq2,hard\n")
    with pytest.raises(InputError) as raised:
        as_columns(path, GOLD)
    assert raised.value.message.startswith(f"{path}, line 1: expected a column for the query (query, query_id,")
    assert raised.value.hint == "a file of text names its columns in its first line, such as query,group."
    with pytest.raises(InputError, match=r"columns=\{"):
        Gold.from_frame(pl.DataFrame({"first": ["q1"], "item": ["a"]}))


def test_a_file_of_several_judges_is_no_gold_and_the_hint_says_what_makes_it_one(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("query,item,judge,grade\nq1,a,ann,1\nq1,b,bob,\n")
    with pytest.raises(InputError, match="line 3: expected a number as grade, found ''") as raised:
        as_gold(path)
    assert "assay gold adjudicate" in raised.value.hint
