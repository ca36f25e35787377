"""The first places of several runs: what a pool is chosen from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from assay.core.gold import Gold
from assay.core.judged import Ints
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines.head import head
from assay.errors import ParameterError
from assay.report.names import labels

PENDING = -1
"""Stands where a pair has no judgment yet; 1 is relevant, 0 is not."""


@dataclass(frozen=True, eq=False)
class Rankings:
    """Several runs down to one depth.

    `names` are sorted, so that nothing depends on the order in which runs are given, and `runs` stand in that order;
    `places` has a row for each place: query, item, run (its number) and rank.
    """

    names: tuple[str, ...]
    places: pl.DataFrame
    runs: tuple[Run, ...] = ()

    @classmethod
    def of(
        cls, runs: Sequence[Run], depth: int, policy: Policy, exclude: pl.DataFrame | None = None
    ) -> Self:  # fmt: skip
        """Read the first places of runs, tied items ordered by the policy.

        Raises
        ------
        ParameterError
            No run, or a depth below 1.
        """
        if not runs:
            raise ParameterError("runs: expected one or more, found none")
        if depth < 1:
            raise ParameterError(f"depth: expected at least 1, found {depth}")
        named = labels([run.name for run in runs], [run.origin.path if run.origin else None for run in runs])
        ordered = sorted(zip(named, runs, strict=True), key=lambda pair: pair[0])
        heads = [
            head(run, depth, policy, exclude=exclude).select("query", "item", run=pl.lit(number, pl.Int32), rank="rank")
            for number, (_, run) in enumerate(ordered)
        ]
        return cls(tuple(name for name, _ in ordered), pl.concat(heads), tuple(run for _, run in ordered))

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """Each pair once, sorted by query, then item: query, item, runs (how many hold it), rank (the best)."""
        held = self.places.group_by("query", "item").agg(runs=pl.len().cast(pl.Int64), rank=pl.col("rank").min())
        return held.sort("query", "item")

    @cached_property
    def queries(self) -> pl.Series:
        """The queries, sorted."""
        return self.pairs["query"].unique(maintain_order=True)

    @cached_property
    def numbered(self) -> pl.DataFrame:
        """The places with `pair`, the number of their row in `pairs`; sorted by query, run, rank."""
        numbers = self.pairs.select("query", "item").with_row_index("pair")
        return self.places.join(numbers, on=["query", "item"]).sort("query", "run", "rank")

    @cached_property
    def lists(self) -> dict[str, list[list[int]]]:
        """For each query the ranking of each run, as numbers of pairs; empty for a run that does not answer it."""
        found: dict[str, list[list[int]]] = {query: [[] for _ in self.names] for query in self.queries}
        grouped = self.numbered.group_by("query", "run", maintain_order=True).agg("pair")
        for query, run, pairs in grouped.iter_rows():
            found[query][run] = pairs
        return found

    def without(self, names: Collection[str]) -> "Rankings":
        """Leave some runs out."""
        kept = [number for number, name in enumerate(self.names) if name not in names]
        return replace(self, places=self.places.filter(pl.col("run").is_in(kept)))

    def within(self, depth: int) -> "Rankings":
        """Look less deep."""
        return replace(self, places=self.places.filter(pl.col("rank") <= depth))

    def told(self, gold: Gold | None, rel: float, unjudged: int = PENDING) -> list[int]:
        """Return what is known of each pair: 1 relevant, 0 not, PENDING where it is not judged (or `unjudged`).

        A grade below 0 says that nobody could tell: such a pair is as one that is not judged, see `unknowable`.
        """
        if gold is None:
            return [unjudged] * self.pairs.height
        grades = self._grades(gold)
        known = np.where(grades >= rel, 1, np.where(grades >= min(0.0, rel), 0, unjudged))
        return np.where(np.isnan(grades), unjudged, known).astype(int).tolist()  # type: ignore[no-any-return]

    def unknowable(self, gold: Gold | None, rel: float) -> Ints:
        """Return the pairs that were looked at and have no grade that says anything."""
        if gold is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero(self._grades(gold) < min(0.0, rel))

    def _grades(self, gold: Gold) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        known = gold.table.select("query", "item", "grade")
        joined = self.pairs.join(known, on=["query", "item"], how="left", maintain_order="left")
        return joined["grade"].fill_null(float("nan")).to_numpy()
