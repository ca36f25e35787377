"""Entity vectors in shards that Spark's tasks count: the ranks are those of one machine, whatever fails on the way."""

import numpy as np
import polars as pl
import pytest
from tests.contract import backends_under_test as backends
from tests.unit.link_rankings import random_graph

from assay.errors import ParameterError, RunError
from assay.tasks.links.embeddings import read_embeddings
from assay.tasks.links.models import ComplEx, TransE
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import rank

ENTITIES, RELATIONS = 40, 3


def vectors(rows, seed=0):
    rng = np.random.default_rng(seed)
    made = (rng.integers(-2, 3, size=(rows, 4)) / 3).astype(np.float32)
    made[rows // 2] = made[0] + np.float32(1e-7)
    return made


@pytest.fixture
def shards(tmp_path):
    """Vectors of the entities in shards of different sizes, npy and Parquet."""
    folder = tmp_path / "shards"
    folder.mkdir()
    for number, rows in enumerate(np.split(vectors(ENTITIES), [1, 9, 10, 30])):
        if number % 2:
            lists = pl.Series(rows.tolist(), dtype=pl.List(pl.Float32))
            pl.DataFrame({"vector": lists}).write_parquet(folder / f"entities-{number}.parquet")
        else:
            np.save(folder / f"entities-{number}.npy", rows)
    return read_embeddings(folder).matrix


def test_spark_ranks_as_one_machine_does(shards):
    session = backends.spark_session()
    graph = random_graph(1, ENTITIES, RELATIONS, 400)
    relation = vectors(RELATIONS, 2)
    constrained = {("tail", 0): np.arange(0, ENTITIES, 2), ("head", 1): np.array([3, 4, 39])}
    makers = [
        lambda entity: TransE(entity, relation, norm=1, gamma=2.0),
        lambda entity: ComplEx(entity, relation, layout="halves"),
    ]
    for make in makers:
        asked = {"protocol": Protocol(unseen="drop"), "constrained": constrained}
        found = rank(graph, make(shards), **asked, spark=session)
        wanted = rank(graph, make(vectors(ENTITIES)), **asked)
        assert found.table.equals(wanted.table)
        assert wanted.table["equal"].sum() > 0


def fail_once(mark, way):
    """Return what fails in the first task that reads vectors, and leaves a file."""
    import os

    driver = os.getpid()

    def change(rows):  # runs in a process of Spark, which knows nothing of this module
        import os

        if len(rows) and os.getpid() != driver:
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return rows
            if way == "raises":
                raise RuntimeError
            os.kill(os.getpid(), 9)
        return rows

    return change


@pytest.mark.parametrize("way", ["raises", "dies"])
def test_a_task_that_fails_once_changes_nothing(way, shards, tmp_path):
    session = backends.spark_session()
    graph, mark, relation = random_graph(2, ENTITIES, RELATIONS, 400), tmp_path / "failed", vectors(RELATIONS, 2)
    flawed = shards.changed(fail_once(str(mark), way))
    found = rank(graph, TransE(flawed, relation, norm=2), spark=session)
    assert mark.exists()
    assert found.table.equals(rank(graph, TransE(vectors(ENTITIES), relation, norm=2)).table)


def test_numbers_that_are_none_are_counted(tmp_path):
    session = backends.spark_session()
    graph, relation = random_graph(2, ENTITIES, RELATIONS, 400), vectors(RELATIONS, 2)
    spoilt = vectors(ENTITIES)
    spoilt[[7, 31]] = np.nan
    for number, rows in enumerate(np.split(spoilt, [20])):
        np.save(tmp_path / f"{number}.npy", rows)
    sharded, whole = (TransE(one, relation, norm=2) for one in (read_embeddings(tmp_path).matrix, spoilt))
    found, wanted = (
        rank(graph, one, Protocol(nan="worst"), spark=by) for one, by in ((sharded, session), (whole, None))
    )
    assert found.table.equals(wanted.table)
    assert found.nan == wanted.nan > 0
    said = []
    for one, by in ((sharded, session), (whole, None)):
        with pytest.raises(RunError, match="expected finite numbers") as error:
            rank(graph, one, spark=by)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_what_goes_wrong_in_spark_is_said(shards):
    session = backends.spark_session()
    graph, relation = random_graph(2, ENTITIES, RELATIONS, 400), vectors(RELATIONS, 2)

    import os

    driver = os.getpid()

    def broken(rows):
        import os

        if len(rows) and os.getpid() != driver:
            from assay.errors import InputError

            raise InputError("entities-3.parquet: expected the file as before")
        return rows

    model = TransE(shards.changed(broken), relation, norm=1)
    with pytest.raises(RunError, match=r"found an error: .*entities-3.parquet: expected the file as before") as said:
        rank(graph, model, Protocol(sides=("tail",)), spark=session)
    assert "each worker opens the files by the same paths" in str(said.value)
    with pytest.raises(ParameterError, match="expected entity vectors in files"):
        rank(graph, TransE(vectors(ENTITIES), relation, norm=1), spark=session)
