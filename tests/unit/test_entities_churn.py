"""What changed between two resolutions of the same records."""

import json

import polars as pl
import pytest

from assay.errors import InputError
from assay.tasks.entities.churn import compare_resolutions

BEFORE = {"a": 1, "b": 1, "c": 2, "d": 3, "e": 4, "f": 4, "g": 5, "h": 5, "i": 6, "j": 6}
AFTER = {"a": "x", "b": "x", "c": "y", "d": "y", "e": "z", "f": "w", "g": "p", "h": "q", "i": "p", "j": "q"}


def clusters(entities):
    return pl.DataFrame({"record": list(entities), "entity": list(entities.values())})


def test_each_cluster_has_one_fate():
    found = compare_resolutions(clusters(BEFORE), clusters(AFTER))
    assert {one.fate: (one.before, one.after, one.records) for one in found.changes} == {
        "kept": (1, 1, 2), "merged": (2, 1, 2), "split": (1, 2, 2), "regrouped": (2, 2, 4)
    }  # fmt: skip
    assert found.moved == 1 + 1 + 2
    assert (found.pairs.true_positives, found.pairs.false_negatives, found.pairs.false_positives) == (1, 3, 3)
    assert found.rand == (45 - 6) / 45
    assert [(one.low, one.kept, one.split, one.merged, one.regrouped) for one in found.by_size] == [
        (1, 0, 0, 2, 0), (2, 1, 1, 0, 2)
    ]  # fmt: skip
    assert {one.cluster for one in found.splits} == {"4", "5", "6"}
    assert {one.cluster for one in found.merges} == {"y", "p", "q"}
    assert found["regrouped"].records == 4
    with pytest.raises(KeyError):
        found["moved"]


def test_the_same_clusters_under_other_names_are_kept():
    renamed = {record: f"new {entity}" for record, entity in BEFORE.items()}
    found = compare_resolutions(clusters(BEFORE), clusters(renamed))
    assert (found["kept"].before, found.moved, found.rand, found.adjusted_rand) == (6, 0, 1.0, 1.0)
    assert (found.resized, found.notices) == (0, ())


def test_records_in_one_resolution_only_are_counted_apart():
    after = {record: entity for record, entity in BEFORE.items() if record != "a"} | {"new": 4, "newer": 9}
    found = compare_resolutions(clusters(BEFORE), clusters(after))
    assert (found.records, found.removed, found.added, found["kept"].before, found.resized) == (9, 1, 2, 6, 2)
    assert len(found.notices) == 2


def test_a_record_without_a_cluster_is_one_of_its_own():
    found = compare_resolutions(clusters(BEFORE), clusters(BEFORE | {"a": None, "b": None}))
    assert (found["split"].before, found["split"].after, found["kept"].before) == (1, 2, 5)


def test_everything_is_plain_data():
    found = compare_resolutions(clusters(BEFORE), clusters(AFTER))
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["pairs"] == {"kept": 1, "parted": 3, "joined": 3, "possible": 45}
    assert plain["changes"][0] == {"fate": "kept", "before": 1, "after": 1, "records": 2}
    assert repr(found) == "Churn(6 clusters: 1 kept, 1 split, 2 merged, 2 regrouped)"


def test_resolutions_need_records_in_common():
    with pytest.raises(InputError, match="expected records that both have, found none"):
        compare_resolutions(clusters({"a": 1}), clusters({"b": 1}))
    with pytest.raises(InputError, match="found String and Int64"):
        compare_resolutions(clusters({"a": 1}), clusters({1: 1}))
