"""Published figures of models that need no training: how often a relation has an entity on a side in train.

Safavi & Koutra 2020, CoDEx, report a relation-frequency baseline (FB15k-237 .236, CoDEx-M .135), computed by a rule
for ties that is none of the four here; the four lie around it.
"""

import numpy as np
import pytest

from assay.tasks.links.evaluate import evaluate_ranking
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.ranking import rank


def frequency_model(graph):
    """Score an entity by the training triples of the relation in which it stands on the side that is asked for."""
    train, shape = graph.splits["train"], (len(graph.relations), len(graph.entities))
    counts = {side: np.zeros(shape) for side in ("tail", "head")}
    for side, column in (("tail", 2), ("head", 0)):
        np.add.at(counts[side], (train[:, 1], train[:, column]), 1)
    return Scorer(lambda entity, relation, side: counts[side][relation] + 0 * entity[:, None], shape[1], shape[0])


def openke(folder):
    return KnowledgeGraph.read(
        *(folder / f"{split}2id.txt" for split in ("train", "valid", "test")),
        entities=folder / "entity2id.txt", relations=folder / "relation2id.txt",
    )  # fmt: skip


def text(folder):
    return KnowledgeGraph.read(*(folder / f"{split}.txt" for split in ("train", "valid", "test")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "read", "figures", "published"),
    [
        ("fb15k-237-openke", openke, (0.2597, 0.2345, 0.2334, 0.2305), 0.236),
        ("codex-m", text, (0.1360, 0.1343, 0.1341, 0.1333), 0.135),
    ],
)
def test_the_relation_frequency_baseline(data, name, read, figures, published):
    graph = read(data / "kg" / name)
    found = evaluate_ranking(rank(graph, frequency_model(graph)), "MRR").filtered
    ties = found.figure("RR").ties
    kinds = ("optimistic", "expected", "realistic", "pessimistic")
    assert tuple(round(ties[kind], 4) for kind in kinds) == figures
    assert ties["pessimistic"] < published < ties["optimistic"]
    assert found.tied_share > 0.4
