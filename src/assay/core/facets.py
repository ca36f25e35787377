"""`Facets`: judgments that are more than one grade for an item."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from assay.core.hits import Flags, Floats, Hits, Ints


@dataclass(frozen=True, slots=True)
class Facets:
    """Judgments of one item that are more than one grade: by aspect, judgment group or preference; sampled ones.

    One row for each judgment, sorted by query, group, part; arrays of shape (rows,). `row` is the row of the
    gold's table that holds the item, `group` and `part` are numbers (an aspect; a judgment group and its
    sub-group), `probability` is the chance with which the judgment was drawn into the pool. `rank` is that of
    the item in the run, infinity where it was not retrieved.
    """

    query: Ints
    row: Ints
    group: Ints
    part: Ints
    grade: Floats
    probability: Floats
    rank: Floats

    def __len__(self) -> int:
        return len(self.query)

    def where(self, rows: Flags | Ints) -> Self:
        """Return the rows that are flagged, or the rows of these numbers."""
        return type(self)(*(getattr(self, name)[rows] for name in self.__slots__))

    def ranked(self, hits: Hits) -> Self:
        """Return the judgments with the ranks of retrieved items."""
        ranks = np.full(int(self.row.max(initial=-1)) + 1, np.inf)
        if hits.row is not None:
            known = hits.row < len(ranks)
            ranks[hits.row[known]] = hits.rank[known]
        return replace(self, rank=ranks[self.row])

    def judged_strictly(self) -> Self:
        """Return the judgments with grades below 0 as 0: judged, and not relevant."""
        return replace(self, grade=np.maximum(self.grade, 0.0))

    def select(self, kept: Flags, number: Ints) -> Self:
        """Return those of the queries that are flagged, under their new numbers."""
        rows = self.where(kept[self.query])
        return replace(rows, query=number[rows.query])
