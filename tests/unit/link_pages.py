"""Link predictors and vectors to make pages of: judged for real, with ties, and with names that are markup."""

from functools import cache

import numpy as np
import polars as pl
from tests.unit.dossiers import ODD
from tests.unit.link_rankings import brute_ranking, random_graph, random_scores

from assay.tasks.links.evaluate import evaluate_links, evaluate_ranking
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.pooled import pooled_result
from assay.tasks.neighbours import drift, evaluate_vectors


def graph(*, hostile=False):
    """Return a small graph; hostile: its name and those of an entity and of a relation are markup."""
    plain = random_graph(7, entities=12, relations=3, triples=150)
    if not hostile:
        return plain
    odd = [f"{one}{ODD if one in {'e1', 'e3', 'r0'} else ''}" for one in (*plain.entities, *plain.relations)]
    return KnowledgeGraph(pl.Series(odd[:12]), pl.Series(odd[12:]), plain.splits, name=f"tiny {ODD}")


def model(plain):
    """Return a model of few different scores, so that there are ties."""
    scores = random_scores(plain, 3, levels=6)
    return Scorer(
        lambda entity, relation, side: np.array([scores(side, *one) for one in zip(entity, relation, strict=True)]),
        len(plain.entities), len(plain.relations),
    )  # fmt: skip


@cache
def judged(*, hostile=False, interval=0.95):
    """Return the evaluation of a model by every breakdown, with the pooled list beside it."""
    plain = graph(hostile=hostile)
    predictor = model(plain)
    by = ["relation", "side", "category", "degree", "type"]
    types = {str(one): [f"kind {place % 3}{ODD if hostile else ''}"] for place, one in enumerate(plain.entities)}
    found = evaluate_links(plain, predictor, by=by, types=types, interval=interval, above=4)
    return found, pooled_result(plain, predictor)


def typed(*, outside="miss"):
    """Return an evaluation with typed candidates, among which some true entities are not."""
    from assay.tasks.links.protocol import Protocol

    plain = random_graph(5)
    some = {(side, relation): {0, 1, 2, 3} for side in ("tail", "head") for relation in range(2)}
    ranking = brute_ranking(plain, random_scores(plain, 5, levels=50), Protocol(outside=outside), some)
    return evaluate_ranking(ranking, "MRR HR@3")


def vectors(*, hostile=False):
    """Return vectors with names and labels, an index that misses some of them, and a later version."""
    random = np.random.default_rng(7)
    label = np.arange(40) % 4
    centres = random.normal(size=(4, 8))
    old, new = (centres[label] + 0.6 * random.normal(size=(40, 8)) for _ in range(2))
    odd = ODD if hostile else ""
    names = [f"item-{place}{odd if place < 20 else ''}" for place in range(40)]
    labels = [f"label-{one}{odd if one == 1 else ''}" for one in label]
    return old, new, names, labels


@cache
def quality(*, hostile=False):
    """Return the quality of the vectors by labels, clusters and an index that is wrong about half of the items."""
    old, _, names, labels = vectors(hostile=hostile)
    index = np.tile(np.arange(5), (40, 1))
    return evaluate_vectors(old, names=names, labels=labels, index=index, k=5)


@cache
def drifted(*, hostile=False):
    """Return the drift between two versions of the vectors, by type."""
    old, new, names, labels = vectors(hostile=hostile)
    return drift(old, new, names=names, types=labels, k=5, moved=4)
