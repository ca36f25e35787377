"""Possible values of normalised discounted gain."""

from collections.abc import Callable

import numpy as np

from assay.core.judged import Floats, Ints, Judged
from assay.measures.base import divide
from assay.measures.possible import Board, Possible, boards, open_places

Worth = Callable[[Floats], Floats]
"""The gain of each grade, shape (rows,)."""


def never_falls(judged: Judged, worth: Worth, highest: float) -> bool:
    """Tell whether a grade of 0 is worth nothing and no higher grade less than a lower one."""
    grades = np.unique(np.concatenate([np.arange(highest + 1), [highest], judged.ideal.judged().grade]))
    gains = worth(grades)
    return bool(gains[0] == 0 and (np.diff(gains) >= 0).all())


def possible_normalised_gain(judged: Judged, value: Floats, k: int | None, worth: Worth, highest: float) -> Possible:
    r"""Return the lowest and highest nDCG, exactly, for gains that never fall with the grade.

    With J_v judged items of gain v or more and m_v new ones, W the discounts of the open places that hold the
    new ones and D(n) those of the first n places, DCG and its ideal are sums over the steps d_v of the gain:

    $$ nDCG = \frac{C + \sum_v d_v W(m_v)}{\sum_v d_v D(\min(k, J_v + m_v))} $$

    The ratio is quasi-concave in the gains: it is lowest where the last m open places hold the highest grade
    and all others 0. It is highest for the m_v that Dinkelbach's method finds, separately for each v.
    """
    ladder = _Ladder.of(judged, k, worth, highest)
    inside, beyond = open_places(judged, k)
    top = judged.top(k)
    now = top.sum(worth(top.grade) / np.log2(top.rank + 1))
    floor = divide(now, ladder.ideal(np.arange(judged.queries), beyond[:, None])[:, 0])
    low, high = np.where(np.isnan(floor), 0.0, floor), np.where(np.isnan(value), 0.0, value)
    for board in boards(judged, k):
        some = board.queries
        new, discount = _opened(board)
        left = inside[some, None] - new
        worst = now[some, None] + ladder.gains[-1] * (discount[:, -1:] - discount)
        ratio = divide(worst, ladder.ideal(some, beyond[some, None] + left))
        low[some] = np.minimum(low[some], np.where(np.isnan(ratio), np.inf, ratio).min(axis=1))
        high[some] = ladder.climb(board, now[some], high[some], new, discount)
    return Possible.of(judged, value, low, high)


def _opened(board: Board) -> tuple[Floats, Floats]:
    """Return how many open places there are down to each place, from 0 on, and the sum of their discounts."""
    start = np.zeros((len(board.queries), 1))
    new = np.cumsum(board.is_open, axis=1, dtype=np.float64)
    discount = np.cumsum(board.is_open / np.log2(board.rank + 1), axis=1)
    return np.hstack([start, new]), np.hstack([start, discount])


class _Ladder:
    """The gains that items can have, step by step, and the ideal when there are more items of some gains."""

    def __init__(self, gains: Floats, judged: Floats, discounts: Floats) -> None:
        """Take rising gains, (steps,), how many judged items reach each, (queries, steps), and D(0), D(1) …"""
        self.gains, self.judged, self.discounts = gains, judged, discounts
        self.steps = np.diff(gains, prepend=0.0)

    @classmethod
    def of(cls, judged: Judged, k: int | None, worth: Worth, highest: float) -> "_Ladder":
        ideal = judged.ideal.judged()
        value = worth(ideal.grade)
        gains = np.unique(np.append(value[value > 0], worth(np.array([highest]))))
        reach = np.stack([ideal.where(value >= gain).count() for gain in gains], axis=1)
        most = int(reach.max(initial=0) + judged.retrieved.max(initial=0))
        terms = 1 / np.log2(np.arange(2.0, most + 2))
        if k is not None:
            terms[k:] = 0.0
        return cls(gains, reach, np.concatenate([[0.0], np.cumsum(terms)]))

    def cost(self, queries: Ints, step: int, new: Floats) -> Floats:
        """Return D(min(k, J + m)) for numbers m of new items that reach a step, shape of `new`."""
        places = (self.judged[queries, step][:, None] + new).astype(np.int64)
        return np.asarray(self.discounts[places], np.float64)

    def ideal(self, queries: Ints, new: Floats) -> Floats:
        """Return the ideal DCG with some new items of the highest gain, shape of `new`."""
        total = np.zeros(new.shape)
        for step, size in enumerate(self.steps):
            total += size * self.cost(queries, step, new)
        return total

    def climb(self, board: Board, now: Floats, value: Floats, new: Floats, discount: Floats) -> Floats:
        """Raise values, shape (rows,), until no number of new items at any step raises them further."""
        while True:
            above, below = now.copy(), np.zeros(len(now))
            for step, size in enumerate(self.steps):
                cost = self.cost(board.queries, step, new)
                best = np.argmax(discount - value[:, None] * cost, axis=1)[:, None]
                above += size * np.take_along_axis(discount, best, axis=1)[:, 0]
                below += size * np.take_along_axis(cost, best, axis=1)[:, 0]
            found = divide(above, below)
            better = found > value
            if not better.any():
                return value
            value = np.where(better, found, value)
