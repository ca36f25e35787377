"""What is connected, and the best one-to-one assignment, which SciPy solves in each connected part on its own."""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from assay.core.judged import Floats, Ints
from assay.errors import MissingExtraError, UnsupportedError

DENSE = 4_000_000
"""The most cells of a part that is solved as a full matrix; larger ones are solved as sparse ones."""
LARGEST = 40_000
"""The most nodes of a sparse part: the time grows with the square of them, to about a minute here."""
ROUNDS = 100
"""How often sure edges are looked for at most."""


def connected(left: Ints, right: Ints, nodes: int) -> Ints:
    """Return the lowest node that each node is connected with, shape (nodes,); edges have the shapes (edges,).

    >>> connected(np.array([0, 3]), np.array([2, 2]), 5).tolist()
    [0, 1, 0, 0, 4]
    """
    root = np.arange(nodes, dtype=np.int64)
    while True:
        one, other = root[left], root[right]
        apart = one != other
        if not apart.any():
            return root
        one, other = one[apart], other[apart]
        np.minimum.at(root, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(further := root[root], root):
            root = further
        left, right = left[apart], right[apart]


def components(left: Ints, right: Ints) -> Ints:
    """Return the part of each edge between two kinds of nodes, numbered from 0; shapes (edges,).

    >>> components(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2])).tolist()
    [0, 0, 0, 1]
    """
    if not len(left):
        return np.zeros(0, np.int64)
    lefts = int(left.max()) + 1
    root = connected(left, right + lefts, lefts + int(right.max()) + 1)[left]
    used = np.zeros(lefts, np.int64)
    used[root] = 1
    numbers: Ints = (np.cumsum(used) - 1)[root]
    return numbers


def best_assignment(left: Ints, right: Ints, weight: Floats) -> float:
    """Return the highest sum of weights of edges no two of which share a node; shapes (edges,), no edge twice.

    An edge that weighs as much as the best others at both its ends together is in some best assignment: such edges
    are taken first, in rounds. What is left is solved part by part.
    Source: Kuhn 1955; Crouse 2016 (SciPy's linear_sum_assignment).

    Raises
    ------
    MissingExtraError
        Edges are left, and SciPy is not installed.
    UnsupportedError
        A connected part of what is left is too large to be solved.

    >>> best_assignment(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([2.0, 1.5, 1.0]))
    2.5
    """
    sums = []
    for _ in range(ROUNDS):
        taken = _sure(left, right, weight)
        if not len(taken):
            break
        sums.append(math.fsum(weight[taken]))
        open_ = ~(np.isin(left, left[taken]) | np.isin(right, right[taken]))
        left, right, weight = left[open_], right[open_], weight[open_]
    return math.fsum(sums) + math.fsum(_solve(*one) for one in _parts(left, right, weight))


def _sure(left: Ints, right: Ints, weight: Floats) -> Ints:
    """Return edges that some best assignment takes, no two of which share a node."""
    sure = np.flatnonzero(weight >= _best_other(left, weight) + _best_other(right, weight))
    for side in (left, right):
        sure = sure[np.unique(side[sure], return_index=True)[1]]
    return sure


def _best_other(side: Ints, weight: Floats) -> Floats:
    """Return the highest weight among the other edges of each edge's node on one side; 0 without others."""
    if not len(side):
        return weight
    nodes = int(side.max()) + 1
    best, second = np.zeros(nodes), np.zeros(nodes)
    np.maximum.at(best, side, weight)
    first = np.full(nodes, len(side))
    top = np.flatnonzero(weight == best[side])
    np.minimum.at(first, side[top], top)
    other = first[side] != np.arange(len(side))
    np.maximum.at(second, side[other], weight[other])
    return np.where(other, best[side], second[side])


def _parts(left: Ints, right: Ints, weight: Floats) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield the edges of each connected part, their nodes numbered from 0 in each."""
    part = components(left, right)
    order = np.lexsort((right, left, part))
    row, column = (_within(side[order], part[order]) for side in (left, right))
    starts = np.flatnonzero(np.diff(part[order])) + 1
    for start, end in itertools.pairwise([0, *starts.tolist(), len(order)] if len(order) else []):
        yield row[start:end], column[start:end], weight[order[start:end]]


def _within(side: Ints, part: Ints) -> Ints:
    """Return the number of each edge's node within its part; parts ascend."""
    key, node = np.unique(part * (int(side.max(initial=0)) + 1) + side, return_inverse=True)
    del key
    _, start = np.unique(part, return_index=True)
    lowest = np.minimum.reduceat(node, start) if len(start) else start
    numbers: Ints = node - np.repeat(lowest, np.diff(np.append(start, len(part))))
    return numbers


def _solve(row: Ints, column: Ints, weight: Floats) -> float:
    """Return the highest sum of one part."""
    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    if rows * columns > DENSE:
        return _solve_sparse(row, column, weight)
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as error:
        raise MissingExtraError.of("the best assignment of clusters", "scipy", "stats") from error
    table = np.zeros((rows, columns))
    table[row, column] = weight
    return math.fsum(table[linear_sum_assignment(table, maximize=True)])


def _solve_sparse(row: Ints, column: Ints, weight: Floats) -> float:
    """Return the same without a full matrix: each row may also take a place of its own, which adds nothing."""
    try:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import min_weight_full_bipartite_matching
    except ImportError as error:
        raise MissingExtraError.of("the best assignment of clusters", "scipy", "stats") from error
    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    if rows + columns > LARGEST:
        msg = f"the best assignment: expected parts of at most {LARGEST:,} connected clusters, found {rows + columns:,}"
        raise UnsupportedError(msg)
    own = np.arange(rows)
    # A stored 0 is no edge to SciPy, so every edge, and every place of its own, weighs 1 more.
    values = np.concatenate([weight + 1, np.ones(rows)])
    places = np.concatenate([row, own]), np.concatenate([column, columns + own])
    graph = csr_array((values, places), shape=(rows, columns + rows))
    taken_row, taken = min_weight_full_bipartite_matching(graph, maximize=True)
    real = taken < columns
    key = row * columns + column
    order = np.argsort(key)
    found = np.searchsorted(key[order], taken_row[real].astype(np.int64) * columns + taken[real])
    return math.fsum(weight[order][found])
