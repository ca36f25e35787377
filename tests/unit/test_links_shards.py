"""Entity vectors in several files: ranks do not depend on where a row lies, and no more is read than is asked for."""

import pickle
from functools import partial

import numpy as np
import pytest
from tests.unit.link_rankings import random_graph
from tests.unit.link_shards import (
    CUTS,
    ENTITIES,
    FORMS,
    RELATIONS,
    WIDTH,
    Watched,
    assert_same,
    model,
    parts,
    vectors,
    write,
)

from assay.engines import passes
from assay.engines.shards import Shards
from assay.engines.shares import spans_of
from assay.errors import ParameterError, RunError
from assay.tasks.links.embeddings import read_embeddings
from assay.tasks.links.evaluate import evaluate_links
from assay.tasks.links.models import TransE, projected
from assay.tasks.links.models.named import NAMED, model_of
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import rank
from assay.tasks.links.top import top_triples


@pytest.mark.parametrize("cuts", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("name", NAMED)
def test_every_model_ranks_shards_as_it_ranks_the_whole(name, cuts, monkeypatch):
    monkeypatch.setattr(passes, "WIDTH", 5)  # tiles that end elsewhere than shards do
    monkeypatch.setattr(projected, "CHUNK", 8)
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    whole = rank(graph, model(name, vectors()), compiled=False)
    sharded = model(name, Shards(parts(vectors(), cuts)))
    for compiled in (False, True):
        assert_same(rank(graph, sharded, block=4, compiled=compiled), whole)
    assert whole.table["equal"].sum() > 0


@pytest.mark.parametrize("name", ["complex", "rotate", "rotate-l2"])
def test_complex_numbers_in_shards(name):
    graph = random_graph(4, ENTITIES, RELATIONS, 120)
    entity = vectors()[:, :3] + 1j * vectors(5)[:, :3]
    relation = np.exp(1j * vectors(2, RELATIONS)[:, :3].astype(np.float64))
    whole = rank(graph, model_of(name, entity, relation))
    assert_same(rank(graph, model_of(name, Shards(parts(entity, CUTS["uneven"])), relation)), whole)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["pattern", "folder", "files"])
def test_files_are_one_array_in_natural_order(form, kind, tmp_path):
    matrix, cuts = vectors(), [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21, 23]
    files = [tmp_path / f"entities-{number}.{form}" for number in range(len(cuts) - 1)]
    for file, rows in zip(files, parts(matrix, cuts), strict=True):
        write(file, rows)
    asked = {"pattern": str(tmp_path / "entities-*"), "folder": tmp_path, "files": files}[kind]
    read = read_embeddings(asked)
    assert isinstance(read.matrix, Shards)
    assert read.matrix.places == tuple(map(str, files))
    assert (read.matrix.shape, read.matrix.dtype) == (matrix.shape, matrix.dtype)
    rows = np.random.default_rng(0).integers(0, ENTITIES, 50)
    for key in (rows, slice(1, 20), slice(5, 5), slice(None), np.arange(0), slice(0, 20, 3)):
        np.testing.assert_array_equal(read.matrix[key], matrix[key])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(read.matrix))[:], matrix)
    assert read.notice is None


def test_parquet_is_read_some_rows_at_a_time(tmp_path, monkeypatch):
    from assay.tasks.links import embedding_files, embedding_shards

    monkeypatch.setattr(embedding_shards, "NUMBERS", 4 * WIDTH)
    embedding_shards._unpacked.cache_clear()
    matrix = vectors()
    for number, rows in enumerate(parts(matrix, [0, 11, 23])):
        write(tmp_path / f"{number}.parquet", rows)
    sharded = read_embeddings(tmp_path).matrix
    seen = []
    read = embedding_files.Parquet.read
    monkeypatch.setattr(embedding_files.Parquet, "read", lambda *asked: seen.append(asked[1:]) or read(*asked))
    for first in range(0, ENTITIES, 3):
        np.testing.assert_array_equal(sharded[first : first + 3], matrix[first : first + 3])
    assert seen == [(0, 4), (4, 4), (8, 3), (0, 4), (4, 4), (8, 4)]  # each once, four rows at most
    np.testing.assert_array_equal(sharded[np.array([22, 0, 11])], matrix[[22, 0, 11]])


def test_each_pass_reads_each_row_once_and_little_at_a_time(monkeypatch):
    monkeypatch.setattr(passes, "WIDTH", 4)
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    watched = [Watched(rows) for rows in parts(vectors(), CUTS["uneven"])]
    relation = vectors(2, RELATIONS)
    rank(graph, TransE(Shards(tuple(watched)), relation, norm=1), Protocol(sides=("tail",)), compiled=False)
    asked = len(graph.splits["test"])
    for one in watched:
        assert sum(one.read) <= one.shape[0] + 2 * min(asked, one.shape[0]) + asked
        assert max(one.read) <= asked


def test_top_answers_and_what_stands_above_are_the_same():
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    whole, sharded = (model("transe-l2", given) for given in (vectors(), Shards(parts(vectors(), CUTS["seven"]))))
    assert top_triples(graph, sharded, 3).equals(top_triples(graph, whole, 3))
    triples = graph.splits["test"].T
    np.testing.assert_array_equal(sharded.by_the_book(*triples), whole.by_the_book(*triples))
    found, wanted = (evaluate_links(graph, one, "MRR") for one in (sharded, whole))
    assert found.worst == wanted.worst


def test_the_result_says_which_rows_are_from_which_file(tmp_path):
    for number, rows in enumerate(parts(vectors(), CUTS["uneven"])):
        np.save(tmp_path / f"e{number}.npy", rows)
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    read = read_embeddings(f"{tmp_path}/e*.npy")
    found = evaluate_links(graph, TransE(read.matrix, vectors(2, RELATIONS), norm=1), "MRR")
    said = f"entity vectors: 23 rows in 4 files, in this order: {tmp_path}/e0.npy row 0; {tmp_path}/e1.npy row 1; "
    assert found.notices[-1].startswith(said)
    assert "e2.npy rows 2 to 18; " in found.notices[-1]
    many = Shards(tuple(vectors()[:1] for _ in range(50)), tuple(f"e{number}" for number in range(50)))
    assert many.notice.count("row") == 13
    assert many.notice.endswith("e10 row 10; …; e49 row 49")


def test_numbers_that_are_none_are_counted_and_refused_as_in_the_whole():
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    spoilt = vectors()
    spoilt[[3, 20]] = np.nan
    make = partial(TransE, relation=vectors(2, RELATIONS), norm=2)
    whole, sharded = make(spoilt), make(Shards(parts(spoilt, CUTS["uneven"])))
    worst = Protocol(nan="worst")
    assert_same(rank(graph, sharded, worst), rank(graph, whole, worst))
    across = lambda share, spans: [share.count([span]) for span in spans]  # noqa: E731
    assert_same(elsewhere(graph, sharded, across, worst), rank(graph, whole, worst))
    with pytest.raises(RunError) as said:
        rank(graph, whole)
    for ways in (partial(rank, graph, sharded), partial(elsewhere, graph, sharded, across)):
        with pytest.raises(RunError) as also:
            ways()
        assert str(also.value) == str(said.value)


def elsewhere(graph, made, across, protocol=None):
    """Rank with vectors counted by `across`, as Spark does it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.tasks.links.ranking.in_spark", lambda _: across)
        return rank(graph, made, protocol, spark="a session")


@pytest.mark.parametrize("name", [name for name in NAMED if name not in {"transh", "transr"}])
def test_counts_of_stretches_add_up_in_any_order(name):
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    whole = rank(graph, model(name, vectors()), Protocol(unseen="drop"))

    def across(share, spans):
        found = [share.count(some) for some in ([spans[-1]], spans[:2], spans[2:-1])]
        return [type(part).from_bytes(part.to_bytes()) for part in found]

    sharded = model(name, Shards(parts(vectors(), CUTS["seven"])))
    assert_same(elsewhere(graph, sharded, across, Protocol(unseen="drop")), whole)


def test_what_cannot_be_counted_elsewhere_is_refused():
    graph = random_graph(3, ENTITIES, RELATIONS, 150)
    shards = Shards(parts(vectors(), CUTS["seven"]))
    with pytest.raises(ParameterError, match="expected entity vectors in files, found an array"):
        rank(graph, model("transe-l1", vectors()), spark="a session")
    with pytest.raises(ParameterError, match="found a projection of them"):
        rank(graph, model("transr", shards), spark="a session")
    with pytest.raises(ParameterError, match="model complex: expected two entity arrays in one file each, found shard"):
        model_of("complex", [shards, shards], vectors(2, RELATIONS))
    assert spans_of(shards) == shards.spans
