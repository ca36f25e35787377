"""The highest numbers of each row, found by the maxima of groups: most of a row is never sorted."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.judged import Ints

GROUP = 64
"""How many numbers share one maximum."""
Rows = NDArray[Any]


def highest(table: Rows, many: int) -> tuple[Ints, Rows, Rows]:
    """Return the places and values of the highest numbers of each row, in no order, and the highest left out (-inf).

    `table` has the shape (rows, columns); places and values have (rows, min(many, columns)), the last (rows,). The
    `many` highest lie in the `many` groups with the highest maxima, so that only those groups are looked into.

    >>> places, values, left = highest(np.array([[3.0, 9.0, 4.0, 7.0]]), 2)
    >>> sorted(places[0].tolist()), sorted(values[0].tolist()), left.tolist()
    ([1, 3], [7.0, 9.0], [4.0])
    """
    groups = table.shape[1] // GROUP
    if groups < 2 * many:
        return _selected(table, many)
    whole = groups * GROUP
    maxima = table[:, :whole].reshape(len(table), GROUP, groups).max(axis=1)
    chosen, _, left = _selected(maxima, many)
    places = (chosen[:, None, :] + groups * np.arange(GROUP)[:, None]).reshape(len(table), -1)
    rest = np.broadcast_to(np.arange(whole, table.shape[1]), (len(table), table.shape[1] - whole))
    places = np.hstack([places, rest])
    order, values, beyond = _selected(np.take_along_axis(table, places, axis=1), many)
    return np.take_along_axis(places, order, axis=1), values, np.maximum(left, beyond)


def _selected(table: Rows, many: int) -> tuple[Ints, Rows, Rows]:
    """Return the same by partition."""
    columns = table.shape[1]
    if columns <= many:
        places = np.broadcast_to(np.arange(columns), table.shape)
        return places, table, np.full(len(table), -np.inf, table.dtype)
    order = np.argpartition(table, columns - many - 1, axis=1)[:, columns - many - 1 :]
    values = np.take_along_axis(table, order, axis=1)
    return order[:, 1:], values[:, 1:], values[:, 0]
