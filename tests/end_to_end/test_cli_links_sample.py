"""`assay links sample` and `assay links threshold`, as a newcomer and as a script use them."""

import csv
import json

import numpy as np
import pytest

ENTITIES, RELATIONS = 40, 2


@pytest.fixture
def files(tmp_path):
    """A graph by row numbers that a model predicts in part, its vectors, and wrong triples."""
    rng = np.random.default_rng(3)
    entities, relations = rng.normal(size=(ENTITIES, 4)), rng.normal(size=(RELATIONS, 4))
    head, relation = rng.integers(ENTITIES, size=400), rng.integers(RELATIONS, size=400)
    scores = (entities[head] * relations[relation]) @ entities.T + 0.5 * rng.gumbel(size=(400, ENTITIES))
    rows = np.unique(np.column_stack([head, relation, scores.argmax(axis=1)]), axis=0)
    rng.shuffle(rows)
    true = {tuple(row) for row in rows.tolist()}
    wrong = np.column_stack([rng.integers(ENTITIES, size=300), rng.integers(RELATIONS, size=300),
                             rng.integers(ENTITIES, size=300)])  # fmt: skip
    wrong = np.array([row for row in wrong.tolist() if tuple(row) not in true])
    parts = np.array_split(rows, 3)
    for name, some in zip(("train", "valid", "test"), parts, strict=True):
        np.savetxt(tmp_path / f"{name}.tsv", some, fmt="%d", delimiter="\t")
    for name, some in (("wrong", wrong[::2]), ("other", wrong[1::2])):
        np.savetxt(tmp_path / f"{name}.tsv", some, fmt="%d", delimiter="\t")
    np.save(tmp_path / "e.npy", entities)
    np.save(tmp_path / "r.npy", relations)
    return tmp_path


GRAPH = ["--train", "train.tsv", "--valid", "valid.tsv", "--test", "test.tsv"]
MODEL = ["--model", "distmult", "--entities", "e.npy", "--relations", "r.npy"]


@pytest.mark.usefixtures("files")
def test_a_sample_is_labelled_and_checked(assay):
    done = assay("links", "sample", *GRAPH, *MODEL, "--negatives", "8", "--exact", "30", "-o", "json")
    document = json.loads(done.out)
    assert document["sampled"] is True
    assert document["protocol_name"] == "sampled-uniform-8"
    assert "runs" not in document
    assert set(document["measures"]) == {"MRR", "MR", "HR@1", "HR@3", "HR@10"}
    assert document["measures"]["MRR"]["sampled"] > document["measures"]["MRR"]["exact"]
    table = assay("links", "sample", *GRAPH, *MODEL, "--negatives", "8", "--kind", "hard", "--hits", "5").out
    assert table.startswith("SAMPLED (sampled-hard-8)")
    assert "HR@5" in table
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.usefixtures("files")
def test_a_sample_that_makes_no_sense_is_refused(assay):
    for wrong, said in (
        (["--kind", "easy"], "easy"), (["--hits", "1,1"], "each cutoff once"), (["--negatives", "0"], "at least 1"),
    ):  # fmt: skip
        assert said in assay("links", "sample", *GRAPH, *MODEL, *wrong, expect=2).err


def test_a_threshold_with_its_list(assay, files):
    common = ("links", "threshold", *GRAPH, *MODEL, "--precision", "0.6", "--level", "0.8")
    done = assay(
        *common, "--negatives", "wrong.tsv", "--check-negatives", "other.tsv", "--by", "relation", "--list", "new.tsv",
        "-o", "json",
    )  # fmt: skip
    document = json.loads(done.out)
    overall = document["thresholds"][0]
    assert overall["group"] == "all"
    assert overall["chosen"]["low"] >= 0.6
    assert overall["checked"]["labels"] > 0
    assert [one["group"] for one in document["thresholds"][1:]] == ["0", "1"]
    with (files / "new.tsv").open() as file:
        listed = list(csv.DictReader(file, delimiter="\t"))
    own = {one["group"]: one for one in document["thresholds"][1:]}
    assert len(listed) == sum(one["admitted"] + one["held"] for one in own.values())
    assert all(float(row["score"]) >= own[row["relation"]]["score"] for row in listed)
    text = assay(*common, "--negatives", "wrong.tsv").out
    assert "CALIBRATION" in text
    assert max(map(len, text.splitlines())) <= 80
    closed = assay(*common, "--closed-world", "-o", "csv").out
    assert closed.splitlines()[1].startswith("distmult,all,")


@pytest.mark.usefixtures("files")
def test_a_threshold_without_labels_is_refused(assay):
    assert "--negatives FILE" in assay("links", "threshold", *GRAPH, *MODEL, expect=2).err
    assert "expected relation" in assay(
        "links", "threshold", *GRAPH, *MODEL, "--by", "head", "--closed-world", expect=2
    ).err  # fmt: skip
