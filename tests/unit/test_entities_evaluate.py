"""Proposals of every kind held against true entities."""

import random

import jsonschema
import polars as pl
import pytest

import assay
from assay.cli.entities.options import DEFAULTS
from assay.errors import (
    AssayError,
    IncomparableError,
    InputError,
    OverlapError,
    ParameterError,
    UnknownNameError,
    UnsupportedError,
)
from assay.report import entities as drawing
from assay.report.comparison_terminal import render
from assay.report.schema import SCHEMAS
from assay.tasks.entities import truth
from assay.tasks.entities.compare import compare_entities
from assay.tasks.entities.conventions import POLICY
from assay.tasks.entities.evaluate import evaluate_entities

TRUTH = {"r1": "A", "r2": "A", "r3": "A", "r4": "B", "r5": "B", "r6": "C", "r7": None}
LISTS = {"r1": ["r1", "r2", "r4", "r3"], "r2": ["r1", "r3"], "r3": ["r4", "r1"], "r4": ["r5", "r7"], "r5": ["r7", "r4"]}
PAIRS = pl.DataFrame(
    {
        "left": ["r1", "r1", "r3", "r4", "r6"],
        "right": ["r2", "r4", "r2", "r5", "r7"],
        "score": [0.9, 0.8, 0.7, 0.95, 0.2],
    }
)
CLUSTERS = {"r1": "1", "r2": "1", "r3": "2", "r4": "3", "r5": "3", "r6": "3", "r7": "4"}


def document(found):
    made = found.to_dict(command=["entities", "evaluate"])
    jsonschema.validate(made, SCHEMAS["entities evaluate"])
    return made


def test_each_kind_gets_what_it_allows():
    found = evaluate_entities(TRUTH, [LISTS, PAIRS, PAIRS.drop("score"), CLUSTERS], interval=0.9)
    assert [one.kind for one in found.results] == ["lists", "scored pairs", "pairs", "clusters"]
    runs = document(found)["runs"]
    filled = [{name for name in ("records", "blocking", "pairs", "clusters") if run[name]} for run in runs]
    assert filled == [
        {"records", "blocking"},
        {"records", "blocking", "pairs"},
        {"records", "blocking", "pairs"},
        {"clusters"},
    ]
    assert [next(iter(run["measures"])) for run in runs] == ["P@1", "P@1", "SetP", "B3-P"]
    assert runs[1]["pairs"]["curve"]["best"]["threshold"] == 0.7
    assert runs[2]["pairs"]["curve"] is None
    assert all(run["measures"][next(iter(run["measures"]))]["interval"]["level"] == 0.9 for run in runs)
    for width in (80, 120):
        assert max(map(len, drawing.render(found, width).splitlines())) <= width


def test_populations_with_and_without_a_match_are_apart():
    found = evaluate_entities(TRUTH, LISTS, "P@2 R@2 Complete@2 HR@2")
    figures, records = found.evaluations[0], found.results[0].records
    assert figures["P@2"] == pytest.approx((1 + 2 + 1 + 1 + 1 + 0) / 2 / 6)
    assert figures["R@2"] == pytest.approx((0.5 + 1 + 0.5 + 1 + 1) / 5)
    assert figures["Complete@2"] == pytest.approx(3 / 5)
    assert [figures.figure(name).queries for name in ("P@2", "R@2", "Complete@2")] == [6, 5, 5]
    assert (records.with_match, records.without_match, records.rightly_without_candidates) == (5, 1, 1)
    assert figures.policy.changed() == {"empty": "skip", "duplicates": "best", "self_match": "drop"}
    assert figures.figure("P@2").policy.empty == "zero"
    assert any("1 of 6 records have no true match" in said for said in figures.notices)
    skipped = evaluate_entities(TRUTH, LISTS, "P@2", conventions={"empty": "skip"}).evaluations[0]
    assert skipped.figure("P@2").queries == 5


def test_records_without_a_label_are_counted_and_bounded():
    found = evaluate_entities(TRUTH, LISTS, "P@2 R@2")
    records = found.results[0].records
    assert (records.unlabelled, records.unlabelled_candidates) == (1, 2)
    bounds = {one.measure: one.bounds for one in found.beside.health.figures}
    assert bounds["P@2"].low == found.evaluations[0]["P@2"] < bounds["P@2"].high == pytest.approx(8 / 12)
    assert "1 record carries no label: they are not asked, and are 2 candidates" in found.notices[0]
    assert evaluate_entities({**TRUTH, "r7": "D"}, LISTS, "P@2").beside.health is None
    clusters = evaluate_entities(TRUTH, CLUSTERS).results[0].clusters
    assert (clusters.unlabelled, len(clusters.bounds) > 0) == (1, True)


def test_repeats_count_once_and_rows_in_any_order():
    rows = [("r1", "r4", 0.5), ("r1", "r2", 0.4), ("r1", "r4", 0.1), ("r1", "r3", 0.3), ("r2", "r1", 0.3)]
    made = []
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        lists = pl.DataFrame(rows, schema=["record", "candidate", "score"], orient="row")
        made.append(evaluate_entities(TRUTH, lists, "P@3 R@3 AP", interval=0.9))
    first = made[0].evaluations[0]
    assert first.per_query.filter(query="r1", measure="R@3")["value"].to_list() == [1.0]
    assert first.audit.duplicates == 1
    for other in made[1:]:
        assert other.evaluations[0].figures == first.figures
        assert other.results[0].blocking == made[0].results[0].blocking


def test_blocking_and_the_scorer_are_told_apart():
    blocked = pl.DataFrame({"left": ["r1", "r2", "r4"], "right": ["r2", "r3", "r6"]})
    found = evaluate_entities(TRUTH, PAIRS, blocked=blocked, threshold=0.75).results[0]
    assert (found.blocking.found, found.blocking.true_pairs, found.blocking.distinct) == (2, 4, 3)
    scorer = found.scorer
    assert (scorer.blocked, scorer.found, scorer.found_blocked, scorer.beyond) == (2, 2, 1, 3)
    assert (scorer.blocking_recall, scorer.scorer_recall, scorer.end_to_end_recall) == (0.5, 0.5, 0.5)
    best = evaluate_entities(TRUTH, PAIRS, blocked=blocked).results[0].scorer
    assert (best.threshold, best.scorer_recall, best.end_to_end_recall) == (0.7, 1.0, 0.75)
    whole = evaluate_entities(TRUTH, PAIRS.drop("score"), blocked=PAIRS).results[0].scorer
    assert (whole.threshold, whole.scorer_recall) == (None, 1.0)


def test_measures_by_pair_of_sources():
    sources = {"r1": "s", "r2": "t", "r3": "u", "r4": "s", "r5": "t", "r6": "u", "r7": "s"}
    found = evaluate_entities(TRUTH, LISTS, "R@1 Complete@1", sources=sources)
    assert (found.mode, found.truth.sources) == ("link", 3)
    between = {(one.left, one.right): (one.records, one.measures["R@1"]) for one in found.results[0].records.by_sources}
    # the best candidate of each record among those of one other source
    assert between == {
        ("s", "t"): (2, 1.0), ("s", "u"): (1, 1.0), ("t", "s"): (2, 0.5),
        ("t", "u"): (1, 1.0), ("u", "s"): (1, 0.0), ("u", "t"): (1, 0.0),
    }  # fmt: skip
    assert "From source to source" in drawing.render(found)
    document(found)


def test_slices_by_size_source_and_file(tmp_path):
    sources = dict.fromkeys(TRUTH, "s") | {"r1": "t", "r4": "t"}
    sizes = evaluate_entities(TRUTH, LISTS, "R@2", by="size").beside.slices[0]
    assert (sizes.column, sizes.groups) == ("size", {"1": 1, "2": 2, "3": 3})
    by = evaluate_entities(TRUTH, [LISTS, CLUSTERS], "R@2", by="source", sources=sources, mode="both").beside.slices
    assert [one.groups for one in by] == [{"s": 4, "t": 2}] * 2
    path = tmp_path / "towns.csv"
    path.write_text("record,town\nr1,here\nr2,there\n")
    towns = evaluate_entities(TRUTH, LISTS, "R@2", by=str(path)).beside.slices[0]
    assert (towns.groups, towns.unassigned) == ({"here": 1, "there": 1}, 4)


def test_candidates_may_be_clusters():
    members = {"r1": "C1", "r2": "C2", "r3": "C2", "r4": "C3", "r5": "C3", "r6": "C4", "r7": "C5"}
    lists = {"r1": ["C1", "C3", "C2"], "r2": ["C2"], "r6": ["C5", "C4"]}
    found = evaluate_entities(TRUTH, lists, "R@1 R@2 P@1", members=members)
    values = {tuple(row[1:3]): row[3] for row in found.evaluations[0].per_query.iter_rows()}
    assert values["R@1", "r1"] == 0.0  # its own cluster is no candidate, C3 is wrong
    assert values["R@2", "r1"] == 1.0  # C2 holds both of its matches
    assert values["R@1", "r2"] == 0.5  # C1 holds the other one
    assert found.results[0].records.unlabelled_candidates == 1
    blocking = found.results[0].blocking
    assert (blocking.found, blocking.distinct) == (3, 6)
    with pytest.raises(ParameterError, match="members: expected clusters"):
        evaluate_entities(TRUTH, CLUSTERS, members=members)


def test_mentions_are_linked_to_entities_or_to_none():
    truth = {"m1": "Q1", "m2": "NIL", "m3": "Q2", "m4": "NIL", "m5": None}
    answers = {"m1": ["Q1", "Q3"], "m3": ["NIL", "Q2"], "m4": ["Q1"], "m5": ["Q1"]}
    found = evaluate_entities(truth, answers, "P@1 RR Complete@2", interval=0.9)
    linking = found.results[0].linking
    assert found.mode == "mentions"
    assert (linking.mentions, linking.known, linking.nil, linking.silent, linking.answered_nil) == (4, 2, 2, 1, 2)
    assert (linking.accuracy, linking.accuracy_known, linking.accuracy_nil, linking.nil_precision) == (
        0.5,
        0.5,
        0.5,
        0.5,
    )
    assert found.evaluations[0]["RR"] == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert found.evaluations[0].audit.extra_queries == ("m5",)
    assert "that says NIL" in found.notices[0]
    document(found)
    other = evaluate_entities({**truth, "m2": "none", "m4": "none"}, answers, "P@1", nil="none")
    assert other.results[0].linking.silent == 1


def test_proposals_are_compared_record_by_record():
    worse = {record: items[1:] for record, items in LISTS.items()}
    found = compare_entities(TRUTH, [LISTS, worse], "R@2 Complete@2", by="size")
    assert found["proposal 2", "R@2"].difference < 0
    assert found["proposal 2", "R@2"].significance.units == 2  # A and B: records of one entity are one unit
    assert found.slices[0].groups == {"1": 1, "2": 2, "3": 3}
    usual = compare_entities(TRUTH, [LISTS, PAIRS])
    assert [figure.name for figure in usual.evaluations[0].figures] == ["Complete@10", "R@10", "P@10", "AP"]
    alone = dict(zip(TRUTH, "abcdefg", strict=True))
    clusters = compare_entities(TRUTH, [CLUSTERS, alone])
    assert clusters["proposal 2", "B3-P"].difference > 0 > clusters["proposal 2", "B3-R"].difference
    with pytest.raises(ParameterError, match="expected two proposals or more, found 1"):
        compare_entities(TRUTH, LISTS)
    with pytest.raises((ParameterError, IncomparableError)):
        compare_entities(TRUTH, [LISTS, CLUSTERS])


def test_more_matches_than_memory_holds_are_refused(monkeypatch):
    monkeypatch.setattr(truth, "MOST", 7)
    with pytest.raises(UnsupportedError, match="expected at most 7 true matches to rank, found 8") as refused:
        evaluate_entities(TRUTH, LISTS)
    assert "entity 'A' alone has 3 records" in refused.value.hint
    assert evaluate_entities(TRUTH, CLUSTERS).results[0].kind == "clusters"


def test_clusters_have_measures_of_their_own():
    assert list(evaluate_entities(TRUTH, CLUSTERS).evaluations[0].mean) == ["B3-P", "B3-R", "B3-F1"]
    assert list(evaluate_entities(TRUTH, CLUSTERS, "b3-f1, B3-P").evaluations[0].mean) == ["B3-F1", "B3-P"]
    with pytest.raises(UnknownNameError, match=r"no measure of clusters is called 'B3-F2'\. Did you mean 'B3-F1'"):
        evaluate_entities(TRUTH, CLUSTERS, "B3-F2")
    with pytest.raises(ParameterError, match="expected one or more, found none"):
        evaluate_entities(TRUTH, CLUSTERS, " ")
    beside = evaluate_entities(TRUTH, [LISTS, CLUSTERS], "R@5")
    assert "clusters have no ranking" in beside.notices[-1]


def test_the_f1_of_records_and_that_of_means_are_told_apart():
    found = evaluate_entities(TRUTH, CLUSTERS)
    own, means = found.evaluations[0]["B3-F1"], found.results[0].clusters.b_cubed.f1
    assert own != pytest.approx(means)
    text = drawing.render(found, 80)
    assert "B3-F1 is the mean of the records' own F1." in text
    assert "Means over 6 labelled records." in text


def test_clusters_are_compared_by_f1_first_or_by_what_is_asked():
    other = CLUSTERS | {"r3": "1"}
    assert compare_entities(TRUTH, [CLUSTERS, other]).measures == ("B3-F1", "B3-P", "B3-R")
    found = compare_entities(TRUTH, [CLUSTERS, other], "B3-R")
    assert found.measures == ("B3-R",)
    assert "truth: 6 labelled records\n" in render(found)


def test_weights_and_exclusions_are_those_of_the_core():
    weights = {record: 1.0 + (record == "r1") for record, entity in TRUTH.items() if entity}
    found = evaluate_entities(TRUTH, LISTS, "R@2", weights=weights, exclude=[("r1", "r4")])
    assert found.evaluations[0]["R@2"] == pytest.approx((2 * 1 + 1 + 0.5 + 1 + 1) / 6)


def test_the_help_names_the_conventions_that_are_used():
    assert POLICY.changed() == DEFAULTS


def test_the_public_names():
    assert assay.evaluate_entities is evaluate_entities
    assert assay.compare_entities is compare_entities


@pytest.mark.parametrize(
    ("proposal", "options", "error", "message"),
    [
        ({"x": ["y"], "y": ["x"]}, {}, OverlapError, "expected queries of the gold such as 'r1'"),
        (LISTS, {"threshold": 0.5}, ParameterError, "threshold: expected pairs with a score"),
        (CLUSTERS, {"blocked": LISTS}, ParameterError, "blocked: expected lists or pairs that blocking kept"),
        ([], {}, InputError, "proposals: expected one or more, found none"),
        (LISTS, {"measures": "R@0"}, AssayError, "k must be an integer of at least 1"),
        (LISTS, {"by": "source"}, ParameterError, "by source: expected the source of each record"),
        (LISTS, {"mode": "merge"}, AssayError, "no mode is called 'merge'"),
    ],
)
def test_mistakes_are_refused(proposal, options, error, message):
    with pytest.raises(error, match=message):
        evaluate_entities(TRUTH, proposal, **options)
