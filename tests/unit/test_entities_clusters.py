"""Clusters judged: what is counted, left out, listed and refused, on small examples worked by hand."""

import json
import sys

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError, UnknownNameError
from assay.tasks.entities.clusters import judge_clusters
from assay.tasks.entities.contingency import align, number, tabulate

TRUTH = {"a1": "A", "a2": "A", "a3": "A", "b1": "B", "b2": "B", "c1": "C"}


def clusters(entities):
    schema = {"record": pl.String, "entity": pl.String}
    return pl.DataFrame({"record": list(entities), "entity": list(entities.values())}, schema=schema)


def test_the_truth_against_itself_is_perfect():
    found = judge_clusters(clusters(TRUTH), clusters(TRUTH))
    for figure in (
        found.pairwise,
        found.b_cubed,
        found.exact_cluster,
        found.muc,
        found.ceaf_m,
        found.ceaf_e,
        found.lea,
    ):
        assert (figure.precision, figure.recall, figure.f1) == (1.0, 1.0, 1.0)
    assert (found.homogeneity, found.completeness, found.v_measure, found.adjusted_rand) == (1.0, 1.0, 1.0, 1.0)
    assert (found.split, found.merged, found.splits, found.merges, found.notices) == (0, 0, (), (), ())


def test_no_pair_proposed_leaves_precision_undefined():
    alone = {record: record for record in TRUTH}
    found = judge_clusters(clusters(TRUTH), clusters(alone))
    assert (found.pairwise.precision, found.pairwise.recall, found.pairwise.f1) == (None, 0.0, 0.0)
    assert (found.muc.precision, found.muc.recall) == (None, 0.0)
    assert found.b_cubed.precision == 1.0
    assert any("precision are undefined" in notice for notice in found.notices)


def test_only_single_records_have_no_pairs_at_all():
    alone = clusters({"x": "1", "y": "2"})
    found = judge_clusters(alone, alone)
    assert (found.pairwise.precision, found.pairwise.recall, found.pairwise.f1) == (None, None, None)
    assert (found.lea.f1, found.exact_cluster.f1, found.adjusted_rand) == (1.0, 1.0, 1.0)
    assert found.by_size[0].pairwise_recall is None


def test_records_without_a_label_make_no_figure_but_bounds():
    proposed = TRUTH | {"u1": "A", "u2": "D"}
    found = judge_clusters(clusters(TRUTH | {"u2": None}), clusters(proposed))
    assert (found.unlabelled, found.records, found.pairwise.precision) == (2, 6, 1.0)
    bounds = {one.figure: one for one in found.bounds}
    precision = bounds["pairwise precision"]
    assert (precision.low, precision.high, precision.exact) == (4 / 7, 1.0, True)
    assert bounds["b_cubed precision"].low == (3 * 3 / 4 + 1 / 4 + 2 + 1 + 1) / 8
    assert any("2 of 8 records have no true entity" in notice for notice in found.notices)


def test_records_without_a_proposal_are_clusters_of_their_own():
    proposed = {record: entity for record, entity in TRUTH.items() if record != "a3"} | {"c1": None}
    found = judge_clusters(clusters(TRUTH), clusters(proposed))
    assert (found.missing, found.records, found.proposed_clusters) == (2, 6, 4)
    assert found.pairwise.recall == 2 / 4
    assert found.exact_cluster.counts["exact"] == 2
    assert [part.cluster for part in found.splits[0].parts] == ["A", None]
    assert any("2 labelled records are in no proposed cluster" in notice for notice in found.notices)


def test_splits_and_merges_are_listed_largest_first_with_their_members():
    proposed = {"a1": "x", "a2": "x", "a3": "y", "b1": "y", "b2": "z", "c1": "z"}
    found = judge_clusters(clusters(TRUTH), clusters(proposed))
    assert (found.split, found.merged) == (2, 2)
    first = found.splits[0]
    assert (first.cluster, first.records, first.pieces) == ("A", 3, 2)
    assert [(part.cluster, part.records, part.members) for part in first.parts] == [
        ("x", 2, ("a1", "a2")),
        ("y", 1, ("a3",)),
    ]
    assert [merge.cluster for merge in found.merges] == ["y", "z"]
    assert [part.cluster for part in found.merges[0].parts] == ["A", "B"]


def test_lists_are_capped_but_counts_are_whole():
    proposed = {"a1": "x", "a2": "y", "a3": "z", "b1": "x", "b2": "y", "c1": "z"}
    found = judge_clusters(clusters(TRUTH), clusters(proposed), listed=1, members=2)
    assert (found.split, len(found.splits), found.splits[0].pieces, len(found.splits[0].parts)) == (2, 1, 3, 2)
    none = judge_clusters(clusters(TRUTH), clusters(proposed), listed=0)
    assert (none.split, none.splits, none.merges) == (2, (), ())


def test_figures_by_the_size_of_true_clusters():
    proposed = {"a1": "x", "a2": "x", "a3": "y", "b1": "z", "b2": "z", "c1": "y"}
    found = judge_clusters(clusters(TRUTH), clusters(proposed))
    shown = [(one.low, one.high, one.clusters, one.records, one.exact, one.split, one.merged) for one in found.by_size]
    assert shown == [(1, 1, 1, 1, 0, 0, 1), (2, 2, 1, 2, 1, 0, 0), (3, 3, 1, 3, 0, 1, 1)]
    assert [one.pairwise_recall for one in found.by_size] == [None, 1.0, 1 / 3]
    assert sum(one.b_cubed_recall * one.records for one in found.by_size) / 6 == pytest.approx(found.b_cubed.recall)


def test_large_clusters_share_the_last_size():
    found = judge_clusters(np.zeros(150, np.int64), np.arange(150) // 100)
    assert [(one.low, one.high, one.clusters) for one in found.by_size] == [(100, None, 1)]


def test_without_scipy_only_the_assignment_is_undefined(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    # No edge here weighs as much as the others at both its ends, so that the table has to be solved.
    true, proposed = np.repeat(np.arange(4), [3, 2, 3, 2]), np.array([0, 0, 1, 0, 1, 2, 2, 3, 2, 3])
    found = judge_clusters(np.concatenate([true, [0, 2]]), np.concatenate([proposed, [1, 3]]))
    assert found.ceaf_m.f1 is None
    assert found.pairwise.f1 is not None
    assert any("ceaf_m is undefined" in notice and "assay[stats]" in notice for notice in found.notices)


def test_pairs_between_sources_need_sources():
    with pytest.raises(InputError, match="expected the source of each record"):
        judge_clusters(clusters(TRUTH), clusters(TRUTH), link="link")
    with pytest.raises(UnknownNameError, match="Did you mean 'link'"):
        judge_clusters(clusters(TRUTH), clusters(TRUTH), link="lnk")


def test_only_pairs_between_sources_count_when_sources_are_linked():
    sources = clusters({record: record[1] for record in TRUTH}).rename({"entity": "source"})
    found = judge_clusters(clusters(TRUTH), clusters(dict.fromkeys(TRUTH, "x")), sources=sources, link="link")
    assert (found.pairs.possible, found.pairs.proposed, found.pairs.true) == (11, 11, 4)
    assert {(one.left, one.right): one.counts.true for one in found.by_sources} == {
        ("1", "2"): 2, ("1", "3"): 1, ("2", "3"): 1
    }  # fmt: skip
    assert found.b_cubed == judge_clusters(clusters(TRUTH), clusters(dict.fromkeys(TRUTH, "x"))).b_cubed
    with pytest.raises(InputError, match=r"expected a source for each record, found none for 'c1'"):
        judge_clusters(clusters(TRUTH), clusters(TRUTH), sources=sources.filter(pl.col("record") != "c1"))


def test_everything_is_plain_data():
    found = judge_clusters(clusters(TRUTH | {"u": None}), clusters(TRUTH | {"u": "A", "b1": "A"}))
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["b_cubed"]["precision"] == found.b_cubed.precision
    assert plain["merges"][0]["parts"][0]["members"] == ["a1", "a2", "a3"]
    assert plain["bounds"][0]["figure"] == "pairwise precision"
    assert repr(found).startswith("ClusterFigures(6 records, pairwise F1 ")


@pytest.mark.parametrize(
    ("truth", "proposed", "message"),
    [
        (pl.DataFrame({"id": [1]}), clusters(TRUTH), "truth: expected the columns record and entity, found id"),
        (clusters(TRUTH), pl.concat([clusters(TRUTH)] * 2), "proposed: expected each record once, found 'a1' again"),
        (clusters(TRUTH), pl.DataFrame({"record": [1], "entity": ["A"]}), "found String and Int64"),
        (clusters({"x": None}), clusters(TRUTH), "found no labelled record"),
        (clusters(TRUTH), np.zeros(6, np.int64), "expected two frames or two arrays, found one of each"),
        (np.zeros(2, np.int64), np.zeros(3, np.int64), "expected a proposed cluster for 2 records, found 3"),
    ],
)
def test_what_is_no_clusters_is_refused(truth, proposed, message):
    with pytest.raises(InputError) as caught:
        judge_clusters(truth, proposed)
    assert message in str(caught.value)


def test_numbers_are_names_of_clusters_like_any_other():
    for names in ([5, None, 7, 5], [-3, None, 10**12, -3], ["b", None, "x", "b"], [0.5, None, 1.5, 0.5]):
        codes, known = number(pl.Series(names))
        assert [None if code < 0 else known[code] for code in codes.tolist()] == names


def test_the_same_records_need_no_order():
    truth, proposed = clusters(TRUTH), clusters(TRUTH | {"b2": "A"})
    one, other = align(truth, proposed).table(), align(truth.reverse(), proposed).table()
    for name in ("true", "proposed", "shared", "true_sizes", "proposed_sizes", "whole_sizes"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_a_table_needs_a_labelled_record():
    with pytest.raises(InputError, match="no labelled record"):
        tabulate(np.array([-1, -1]), np.array([0, 1]))
