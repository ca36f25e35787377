"""`assay evaluate`: intervals, groups of queries, costs and bounds beside the figures."""

import json

import jsonschema
import pytest

from assay.report.schema import SCHEMAS


@pytest.fixture
def files(tmp_path):
    """A gold standard of 24 queries, a run that finds all, one that finds every other; groups, costs, clusters."""
    queries = [f"q{i:02}" for i in range(24)]
    (tmp_path / "gold.qrels").write_text("".join(f"{q} 0 a 1\n{q} 0 x 0\n" for q in queries))
    (tmp_path / "all.run").write_text("".join(f"{q} Q0 a 1 2 all\n{q} Q0 n 2 1 all\n" for q in queries))
    half = [(q, "ax"[i % 2]) for i, q in enumerate(queries)]
    (tmp_path / "half.run").write_text("".join(f"{q} Q0 {item} 1 2 half\n" for q, item in half))
    kinds = "".join(f"{q}\t{'odd' if i % 2 else 'even'}\n" for i, q in enumerate(queries))
    (tmp_path / "kinds.tsv").write_text("query\tkind\n" + kinds)
    (tmp_path / "costs.csv").write_text(
        "run,query,tokens\n" + "".join(f"{run},{q},{n}\n" for run, n in (("all", 9), ("half", 2)) for q in queries)
    )
    (tmp_path / "clusters.tsv").write_text(
        "query\tcluster\n" + "".join(f"{q}\tc{i // 4}\n" for i, q in enumerate(queries))
    )
    return tmp_path


def valid(done):
    document = json.loads(done.out)
    jsonschema.validate(document, SCHEMAS["evaluate"])
    return document


def test_an_interval_stands_at_each_mean_and_a_perfect_score_has_room_below(assay, files):
    common = ("evaluate", "gold.qrels", "all.run", "half.run", "-m", "HR@1", "--interval", "0.95")
    runs = valid(assay(*common, "-o", "json"))["runs"]
    perfect, middle = (run["measures"]["HR@1"] for run in runs)
    assert perfect["mean"] == perfect["high"] == 1
    assert 0.8 < perfect["low"] < 0.9
    assert (middle["interval"]["method"], middle["interval"]["units"]) == ("wilson", 24)
    assert middle["low"] < middle["mean"] == 0.5 < middle["high"]
    assert "[" in assay(*common).out


def test_clusters_are_the_units_of_an_interval_also_through_a_pipe(assay, files):
    common = ("evaluate", "gold.qrels", "half.run", "all.run", "-m", "HR@1", "--interval", "0.9", "-o", "json")
    filed = valid(assay(*common, "--weights", "clusters.tsv"))["runs"]
    piped = valid(assay(*common, "--weights", "-", stdin=(files / "clusters.tsv").read_bytes()))["runs"]
    assert filed[0]["measures"]["HR@1"]["interval"]["units"] == 6
    assert [run["measures"] for run in piped] == [run["measures"] for run in filed]


def test_groups_of_queries_name_the_worst(assay, files):
    common = ("evaluate", "gold.qrels", "half.run", "-m", "HR@1", "--by", "kinds.tsv")
    (slicing,) = valid(assay(*common, "-o", "json"))["slices"]
    assert slicing["groups"] == {"even": 12, "odd": 12}
    assert slicing["worst"] == [{"run": "half", "measure": "HR@1", "group": "odd"}]
    assert "BY KIND: even: 12 queries; odd: 12 queries" in assay(*common).out


def test_costs_stand_beside_quality_with_the_front(assay, files):
    common = ("evaluate", "gold.qrels", "all.run", "half.run", "-m", "HR@1", "--costs", "costs.csv")
    costs = valid(assay(*common, "-o", "json"))["costs"]
    assert [(one["run"], one["mean"], one["best"]) for one in costs] == [("all", 9, True), ("half", 2, True)]
    assert "COST OF A QUERY" in assay(*common).out


def test_bounds_follow_from_what_is_not_judged(assay, files):
    common = ("evaluate", "gold.qrels", "all.run", "-m", "P@2", "--bounds")
    (figure,) = valid(assay(*common, "-o", "json"))["health"]["figures"]
    assert figure["bounds"] == {"low": 0.5, "high": 1.0, "exact": True}


def test_what_a_form_does_not_hold_is_said(assay, files):
    done = assay("evaluate", "gold.qrels", "half.run", "-m", "HR@1", "--by", "kinds.tsv", "--bounds", "-o", "csv")
    assert "Note: -o csv leaves out slices and health; -o table and json hold all." in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--interval", "95"), "interval: expected a confidence between 0 and 1, found 95"),
        (("--interval", "0.9", "--seed", "-1"), "seed: expected a whole number of at least 0, found -1"),
        (("--by", "relevnt"), "by: expected a file, or one of relevant, judged, retrieved, found 'relevnt'"),
        (("--costs", "other.csv"), "costs: expected a run such as 'half', found 'zz' and none of these runs"),
        (("--weights", "heavy.tsv"), "weights: expected numbers of at least 0 with a sum above 0, found 1e+308"),
        (("--weights", "minus.tsv"), "weights: expected numbers of at least 0 with a sum above 0, found -1"),
        (("--costs", "-", "--by", "-"), "standard input (-): expected once, found 2 times"),
        (("-m", ""), "measures: expected one or more, found none"),
    ],
)
def test_a_wrong_value_is_named(assay, files, options, message):
    (files / "other.csv").write_text("run,query,tokens\nzz,q00,1\n")
    for name, weight in (("heavy", "1e308"), ("minus", "-1")):
        (files / f"{name}.tsv").write_text("query\tweight\n" + "".join(f"q{i:02}\t{weight}\n" for i in range(24)))
    assert message in assay("evaluate", "gold.qrels", "half.run", *options, expect=2).err


def test_bounds_of_another_aggregate_are_refused(assay, files):
    done = assay("evaluate", "gold.qrels", "all.run", "-m", "P@2", "--bounds", "--aggregate", "micro", expect=2)
    assert "--bounds: expected means over queries, found --aggregate micro" in done.err


def test_columns_that_speak_of_items_are_no_costs(assay, files):
    rows = "query,item,score,tokens\nq00,a,2,120\nq00,n,1,80\nnone,a,1,7\n"
    (files / "items.csv").write_text(rows)
    done = assay("evaluate", "gold.qrels", "items.csv", "-m", "HR@1", "--quiet")
    assert "COST" not in done.out


def test_costs_of_queries_without_gold_do_not_count(assay, files):
    (files / "one.csv").write_text("query,item,score,tokens\nq00,a,2,120\nother,a,1,7\n")
    document = valid(assay("evaluate", "gold.qrels", "one.csv", "-m", "HR@1", "-o", "json"))
    assert [(cost["total"], cost["queries"]) for cost in document["costs"]] == [(120.0, 1)]
