"""`Panel`: the grades of judges as arrays, for all that is said of their agreement."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.labels import Labels
from assay.errors import GoldError, InputError
from assay.statistics.reliability import counted

EXACT = 2.0**53
"""Up to here each whole number is a float."""


@dataclass(frozen=True, eq=False)
class Panel:
    """Grades of shape (pairs, judges), NaN: none; `table` are the judgments with row and column of each.

    `scale` are the grades, rising, of shape (grades,).
    """

    pairs: pl.DataFrame
    judges: tuple[str, ...]
    grades: Floats
    scale: Floats
    table: pl.DataFrame

    @classmethod
    def of(cls, labels: Labels, scale: Iterable[float] = ()) -> Self:
        """Place the judgments; `scale` are grades that count even where nobody gave them.

        Raises
        ------
        InputError
            Fewer than two judges.
        GoldError
            No pair that two of them graded.
        """
        judges = labels.judges
        if len(judges) < 2:
            raise InputError(
                f"{labels.name}: expected two judges or more, found {', '.join(judges) or 'none'}",
                hint="name further files, or the column that says who judged with --judge-column.",
            )
        pairs = labels.pairs
        rows, columns = pairs.with_row_index("row"), pl.DataFrame({"judge": judges}).with_row_index("column")
        table = labels.table.join(rows, on=["query", "item"]).join(columns, on="judge").sort("row", "column")
        grades = np.full((pairs.height, len(judges)), np.nan)
        grades[table["row"].to_numpy(), table["column"].to_numpy()] = table["grade"].fill_null(np.nan).to_numpy()
        if not ((~np.isnan(grades)).sum(axis=1) > 1).any():
            raise GoldError(f"{labels.name}: expected pairs that two judges graded, found none")
        known = np.unique(np.concatenate([grades[~np.isnan(grades)], np.fromiter(scale, np.float64)]))
        return cls(pairs, judges, grades, known, table)

    @cached_property
    def counts(self) -> Floats:
        """How often each pair got each grade, of shape (pairs, grades)."""
        return counted(self.grades, self.scale)[1]

    @cached_property
    def kinds(self) -> tuple[Floats, Ints]:
        """The counts that pairs have, each once, of shape (kinds, grades), and how many pairs have them."""
        base = self.counts.max() + 1
        if base ** len(self.scale) > EXACT:
            kinds, times = np.unique(self.counts, axis=0, return_counts=True)
            return kinds, times
        codes = self.counts @ base ** np.arange(len(self.scale))
        _, first, times = np.unique(codes, return_index=True, return_counts=True)
        return self.counts[first], times

    @cached_property
    def shared(self) -> Flags:
        """Which pairs have two grades or more, of shape (pairs,)."""
        return np.asarray(self.counts.sum(axis=1) > 1)

    @cached_property
    def query(self) -> Ints:
        """The number of each pair's query, of shape (pairs,)."""
        return self.pairs["query"].rle_id().to_numpy().astype(np.int64)

    def places(self, grades: Floats) -> Ints:
        """Return the places of grades on the scale."""
        return np.searchsorted(self.scale, grades)

    def others(self, judge: int, reference: int | None) -> Floats:
        """Return how often others (or the reference alone) gave each grade to each pair, of shape (pairs, grades)."""
        if reference is not None:
            return counted(self.grades[:, [reference]], self.scale)[1]
        return self.counts - counted(self.grades[:, [judge]], self.scale)[1]
