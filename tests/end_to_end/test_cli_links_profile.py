"""`assay links evaluate --profile`: the conventions of another tool."""

import json

import jsonschema
import pytest


@pytest.fixture
def files(tmp_path):
    (tmp_path / "train.tsv").write_text("a\tr\tb\nb\tr\tc\nc\tr\td\n")
    (tmp_path / "test.tsv").write_text("a\tr\tc\nb\tr\td\ne\tr\ta\n")
    scores = ["a\tr\tc\t0.9", "b\tr\td\t0.5", "a\tr\td\t0.5", *(f"{head}\tr\ta\t0.7" for head in "abcd")]
    (tmp_path / "scores.tsv").write_text("\n".join(scores) + "\n")
    return ["--train", "train.tsv", "--test", "test.tsv", "--scores", "scores.tsv", "-m", "RR"]


@pytest.mark.parametrize(
    ("options", "unseen", "ranks"),
    [
        (["--profile", "pykeen"], "drop", 4),
        (["--profile", "pykeen", "--unseen", "keep"], "keep", 6),
        (["--profile", "ogb"], "keep", 6),
        ([], "keep", 6),
    ],
)
def test_a_profile_sets_what_was_not_said(assay, files, options, unseen, ranks):
    done = assay("links", "evaluate", *files, *options, "-o", "json")
    found = json.loads(done.out)
    assert found["profile"] == (options[1] if options else None)
    assert (found["protocol"]["unseen"], found["protocol"]["ties"]) == (unseen, "realistic")
    assert found["runs"][0]["ranks"] == ranks


def test_ogb_shows_its_own_hits(assay, files):
    found = json.loads(assay("links", "evaluate", *files, "--profile", "ogb", "-o", "json").out)
    jsonschema.validate(found, json.loads(assay("schema", "links", "evaluate").out))
    shared = found["protocols"]["ogb-shared-negatives"]
    assert {name: one["mean"] for name, one in shared["measures"].items()} == dict.fromkeys(
        ["OGB-Hits@20", "OGB-Hits@50", "OGB-Hits@100"], 1.0
    )
    done = assay("links", "evaluate", *files, "--profile", "ogb")
    assert "OGB-Hits@20   1.0000" in done.out
    assert "OGB-Hits@20 is 1 by OGB's rule: there are only 5 negatives." in done.err.replace("\n", " ")


def test_a_profile_of_no_link_predictor_is_refused(assay, files):
    done = assay("links", "evaluate", *files, "--profile", "beir", expect=2)
    assert "no profile of link prediction is called 'beir'" in done.err
    assert "one of pykeen, ogb" in done.err
