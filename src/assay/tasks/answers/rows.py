"""Rows of an answer against rows of the gold: how many of them, and how much of them, are right."""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.judged import Ints
from assay.errors import UnsupportedError
from assay.statistics.assignment import best_assignment
from assay.tasks.answers.matching import BLANK, Cells, Key

MOST_PAIRS = 1_000_000
"""Pairs of rows that share a cell beyond this are not weighed one by one: then only whole rows are matched."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """What one answer has in common with the gold, in rows or in values.

    `hits` is what is right, a fraction where rows are partly right; `found` counts what was answered, `gold` what is
    right in all. `penalty` is what F1 pays for: by default all that is answered or right and no hit. `whole` tells
    that partly right rows were not weighed, for there were too many.
    """

    hits: float
    found: int
    gold: int
    penalty: float | None = None
    whole: bool = False

    @property
    def precision(self) -> float | None:
        """Hits of what was answered; None where nothing was."""
        return self.hits / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Hits of what is right; None where nothing is."""
        return self.hits / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """Twice the hits over themselves and the penalty; None where nothing is right and nothing was answered."""
        penalty = self.found + self.gold - 2 * self.hits if self.penalty is None else self.penalty
        below = 2 * self.hits + penalty
        return 2 * self.hits / below if below else None


def distinct(rows: Iterable[Cells]) -> list[Cells]:
    """Return rows without those that were there before, in their order.

    >>> distinct([(("iri", "a"),), (("iri", "b"),), (("iri", "a"),)])
    [(('iri', 'a'),), (('iri', 'b'),)]
    """
    return list(dict.fromkeys(rows))


def unnamed(rows: Iterable[Cells]) -> list[Cells]:
    """Return rows of several columns with all blank nodes alike: the rows as a whole say which is which."""
    return [tuple((BLANK,) if key and key[0] == BLANK else key for key in row) if len(row) > 1 else row for row in rows]


def projected(gold: Sequence[Cells], found: Sequence[Cells]) -> list[Cells]:
    """Return the answer's rows by the columns of the gold: for each the one whose values have most in common with it.

    Names of variables say nothing. A column of the gold that no column of the answer stands for is unbound.

    >>> a, b = ("iri", "a"), ("iri", "b")
    >>> projected([(a, b)], [(("iri", "c"), b, a)])
    [(('iri', 'a'), ('iri', 'b'))]
    """
    if not gold or not found:
        return list(found)
    stands = _columns(gold, found)
    return [tuple(None if place is None else row[place] for place in stands) for row in found]


def _columns(gold: Sequence[Cells], found: Sequence[Cells]) -> list[int | None]:
    """Return the column of the answer for each column of the gold."""
    mine, theirs = _counts(gold), _counts(found)
    shared = [[sum(min(many, that[key]) for key, many in this.items()) for that in theirs] for this in mine]
    order = sorted(
        ((-many, abs(left - right), left, right) for left, row in enumerate(shared) for right, many in enumerate(row))
    )
    if len(mine) > 1 and len(theirs) > 1:
        order = _best(shared) + order
    stands: list[int | None] = [None] * len(mine)
    for _, _, left, right in order:
        if stands[left] is None and right not in stands:
            stands[left] = right
    return stands


def _best(shared: list[list[int]]) -> list[tuple[int, int, int, int]]:
    """Return the pairs of columns that have most in common together, one to one."""
    left, right = len(shared), len(shared[0])
    if max(left, right) > 6:  # beyond this the orders are too many, and the best pair comes first
        return []
    if left <= right:
        choices = (list(enumerate(places)) for places in itertools.permutations(range(right), left))
    else:
        choices = ([(b, a) for a, b in enumerate(places)] for places in itertools.permutations(range(left), right))
    best = max(choices, key=lambda pairs: (sum(shared[a][b] for a, b in pairs), -sum(abs(a - b) for a, b in pairs)))
    return [(0, 0, a, b) for a, b in best]


def _counts(rows: Sequence[Cells]) -> list[Counter[Key]]:
    return [Counter(key for key in column if key is not None) for column in zip(*rows, strict=True)]


def row_exact(gold: Sequence[Cells], found: Sequence[Cells]) -> Overlap:
    """Return how many rows are right in all their cells; an answer with other columns than the gold has none.

    >>> row_exact([(("iri", "a"),)], [(("iri", "a"), ("iri", "n"))]).hits
    0
    """
    gold, found = unnamed(distinct(gold)), unnamed(distinct(found))
    alike = bool(gold and found) and len(gold[0]) == len(found[0])
    hits = (Counter(gold) & Counter(projected(gold, found))).total() if alike else 0
    return Overlap(hits, len(found), len(gold))


def row_superset(gold: Sequence[Cells], found: Sequence[Cells]) -> Overlap:
    """Return how many rows hold all cells of a row of the gold; further columns of the answer do not matter.

    >>> row_superset([(("iri", "a"),)], [(("iri", "a"), ("iri", "n"))]).f1
    1.0
    """
    gold, found = unnamed(distinct(gold)), unnamed(distinct(found))
    found = distinct(projected(gold, found))
    return Overlap((Counter(gold) & Counter(found)).total(), len(found), len(gold))


def row_partial(gold: Sequence[Cells], found: Sequence[Cells]) -> Overlap:
    r"""Return the best one-to-one assignment of rows, each worth the share of the gold row's cells that it holds.

    Neither names of variables nor the order of columns matter. With k pairs that have a cell in common and hits h,
    the rows found n and the rows of the gold m,

    $$ F_1 = \frac{2h}{2h + (k - h) + (n - k) + (m - k)} $$

    so that what a row lacks is paid for once, not twice: where rows are partly right it is more than the harmonic
    mean of h/n and h/m. Of the best assignments one with the most pairs is taken.
    Source: Liu et al. 2024, "SPINACH: SPARQL-Based Information Navigation for Challenging Real-World Questions".

    >>> a, b, c, d = (("iri", name) for name in "abcd")
    >>> crossed = row_partial([(a, b), (c, d)], [(a, d), (c, b)])
    >>> crossed.hits, round(crossed.f1, 4)
    (1.0, 0.6667)
    """
    gold, found = unnamed(gold), unnamed(found)
    mine, theirs = [_bag(row) for row in gold], [_bag(row) for row in found]
    sizes = {sum(bag.values()) for bag in mine}
    both = Counter(map(_whole, mine)) & Counter(map(_whole, theirs))
    if len(sizes) > 1:  # where rows differ in size, taking equal ones first is not always best
        both = Counter({whole: many for whole, many in both.items() if not whole})
    mine, theirs = _without(mine, both), _without(theirs, both)
    partial = _assign(mine, theirs)
    hits, pairs = partial or (0.0, 0)
    hits, pairs = hits + both.total(), pairs + both.total()
    penalty = (pairs - hits) + (len(found) - pairs) + (len(gold) - pairs)
    return Overlap(hits, len(found), len(gold), penalty, partial is None)


Bag = Counter[Key]


def _bag(row: Cells) -> Bag:
    return Counter(key for key in row if key is not None)


def _whole(bag: Bag) -> frozenset[tuple[Key, int]]:
    return frozenset(bag.items())


def _without(bags: list[Bag], taken: Counter[frozenset[tuple[Key, int]]]) -> list[Bag]:
    """Return the bags that are left when so many of each have been taken."""
    rest = Counter(taken)
    left = []
    for bag in bags:
        whole = _whole(bag)
        if rest[whole]:
            rest[whole] -= 1
        else:
            left.append(bag)
    return left


def _assign(gold: list[Bag], found: list[Bag]) -> tuple[float, int] | None:
    """Return the sum of the best assignment and how many pairs it has at most; None where there is too much to weigh.

    Weights are whole numbers, so that neither rounding nor the order of rows decides which assignment is best.
    """
    edges = _edges(gold, found)
    if edges is None:
        return None
    left, right, shared = edges
    sizes = np.array([max(1, bag.total()) for bag in gold], np.int64)
    unit = math.lcm(*map(int, sizes)) if len(sizes) else 1
    more = len(gold) + len(found) + 1
    weight = shared * (unit // sizes[left]) * more + 1
    try:
        total = round(best_assignment(left, right, weight.astype(np.float64)))
    except UnsupportedError:
        return None
    return total // more / unit, total % more


def _edges(gold: list[Bag], found: list[Bag]) -> tuple[Ints, Ints, Ints] | None:
    """Return the pairs of rows that have cells in common, and how many; None where there are too many of them."""
    holders: dict[Key, list[int]] = defaultdict(list)
    for place, bag in enumerate(found):
        for key in bag:
            holders[key].append(place)
    if sum(len(holders.get(key, ())) for bag in gold for key in bag) > MOST_PAIRS:
        return None
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for place, bag in enumerate(gold):
        for key, many in bag.items():
            for other in holders.get(key, ()):
                shared[place, other] += min(many, found[other][key])
    pairs = np.array(list(shared), np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1], np.array(list(shared.values()), np.int64)


def pooled(gold: Sequence[Key], found: Sequence[Key]) -> Overlap:
    """Return how many values are right, of all columns together; blank nodes are matched one to one by their number.

    >>> pooled([("iri", "a")], [("iri", "a"), ("iri", "n")]).precision
    0.5
    """
    return Overlap((Counter(gold) & Counter(found)).total(), len(found), len(gold))


ROWS: dict[str, Callable[[Sequence[Cells], Sequence[Cells]], Overlap]] = {
    "row-partial": row_partial,
    "row-exact": row_exact,
    "row-superset": row_superset,
}
"""How rows are held against each other, by name."""
