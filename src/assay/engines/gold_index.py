"""`GoldIndex`: the gold prepared for look-ups: which query is which number, which rows of a run are judged."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.gold import Gold
from assay.core.judged import Flags, Ints

Hashes = NDArray[np.uint64]

SPREAD = np.uint64(0x9E3779B97F4A7C15)
SLOTS_PER_ROW = 32
FEWEST_BITS, MOST_BITS = 16, 28
PART = 4
"""Of so many parts of the gold one is worth an index of its own."""
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def hash_texts(texts: pl.Series) -> Hashes:
    """Return a 64-bit hash of each text, shape (rows,)."""
    return texts.hash().to_numpy()


@dataclass(frozen=True, slots=True, eq=False)
class GoldIndex:
    """Judged pairs by the hash of query and item.

    `hashes` are sorted, `rows` are the rows of the gold they belong to; `table` flags the leading bits that
    occur, so that most rows of a run are dismissed by one look. `ambiguous` tells that two judged pairs
    share a hash: then texts are joined instead.
    """

    gold: Gold
    query_hashes: Hashes
    items: pl.Series
    hashes: Hashes
    rows: Ints
    table: Flags
    shift: np.uint64
    ambiguous: bool

    @classmethod
    def of(cls, gold: Gold) -> Self:
        """Prepare a gold standard."""
        return cls._over(gold, hash_texts(gold.queries) * SPREAD, np.arange(len(gold)))

    @classmethod
    def _over(cls, gold: Gold, query_hashes: Hashes, rows: Ints) -> Self:
        """Prepare some rows of the gold."""
        items = gold.table["item"]
        pairs = query_hashes[gold.codes[rows]] + hash_texts(items[rows])
        order = np.argsort(pairs, kind="stable")
        bits = int(np.clip(np.ceil(np.log2(SLOTS_PER_ROW * max(len(pairs), 1))), FEWEST_BITS, MOST_BITS))
        table = np.zeros(1 << bits, np.bool_)
        shift = np.uint64(64 - bits)
        table[pairs >> shift] = True
        hashes = pairs[order]
        ambiguous = bool((hashes[1:] == hashes[:-1]).any())
        return cls(gold, query_hashes, items, hashes, rows[order], table, shift, ambiguous)

    def among(self, codes: Ints) -> Self:
        """Return what knows the judged pairs of these queries, so few that looking them up stays in the cache.

        It is this index itself where they are many of all.
        """
        start, end = (self.gold.codes.searchsorted(codes, side) for side in SIDES)
        many = end - start
        if self.ambiguous or PART * many.sum() > len(self.rows):
            return self
        return self._over(self.gold, self.query_hashes, np.repeat(end - np.cumsum(many), many) + np.arange(many.sum()))

    def judged_rows(self, code: Ints, pair: Hashes, item: pl.Series) -> tuple[Ints, Ints]:
        """Return the places of the judged rows among those given, and the gold row of each."""
        if self.ambiguous:
            return self._judged_by_text(code, item)
        leading = (pair >> self.shift).view(np.int64)  # as signed numbers NumPy takes them for places at once
        places = np.flatnonzero(self.table[leading])
        near = np.searchsorted(self.hashes, pair[places])
        near[near == len(self.hashes)] = 0
        same = self.hashes[near] == pair[places]
        places, rows = places[same], self.rows[near[same]]
        real = (item[places] == self.items[rows]).to_numpy() & (self.gold.codes[rows] == code[places])
        return places[real], rows[real]

    def _judged_by_text(self, code: Ints, item: pl.Series) -> tuple[Ints, Ints]:
        right = pl.DataFrame({"code": self.gold.codes, "item": self.items}).with_row_index("row")
        left = pl.DataFrame({"code": code.astype(np.int64), "item": item}).with_row_index("place")
        both = left.join(right, on=["code", "item"], maintain_order="left")
        return both["place"].to_numpy().astype(np.int64), both["row"].to_numpy().astype(np.int64)


@lru_cache(maxsize=4)
def index_of(gold: Gold) -> GoldIndex:
    """Return the index of a gold standard, made once and kept while it is in use."""
    return GoldIndex.of(gold)
