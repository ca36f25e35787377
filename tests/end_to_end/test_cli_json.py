"""Every JSON output follows its published schema."""

import json

import jsonschema
import pytest


def strict(text):
    def refuse(name):
        raise AssertionError(name)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def valid(assay):
    """Run a verb and return its JSON, held against the schema that `assay schema` prints."""

    def call(name, *args, expect=0):
        schema = strict(assay("schema", name).out)
        jsonschema.Draft202012Validator.check_schema(schema)
        document = strict(assay(name, *args, "-o", "json", expect=expect).out)
        jsonschema.validate(document, schema)
        return document

    return call


def test_an_evaluation(valid, small):
    document = valid("evaluate", "gold.qrels", "a.run", "-m", "recip_rank MR P@2")
    assert document["command"] == ["evaluate", "gold.qrels", "a.run", "-m", "recip_rank MR P@2", "-o", "json"]
    assert document["seed"] is None
    assert document["policy"]["ties"] == "id-desc"
    assert document["gold"]["queries"] == 2
    (run,) = document["runs"]
    assert (run["name"], run["path"], run["rows"]) == ("a", "a.run", 4)
    assert run["measures"]["RR"] == {
        "requested": "recip_rank",
        "mean": 0.75,
        "queries": 2,
        "undefined": 0,
        "low": None,
        "high": None,
        "interval": None,
        "ties": None,
    }
    assert run["per_query"]["q1"]["RR"] == 0.5
    assert run["audit"]["queries_with_ties"] == 1


def test_an_evaluation_with_everything_undefined(valid, small):
    (small / "none.qrels").write_text("q1 0 x 0\nq3 0 z -1\n")
    document = valid("evaluate", "none.qrels", "a.run", "--empty", "skip", "-m", "MR AP")
    assert document["runs"][0]["measures"]["MR"]["mean"] is None
    assert document["runs"][0]["per_query"]["q1"]["AP"] is None


@pytest.mark.parametrize("profile", ["trec_eval-9", "trec_eval-10"])
def test_an_evaluation_under_a_profile_and_as_a_range(valid, small, profile):
    document = valid("evaluate", "gold.qrels", "a.run", "--profile", profile, "--ties", "range")
    assert document["profile"] == profile
    assert document["runs"][0]["measures"]["RR"]["ties"] == {"pessimistic": 0.5, "optimistic": 0.75}


def test_lines_hold_one_run_each(assay, small):
    (small / "b.run").write_text("q1 Q0 x 1 1 s\n")
    lines = assay("evaluate", "gold.qrels", "a.run", "b.run", "-o", "jsonl").out.splitlines()
    schema = strict(assay("schema", "evaluate").out)
    documents = [strict(line) for line in lines]
    for document in documents:
        jsonschema.validate(document, schema)
    assert [document["runs"][0]["name"] for document in documents] == ["a", "b"]


def test_an_audit(valid, small):
    document = valid("audit", "gold.qrels", "a.run")
    assert document["counts"]["error"] == 0
    valid("audit", "gold.qrels", "missing.run", expect=2)
    valid("audit", "missing.qrels", expect=2)


def test_the_measures(valid):
    document = valid("measures", "nDCG@10")
    assert document["measures"][0]["name"] == "nDCG"
    assert len(valid("measures")["measures"]) > 30


def test_a_difference(valid, small):
    document = valid("explain-difference", "gold.qrels", "a.run", "--profile", "assay", "--profile", "trec_eval-9")
    assert document["explained"]
    document = valid("explain-difference", "gold.qrels", "a.run", "-m", "RR", "--their-number", "0.9999", expect=3)
    assert not document["explained"]
    document = valid("explain-difference", "gold.qrels", "a.run", "-m", "RR", "--their-number", "0.50")
    assert {change["name"] for cause in document["findings"][0]["causes"] for change in cause["changes"]}


def test_a_verification(valid, assay, small):
    assay("evaluate", "gold.qrels", "a.run", "-m", "RR AP MR", "--out", "result.json")
    assert valid("verify", "result.json")["same"]
    (small / "a.run").write_text("q1 Q0 x 1 2 s\n")
    assert not valid("verify", "result.json", expect=1)["same"]
    (small / "a.run").unlink()
    valid("verify", "result.json", expect=2)
