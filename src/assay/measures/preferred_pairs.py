"""Preferred pairs: which of the preferences that judgment groups express a ranking fulfils.

A judgment group is what one user wanted at one time. It prefers item a to item b where a part of it grades both
and a higher; grades of different parts are not compared, but preferences carry on: a over b in one part and b
over c in another make a over c. A ranking fulfils a preference when it shows a and shows b later or not at all.
Preferences are told apart by what was retrieved: both items, one of them, or neither; with neither, nothing is
fulfilled. Where two items share a place, half of the preference is fulfilled, its mean over both orders.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, Self

import numpy as np

from assay.core.judged import Facets, Flags, Floats, Ints, Judged
from assay.errors import GoldError
from assay.measures.base import divide
from assay.measures.grouped import starts, total

Scope = Literal["all", "met", "both"]
"""Which pairs count: all; those of which at least one item was retrieved; those of which both were."""


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """How many preferences there are and how many are fulfilled, for each judgment group or each query.

    Shape (groups,) or (queries,): `possible` counts all pairs, `both` and `one` those of which both items or
    one was retrieved; `right_both` and `right_one` how many of these are fulfilled.
    """

    possible: Floats
    both: Floats
    one: Floats
    right_both: Floats
    right_one: Floats

    def fraction(self, scope: Scope) -> tuple[Floats, Floats]:
        """Return how many preferences of a scope are fulfilled and how many there are."""
        if scope == "both":
            return self.right_both, self.both
        return self.right_both + self.right_one, self.possible if scope == "all" else self.both + self.one

    def by(self, query: Ints, queries: int) -> Self:
        """Return the sums over the groups of each query."""
        return type(self)(*(total(getattr(self, name), query, queries) for name in self.__slots__))

    def put(self, at: int | Ints | Flags, other: "Tally") -> None:
        """Write the counts of some groups into their places."""
        for name in self.__slots__:
            getattr(self, name)[at] = getattr(other, name)


@dataclass(frozen=True, eq=False)
class Preferences:
    """The preferences of all judgment groups of a gold standard, with the ranks of one run.

    `rows` are the judgments, `group` the number of each one's group; `items` are the judged items of each group,
    once each, `owner` their group and `lead` the place in `items` of each row. `query` is the query of each
    group, `parted` flags groups of several parts.
    """

    judged: Judged
    rows: Facets
    group: Ints
    items: Facets
    owner: Ints
    lead: Ints
    query: Ints
    parted: Flags

    @classmethod
    def of(cls, judged: Judged) -> Self:
        """Gather the judgments of each group."""
        rows = judged.facets
        new = starts(rows.query, rows.group)
        group = np.cumsum(new) - 1
        parts = np.bincount(group, starts(rows.query, rows.group, rows.part))
        order = np.lexsort((rows.row, group))
        first = starts(group[order], rows.row[order])
        lead = np.empty(len(rows), np.int64)
        lead[order] = np.cumsum(first) - 1
        chosen = order[first]
        return cls(judged, rows, group, rows.where(chosen), group[chosen], lead, rows.query[new], parts > 1)

    @property
    def groups(self) -> int:
        """The number of judgment groups."""
        return len(self.query)

    @cached_property
    def found(self) -> Flags:
        """Which items were retrieved, shape (items,)."""
        return np.isfinite(self.items.rank)

    @cached_property
    def lowest(self) -> Flags:
        """Which items have the lowest grade of their group, shape (items,)."""
        grade = self.items.grade
        floor: Floats = np.minimum.reduceat(grade, np.flatnonzero(starts(self.owner))) if len(grade) else grade
        return np.equal(grade, floor[self.owner])

    def count(self, flags: Flags) -> Floats:
        """Return the number of flagged items of each group, shape (groups,)."""
        return np.bincount(self.owner[flags], minlength=self.groups).astype(np.float64)

    @cached_property
    def counted(self) -> Tally:
        """The preferences of each group."""
        return self.by_group()

    def by_group(self, most: Floats | None = None, among: Flags | None = None) -> Tally:
        """Count the preferences of each group, by levels where it has one part and pair by pair where it has more.

        `most` limits the items of each group that are flagged in `among` to the first so many: retrieved ones in
        the order of the ranking, then the others in the order of the gold.
        """
        kept = np.ones(len(self.items), np.bool_)
        if most is not None and among is not None:
            kept[self._surplus(most, np.flatnonzero(among))] = False
        plain = np.flatnonzero(kept & ~self.parted[self.owner])
        tally = by_levels(self.owner[plain], self.items.where(plain), self.groups)
        for number in np.flatnonzero(self.parted).tolist():
            mine = self._of_group(number)
            some = np.flatnonzero(kept[mine])
            tally.put(number, by_pairs(self._wanted(number)[np.ix_(some, some)], self.items.rank[mine][some]))
        return tally

    @cached_property
    def by_pair(self) -> Tally:
        """Count each pair of items of a query once, shape (queries,): fulfilled by its share of the groups.

        A pair on which three of five groups agree with the ranking is fulfilled by 3/5.
        """
        queries = self.judged.queries
        tally = self.counted.by(self.query, queries)
        for number in np.flatnonzero(np.bincount(self.query, minlength=queries) > 1).tolist():
            groups = range(*np.searchsorted(self.query, (number, number + 1)).tolist())
            mine = slice(self._of_group(groups[0]).start, self._of_group(groups[-1]).stop)
            rows, place = np.unique(self.items.row[mine], return_inverse=True)
            votes, ranks = np.zeros((len(rows), len(rows))), np.empty(len(rows))
            ranks[place] = self.items.rank[mine]
            for group in groups:
                at = place[self._of_group(group).start - mine.start :][: self._size(group)]
                votes[np.ix_(at, at)] += self._wanted(group)
            tally.put(number, by_pairs(np.nan_to_num(divide(votes, votes + votes.T)), ranks))
        return tally

    def _of_group(self, number: int) -> slice:
        return slice(*np.searchsorted(self.owner, (number, number + 1)).tolist())

    def _size(self, number: int) -> int:
        mine = self._of_group(number)
        return int(mine.stop - mine.start)

    def _wanted(self, number: int) -> Flags:
        """Return which item of a group is preferred to which, shape (items, items)."""
        first, many = self._of_group(number).start, self._size(number)
        wanted = np.zeros((many, many), np.bool_)
        rows = slice(*np.searchsorted(self.group, (number, number + 1)).tolist())
        bounds = np.flatnonzero(np.r_[starts(self.rows.part[rows]), True]) + rows.start
        for start, end in pairwise(bounds.tolist()):
            at, grade = self.lead[start:end] - first, self.rows.grade[start:end]
            wanted[np.ix_(at, at)] |= grade[:, None] > grade
        return self._carried_on(wanted, number) if self.parted[number] else wanted

    def _carried_on(self, wanted: Flags, number: int) -> Flags:
        """Add the preferences that follow from others; refuse those that contradict each other."""
        many = -1
        while many < (many := int(np.count_nonzero(wanted))):
            steps = wanted.astype(np.float32)
            wanted = wanted | (steps @ steps > 0)
        if wanted.diagonal().any():
            query = self.judged.names[int(self.query[number])]
            msg = f"query {query!r}: the parts of a judgment group contradict each other"
            raise GoldError(msg, hint="what one user prefers at two times belongs into two groups.")
        return wanted

    def _surplus(self, most: Floats, among: Ints) -> Ints:
        """Return those of some items that come after the first so many of their group."""
        order = among[np.lexsort((self.items.rank[among], self.owner[among]))]
        owner = self.owner[order]
        place = np.arange(len(order)) - np.searchsorted(owner, owner)
        return order[place >= most[owner]]


def by_pairs(wanted: np.ndarray, rank: Floats) -> Tally:
    """Count the preferences of one group from its pairs: `wanted[a, b]` says how much a is preferred to b.

    Shapes (items, items) and (items,); the counts of the tally have the shape ().
    """
    order = np.argsort(rank, kind="stable")
    rank, ranked = rank[order], wanted[np.ix_(order, order)].astype(np.float64)
    found = int(np.isfinite(rank).sum())
    right = np.triu(ranked[:found, :found]).sum()
    bounds = np.flatnonzero(np.r_[starts(rank[:found]), True])
    for start in np.flatnonzero(np.diff(bounds) > 1):  # items that share a place
        tied = ranked[bounds[start] : bounds[start + 1], bounds[start] : bounds[start + 1]]
        right += (np.tril(tied).sum() - np.triu(tied).sum()) / 2
    both, later = ranked[:found, :found].sum(), ranked[:found, found:].sum()
    possible, one = np.rint(ranked.sum()), np.rint(later + ranked[found:, :found].sum())
    return Tally(possible, np.rint(both), one, right, later)


def by_levels(owner: Ints, items: Facets, groups: int) -> Tally:
    """Count the preferences of groups of one part, where each item is preferred to all of a lower grade.

    Nothing is paired: pairs of unequal grade follow from the size of each level, and fulfilled ones are counted
    bit by bit of the level's number, in n log n steps. Shapes (items,) and (groups,).
    """
    level = _levels(owner, items.grade)
    found = np.isfinite(items.rank)
    possible = _unequal(owner, level, groups)
    both = _unequal(owner[found], level[found], groups)
    neither = _unequal(owner[~found], level[~found], groups)
    right = _better_before(owner, level, items.rank)
    right_both = total(right[found], owner[found], groups)
    right_one = total(right[~found], owner[~found], groups)
    return Tally(possible, both, possible - both - neither, right_both, right_one)


def _levels(owner: Ints, grade: Floats) -> Ints:
    """Number the grades of each group, best first: 0, 1 …, shape (items,)."""
    order = np.lexsort((-grade, owner))
    new = starts(owner[order], grade[order])
    number, group = np.cumsum(new), owner[order]
    level = np.empty(len(owner), np.int64)
    level[order] = number - number[np.searchsorted(group, group)]
    return level


def _unequal(owner: Ints, level: Ints, groups: int) -> Floats:
    """Return the number of pairs of unequal level in each group, shape (groups,)."""
    span = int(level.max(initial=0)) + 1
    cells, many = np.unique(owner * span + level, return_counts=True)
    size = np.bincount(owner, minlength=groups).astype(np.float64)
    equal = total(many.astype(np.float64) ** 2, cells // span, groups)
    return (size**2 - equal) / 2


def _better_before(owner: Ints, level: Ints, rank: Floats) -> Floats:
    """Return for each item how many retrieved ones of a better level of its group stand before it, tied ones half.

    Of two unequal levels the better one has a 0 at the first bit in which their numbers differ. So for each bit
    the items that agree in all higher bits are walked in rank order, and those with a 0 are counted.
    """
    count = np.zeros(len(owner))
    for bit in range(int(level.max(initial=0)).bit_length()):
        high, low = level >> (bit + 1), (level >> bit) & 1
        order = np.lexsort((rank, high, owner))
        keys = owner[order], high[order]
        better = np.r_[0, np.cumsum((low[order] == 0) & np.isfinite(rank[order]))]
        cell, tie = starts(*keys), starts(*keys, rank[order])
        begin, first = _first_of(cell), _first_of(tie)
        after = np.r_[np.flatnonzero(tie)[1:], len(order)][np.cumsum(tie) - 1] if len(order) else first
        before = (better[first] + better[after]) / 2 - better[begin]
        count[order] += np.where(low[order] == 1, before, 0.0)
    return count


def _first_of(new: Flags) -> Ints:
    """Return the number of the row at which each row's stretch begins, shape (rows,)."""
    return np.maximum.accumulate(np.where(new, np.arange(len(new)), 0))
