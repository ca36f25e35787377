"""What train already says: which relations turn others around or repeat them, and which triples follow from it."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.keys import Flags, Ints, among, row_keys

Floats = NDArray[np.float64]
THRESHOLD = 0.8
"""From which share of its pairs on a relation counts as the inverse, or the same, as another (Akrami et al. 2020)."""


@dataclass(frozen=True, slots=True, eq=False)
class RelationOverlap:
    """Relations that share pairs of entities in train: `shared[i]` pairs of `first[i]` stand in `second[i]`.

    Each two relations stand here in both orders; `share` is `shared` over the pairs of `first`. All have the
    shape (overlaps,).
    """

    first: Ints
    second: Ints
    shared: Ints
    share: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Leaks:
    """For each triple of a split whether train says it, or something from which it follows; shapes (triples,).

    `in_train`: train holds it (at the same time, where triples have times); `at_other_time`: it holds it at another
    time. `reversed`: train links its entities the other way round. `symmetric`: by the same
    relation. `inverse`: by a relation that is an inverse. `same_pair`: train links its entities by another
    relation. `unseen`: train lacks an entity or the relation. A triple that train holds counts as `in_train` alone;
    one from an entity to itself is its own reverse and counts as none of reversed, symmetric and inverse.
    """

    in_train: Flags
    at_other_time: Flags
    reversed: Flags
    symmetric: Flags
    inverse: Flags
    same_pair: Flags
    unseen: Flags


def relation_overlap(train: Ints, relations: int, *, reverse: bool) -> RelationOverlap:
    """Count for each two relations the pairs of entities that stand in both; with `reverse`, the other way round.

    A pair of an entity with itself is left out. With `reverse`, a relation may overlap with itself (symmetric).

    >>> found = relation_overlap(np.array([[0, 0, 1], [2, 0, 3], [1, 1, 0]]), 2, reverse=True)
    >>> list(zip(found.first.tolist(), found.second.tolist(), found.share.tolist()))
    [(0, 1, 0.5), (1, 0, 1.0)]
    """
    rows = pl.DataFrame(train[train[:, 0] != train[:, 2]], schema=["h", "r", "t"], orient="row")
    turned = rows.rename({"h": "t", "t": "h"}) if reverse else rows
    pairs = rows.join(turned, on=["h", "t"], suffix="2")
    if not reverse:
        pairs = pairs.filter(pl.col("r") != pl.col("r2"))
    found = pairs.group_by("r", "r2").len().sort("r", "r2")
    first, second, shared = (found[name].to_numpy().astype(np.int64) for name in ("r", "r2", "len"))
    sizes = np.bincount(rows["r"].to_numpy(), minlength=relations)
    return RelationOverlap(first, second, shared, shared / sizes[first])


def leaks(
    graph: KnowledgeGraph,
    split: str = "test",
    *,
    threshold: float = THRESHOLD,
    turned: RelationOverlap | None = None,
) -> Leaks:
    """Tell for each triple of a split what train says of it.

    A relation s is an inverse of r if at least `threshold` of the pairs of r stand in s the other way round;
    `turned` are these shares, where they are known already.
    """
    train, rows = graph.triples("train"), graph.splits[split]
    if turned is None:
        turned = relation_overlap(train, graph.relations.len(), reverse=True)
    inverse = inverse_answers(rows, train, turned, threshold)
    loops = rows[:, 0] == rows[:, 2]
    entities, relations = graph.seen()
    here, ever = among(graph.facts(split), graph.facts("train")), among(rows, train)
    new = ~loops & ~here
    return Leaks(
        in_train=here,
        at_other_time=ever & ~here,
        reversed=among(rows[:, [2, 0]], train[:, [0, 2]]) & new,
        symmetric=among(rows[:, [2, 1, 0]], train) & new,
        inverse=_flags(inverse["row"], len(rows)) & new,
        same_pair=(_relations_of_pair(rows, train) > ever) & ~here,
        unseen=~(entities[rows[:, 0]] & entities[rows[:, 2]] & relations[rows[:, 1]]),
    )


def inverse_answers(rows: Ints, train: Ints, found: RelationOverlap, threshold: float) -> pl.DataFrame:
    """Return which triple (row) of which relation (r) is answered by the triple of an inverse (r2) in train."""
    return _answers(rows, train[:, [2, 1, 0]], found, threshold)


def duplicate_answers(rows: Ints, train: Ints, found: RelationOverlap, threshold: float) -> pl.DataFrame:
    """Return which triple (row) of which relation (r) is answered by the triple of one that says the same (r2)."""
    return _answers(rows, train, found, threshold)


def _answers(rows: Ints, train: Ints, found: RelationOverlap, threshold: float) -> pl.DataFrame:
    kept = (found.share >= threshold) & (found.first != found.second)
    rules = pl.DataFrame({"r": found.first[kept], "r2": found.second[kept]})
    asked = (
        pl.DataFrame(rows, schema=["h", "r", "t"], orient="row")
        .with_row_index("row")
        .filter(pl.col("h") != pl.col("t"))
    )
    known = pl.DataFrame(train, schema=["h", "r2", "t"], orient="row")
    return asked.join(rules, on="r").join(known, on=["h", "r2", "t"], how="semi").sort("row", "r2")


def _flags(places: pl.Series, rows: int) -> Flags:
    flags = np.zeros(rows, np.bool_)
    flags[places.to_numpy()] = True
    return flags


def _relations_of_pair(rows: Ints, train: Ints) -> Ints:
    """Count for each triple the relations by which train links its entities in this direction."""
    keys = row_keys(np.concatenate([rows, train])[:, [0, 2]])
    known, counts = np.unique(keys[len(rows) :], return_counts=True)
    place = np.searchsorted(known, keys[: len(rows)]).clip(max=len(known) - 1)
    found: Ints = np.where(known[place] == keys[: len(rows)], counts[place], 0)
    return found
