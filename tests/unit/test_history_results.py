"""What each task writes as JSON becomes a record: figures as they are, values where the figure is their mean."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.unit.history_stores import evaluation

import assay
from assay.cli.main import run
from assay.errors import InputError
from assay.history.export import FIGURES, VALUES, export
from assay.history.results import results
from assay.store.evaluations import HistoryStore

EXAMPLES = Path(__file__).parents[2] / "examples"
LINKS, VECTORS, ENTITIES = EXAMPLES / "links-nations", EXAMPLES / "embeddings", EXAMPLES / "entities"
CATALOGUE, RAG = EXAMPLES / "catalogue", EXAMPLES / "rag"
OF_LINKS = [
    *(word for part in ("train", "valid", "test") for word in (f"--{part}", LINKS / f"{part}.tsv")),
    "--model", "complex", "--entities", LINKS / "entities.npy", "--relations", LINKS / "relations.npy",
    "--names", LINKS / "entities.txt", "--relation-names", LINKS / "relations.txt", "-m", "MRR MR HR@10",
]  # fmt: skip
COMMANDS = {
    "links": ["links", "evaluate", *OF_LINKS, "--by", "side", "-q"],
    "neighbours": [
        "neighbours", "evaluate", VECTORS / "may.npy", "--names", VECTORS / "names.txt", "--labels",
        VECTORS / "types.tsv", "--index", VECTORS / "index.npy", "-k", "5",
    ],
    "drift": [
        "neighbours", "drift", VECTORS / "may.npy", VECTORS / "june.npy", "--names", VECTORS / "names.txt", "-k", "5",
    ],
    "clusters": ["entities", "evaluate", ENTITIES / "truth.csv", ENTITIES / "clusters-may.csv"],
    "candidates": ["entities", "evaluate", ENTITIES / "truth.csv", ENTITIES / "candidates.csv"],
    "sampled": ["entities", "estimate", ENTITIES / "checked.csv", ENTITIES / "clusters-may.csv"],
    "rag": ["rag", "evaluate", RAG / "vdb.jsonl", "-m", "Complete@8 R@8"],
    "answers": ["answers", "run", EXAMPLES / "answers" / "questions.yaml", "--graph", CATALOGUE / "catalogue.ttl"],
    "completeness": [
        "graph", "completeness", CATALOGUE / "catalogue.ttl", "--shapes", CATALOGUE / "shapes.ttl",
    ],
    "validity": ["graph", "validity", CATALOGUE / "catalogue.ttl", "--shapes", CATALOGUE / "shapes.ttl"],
    "accuracy": ["graph", "estimate", CATALOGUE / "labels.csv"],
}  # fmt: skip
SAID = {
    "links": ("links", "RR", lambda d: d["runs"][0]["measures"]["RR"]["mean"], True),
    "neighbours": ("neighbours", "P@5 (labels)", lambda d: d["labels"]["measures"]["P@5"]["mean"], False),
    "drift": ("neighbours", "Overlap@5", lambda d: d["measures"]["Overlap@5"]["mean"], False),
    "clusters": ("entities", "B3-F1", lambda d: d["runs"][0]["measures"]["B3-F1"]["mean"], True),
    "candidates": ("entities", "P@1", lambda d: d["runs"][0]["measures"]["P@1"]["mean"], True),
    "sampled": ("entities", "b cubed f1", lambda d: d["estimates"]["b_cubed"]["f1"]["value"], False),
    "rag": ("rag", "Complete@8", lambda d: d["runs"][0]["measures"]["Complete@8"]["mean"], True),
    "answers": ("answers", "F1 (row-major)", lambda d: d["systems"][0]["figures"]["row-major"]["f1"]["value"], True),
    "completeness": ("graph", "schema completeness", lambda d: d["schema"]["ratio"], False),
    "validity": ("graph", "link validity", lambda d: d["total"]["validity"], False),
    "accuracy": ("graph", "accuracy", lambda d: d["value"], False),
}
"""The task, a measure, where the result has its figure, and whether that is the mean of values that it has."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What returns the JSON of a command, made once."""
    folder = tmp_path_factory.mktemp("results")

    def make(name):
        path = folder / f"{name}.json"
        if not path.exists():
            assert run([*map(str, COMMANDS[name]), "-o", "json", "--out", str(path), "--quiet"]) == 0
        return path

    return make


@pytest.mark.parametrize("name", COMMANDS)
def test_each_task_is_recorded_as_it_says(made, name):
    if name in {"answers", "completeness", "validity", "accuracy"}:
        pytest.importorskip("pyoxigraph", reason="needs the extra graph")
    task, measure, where, paired = SAID[name]
    path = made(name)
    (found,) = results(path, suite="s")
    figure = found.figure(measure)
    assert (found.made.task, figure.mean) == (task, pytest.approx(where(json.loads(path.read_text()))))
    assert figure.of_queries == paired
    if paired:
        assert np.nanmean(found.values[measure]) == pytest.approx(figure.mean)
    with HistoryStore.open("sqlite://") as store:
        added = store.add(found)
        assert store.get(added.id).figures == found.figures


def test_lower_is_better_where_it_is(made):
    (links,) = results(made("links"), suite="s")
    assert not links.figure("MR").higher_is_better
    assert links.figure("RR").higher_is_better
    assert links.figure("MR", "side=tail").queries == 201
    (drift,) = results(made("drift"), suite="s")
    assert not drift.figure("displacement").higher_is_better


def test_an_evaluation_and_its_json_are_the_same_record(tmp_path):
    from assay.history.record import record

    gold = {"q1": {"a": 1}, "q2": {"b": 1, "c": 0}, "q3": {"d": 0}}
    found = assay.evaluate(gold, {"q1": ["x", "a"], "q2": ["b"]}, "AP P@2 NumRelRet", interval=0.95)
    path = tmp_path / "result.json"
    path.write_text(json.dumps(found.to_dict()))
    (read,) = results(path, suite="web", tags={"a": "b"})
    wanted = record(found, suite="web")
    assert read.figures == wanted.figures
    assert read.queries == wanted.queries
    assert read.made.queries == wanted.made.queries
    for measure in ("AP", "P@2"):
        np.testing.assert_array_equal(read.values[measure], wanted.values[measure])
    assert read.made.tags == {"a": "b"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]", "expected a JSON object, found list"),
        ("{", "expected JSON, found an error"),
        ('{"a": 1}', "expected the JSON of an evaluation of Assay, found another"),
        ('{"runs": [{"name": "x"}], "gold": {}}', "without 'measures'"),
    ],
    ids=["list", "broken", "other", "torn"],
)
def test_what_is_no_result_is_refused(tmp_path, content, message):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        results(path, suite="s")


def test_a_store_goes_out_as_two_tables(tmp_path):
    with HistoryStore.open(str(tmp_path / "h.db")) as store:
        for day in range(3):
            store.add(evaluation(day))
        store.add(evaluation(0, suite="kg", measures=("validity",)))
        told = export(store, tmp_path / "all")
        few = export(store, tmp_path / "kg", suite="kg")
    figures, values = pl.read_parquet(tmp_path / "all" / FIGURES), pl.read_parquet(tmp_path / "all" / VALUES)
    assert list(told.values()) == [figures.height, values.height] == [7, 280]
    assert list(few.values()) == [1, 40]
    made = evaluation(1)
    there = values.filter((pl.col("id") == 2) & (pl.col("measure") == "AP"))
    assert there["query"].to_list() == list(made.queries)
    np.testing.assert_array_equal(there["value"].fill_null(np.nan).to_numpy(), made.values["AP"])
    assert figures.filter((pl.col("id") == 2) & (pl.col("measure") == "AP"))["mean"].item() == made.figure("AP").mean
    assert there["value"].null_count() == 1
