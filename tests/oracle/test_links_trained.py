"""Eight models that PyKEEN trained: our ranks are its ranks, triple by triple, for every tie rule."""

import numpy as np
import pytest

from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.complex import ComplEx
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.rotate import RotatE
from assay.tasks.links.models.transe import TransE
from assay.tasks.links.models.transr import TransR
from assay.tasks.links.ranking import rank

MODELS = {
    "umls_distmult": DistMult,
    "umls_complex": ComplEx,
    "nations_complex": ComplEx,
    "kinships_complex": ComplEx,
    "umls_rotate": lambda entity, relation: RotatE(entity, relation, norm="l2"),
    "umls_transe_l1": lambda entity, relation: TransE(entity, relation, norm=1),
    "umls_transe_l2": lambda entity, relation: TransE(entity, relation, norm=2),
    "umls_transr": lambda entity, relation, projection: TransR(entity, relation, projection=projection),
}
SIDES = ("tail", "head")
NEAR = {"umls_transr": 3}
"""Ranks that differ: PyKEEN adds in float32, where these triples tie or nearly do."""


def loaded(data, name):
    arrays = dict(np.load(data / "kg" / "trained" / f"{name}.npz"))
    sizes = {"entities": len(arrays["entity_0"]), "relations": len(arrays["relation_0"])}
    graph = KnowledgeGraph.from_arrays(
        *(arrays[split].astype(np.int64) for split in ("train", "valid", "test")), **sizes
    )
    parts = [arrays[part] for part in ("entity_0", "relation_0", "relation_1") if part in arrays]
    return graph, MODELS[name](*parts), arrays


@pytest.mark.oracle
@pytest.mark.parametrize("name", MODELS)
def test_ranks_are_those_of_pykeen(data, name):
    graph, model, arrays = loaded(data, name)
    ranking = rank(graph, model)
    for kind in ("optimistic", "realistic", "pessimistic"):
        theirs = np.concatenate([arrays[f"rank_{side}_{kind}"] for side in SIDES])
        differ = ranking.ranks(kind) != theirs
        assert differ.sum() <= NEAR.get(name, 0)
    theirs = np.concatenate([arrays[f"num_candidates_{side}"] for side in SIDES])
    assert ranking.table["candidates"].to_list() == theirs.tolist()
    tails = ranking.table["score"].to_numpy()[: len(arrays["test"])]
    assert np.abs(tails - arrays["test_scores"]).max() < 1e-5


@pytest.mark.oracle
@pytest.mark.parametrize("name", MODELS)
def test_precision_blocks_and_numba_change_no_rank(data, name):
    graph, model, arrays = loaded(data, name)
    first = rank(graph, model).table
    wider = [
        arrays[part].astype(np.result_type(arrays[part].dtype, np.float64))
        for part in arrays
        if part[:-2] in {"entity", "relation"}
    ]
    double = rank(graph, MODELS[name](*wider)).table
    moved = (first["greater"] != double["greater"]).sum()
    assert moved <= NEAR.get(name, 0)  # queries are rounded to the type in which the vectors are stored
    for block in (1, 7, len(first)):
        assert rank(graph, model, block=block).table.equals(first)
    if name in {"umls_complex", "umls_transe_l1"}:
        pytest.importorskip("numba")
        assert rank(graph, model, compiled=True).table.equals(first)
