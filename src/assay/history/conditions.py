"""Digests of what changes figures beside gold, run and conventions: pairs that are left out, weights, clusters."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.inputs import as_loads, as_pairs


def exclude_digest(exclude: Any) -> str | None:
    """Return the SHA-256 of pairs of query and item, in whatever order they come; None where there are none.

    >>> one, other = {"q": ["a", "b"]}, [("q", "b"), ("q", "a"), ("q", "a")]
    >>> exclude_digest(one) == exclude_digest(other), exclude_digest(None)
    (True, None)
    """
    pairs = as_pairs(exclude)
    return None if pairs is None else _digest(pairs.unique().rows())


def weights_digest(evaluation: Evaluation, weights: Any, gold: Gold | None) -> str | None:
    """Return the SHA-256 of what queries weigh and which belong together; None where all count alike.

    Without weights and gold as they were handed over, it is that of the queries that have a value.
    """
    if weights is not None and gold is not None:
        loads = as_loads(weights, gold)
        return _digest(_loaded(gold.queries.to_list(), _plain(loads.weights), _plain(loads.clusters)))
    rows = {
        row
        for sample in evaluation.samples.values()
        if sample.weights is not None or sample.clusters is not None
        for row in _loaded(sample.queries.to_list(), _plain(sample.weights), _plain(sample.clusters))
    }
    return _digest(rows) if rows else None


def _plain(numbers: Any) -> list[float] | None:
    return None if numbers is None else numbers.tolist()


def _loaded(queries: list[str], weights: list[float] | None, clusters: list[float] | None) -> Iterator[tuple[Any, ...]]:
    """Yield query, weight and the first query of its cluster, so that no number of a cluster matters."""
    first: dict[float, str] = {}
    for query, cluster in sorted(zip(queries, clusters or (), strict=False)):
        first.setdefault(cluster, query)
    for at, query in enumerate(queries):
        yield query, None if weights is None else weights[at], None if clusters is None else first[clusters[at]]


def _digest(rows: Iterable[tuple[Any, ...]]) -> str:
    text = "".join(f"{row!r}\n" for row in sorted(rows, key=repr))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
