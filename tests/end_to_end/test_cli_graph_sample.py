"""`assay graph sample`, `estimate` and `plan`: from a graph to its accuracy, as people go about it."""

import csv
import json
from io import StringIO

import jsonschema
import polars as pl
import pytest

from assay.report.schema import SCHEMAS

PREFIX = "@prefix : <http://x/> .\n"


@pytest.fixture
def graph(tmp_path):
    lines = [
        f':e{person} a :Person ; :worksIn :d{person % 7} ; :name "P{person}" ; :phone {person if person % 5 else 0} .'
        for person in range(150)
    ]
    (tmp_path / "staff.ttl").write_text(PREFIX + "\n".join(lines))
    return tmp_path


def label(path, most=10_000):
    """Say that a phone number of 0 is wrong, and everything else right."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if int(row["draw"]) <= most:
            row["label"] = "wrong" if row["object"].startswith('"0"') else "right"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("design", ["simple", "cluster", "stratified"])
def test_a_sample_is_drawn_labelled_estimated_and_drawn_further(assay, graph, design):
    how = ["staff.ttl", "--design", design, "--out", "labels.csv"]
    done = assay("graph", "sample", *how, "--size", "60")
    assert done.out == ""
    assert "labels.csv: 6" in done.err
    assert "assay graph estimate labels.csv" in done.err
    label(graph / "labels.csv")
    first = assay("graph", "estimate", "labels.csv", "--margin", "0.02").out
    assert first.startswith("ACCURACY 0.")
    assert "GO ON: ± 0." in first
    assert max(map(len, first.splitlines())) <= 80
    assert "were there" in assay("graph", "sample", *how, "--size", "300").err
    assert "300 drawn" not in first
    waiting = json.loads(assay("graph", "estimate", "labels.csv", "-o", "json").out)
    assert waiting["open"] >= 238
    label(graph / "labels.csv")
    document = json.loads(assay("graph", "estimate", "labels.csv", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["graph estimate"])
    assert document["judged"] >= 300
    assert document["low"] < 0.95 < document["high"]
    assert document["stop"]["enough"] is True
    assert "STOP: ± 0." in assay("graph", "estimate", "labels.csv").out


def test_a_label_file_of_another_graph_or_design_stays_as_it_is(assay, graph):
    assay("graph", "sample", "staff.ttl", "--out", "labels.csv")
    before = (graph / "labels.csv").read_text()
    assert "expected a label file of this design" in assay(
        "graph", "sample", "staff.ttl", "--seed", "1", "--out", "labels.csv", expect=2
    ).err  # fmt: skip
    assert "draw at least as many" in assay(
        "graph", "sample", "staff.ttl", "--size", "50", "--out", "labels.csv", expect=2
    ).err  # fmt: skip
    with (graph / "staff.ttl").open("a") as file:
        file.write(":new a :Person .")
    assert "this design and graph" in assay("graph", "sample", "staff.ttl", "--out", "labels.csv", expect=2).err
    assert (graph / "labels.csv").read_text() == before


@pytest.mark.usefixtures("graph")
def test_a_sample_for_programs(assay):
    plain = assay("graph", "sample", "staff.ttl", "--size", "5").out
    rows = list(csv.DictReader(StringIO(plain)))
    assert len(rows) == 5
    assert list(rows[0]) == [
        "id", "draw", "stratum", "weight", "subject", "predicate", "object", "judge", "label", "note", "design",
    ]  # fmt: skip
    document = json.loads(assay("graph", "sample", "staff.ttl", "--size", "5", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["graph sample"])
    assert [row["id"] for row in document["rows"]] == [row["id"] for row in rows]


def test_an_estimate_for_programs_and_pages(assay, graph):
    assay("graph", "sample", "staff.ttl", "--design", "stratified", "--out", "labels.csv")
    label(graph / "labels.csv")
    frame = pl.read_csv(StringIO(assay("graph", "estimate", "labels.csv", "-o", "csv").out))
    assert set(frame["of"]) == {"all", "stratum", "predicate"}
    assert frame.filter(of="all")["judged"].to_list() == [100]
    assert "| phone |" in assay("graph", "estimate", "labels.csv", "-o", "markdown").out
    exact = json.loads(assay("graph", "estimate", "labels.csv", "--interval", "exact", "-o", "json").out)
    assert exact["interval"]["method"] == "exact"
    assert set(exact["others"]) == {"wilson", "agresti-coull", "jeffreys", "hpd", "ahpd", "wald"}
    assert "wilson is usual" in assay("graph", "estimate", "labels.csv", "--interval", "wald", expect=2).err
    assert "fill the column label" in assay("graph", "estimate", "-", stdin=(
        (graph / "labels.csv").read_text().replace(",right,", ",,").replace(",wrong,", ",,").encode()
    ), expect=2).err  # fmt: skip


def test_a_plan_with_and_without_a_graph(assay, graph):
    text = assay("graph", "plan", "staff.ttl", "--expect", "0.9", "--price", "30").out
    assert text.startswith("To know the accuracy of 600 statements of 150 subjects to ± 0.05")
    assert "one by one" in text
    assert max(map(len, text.splitlines())) <= 80
    document = json.loads(assay("graph", "plan", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["graph plan"])
    assert document["by_design"][0]["statements"] == 381
    assert document["statements"] is None
    assay("graph", "sample", "staff.ttl", "--design", "cluster", "--out", "labels.csv")
    label(graph / "labels.csv")
    pilot = json.loads(assay("graph", "plan", "staff.ttl", "--pilot", "labels.csv", "-o", "json").out)
    assert pilot["accuracy"] > 0.8
    frame = pl.read_csv(StringIO(assay("graph", "plan", "--per-subject", "1,4", "-o", "csv").out))
    assert frame.filter(by="design")["per_subject"].to_list() == [1, 4]
    assert "two numbers such as 45,25" in assay("graph", "plan", "--seconds", "45", expect=2).err
    assert "above 0 and below 0.5" in assay("graph", "plan", "--margin", "0.9", expect=2).err
