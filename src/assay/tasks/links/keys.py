"""One number for each row of whole numbers, so that equal rows are found by sorting numbers."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
MOST = np.iinfo(np.int64).max


def row_keys(rows: Ints) -> Ints:
    """Return a number for each row, equal where rows are equal, in the order of the rows; shape (rows,).

    >>> row_keys(np.array([[0, 1], [2, 0], [0, 1]])).tolist()
    [1, 4, 1]
    """
    key = _from_zero(rows[:, 0])
    for column in range(1, rows.shape[1]):
        more = _from_zero(rows[:, column])
        if len(rows) and int(key.max()) > MOST // (int(more.max()) + 1) - 1:
            key, more = _dense(key), _dense(more)
        key = key * (int(more.max(initial=0)) + 1) + more
    return key


def first_of_each(rows: Ints) -> Flags:
    """Tell for each row whether no earlier one is the same; shape (rows,)."""
    found = np.zeros(len(rows), np.bool_)
    found[np.unique(row_keys(rows), return_index=True)[1]] = True
    return found


def unique_rows(rows: Ints) -> Ints:
    """Return each row once, sorted by its columns from the first."""
    return rows[np.unique(row_keys(rows), return_index=True)[1]]


def among(rows: Ints, others: Ints) -> Flags:
    """Tell for each row whether it is one of the others; shape (rows,)."""
    keys = row_keys(np.concatenate([rows, others]))
    asked, known = keys[: len(rows)], np.sort(keys[len(rows) :])
    if not len(known):
        return np.zeros(len(rows), np.bool_)
    found: Flags = known[np.searchsorted(known, asked).clip(max=len(known) - 1)] == asked
    return found


def _from_zero(column: Ints) -> Ints:
    return column.astype(np.int64) - (int(column.min()) if len(column) else 0)


def _dense(column: Ints) -> Ints:
    return np.unique(column, return_inverse=True)[1].astype(np.int64)
