"""`assay predict`: few human judgments, many of a machine, on the command line."""

import json

import jsonschema
import pytest

from assay.report.schema import SCHEMAS


@pytest.fixture
def judged(tmp_path):
    """A run of 40 queries that answers three of four, a machine that is wrong on each fifth, people on 24 queries."""
    queries = [f"q{i:02}" for i in range(40)]
    right = {q: int(i % 4 > 0) for i, q in enumerate(queries)}
    said = {q: right[q] if i % 5 else 1 - right[q] for i, q in enumerate(queries)}
    (tmp_path / "people.qrels").write_text("".join(f"{q} 0 a {right[q]}\n" for q in queries[:24]))
    (tmp_path / "machine.qrels").write_text("".join(f"{q} 0 a {said[q]}\n" for q in queries))
    (tmp_path / "a.run").write_text("".join(f"{q} Q0 a 1 1 a\n" for q in queries))
    return tmp_path


def test_the_machine_is_corrected_by_people(assay, judged):
    done = assay("predict", "people.qrels", "machine.qrels", "a.run", "-m", "HR@1 RR")
    assert "24 queries judged by people, 40 by a machine" in done.out
    assert "HR@1" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_json_follows_its_schema_and_says_what_was_computed(assay, judged):
    document = json.loads(assay("predict", "people.qrels", "machine.qrels", "a.run", "-m", "HR@1", "-o", "json").out)
    jsonschema.validate(document, SCHEMAS["predict"])
    (figure,) = document["predicted"]
    assert (figure["run"], figure["measure"], figure["human"], figure["machine"]) == ("a", "HR@1", 0.75, 0.65)
    assert (figure["queries_human"], figure["queries_machine"]) == (24, 40)
    assert figure["interval"]["low"] < figure["estimate"] < figure["interval"]["high"]


def test_people_may_come_through_a_pipe(assay, judged):
    common = ("machine.qrels", "a.run", "-m", "HR@1", "--out", "found.json")
    assay("predict", "-", *common, stdin=(judged / "people.qrels").read_bytes())
    assert json.loads((judged / "found.json").read_text())["predicted"][0]["human"] == 0.75


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("machine.qrels", "people.qrels", "a.run"), "people: expected judgments for each query of machine"),
        (("people.qrels", "machine.qrels", "a.run", "-m", "GMAP"), "GMAP: expected a mean over queries"),
        (("people.qrels", "machine.qrels", "a.run", "--level", "2"), "level 2"),
        (("people.qrels", "machine.qrels", "a.run", "--ties", "range"), "--ties range: expected one rule"),
        (("people.qrels", "machine.qrels", "a.run", "-m", ""), "measures: expected one or more, found none"),
        (("-", "-", "a.run"), "standard input (-): expected once, found 2 times"),
        (("people.qrels", "machine.qrels", "a.run", "-o", "csv"), "no output is called 'csv'"),
    ],
)
def test_what_cannot_be_predicted_is_refused(assay, judged, arguments, message):
    assert message in assay("predict", *arguments, expect=2).err
