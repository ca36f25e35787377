"""Expected reciprocal rank: when a user who stops at a good answer is done."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from assay.core.judged import Floats, Hits, Ints, Judged
from assay.measures.base import Measure, measure
from assay.measures.graded import top_grade
from assay.measures.tie_groups import PLACES, TieGroups, sum_places

NOTHING = 1e-24
"""A probability to go on that no sum in double precision can notice."""


@measure("ERR", bounds=(0, 1))
class ExpectedReciprocalRank(Measure):
    r"""Mean of 1/rank of the place where a user stops who is satisfied by grade g with probability R(g).

    $$ ERR@k = \sum_{i=1}^{k} \frac{1}{i} \, R(g_i) \prod_{j<i} (1 - R(g_j)), \quad
       R(g) = \frac{2^g - 1}{2^{g_{max}}} $$

    The top grade g_max is the highest of the whole gold, not of the query, unless `max_rel` says it (an error
    where the gold holds a higher one): one item of grade 1 at the first place gives 0.5 where 1 is the top
    and 0.0625 where 4 is. Grades below 0 count 0; 1 is never reached.
    Source: Chapelle, Metzler, Zhang & Grinspan 2009, Expected reciprocal rank for graded relevance, CIKM.
    Not in trec_eval.

    >>> ERR().of([0, 1]), ERR(max_rel=4).of([1])
    (0.25, 0.0625)
    >>> ERR(k=2).of([1, 2, 2], gold=[1, 2, 2])
    0.53125
    """

    at = "k"
    rises = True
    k: int | None = None
    max_rel: float | None = None

    def kernel(self, judged: Judged) -> Floats:
        hits = judged.top(self.k).relevant(np.nextafter(0, 1))
        return _cascade(hits, satisfaction(hits.grade, top_grade(self, judged, self.max_rel)))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        highest = self.max_rel or max(gold)
        total, unsatisfied = 0.0, 1.0
        for rank, grade in enumerate(grades[: self.k], start=1):
            chance = (2 ** max(grade, 0) - 1) / 2**highest
            total += unsatisfied * chance / rank
            unsatisfied *= 1 - chance
        return total

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,)."""
        hits = judged.hits.relevant(np.nextafter(0, 1))
        chance = satisfaction(hits.grade, top_grade(self, judged, self.max_rel))
        groups = TieGroups.of(hits, self.k)
        start = np.cumsum(groups.holds) - groups.holds
        value = np.zeros(len(start))
        lone = np.flatnonzero(groups.holds == 1)
        places = sum_places(groups.above[lone], groups.inside[lone], lambda a, x: 1 / (a + x))
        value[lone] = chance[start[lone]] * places / groups.tied[lone]
        for batch in _batches(groups):
            column = np.arange(groups.holds[batch].max())
            real = column < groups.holds[batch, None]
            rows = np.where(real, start[batch, None] + column, 0)
            value[batch] = _mean_stop(groups, batch, np.where(real, chance[rows], 0.0))
        return groups.sum(value * _unsatisfied(hits, 1 - chance)[start])


def satisfaction(grade: Floats, highest: float) -> Floats:
    """Return the probability that an item of each grade satisfies, shape (rows,)."""
    return (np.exp2(np.maximum(grade, 0)) - 1) / 2**highest


def _turns(hits: Hits) -> tuple[Ints, Ints, list[int]]:
    """Lay rows out turn by turn: first the first row of each query, then the second of those that have one.

    Returns the place of each row in that order, each row's query by the number of its rows (most first), and
    where the turns start.
    """
    length = np.bincount(hits.query, minlength=hits.queries)
    slot = np.empty(hits.queries, np.int64)
    slot[np.argsort(-length, kind="stable")] = np.arange(hits.queries)
    position, query = hits.position() - 1, slot[hits.query]
    edges = np.r_[0, np.cumsum(np.bincount(position))]
    return edges[position] + query, query, edges.tolist()


def _cascade(hits: Hits, chance: Floats) -> Floats:
    """Return the mean of 1/rank of the place where a user stops, by products from left to right."""
    place, slot, edges = _turns(hits)
    gain, stay = np.empty(len(hits)), np.empty(len(hits))
    gain[place], stay[place] = chance / hits.rank, 1 - chance
    value, trust = np.zeros(hits.queries), np.ones(hits.queries)
    for start, end in pairwise(edges):
        value[: end - start] += trust[: end - start] * gain[start:end]
        trust[: end - start] *= stay[start:end]
    out = np.zeros(hits.queries)
    out[hits.query] = value[slot]
    return out


def _unsatisfied(hits: Hits, stay: Floats) -> Floats:
    """Return for each row the probability that no row before it satisfied, shape (rows,)."""
    place, _, edges = _turns(hits)
    turns, trust, out = np.empty(len(hits)), np.ones(hits.queries), np.empty(len(hits))
    turns[place] = stay
    for start, end in pairwise(edges):
        out[start:end] = trust[: end - start]
        trust[: end - start] *= turns[start:end]
    return out[place]


def _batches(groups: TieGroups) -> Iterator[Ints]:
    """Yield groups with two or more rows and a place inside, those of about equal size together."""
    size = np.ceil(np.log2(groups.holds)).astype(np.int64)
    size[(groups.holds < 2) | (groups.inside == 0)] = 0
    for log in range(1, size.max(initial=0) + 1):
        batch = np.flatnonzero(size == log)
        pieces = max(1, (len(batch) << log) // PLACES)
        yield from (piece for piece in np.array_split(batch, pieces) if len(piece))


def _mean_stop(groups: TieGroups, batch: Ints, chance: Floats) -> Floats:
    r"""Return the mean over all orders of what groups add, given that nothing above satisfied, (batch,).

    $$ \frac{1}{t} \sum_{x=1}^{m} \frac{1}{a+x} \sum_y \Pr[y \text{ of } r-1 \text{ among } x-1 \text{ of } t-1]
       \, f_y $$

    `chance` holds R of each row, shape (batch, rows), 0 where a group has fewer.
    """
    order = np.argsort(-groups.inside[batch], kind="stable")
    batch, fall = batch[order], _stop_after(chance[order], groups.holds[batch[order]])
    above, tied, others = groups.above[batch], groups.tied[batch], groups.holds[batch] - 1
    y = np.arange(fall.shape[1])
    among = np.zeros_like(fall)
    among[:, 0] = 1
    total = np.zeros(len(batch))
    alive = np.cumsum(np.bincount(groups.inside[batch])[::-1])[::-1][1:].tolist()
    for x, on in enumerate(alive, start=1):
        now = among[:on]
        term = np.einsum("gy,gy->g", now, fall[:on]) / (above[:on] + x)
        total[:on] += term
        if np.all(term * tied[:on] <= NOTHING * total[:on]):  # later terms are smaller still
            break
        rise = now * (others[:on, None] - y) / np.maximum(tied[:on] - x, 1)[:, None]
        now -= rise
        now[:, 1:] += rise[:, :-1]
    out = np.empty(len(batch))
    out[order] = total / tied
    return out


def _stop_after(chance: Floats, holds: Ints) -> Floats:
    """Return f_y: the sum over a group's items of R times the mean product of 1 - R over y of the others.

    Shape (batch, y). Items of one grade have the same mean, taken once: by adding one of the others after
    another, each of which is among the y with probability y/n. A y after which nobody goes on is left out.
    """
    width = chance.shape[1]
    least = np.clip(chance.min(where=chance > 0, initial=1.0), 1e-6, 1 - 1e-6)
    y = np.arange(min(width, 2 + int(np.log(NOTHING) / np.log1p(-least))))
    column, total = np.arange(width - 1), np.zeros((len(chance), len(y)))
    for value in np.unique(chance[chance > 0]).tolist():
        with_value = np.flatnonzero((chance == value).any(axis=1))
        some = chance[with_value]
        first = np.argmax(some == value, axis=1)[:, None]
        others = np.take_along_axis(some, column + (column >= first), axis=1)
        mean = np.zeros((len(some), len(y)))
        mean[:, 0] = 1
        for n in range(1, width):
            real = n < holds[with_value]
            added = mean * (1 - y / n)  # past n the mean is 0
            added[:, 1:] += mean[:, :-1] * (1 - others[:, n - 1, None]) * (y[1:] / n)
            mean = np.where(real[:, None], added, mean)
        total[with_value] += ((some == value).sum(axis=1) * value)[:, None] * mean
    return total
