"""`audit_links`: a knowledge graph and its splits before any link is predicted."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl

from assay.core.audit import in_order
from assay.core.links_audit import LinksAudit, RelationAudit, RelationPair, SplitAudit, SplitOverlap
from assay.errors import InputError, ParameterError
from assay.tasks.links.audit_findings import findings_of
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.keys import Ints, among, unique_rows
from assay.tasks.links.leakage import (
    THRESHOLD,
    RelationOverlap,
    duplicate_answers,
    inverse_answers,
    leaks,
    relation_overlap,
)
from assay.tasks.links.protocol import SPLITS

CARTESIAN = 0.8
"""From which share of all heads × all tails on a relation counts as a Cartesian product (Akrami et al. 2020)."""
EXAMPLES = 5


def audit_links(graph: KnowledgeGraph, *, threshold: float = THRESHOLD, cartesian: float = CARTESIAN) -> LinksAudit:
    """Find what makes figures on this graph easier, harder or not comparable, before any score.

    Parameters
    ----------
    graph
        At least a train split; what test (else valid) holds is held against it.
    threshold
        The share of the pairs of a relation that must stand in another the other way round (inverse), in itself
        the other way round (symmetric), or in another in the same direction (duplicate).
    cartesian
        The share of all heads × all tails of a relation that must be triples.

    Raises
    ------
    InputError
        A graph without training triples.
    ParameterError
        A threshold that is no share above 0.

    >>> graph = KnowledgeGraph.from_arrays([[0, 0, 1], [1, 1, 0], [2, 0, 3]], test=[[3, 1, 2]])
    >>> found = audit_links(graph)
    >>> found.split("test").inverse, [(pair.first, pair.second, pair.of_second) for pair in found.inverse]
    (1, [('0', '1', 1.0)])
    """
    _check(graph, threshold, cartesian)
    train = graph.triples("train")
    turned = relation_overlap(train, graph.relations.len(), reverse=True)
    along = relation_overlap(train, graph.relations.len(), reverse=False)
    relations = _relations(graph, train, turned)
    seen, kinds = graph.seen()
    used = np.unique(graph.triples()[:, [0, 2]])
    degree = _degree(train, graph.entities.len())
    rows = _asked(graph)
    found = LinksAudit(
        graph.name, graph.entities.len(), graph.relations.len(), int(seen.sum()), int(kinds.sum()),
        unseen_entities=int((~seen[used]).sum()),
        unused_entities=graph.entities.len() - len(used),
        single_entities=int((degree == 1).sum()),
        splits=tuple(_split(graph, name, degree, turned, threshold) for name in SPLITS if name in graph.splits),
        missing=tuple(name for name in SPLITS if name not in graph.splits),
        overlaps=tuple(_overlaps(graph)),
        inverse=_pairs(graph, turned, inverse_answers(rows, train, turned, threshold), threshold),
        duplicate=_pairs(graph, along, duplicate_answers(rows, train, along, threshold), threshold),
        symmetric=tuple(one for one in relations if one.symmetric is not None and one.symmetric >= threshold),
        cartesian=tuple(one for one in relations if one.filled is not None and one.filled >= cartesian),
        per_relation=relations, threshold=threshold, cartesian_threshold=cartesian,
    )  # fmt: skip
    return replace(found, findings=in_order(list(findings_of(found, graph))))


def _check(graph: KnowledgeGraph, threshold: float, cartesian: float) -> None:
    if not len(graph.splits.get("train", ())):
        msg = f"{graph.name}: expected training triples, found none"
        raise InputError(msg, hint="an audit holds the other splits against train.")
    for name, value in (("threshold", threshold), ("cartesian", cartesian)):
        if not 0 < value <= 1:
            msg = f"{name}: expected a share above 0 and at most 1, found {value:g}"
            raise ParameterError(msg)


def _degree(train: Ints, entities: int) -> Ints:
    """Count for each entity the triples of train that hold it."""
    others = train[train[:, 0] != train[:, 2], 2]
    degree: Ints = np.bincount(train[:, 0], minlength=entities) + np.bincount(others, minlength=entities)
    return degree


def _asked(graph: KnowledgeGraph) -> Ints:
    """Return the triples that are asked about: those of test, else of valid."""
    return graph.splits.get("test", graph.splits.get("valid", np.zeros((0, 3), np.int64)))


def _split(graph: KnowledgeGraph, name: str, degree: Ints, turned: RelationOverlap, threshold: float) -> SplitAudit:
    rows = graph.splits[name]
    loops, repeats = int((rows[:, 0] == rows[:, 2]).sum()), len(graph.repeats.get(name, ()))
    rare = int((degree[rows[:, [0, 2]]] == 1).any(axis=1).sum())
    if name == "train":
        return SplitAudit(name, len(rows), repeats, loops, rare_triples=rare)
    found = leaks(graph, name, threshold=threshold, turned=turned)
    entities, relations = graph.seen()
    return SplitAudit(
        name, len(rows), repeats, loops,
        in_train=int(found.in_train.sum()),
        at_other_time=int(found.at_other_time.sum()) if graph.times else None,
        reversed=int(found.reversed.sum()),
        symmetric=int(found.symmetric.sum()),
        inverse=int(found.inverse.sum()),
        same_pair=int(found.same_pair.sum()),
        unseen_triples=int(found.unseen.sum()),
        unseen_entities=int((~entities[np.unique(rows[:, [0, 2]])]).sum()),
        unseen_relations=int((~relations[np.unique(rows[:, 1])]).sum()),
        rare_triples=rare,
    )  # fmt: skip


def _overlaps(graph: KnowledgeGraph) -> Iterable[SplitOverlap]:
    for first, second in combinations([name for name in SPLITS if name in graph.splits], 2):
        rows = unique_rows(graph.facts(second))
        both = rows[among(rows, graph.facts(first))]
        yield SplitOverlap(first, second, len(both), tuple(graph.named(both[:EXAMPLES, :3])))


def _relations(graph: KnowledgeGraph, train: Ints, turned: RelationOverlap) -> tuple[RelationAudit, ...]:
    """Return all relations, those with most test triples first, then those with most training triples, then by name."""
    size = graph.relations.len()
    counts = {
        name: np.bincount(graph.splits[name][:, 1], minlength=size) if name in graph.splits else np.zeros(size, int)
        for name in SPLITS
    }
    ends = (
        pl.DataFrame(train, schema=["h", "r", "t"], orient="row")
        .group_by("r")
        .agg(pl.col("h").n_unique(), pl.col("t").n_unique())
    )
    shape = {relation: (heads, tails) for relation, heads, tails in ends.iter_rows()}
    own = turned.first == turned.second
    symmetric = dict(zip(turned.first[own].tolist(), turned.share[own].tolist(), strict=True))
    found = []
    for at, name in enumerate(graph.relations):
        heads, tails = shape.get(at, (0, 0))
        here = int(counts["train"][at])
        found.append(
            RelationAudit(
                name, here, int(counts["valid"][at]), int(counts["test"][at]), heads, tails,
                symmetric=symmetric.get(at, 0.0) if here else None,
                filled=here / (heads * tails) if heads > 1 and tails > 1 else None,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda one: (-one.test, -one.train, one.name)))


def _pairs(
    graph: KnowledgeGraph, found: RelationOverlap, answers: pl.DataFrame, threshold: float
) -> tuple[RelationPair, ...]:
    """Return each two relations once of which one reaches the threshold, those that answer most triples first."""
    shares = {(int(r), int(s)): float(x) for r, s, x in zip(found.first, found.second, found.share, strict=True)}
    low, high = pl.min_horizontal("r", "r2").alias("low"), pl.max_horizontal("r", "r2").alias("high")
    answered = answers.group_by(low, high).agg(pl.col("row").n_unique())
    tests = {(a, b): count for a, b, count in answered.iter_rows()}
    pairs = []
    for r, s, shared in zip(found.first.tolist(), found.second.tolist(), found.shared.tolist(), strict=True):
        if r < s and max(shares[r, s], shares[s, r]) >= threshold:
            one, other = graph.relations[r], graph.relations[s]
            pairs.append(RelationPair(one, other, shared, shares[r, s], shares[s, r], tests.get((r, s), 0)))
    return tuple(sorted(pairs, key=_weight))


def _weight(pair: RelationPair) -> tuple[int, int, str, str]:
    return (-pair.test, -pair.shared, pair.first, pair.second)
