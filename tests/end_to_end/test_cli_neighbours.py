"""`assay neighbours` as people run it."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import polars as pl
import pytest

from assay.report.schema.neighbours import NEIGHBOURS_DRIFT, NEIGHBOURS_EVALUATE

ITEMS = Path(__file__).parents[2] / "examples" / "embeddings"


@pytest.fixture
def told(assay):
    """Run `assay neighbours VERB` on the vectors of the example."""

    def call(verb, *args, **options):
        vectors = [ITEMS / "may.npy", *([ITEMS / "june.npy"] if verb == "drift" else [])]
        return assay("neighbours", verb, *vectors, "--names", ITEMS / "names.txt", "-k", 5, *args, **options)

    return call


def test_vectors_with_labels_and_an_index(told):
    done = told("evaluate", "--labels", ITEMS / "types.tsv", "--index", ITEMS / "index.npy")
    assert done.out.startswith("may.npy: 40 vectors of 12 dimensions; the 5 nearest of 40 by cosine\n")
    for line in ("P@5      0.8850", "recall@5  0.6850", "adjusted Rand index  0.8672", "river        10  0.7400"):
        assert line in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.err == ""


def test_the_same_as_json(told):
    document = json.loads(told("evaluate", "--labels", ITEMS / "types.tsv", "-o", "json").out)
    assert document["vectors"] == {"name": "may.npy", "rows": 40, "dimensions": 12, "zeros": 0, "copies": 0}
    figure = document["labels"]["measures"]["P@5"]
    assert (figure["mean"], figure["queries"], figure["interval"]["method"]) == (pytest.approx(0.885), 40, "bca")
    assert document["index"] is None
    assert document["command"][:2] == ["neighbours", "evaluate"]


def test_json_follows_its_schema(told, tmp_path):
    (tmp_path / "gold.qrels").write_text("Gold 0 Silver 1\n")
    known = ("--labels", ITEMS / "types.tsv", "--index", ITEMS / "index.npy", "--similar", "gold.qrels")
    for args in ((), known):
        jsonschema.validate(json.loads(told("evaluate", *args, "-o", "json").out), NEIGHBOURS_EVALUATE)
    for args in ((), ("--twin", ITEMS / "twin.npy", "--types", ITEMS / "types.tsv")):
        jsonschema.validate(json.loads(told("drift", *args, "-o", "json").out), NEIGHBOURS_DRIFT)


def test_without_anything_known_the_hubs_are_shown(told):
    done = told("evaluate")
    assert "Are some items everybody's neighbours?" in done.out
    assert "--labels, --similar and --index say what the neighbours should be." in done.out


def test_gold_similar_sets(told, tmp_path):
    (tmp_path / "gold.qrels").write_text("Gold 0 Silver 1\nGold 0 Platinum 1\nNile 0 Cairo 1\n")
    document = json.loads(told("evaluate", "--similar", "gold.qrels", "-o", "json").out)
    assert document["similar"]["P@5"]["queries"] == 2


@pytest.mark.parametrize("form", ["npz", "parquet", "vec", "tsv"])
def test_other_files_of_vectors_give_the_same(assay, told, tmp_path, form):
    vectors, names = np.load(ITEMS / "may.npy"), (ITEMS / "names.txt").read_text().split()
    file = tmp_path / f"may.{form}"
    more = ()
    if form == "npz":
        np.savez(file, entities=vectors, relations=vectors[:3])
        more = ("--names", ITEMS / "names.txt", "--key", "entities")
    elif form == "parquet":
        pl.DataFrame({"entity": names, "vector": vectors}).write_parquet(file)
    else:
        lines = ["40 12"] if form == "vec" else []
        file.write_text(
            "\n".join([*lines, *(" ".join([n, *map(str, v)]) for n, v in zip(names, vectors, strict=True))])
        )
    done = assay("neighbours", "evaluate", file, "--labels", ITEMS / "types.tsv", "-k", 5, *more)
    expected = told("evaluate", "--labels", ITEMS / "types.tsv")
    assert done.out.splitlines()[1:] == expected.out.splitlines()[1:]


def test_drift_with_types_and_a_twin(told):
    done = told("drift", "--types", ITEMS / "types.tsv", "--twin", ITEMS / "twin.npy", "--moved", 2)
    assert done.out.startswith("may.npy -> june.npy: 40 vectors in both; the 5 nearest of each by cosine\n")
    assert "Gold 1.8890 0.0000 Platinum, Silver Brahms, Volga" in " ".join(done.out.split())
    assert "Whether to act cannot be told." in done.out
    assert "It would need the task's value for each query" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_drift_and_a_task_that_lost_call_for_action(assay, told, tmp_path):
    queries = [f"q{i}" for i in range(12)]
    (tmp_path / "gold.qrels").write_text("".join(f"{q} 0 a 1\n" for q in queries))
    for name, order in {"before": "ab", "after": "ba"}.items():
        rows = "".join(f"{q} Q0 {item} {i} {2 - i} s\n" for q in queries for i, item in enumerate(order))
        (tmp_path / f"{name}.run").write_text(rows)
        assay("evaluate", "gold.qrels", f"{name}.run", "-m", "RR", "-o", "json", "--out", f"{name}.json")
    task = ("--task-before", "before.json", "--task-after", "after.json")
    done = told("drift", "--twin", ITEMS / "twin.npy", *task)
    assert "Act: neighbours changed more than chance explains, and the task lost." in done.out
    document = json.loads(told("drift", *task, "-o", "json").out)
    jsonschema.validate(document, NEIGHBOURS_DRIFT)
    assert (document["retraining"]["signal"], document["retraining"]["loss"]) == (None, -0.5)
    assert "found one of them" in told("drift", "--task-before", "before.json", expect=2).err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--metric", "cosin"], "no metric is called 'cosin'. Did you mean 'cosine'?"),
        (["--labels", "none.tsv"], "none.tsv: expected a file, found nothing of that name"),
        (["--level", "2"], "expected a level between 0 and 1, found 2"),
        (["--queries", "few"], "--queries: expected a whole number, found 'few'"),
    ],
)
def test_mistakes_are_said(told, args, said):
    assert said in told("evaluate", *args, expect=2).err


def test_two_labels_for_one_name_are_refused(told, tmp_path):
    (tmp_path / "types.tsv").write_text("Gold\tmetal\nGold\tcolour\n")
    assert "found 'metal' and 'colour' for 'Gold'" in told("evaluate", "--labels", "types.tsv", expect=2).err


def test_vectors_that_are_no_numbers_are_refused(assay, tmp_path):
    table = np.ones((4, 2), np.float32)
    table[2, 0] = np.nan
    np.save(tmp_path / "v.npy", table)
    done = assay("neighbours", "evaluate", "v.npy", expect=2)
    assert "found NaN or infinity in 1 of 4 rows, the first is row 2" in done.err


def test_the_group_says_how_to_begin(assay):
    assert "assay neighbours evaluate vectors.npy --labels labels.tsv" in assay("neighbours").out
    assert "--twin FILE" in assay("neighbours", "drift", "--help").out
