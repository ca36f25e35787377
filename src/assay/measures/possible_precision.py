"""Possible values of average precision."""

from collections.abc import Callable

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import divide
from assay.measures.possible import Board, Possible, boards, open_places


def possible_average_precision(
    judged: Judged, value: Floats, rel: float, k: int | None, divisor: Callable[[Floats], Floats]
) -> Possible:
    r"""Return the lowest and highest average precision, exactly, in time linear in the places.

    Of m new relevant items one that moves up never lowers the numerator N, so that only the first or the last
    m open places need be looked at. `divisor` gives what N is divided by, from the number of relevant items.

    $$ low = \min_m \frac{N(\text{last } m)}{R + m + v}, \quad high = \max_m \frac{N(\text{first } m)}{R + m} $$
    """
    relevant = judged.ideal.relevant(rel).count()
    beyond = open_places(judged, k)[1]
    total = judged.top(k).relevant(rel)
    alone = divide(total.sum(total.position() / total.rank), divisor(relevant + beyond))
    low, high = np.where(np.isnan(alone), 0.0, alone), np.where(np.isnan(value), 0.0, value)
    for board in boards(judged, k):
        some = board.queries
        first, last, new = _numerators(board, rel)
        at_most = divide(first, divisor(relevant[some, None] + new))
        added = new[:, -1:] - new + 1
        at_least = divide(last, divisor(relevant[some, None] + added + beyond[some, None]))
        high[some] = np.maximum(high[some], at_most.max(axis=1, where=board.is_open, initial=0))
        low[some] = np.minimum(low[some], at_least.min(axis=1, where=board.is_open, initial=np.inf))
    return Possible.of(judged, value, low, high)


def _numerators(board: Board, rel: float) -> tuple[Floats, Floats, Floats]:
    """Return the sum of precisions when the open places down to each place, or from it on, hold relevant items.

    The third array counts the open places down to each place; all have the shape (rows, places).
    """
    rank, is_open = board.rank, board.is_open
    found = board.lay(board.hits.relevant(rel))
    so_far, new = np.cumsum(found, axis=1), np.cumsum(is_open, axis=1, dtype=np.float64)
    now = np.sum(found * so_far / rank, axis=1, keepdims=True)
    # an item adds its own precision, and 1/i to that of each relevant item at a place i below it
    below = _below(found / rank)
    first = now + np.cumsum(np.where(is_open, (so_far + new) / rank + below, 0.0), axis=1)
    below = _below((found + is_open) / rank)
    gains = np.where(is_open, (so_far + 1) / rank + below, 0.0)
    last = now + np.cumsum(gains[:, ::-1], axis=1)[:, ::-1]
    return first, last, new


def _below(terms: Floats) -> Floats:
    """Return the sum of the terms after each place, shape (rows, places)."""
    sums = np.zeros_like(terms)
    sums[:, :-1] = np.cumsum(terms[:, :0:-1], axis=1)[:, ::-1]
    return sums
