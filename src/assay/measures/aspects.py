"""Aspects: which relevant judgments a ranking meets, aspect by aspect, and the order that meets most first."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from assay.core.judged import UNJUDGED, Facets, Flags, Floats, Ints, Judged
from assay.measures.facets import FacetMeasure
from assay.measures.tie_groups import total

DIGITS = 12
"""Gains that agree to so many digits are tied: the order in which aspects are added up must not decide."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Relevant judgments by aspect, sorted by query, aspect, rank.

    The arrays have the shape (rows,): the numbers of query, item and aspect (aspects of different queries have
    different numbers), the rank, infinity where the item was not retrieved, and how many relevant items of the
    same aspect stand above (`met`). An aspect without a relevant item does not exist.
    """

    queries: int
    query: Ints
    item: Ints
    aspect: Ints
    rank: Floats
    met: Ints

    @classmethod
    def of(cls, judged: Judged, rel: float) -> Self:
        """Take the judgments whose grade is at least rel."""
        rows = judged.facets.where(judged.facets.grade >= rel)
        rows = rows.where(np.lexsort((rows.row, rows.rank, rows.group, rows.query)))
        new = _changes(rows.query) | _changes(rows.group)
        start = np.flatnonzero(new)
        aspect = np.cumsum(new) - 1
        met = np.arange(len(rows)) - start[aspect]
        return cls(judged.queries, rows.query, rows.row, aspect, rows.rank, met)

    @property
    def aspects(self) -> Floats:
        """The number of aspects of each query, shape (queries,)."""
        return self.sum((self.met == 0).astype(np.float64))

    @property
    def relevant(self) -> Floats:
        """The number of relevant items of each row's aspect, shape (rows,)."""
        return np.bincount(self.aspect)[self.aspect].astype(np.float64)

    def inside(self, k: int | None) -> Flags:
        """Flag the rows within the first k places, or of all retrieved items, shape (rows,)."""
        return np.isfinite(self.rank) if k is None else self.rank <= k

    def sum(self, weights: Floats) -> Floats:
        """Return the sum of the rows' weights for each query, shape (queries,)."""
        return total(self.query, weights, self.queries)

    def gain(self, alpha: float, k: int | None, discount: Callable[[Floats], Floats]) -> Floats:
        r"""Return what the first k places are worth, shape (queries,).

        $$ \sum_a \sum_{i \le k} d(i) \, r_{ai} (1-\alpha)^{m_{ai}} $$
        """
        inside = self.inside(k)
        rank = np.where(inside, self.rank, 1.0)
        return self.sum(np.where(inside, (1 - alpha) ** self.met * discount(rank), 0.0))

    def ideal_gain(self, alpha: float, k: int | None, discount: Callable[[Floats], Floats]) -> Floats:
        """Return what the first k places of the greedy ideal are worth, shape (queries,)."""
        gains = self.ideal(alpha, k)
        places: Floats = np.arange(1, len(gains) + 1, dtype=np.float64)
        return np.asarray((gains * discount(places)[:, None]).sum(axis=0))

    def ideal(self, alpha: float, k: int | None) -> Floats:
        """Return what each place adds when the item that adds most comes next, shape (places, queries).

        Among items that add as much the last of the gold is taken; gold of details lists items by their id.
        """
        items, item = np.unique(self.item, return_inverse=True)
        owner = np.zeros(len(items), np.int64)
        owner[item] = self.query
        most = int(np.bincount(owner).max(initial=0))
        gains = np.zeros((most if k is None else min(k, most), self.queries))
        met, left = np.zeros(int(self.aspect.max(initial=-1)) + 1), np.ones(len(items), np.bool_)
        for gain in gains:
            worth = np.bincount(item, ((1 - alpha) ** met)[self.aspect], minlength=len(items))
            best = _best(owner, np.where(left, worth.round(DIGITS), -1.0))
            best = best[left[best]]
            gain[owner[best]] = worth[best]
            left[best] = False
            met += np.bincount(self.aspect[np.isin(item, best)], minlength=len(met))
        return gains


class AspectMeasure(FacetMeasure):
    """A measure that asks for which aspects of its query an item is relevant."""

    def of_aspects(self, ranking: Sequence[Collection[str]], missed: Sequence[Collection[str]] = ()) -> float | None:
        """Return the value for one ranking given by the aspects of its items, best place first.

        `missed` are the aspects of relevant items that were not retrieved. None where no aspect is met by
        any of them.
        """
        self.require_complete()
        judged = _one_query([*ranking, *missed], len(ranking))
        return float(self.kernel(judged)[0]) if self.defined(judged)[0] else None


def _one_query(items: Sequence[Collection[str]], retrieved: int) -> Judged:
    """Make the judged ranks of one query from the aspects of its items, the first of which were retrieved."""
    grades = [1.0 if aspects else UNJUDGED for aspects in items]
    judged = Judged.of_grades(grades[:retrieved], [grade for grade in grades if grade > UNJUDGED])
    names = sorted({name for aspects in items for name in aspects})
    pairs = [(place, names.index(name)) for place, aspects in enumerate(items) for name in aspects]
    row, group = np.array(pairs, np.int64).reshape(-1, 2).T
    none, one = np.zeros_like(row), np.ones(len(row))
    facets = Facets(none, row, group, none, one, one, one * np.inf)
    found = judged.hits.rank.astype(np.int64) - 1
    return replace(judged, hits=replace(judged.hits, row=found), judgments=facets)


def _changes(numbers: Ints) -> Flags:
    """Flag where a number differs from the one before it, shape (rows,)."""
    return np.asarray(np.diff(numbers, prepend=-1) != 0)


def _best(owner: Ints, worth: Floats) -> Ints:
    """Return for each owner the last of its entries that are worth most; owners stand together."""
    new = _changes(owner)
    top = np.maximum.reduceat(worth, np.flatnonzero(new))[np.cumsum(new) - 1]
    best = np.flatnonzero(worth == top)
    return np.asarray(best[np.append(owner[best][1:] != owner[best][:-1], np.True_)])
