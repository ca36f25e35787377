"""The triples that a model ranks lowest, with the answers it puts above them."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.link_rankings import random_graph

from assay.tasks.links.models.complex import ComplEx
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.transe import TransE
from assay.tasks.links.ranking import rank
from assay.tasks.links.worst import worst_triples

GRAPH = random_graph(5, entities=9, triples=60)
RNG = np.random.default_rng(4)
REAL = RNG.normal(size=(9, 4)), RNG.normal(size=(2, 4))
MODELS = [
    DistMult(*REAL),
    TransE(*REAL, norm=2, gamma=2.0),
    ComplEx(REAL[0] + 1j * RNG.normal(size=(9, 4)), REAL[1] + 1j * RNG.normal(size=(2, 4))),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.name)
def test_the_answers_above_are_those_of_every_score(model):
    splits = {tuple(row): split for split in ("test", "valid", "train") for row in GRAPH.splits[split].tolist()}
    ranking = rank(GRAPH, model)
    found = worst_triples(ranking, 12, model=model, above=4)
    assert [replace(one, above=None) for one in found] == list(worst_triples(ranking, 12))
    for one in found:
        head, relation, tail = (int(name[1:]) for name in (one.head, one.relation, one.tail))
        tails = one.side == "tail"
        every = [(head, relation, x) if tails else (x, relation, tail) for x in range(9)]
        scores = model.by_the_book(*(np.array(column) for column in zip(*every, strict=True)))
        own = scores[tail if tails else head]
        above = sorted((x for x in range(9) if scores[x] > own + 1e-12), key=lambda x: -scores[x])[:4]
        assert [answer.entity for answer in one.above] == [f"e{x}" for x in above]
        assert [answer.split for answer in one.above] == [splits.get(every[x]) for x in above]
        assert [answer.score for answer in one.above] == pytest.approx(scores[above].tolist())
        assert one.score == pytest.approx(own)


def test_known_answers_take_no_place_in_filtered_ranks():
    ranking = rank(GRAPH, MODELS[0])
    for one in worst_triples(ranking, 40, model=MODELS[0], above=9):
        assert sum(not answer.known for answer in one.above) == one.greater
        assert one.to_dict()["above"] == [
            {"entity": a.entity, "score": a.score, "split": a.split, "known": a.split is not None} for a in one.above
        ]


def test_more_triples_than_there_are_gives_all():
    ranking = rank(GRAPH, MODELS[0])
    assert len(worst_triples(ranking, 10_000)) == ranking.table.height
