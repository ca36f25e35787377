"""Tie groups: what `ties=expected` knows of a ranking, and the sums that families of measures share.

The items of one query with the same score are a group. All orders within a group are equally likely and
groups do not depend on each other. The letters of the formulas: a group has a items above it and t items in
it, r of them relevant; c relevant items stand in groups above; m of its places are inside the first k.
Items without a judgment only count through a and t.

Source: McSherry & Najork 2008, Computing Information Retrieval Performance Measures Efficiently in the
Presence of Tied Scores, ECIR; the sums without a closed form follow from counting orders.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.core.judged import Flags, Floats, Hits, Ints, Judged

Cutoff = int | Ints | Floats | None
"""One cutoff for all queries, one for each of shape (queries,), or None for the whole ranking."""

PLACES = 1 << 20
"""How many places are held in memory at once."""


@dataclass(frozen=True, slots=True)
class TieGroups:
    """The groups that hold at least one of some rows, sorted by query, then by what is above.

    All arrays have the shape (groups,): the query's number, how many items of the query are `above` the group
    (a) and how many are `tied` in it (t), how many of the rows it `holds` (r), how many of the rows stand in
    groups `before` it (c), how many of its places are `inside` the cutoff (m); `group`, of the shape (rows,),
    is the number of each row's group.

    Three relevant items, the last two tied with an item without a judgment:

    >>> hits = Hits.ranked(1, np.zeros(3, int), np.ones(3))
    >>> from dataclasses import replace
    >>> hits = replace(hits, above=np.array([0, 1, 1]), tied=np.array([1, 3, 3]))
    >>> groups = TieGroups.of(hits, k=2)
    >>> groups.holds, groups.before, groups.inside
    (array([1, 2]), array([0, 1]), array([1, 1]))
    """

    queries: int
    query: Ints
    above: Ints
    tied: Ints
    holds: Ints
    before: Ints
    inside: Ints
    group: Ints

    @classmethod
    def of(cls, hits: Hits, k: Cutoff = None) -> Self:
        """Group rows that are sorted by query, then rank."""
        group = hits.groups()
        start = np.flatnonzero(np.diff(group, prepend=-1))
        query, above, tied = hits.query[start], hits.above[start], hits.tied[start]
        before = hits.position()[start] - 1
        inside = _inside(k, query, above, tied)
        return cls(hits.queries, query, above, tied, np.bincount(group), before, inside, group)

    def gather(self, weights: Floats) -> Floats:
        """Return the sum of the rows' weights for each group, shape (groups,)."""
        return total(self.group, weights, len(self.query))

    def sum(self, values: Floats) -> Floats:
        """Return the sum of the groups' values for each query, shape (queries,)."""
        return total(self.query, values, self.queries)

    def crossing(self) -> Flags:
        """Flag the groups with places on both sides of the cutoff: at most one a query, shape (groups,)."""
        return (self.inside > 0) & (self.inside < self.tied)


def total(number: Ints, weights: Floats, length: int) -> Floats:
    """Add weights by number, from left to right, shape (length,)."""
    return np.asarray(np.bincount(number, weights, minlength=length), np.float64)


def expected_count(hits: Hits, k: Cutoff) -> Floats:
    r"""Return how many of the rows are inside the first k in the mean over all orders, shape (queries,).

    $$ E[h@k] = \sum_{groups} r\, m / t $$
    """
    groups = TieGroups.of(hits, k)
    return groups.sum(groups.holds * groups.inside / groups.tied)


def expected_hits(judged: Judged, k: Cutoff, rel: float) -> Floats:
    """Return how many relevant items are inside the first k in the mean over all orders, shape (queries,)."""
    return expected_count(judged.relevant(rel), k)


def expected_sum(hits: Hits, k: Cutoff, weights: Floats) -> Floats:
    """Return the sum of the weights of the rows inside the first k, the mean over all orders, (queries,)."""
    groups = TieGroups.of(hits, k)
    return groups.sum(groups.gather(weights) * groups.inside / groups.tied)


def chance_any(judged: Judged, k: Cutoff, rel: float) -> Floats:
    """Return the chance that at least one relevant item is inside the first k, shape (queries,)."""
    groups = TieGroups.of(judged.relevant(rel), k)
    none = np.ones(groups.queries)
    none[groups.query[groups.inside == groups.tied]] = 0
    cut = groups.crossing()
    none[groups.query[cut]] *= chance_of_none(groups.tied[cut], groups.holds[cut], groups.inside[cut])
    return 1 - none


def chance_all(judged: Judged, k: Cutoff, rel: float) -> Floats:
    """Return the chance that all R relevant items are inside the first k, shape (queries,).

    1 for a query without a relevant item: all of its none are there.
    """
    groups = TieGroups.of(judged.relevant(rel), k)
    found = groups.sum(groups.holds.astype(np.float64))
    chance: Floats = (found == judged.ideal.relevant(rel).count()).astype(np.float64)
    chance[groups.query[groups.inside == 0]] = 0
    cut = groups.crossing()
    # All r are inside when none of them is among the t - m places outside.
    outside = groups.tied[cut] - groups.inside[cut]
    chance[groups.query[cut]] *= chance_of_none(groups.tied[cut], groups.holds[cut], outside)
    return chance


def chance_of_none(tied: Ints, holds: Ints, places: Ints) -> Floats:
    r"""Return the chance that none of r of t items is on m given places, shape (groups,).

    $$ \prod_{i<r} \frac{t-m-i}{t-i} = \prod_{i<m} \frac{t-r-i}{t-i} $$

    >>> chance_of_none(np.array([4, 4]), np.array([1, 3]), np.array([1, 2]))
    array([0.75, 0.  ])
    """
    fewer, more = np.minimum(holds, places), np.maximum(holds, places)
    chance: Floats = (tied - more >= fewer).astype(np.float64)
    for i, alive in steps(np.where(chance > 0, fewer, 0)):
        chance[alive] *= (tied[alive] - more[alive] - i) / (tied[alive] - i)
    return chance


def chances(tied: int, holds: int, places: int) -> tuple[Ints, Floats]:
    r"""Return the numbers y of relevant items that m of t places can hold, and the chance of each.

    $$ \binom{r}{y} \binom{t-r}{m-y} \Big/ \binom{t}{m} $$

    Products run from the likeliest y outwards and are scaled to 1: they neither overflow nor vanish.

    >>> chances(4, 2, 2)[1] * 6
    array([1., 4., 1.])
    """
    lowest, highest = max(0, holds + places - tied), min(holds, places)
    y = np.arange(lowest, highest)
    rise = (holds - y) * (places - y) / ((y + 1) * (tied - holds - places + y + 1))
    likeliest = min(max((holds + 1) * (places + 1) // (tied + 2), lowest), highest) - lowest
    below = np.cumprod(1 / rise[:likeliest][::-1])[::-1]
    weight = np.r_[below, 1.0, np.cumprod(rise[likeliest:])]
    return np.arange(lowest, highest + 1), weight / weight.sum()


def steps(length: Ints) -> Iterator[tuple[int, Ints]]:
    """Step through positions 0, 1, 2 …: yield each with the numbers of the sequences that are longer.

    Running products are taken this way: exactly from left to right, all sequences at once.
    """
    order = np.argsort(-length, kind="stable")
    alive = np.searchsorted(-length[order], -np.arange(length.max(initial=0)), side="left")
    for position, count in enumerate(alive.tolist()):
        yield position, order[:count]


def sum_places(above: Ints, inside: Ints, value: Callable[[Ints, Ints], Floats]) -> Floats:
    """Return the sum of value(above, x) over the places x = 1 … inside of each group, shape (groups,).

    Place x of a group has the rank above + x. The sum is taken place by place, since differences of
    cumulative sums lose digits deep in a ranking; groups with equal arguments are summed once.
    """
    out = np.zeros(len(above))
    single = inside == 1
    out[single] = value(above[single], inside[single])
    many = np.flatnonzero(inside > 1)
    if not len(many):
        return out
    width = inside.max() + 1
    key, which = np.unique(above[many] * width + inside[many], return_inverse=True)
    above, inside = key // width, key % width
    sums = np.empty(len(key))
    for part in _parts(inside):
        x = Hits.ranked(0, np.repeat(np.arange(len(inside[part])), inside[part]), np.zeros(0))
        sums[part] = total(x.query, value(above[part][x.query], x.above + 1), len(sums[part]))
    out[many] = sums[which]
    return out


def _parts(lengths: Ints) -> Iterator[slice]:
    """Cut groups into parts that have about `PLACES` places together."""
    part = np.cumsum(lengths) // PLACES
    edges = np.r_[0, np.flatnonzero(np.diff(part)) + 1, len(lengths)].tolist()
    yield from map(slice, edges[:-1], edges[1:])


def _inside(k: Cutoff, query: Ints, above: Ints, tied: Ints) -> Ints:
    if k is None:
        return tied
    cutoff = np.asarray(k)
    return np.clip((cutoff[query] if cutoff.ndim else cutoff) - above, 0, tied).astype(np.int64)
