"""Scores and ranks of trained models against those that PyKEEN gave for them."""

from itertools import groupby

import numpy as np
import pytest

from assay.tasks.links.models import ComplEx, DistMult, RotatE, TransE, TransR

MADE = {
    "umls_transe_l1": lambda of: TransE(of["entity_0"], of["relation_0"], norm=1),
    "umls_transe_l2": lambda of: TransE(of["entity_0"], of["relation_0"], norm=2),
    "umls_distmult": lambda of: DistMult(of["entity_0"], of["relation_0"]),
    "umls_complex": lambda of: ComplEx(of["entity_0"], of["relation_0"]),
    "nations_complex": lambda of: ComplEx(of["entity_0"], of["relation_0"]),
    "kinships_complex": lambda of: ComplEx(of["entity_0"], of["relation_0"]),
    "umls_rotate": lambda of: RotatE(of["entity_0"], of["relation_0"], norm="l2"),
    "umls_transr": lambda of: TransR(of["entity_0"], of["relation_0"], projection=of["relation_1"]),
}
NEAR_TIES = {"umls_transr": {"tail": 2, "head": 1}}
"""How many ranks differ, by candidates within 1e-6 of the target, because PyKEEN rounds to float32."""

pytestmark = pytest.mark.oracle


@pytest.fixture(params=MADE, scope="module")
def trained(request, data):
    with np.load(data / "kg" / "trained" / f"{request.param}.npz", allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    return request.param, MADE[request.param](arrays), arrays


def scores_of(model, side, entity, relation):
    """Return the scores of all candidates in float64, shape (questions, entities), without an engine."""
    scores = np.full((len(entity), model.entities), np.nan)
    for batch in model.batches(side, entity, relation):
        for row, query in zip(batch.rows, batch.queries, strict=True):
            if batch.kind == "dot":
                scores[row] = batch.candidates.astype(np.float64) @ query
            else:
                gaps = np.abs(batch.candidates - query)
                scores[row] = -(np.sqrt((gaps**2).sum(axis=1)) if batch.kind == "l2" else gaps.sum(axis=1))
    return scores


def known_answers(arrays, side):
    """Return the true answers of each question over all splits."""
    triples = np.concatenate([arrays[split] for split in ("train", "valid", "test")])
    asked, answer = ([0, 1], 2) if side == "tail" else ([2, 1], 0)
    rows = sorted((tuple(row[asked].tolist()), int(row[answer])) for row in triples)
    return {question: [one for _, one in some] for question, some in groupby(rows, key=lambda row: row[0])}


@pytest.mark.parametrize("side", ["tail", "head"])
def test_scores_of_test_triples_are_pykeens(trained, side):
    _, model, arrays = trained
    head, relation, tail = arrays["test"].T.astype(np.int64)
    entity, target = (head, tail) if side == "tail" else (tail, head)
    assert model.by_the_book(head, relation, tail) == pytest.approx(arrays["test_scores"], rel=1e-5, abs=1e-5)
    scores = scores_of(model, side, entity, relation)
    assert scores[np.arange(len(target)), target] == pytest.approx(arrays["test_scores"], rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("side", ["tail", "head"])
def test_ranks_counted_one_by_one_are_pykeens(trained, side):
    name, model, arrays = trained
    head, relation, tail = arrays["test"].T.astype(np.int64)
    entity, target = (head, tail) if side == "tail" else (tail, head)
    scores, known = scores_of(model, side, entity, relation), known_answers(arrays, side)
    optimistic, pessimistic, near = np.empty((3, len(target)))
    for row, (e, r, answer) in enumerate(zip(entity.tolist(), relation.tolist(), target.tolist(), strict=True)):
        others = np.delete(scores[row], known[e, r])
        optimistic[row] = 1 + np.sum(others > scores[row, answer])
        pessimistic[row] = optimistic[row] + np.sum(others == scores[row, answer])
        near[row] = np.sum(np.abs(others - scores[row, answer]) < 1e-6)
    for kind, ranks in (("optimistic", optimistic), ("pessimistic", pessimistic)):
        apart = np.abs(ranks - arrays[f"rank_{side}_{kind}"])
        assert np.sum(apart > 0) == NEAR_TIES.get(name, {}).get(side, 0), kind
        assert np.all(apart <= near)
