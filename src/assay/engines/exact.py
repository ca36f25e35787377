"""The scores that decide: sums in float64, term after term, whatever the machine."""

from collections.abc import Callable, Iterator

import numpy as np

from assay.core.hits import Floats, Ints
from assay.engines.blocks import Kind, Matrix

CHUNK = 1 << 17
"""Terms at a time: about what the processor's cache holds."""
PAIRS = 1 << 14
"""Pairs whose candidates are fetched at a time."""


def exact_scores(kind: Kind, queries: Matrix, candidates: Matrix, place: Ints, entity: Ints) -> Floats:
    """Return a value in the order of the score for each pair of a query and a candidate, shape (pairs,).

    It is q·e, -Σ(qᵢ - eᵢ)², -Σ|qᵢ - eᵢ|. The terms are rounded to float64 one by one and added from the first to
    the last, so that every machine and every division into blocks gives the same bits.
    """
    values = np.empty(len(place))
    for part, query, candidate in _pairs(queries, candidates, place, entity):
        values[part] = _one_by_one(TERMS[kind](query, candidate))
    return values if kind == "dot" else -values


def quick_scores(kind: Kind, queries: Matrix, candidates: Matrix, place: Ints, entity: Ints) -> Floats:
    """Return the same in float64, but added in the order that is fastest here."""
    values = np.empty(len(place))
    for part, query, candidate in _pairs(queries, candidates, place, entity):
        is_dot = kind == "dot"
        values[part] = np.vecdot(query, candidate) if is_dot else TERMS[kind](query, candidate).sum(axis=1)
    return values if kind == "dot" else -values


def by_entity(
    exact: Callable[[Kind, Matrix, Matrix, Ints, Ints], Floats],
    kind: Kind,
    vectors: tuple[Matrix, Matrix],
    pairs: tuple[Ints, Ints],
) -> Floats:
    """Return what `exact` does, asked in the order of the entities: vectors in files are read from first to last.

    `vectors` are those of queries and of candidates, `pairs` the queries' places and the entities.
    """
    (queries, candidates), (place, entity) = vectors, pairs
    values = np.empty(len(place))
    order = np.argsort(entity, kind="stable")
    for first in range(0, len(order), PAIRS):
        some = order[first : first + PAIRS]
        different, row = np.unique(entity[some], return_inverse=True)
        values[some] = exact(kind, queries, candidates[different], place[some], row)
    return values


def _pairs(queries: Matrix, candidates: Matrix, place: Ints, entity: Ints) -> Iterator[tuple[slice, Matrix, Matrix]]:
    """Yield the vectors of some pairs at a time."""
    step = max(CHUNK // max(queries.shape[1], 1), 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for first in range(0, len(place), step):
            part = slice(first, first + step)
            yield part, widened(queries[place[part]]), widened(candidates[entity[part]])


def _one_by_one(terms: Matrix) -> Floats:
    total = np.zeros(len(terms))
    for column in np.ascontiguousarray(terms.T):
        total += column
    return total


def widened(vectors: Matrix) -> Matrix:
    """Return vectors in float64, or complex128 where they are complex."""
    return np.asarray(vectors, np.complex128 if np.iscomplexobj(vectors) else np.float64)


def shown(kind: Kind, value: Floats) -> Floats:
    """Return the score that is shown for a value: the distance where its square is compared."""
    return -np.sqrt(-value) if kind == "l2" else value


def _squares(query: Matrix, candidate: Matrix) -> Matrix:
    return np.asarray(np.square(query - candidate))


def _distances(query: Matrix, candidate: Matrix) -> Matrix:
    return np.asarray(np.abs(query - candidate))


def _moduli(query: Matrix, candidate: Matrix) -> Matrix:
    apart = query - candidate
    return np.asarray(np.sqrt(apart.real * apart.real + apart.imag * apart.imag))


TERMS: dict[str, Callable[[Matrix, Matrix], Matrix]] = {
    "dot": np.multiply, "l2": _squares, "l1": _distances, "modulus": _moduli
}  # fmt: skip
