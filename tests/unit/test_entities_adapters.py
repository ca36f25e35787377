"""Results of splink, dedupe, recordlinkage and pyJedAI as they come; stand-ins have the shape of the real ones."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from assay.errors import InputError
from assay.tasks.entities.adapters import adapted, of_dedupe, of_pyjedai, of_recordlinkage, of_splink
from assay.tasks.entities.evaluate import evaluate_entities
from assay.tasks.entities.records import as_listing

TRUTH = {"a": "x", "b": "x", "c": "y"}


def test_frames_of_splink():
    predictions = pd.DataFrame(
        {"match_weight": [3.0], "match_probability": [0.9], "unique_id_l": ["a"], "unique_id_r": ["b"], "name_l": ["A"]}
    )
    found = as_listing(predictions)
    assert (found.kind, found.table.rows()) == ("pairs", [("a", "b", 0.9)])
    live = SimpleNamespace(as_pandas_dataframe=lambda: predictions, physical_name="__splink__df_predict")
    assert as_listing(live).table.rows() == of_splink(predictions).table.rows() == [("a", "b", 0.9)]
    clusters = as_listing(pd.DataFrame({"cluster_id": ["a", "a"], "unique_id": ["a", "b"], "surname": ["A", "A"]}))
    assert (clusters.kind, clusters.table.rows()) == ("clusters", [("a", "a"), ("b", "a")])
    two = pd.DataFrame(
        {
            "source_dataset_l": ["s"],
            "unique_id_l": [1],
            "source_dataset_r": ["t"],
            "unique_id_r": [1],
            "match_probability": [1],
        }
    )
    assert as_listing(two).sourced


def test_clusters_pairs_and_matches_of_dedupe():
    partition = [(("a", "b"), np.array([0.9, 0.8])), (("c",), (1.0,))]
    assert of_dedupe(partition).table.rows() == [("a", "0"), ("b", "0"), ("c", "1")]
    assert of_dedupe([(("a", "b"), np.float32(0.5))]).kind == "pairs"
    search = [("a", (("b", 0.5), ("c", 0.25))), ("b", ())]
    assert of_dedupe(search).table.rows() == [("a", "b", 0.5), ("a", "c", 0.25)]
    found = evaluate_entities(TRUTH, partition)
    assert found.results[0].clusters.pairwise.f1 == 1.0


def test_an_index_of_recordlinkage():
    index = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    assert of_recordlinkage(index).table.rows() == [("a", "b"), ("a", "c")]
    scores = pd.Series([0.5, 0.25], index=index)
    assert as_listing(scores).table.rows() == [("a", "b", 0.5), ("a", "c", 0.25)]
    assert as_listing(scores.to_frame()).table.rows() == [("a", "b", 0.5), ("a", "c", 0.25)]
    features = pd.DataFrame({"name": [1.0, 0.0], "town": [1.0, 1.0]}, index=index)
    with pytest.raises(InputError, match="expected one score for each pair, found 2 columns of features"):
        of_recordlinkage(features)
    assert evaluate_entities(TRUTH, index).results[0].pairs.precision == 0.5


class Graph:
    """What a graph of networkx shows."""

    nodes = (0, 1, 2)

    def edges(self, data):
        assert data
        return [(0, 1, {"weight": 0.75}), (2, 1, {"weight": 0.5})]


CLEAN = SimpleNamespace(
    is_dirty_er=False, dataset_limit=1, _gt_to_ids_reversed_1={0: "p"}, _gt_to_ids_reversed_2={1: "q", 2: "p"}
)
DIRTY = SimpleNamespace(is_dirty_er=True, dataset_limit=None, _gt_to_ids_reversed_1={0: "a", 1: "b", 2: "c"})


def test_graphs_clusters_and_blocks_of_pyjedai():
    assert as_listing(Graph()).table.rows() == [("0", "1", 0.75), ("2", "1", 0.5)]
    assert of_pyjedai(Graph(), data=DIRTY).table.rows() == [("a", "b", 0.75), ("c", "b", 0.5)]
    assert of_pyjedai([{0, 1}, {2}], data=DIRTY).table.rows() == [("a", "0"), ("b", "0"), ("c", "1")]
    assert of_pyjedai({0: {1, 2}}, data=DIRTY).table.rows() == [("a", "b"), ("a", "c")]
    blocks = {"key": SimpleNamespace(entities_D1={0, 1, 2}, entities_D2=set())}
    assert of_pyjedai(blocks).table.rows() == [("0", "1"), ("0", "2"), ("1", "2")]
    assert adapted(blocks, "blocks").kind == "pairs"
    assert evaluate_entities(TRUTH, of_pyjedai([{0, 1}, {2}], data=DIRTY)).results[0].clusters.pairwise.f1 == 1.0


def test_two_clean_sources_of_pyjedai():
    blocks = {"key": SimpleNamespace(entities_D1={0}, entities_D2={1, 2})}
    assert of_pyjedai(blocks, data=CLEAN).table.rows() == [("p", "q"), ("p", "p")]
    clusters = of_pyjedai([{0, 2}, {1}], data=CLEAN)
    assert clusters.sourced
    truth = pd.DataFrame({"left": ["p"], "right": ["p"]})
    found = evaluate_entities(truth, [of_pyjedai(blocks, data=CLEAN), clusters], mode="link")
    assert found.results[0].pairs.counts.true_positives == 1
    assert found.results[1].clusters.pairwise.f1 == 1.0


def test_other_things_are_none_of_them():
    for other in ({"a": "x"}, [], ["a.csv"], 3, pd.DataFrame({"left": [1]})):
        assert adapted(other, "x") is None
