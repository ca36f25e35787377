"""The answers that a model puts first, against every score."""

import numpy as np
import pytest
from tests.unit.link_rankings import answers, random_graph, random_scores

from assay.errors import ParameterError, RunError
from assay.tasks.links import top
from assay.tasks.links.models.complex import ComplEx
from assay.tasks.links.models.rotate import RotatE
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.models.transe import TransE
from assay.tasks.links.pooled import evaluate_pooled
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.top import top_triples

GRAPH = random_graph(6, entities=9, triples=60)
RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(9, 4)), RNG.normal(size=(2, 4))
COMPLEX = REAL[0] + 1j * RNG.normal(size=(9, 4)), REAL[1] + 1j * RNG.normal(size=(2, 4))
MODELS = {
    "l1": TransE(*REAL, norm=1), "l2": TransE(*REAL, norm=2, gamma=3.0), "complex": ComplEx(*COMPLEX),
    "rotate": RotatE(COMPLEX[0], COMPLEX[1] / np.abs(COMPLEX[1])),
}  # fmt: skip


def by_looking(model, side, given, relation, k):
    """Return the best answers by scoring every triple."""
    before = answers(GRAPH, side, given, relation, ["train", "valid"]) - answers(GRAPH, side, given, relation, ["test"])
    left = np.array(sorted(set(range(9)) - before))
    same, kind = np.full(len(left), given), np.full(len(left), relation)
    scores = model.by_the_book(same, kind, left) if side == "tail" else model.by_the_book(left, kind, same)
    order = np.lexsort((left, -scores))[:k]
    return left[order].tolist(), scores[order]


@pytest.mark.parametrize("block", [2, 16_384])
@pytest.mark.parametrize("name", MODELS)
def test_the_best_are_those_of_all_scores(name, block, monkeypatch):
    monkeypatch.setattr(top, "ENTITIES", block)
    monkeypatch.setattr(top, "QUERIES", 3)
    found = top_triples(GRAPH, MODELS[name], 3)
    for (side, given, relation), rows in groups(found):
        wanted, scores = by_looking(MODELS[name], side, given, relation, 3)
        assert rows["tail" if side == "tail" else "head"].to_list() == wanted
        assert rows["score"].to_list() == pytest.approx(scores.tolist(), rel=1e-12)


def groups(found):
    for side, given in (("tail", "head"), ("head", "tail")):
        for (one, relation), rows in found.filter(side=side).group_by(given, "relation", maintain_order=True):
            yield (side, one, relation), rows


def test_ties_at_the_last_place_are_not_cut():
    scores = random_scores(GRAPH, 1, levels=2)
    model = Scorer(lambda e, r, side: np.stack([scores(side, a, b) for a, b in zip(e, r, strict=True)]), 9, 2)
    found = top_triples(GRAPH, model, 2, protocol=Protocol(sides=("tail",)))
    for (side, given, relation), rows in groups(found):
        before = answers(GRAPH, side, given, relation, ["train", "valid"])
        before -= answers(GRAPH, side, given, relation, ["test"])
        left = [scores(side, given, relation)[one] for one in set(range(9)) - before]
        last = sorted(left, reverse=True)[:2][-1]
        assert rows.height == sum(score >= last for score in left)


def test_a_pooled_list_of_a_model_is_that_of_all_its_scores():
    model = MODELS["complex"]
    some = evaluate_pooled(GRAPH, model, "P@{1,5,20}")
    everything = top_triples(GRAPH, model, 9, protocol=Protocol(sides=("tail",)))
    assert some.mean == evaluate_pooled(GRAPH, everything, "P@{1,5,20}").mean
    with pytest.raises(ParameterError, match="cutoff"):
        evaluate_pooled(GRAPH, model, "P@5 AP")


def test_what_cannot_be_ranked_is_refused():
    with pytest.raises(ParameterError, match="at least 1"):
        top_triples(GRAPH, MODELS["l1"], 0)
    broken = Scorer(lambda e, *_: np.full((len(e), 9), np.nan), 9, 2)
    with pytest.raises(RunError, match="no"):
        top_triples(GRAPH, broken, 2)
