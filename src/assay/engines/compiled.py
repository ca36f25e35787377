"""The same tiles and counts by numba, where it is installed: several times faster for L1 and moduli.

Each kernel is compiled at its first call and kept in numba's cache. Threads share the queries of a tile.
"""

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from assay.core.hits import Floats, Ints
from assay.engines.block_counts import Asked, Comparing, Doubtful, Tile, parts
from assay.engines.blocks import Kind, Lists, Matrix
from assay.engines.kernels import (
    add_distances,
    add_moduli,
    add_products,
    add_squares,
    count_all,
    count_lists,
    find_between,
    sum_distances,
    sum_moduli,
)
from assay.engines.tiles import Vectors, Way
from assay.errors import MissingExtraError

WAITING = 1 << 16
"""Doubtful pairs that are handed over at a time, about."""


def available() -> bool:
    """Tell whether numba is installed."""
    return find_spec("numba") is not None


def threads() -> int:
    """Return how many processors this process may use, or fewer where OMP_NUM_THREADS says so."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return min(allowed, int(wanted)) if wanted.isdigit() and int(wanted) else allowed


def shared(kernel: Callable[..., None], size: int, *arguments: Any) -> None:
    """Call a kernel for parts of a range, one part a thread: the last arguments are its first and last number."""
    many = max(min(threads(), size), 1)
    bounds = np.linspace(0, size, many + 1).astype(np.int64)
    if many == 1:
        kernel(*arguments, 0, size)
        return
    with ThreadPoolExecutor(many) as pool:
        for done in [pool.submit(kernel, *arguments, *ends) for ends in itertools.pairwise(bounds)]:
            done.result()


def _compare(tile: Tile, asked: Asked, low: Matrix, high: Matrix, doubtful: Doubtful | None) -> tuple[Ints, Ints]:
    above, near = np.zeros((2, len(asked.index)), np.int64)
    shared(kernels()["compare"], len(above), tile.scores, asked.place, low, high, above, near)
    if doubtful is not None:
        between = near - above
        for some in parts(between, WAITING):
            sizes = between[some]
            column = np.empty(int(sizes.sum()), np.int64)
            begin = np.cumsum(sizes) - sizes
            shared(
                kernels()["between"], len(sizes),
                tile.scores, asked.place[some], low[some], high[some], begin, sizes, column,
            )  # fmt: skip
            if len(column):
                doubtful(some.start + np.repeat(np.arange(len(sizes)), sizes), column)
    return above, near


def _compare_lists(tile: Tile, asked: Asked, low: Matrix, high: Matrix, lists: Lists) -> tuple[Ints, Ints]:
    above, near = np.zeros((2, len(asked.index)), np.int64)
    which = lists.list_of(asked.rows[asked.place])
    first, last = lists.start[which], lists.start[which + 1]
    shared(
        kernels()["lists"], len(above),
        tile.scores, asked.place, low, high, first, last, lists.entity, tile.first, above, near,
    )  # fmt: skip
    return above, near


def _exact(kind: Kind, queries: Matrix, candidates: Matrix, place: Ints, entity: Ints) -> Floats:
    found = np.empty(len(place))
    shared(kernels()[kind], len(place), np.asarray(queries), np.asarray(candidates), place, entity, found)
    return found


COMPILED = Comparing(_compare, _compare_lists, _exact, exact_throughout=True)


def _rows(candidates: Vectors, real: Any) -> Matrix:
    return np.ascontiguousarray(candidates.matrix, real)


def _halves(candidates: Vectors, real: Any) -> Matrix:
    return _split(candidates.matrix, real)


def _split(matrix: Matrix, real: Any) -> Matrix:
    return np.stack([np.asarray(part, real) for part in (matrix.real, matrix.imag)])


def _distances(queries: Matrix, candidates: Matrix, tile: Matrix) -> None:
    shared(kernels()["distances"], len(queries), np.ascontiguousarray(queries, tile.dtype), candidates, tile)


def _moduli(queries: Matrix, candidates: Matrix, tile: Matrix) -> None:
    shared(kernels()["moduli"], len(queries), _split(queries, tile.dtype), candidates, tile)


COMPILED_WAYS = {"l1": Way(_rows, _distances), "modulus": Way(_halves, _moduli)}


@cache
def kernels() -> dict[str, Callable[..., None]]:
    """Compile the kernels.

    Raises
    ------
    MissingExtraError
        Without numba.
    """
    if not available():
        raise MissingExtraError.of("compiled counting", "numba", "links")
    import numba

    plain = numba.njit(nogil=True, cache=True)
    any_order = numba.njit(nogil=True, cache=True, fastmath={"reassoc", "nsz"})
    loose = numba.njit(nogil=True, cache=True, fastmath=True)
    return {
        "compare": any_order(count_all), "between": any_order(find_between), "lists": plain(count_lists),
        "distances": loose(sum_distances), "moduli": loose(sum_moduli),
        "dot": plain(add_products), "l2": plain(add_squares), "l1": plain(add_distances), "modulus": plain(add_moduli),
    }  # fmt: skip
