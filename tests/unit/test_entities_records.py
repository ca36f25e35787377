"""Clusters, lists and pairs: told apart by columns, read from anywhere, refused with a place."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from assay.errors import GoldError, InputError, ParameterError, UnknownNameError
from assay.tasks.entities.records import as_clusters, as_listing, read_sources, read_weights
from assay.tasks.entities.setting import settle
from assay.tasks.entities.truth import Truth


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        (("record", "entity"), "clusters"),
        (("cluster_id", "unique_id"), "clusters"),
        (("Cluster ID", "id"), "clusters"),
        (("record", "candidate", "score"), "lists"),
        (("query", "candidate_id", "rank"), "lists"),
        (("left", "right"), "pairs"),
        (("unique_id_l", "unique_id_r", "match_probability"), "pairs"),
        (("id_a", "id_b", "probability"), "pairs"),
        (("ltable_id", "rtable_id", "probability"), "pairs"),
        (("D1", "D2"), "pairs"),
    ],
)
def test_columns_tell_what_a_table_is(columns, kind):
    found = as_listing(pl.DataFrame({name: ["1", "2"] for name in columns}))
    assert found.kind == kind
    assert found.scored == (len(columns) == 3)


@pytest.mark.parametrize("mark", [",", "\t", "parquet"])
def test_files_are_read_by_what_is_in_them(tmp_path, mark):
    frame = pl.DataFrame({"record": [1, 2], "candidate": [2, 1], "score": [0.5, 0.25]})
    path = tmp_path / "found.parquet" if mark == "parquet" else tmp_path / "found.csv"
    frame.write_parquet(path) if mark == "parquet" else frame.write_csv(path, separator=mark)
    found = as_listing(path)
    assert found.table.rows() == [("1", "2", 0.5), ("2", "1", 0.25)]
    assert found.name == "found"
    assert len(found.origin.digest()) == 64


def test_an_empty_entity_is_no_label():
    found = as_listing(pl.DataFrame({"record": ["a", "b", "c"], "entity": ["x", "", None]}))
    assert found.table["entity"].to_list() == ["x", None, None]


def test_lists_without_scores_are_best_first():
    found = as_listing(pl.DataFrame({"record": ["a", "a"], "candidate": ["b", "c"]}))
    assert found.table["score"].to_list() == [0.0, -1.0]
    ranks = as_listing(pl.DataFrame({"record": ["a", "a"], "candidate": ["b", "c"], "rank": ["2", "1"]}))
    assert ranks.table["score"].to_list() == [-2.0, -1.0]


def test_mappings_and_pandas():
    assert as_listing({1: "x", 2: None}).table.rows() == [("1", "x"), ("2", None)]
    assert as_listing({"a": {"b": 0.5}}).table.rows() == [("a", "b", 0.5)]
    assert as_listing({"a": ["b", ("c", 0.1)]}).table["score"].to_list() == [-1.0, 0.1]
    assert as_listing(pd.DataFrame({"left": [1], "right": [2]})).table.rows() == [("1", "2")]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"a": ["1"], "b": ["2"]}, "expected clusters, candidate lists or pairs, found the columns"),
        ({"record": ["a", None], "entity": ["x", "x"]}, "expected a record in each row"),
        ({"record": ["a", "a"], "entity": ["x", "y"]}, "expected each record in one cluster, found 'a' in x, y"),
        ({"left": ["a", "b"], "right": ["b", ""]}, "expected a right in each row"),
        ({"left": ["a"], "right": ["b"], "score": ["high"]}, "expected a number as score in each row, found 'high'"),
        ({"record": [], "entity": []}, "expected rows, found none"),
    ],
)
def test_what_cannot_be_read_is_refused(table, message):
    with pytest.raises(InputError, match=message):
        as_listing(pl.DataFrame(table, schema=dict.fromkeys(table, pl.String)), "some.csv")


def test_other_things_are_refused():
    with pytest.raises(InputError, match="expected a path, a mapping or a dataframe, found int"):
        as_listing(3)
    with pytest.raises(InputError, match="expected clusters, found pairs"):
        as_clusters(pl.DataFrame({"left": ["a"], "right": ["b"]}))


def test_sources_are_one_for_each_record():
    assert read_sources({2: "b", 1: "a"}).rows() == [("1", "a"), ("2", "b")]
    with pytest.raises(InputError, match="expected one source for each record, found '1' with several"):
        read_sources(pl.DataFrame({"record": [1, 1], "source": ["a", "b"]}))
    with pytest.raises(InputError, match="expected the columns record and source"):
        read_sources(pl.DataFrame({"record": [1]}))


def test_weights_of_entities(tmp_path):
    path = tmp_path / "weights.csv"
    path.write_text("entity,weight\nx,0.5\n")
    assert read_weights(path).rows() == [("x", 0.5)]
    path.write_text("entity,weight\nx,much\n")
    with pytest.raises(InputError, match="expected a number as weight, found 'much'"):
        read_weights(path)


# ------------------------------------------------------------------------------------------- setting


def settled(truth, *given, **options):
    return settle(as_listing(truth), [as_listing(one) for one in given], **options)


def test_sources_say_which_pairs_are_asked_for():
    truth = {"a1": "x", "b1": "x", "a2": "y"}
    across = {"a1": "a", "a2": "a", "b1": "b"}
    assert settled(truth, {"a1": ["b1"]}, sources=across)[0].link == "link"
    assert settled(truth, {"a1": ["b1"]}, sources={**across, "b1": "a", "a2": "b"})[0].link == "both"
    assert settled(truth, {"a1": ["b1"]}, sources=dict.fromkeys(across, "a"))[0].link == "dedupe"
    assert settled(truth, {"a1": ["b1"]}, mode="dedupe", sources=across)[0].link == "dedupe"


def test_lists_that_hold_no_record_that_asks_are_two_sources():
    setting, _, _ = settled({"a1": "x", "b1": "x"}, {"a1": ["b1"], "a2": ["b1"]})
    assert setting.link == "link"
    assert "two sources (--mode link)" in setting.notices[0]
    assert settled({"a1": "x", "b1": "x"}, {"a1": ["b1"], "b1": ["a2"]})[0].link == "dedupe"


def test_a_record_that_stands_in_no_list_gets_the_other_side():
    setting, _, _ = settled({"a1": "x", "b1": "x", "a2": "y", "b2": "y", "z": "z"}, {"a1": ["b1", "b2"]})
    sides = dict(setting.known.rows())
    assert sides == {"a1": "left", "a2": "left", "b1": "right", "b2": "right", "z": None}
    assert "1 record of the gold stands in no list" in setting.notices[1]


def test_ids_that_stand_on_both_sides_are_two_records():
    gold = pl.DataFrame({"D1": [0, 1], "D2": [0, 2]})
    setting, truth, (lists,) = settled(gold, {0: [0, 1]}, mode="link")
    assert truth.table["left"].to_list() == ["left:0", "left:1"]
    assert lists.table["candidate"].to_list() == ["right:0", "right:1"]
    assert setting.possible == 2 * 3


def test_ids_of_several_sources_need_the_source_in_each_file():
    columns = {"source_dataset_l": ["a"], "unique_id_l": [1], "source_dataset_r": ["b"], "unique_id_r": [1]}
    clusters = pl.DataFrame({"record": ["1"], "entity": ["x"]})
    with pytest.raises(
        InputError, match=r"truth: expected the source of each record, as '1' stands in several \(a, b\)"
    ):
        settle(as_listing(clusters, "truth"), [as_listing(pl.DataFrame(columns))])
    named = pl.DataFrame({"record": ["1", "1"], "source": ["a", "b"], "entity": ["x", "x"]})
    setting, truth, _ = settle(as_listing(named), [as_listing(pl.DataFrame(columns))])
    assert (setting.link, truth.table["record"].to_list()) == ("link", ["a:1", "b:1"])


def test_modes_that_cannot_be():
    with pytest.raises(UnknownNameError, match=r"no mode is called 'dedup'\. Did you mean 'dedupe'"):
        settled({"a": "x"}, {"a": ["b"]}, mode="dedup")
    with pytest.raises(ParameterError, match="mode both: expected records of two sources or more, found one"):
        settled({"a": "x", "b": "x"}, {"a": ["b"]}, mode="both")
    with pytest.raises(InputError, match="expected a source for each record, found none for 1, such as 'c'"):
        settled({"a": "x", "b": "x"}, {"a": ["c"]}, sources={"a": "1", "b": "2"})


# ------------------------------------------------------------------------------------------- truth


def test_true_pairs_make_clusters_and_say_what_they_imply():
    gold = pl.DataFrame({"left": ["b", "b", "c", "d", "d"], "right": ["a", "c", "b", "d", "e"]})
    setting, listing, _ = settled(gold, {"a": ["f"], "f": ["a"]})
    truth = Truth.of(listing, setting)
    assert truth.pairs.rows() == [("a", "b"), ("b", "c"), ("d", "e")]
    assert dict(truth.clusters.rows()) == {"a": "a", "b": "a", "c": "a", "d": "d", "e": "d", "f": "f"}
    assert truth.implied == 1
    assert [said.split(" of the gold")[0] for said in truth.notices[:2]] == ["1 pair", "1 pair"]
    matches = {frozenset(row) for row in truth.matches(setting).rows()}
    assert matches == {frozenset(pair) for pair in ("ab", "bc", "de")}


def test_lists_and_clusters_without_labels_are_no_truth():
    setting, listing, _ = settled({"a": ["b"]}, {"a": ["b"], "b": ["a"]})
    with pytest.raises(GoldError, match="expected true clusters or pairs, found candidate lists"):
        Truth.of(listing, setting)
    setting, listing, _ = settled({"a": None, "b": None}, {"a": ["b"], "b": ["a"]})
    with pytest.raises(GoldError, match="expected an entity for some record, found none"):
        Truth.of(listing, setting)


def test_nothing_depends_on_the_order_of_rows():
    rows = [("b", "a"), ("b", "c"), ("e", "d"), ("f", "e")]
    made = []
    for order in (slice(None), slice(None, None, -1)):
        gold = pl.DataFrame(rows[order], schema=["left", "right"], orient="row")
        setting, listing, _ = settled(gold, {"a": ["b"], "b": ["a"]})
        made.append(Truth.of(listing, setting).clusters.rows())
    assert made[0] == made[1]
    assert np.unique([entity for _, entity in made[0]]).tolist() == ["a", "d"]
