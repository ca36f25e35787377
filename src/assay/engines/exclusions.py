"""Exclusions: pairs that are taken out of every ranking before ranks are given."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from assay.core.policy import Policy
from assay.engines.pieces import Piece


@dataclass(frozen=True, slots=True, eq=False)
class Exclusions:
    """What to take out: pairs (query, item), and items that are the query itself."""

    pairs: pl.DataFrame | None
    self_match: bool

    @classmethod
    def of(cls, pairs: pl.DataFrame | None, policy: Policy) -> Self:
        """Make the exclusions of a call."""
        return cls(pairs, policy.self_match == "drop")

    def __bool__(self) -> bool:
        return self.self_match or self.pairs is not None

    def apply(self, piece: Piece, queries: pl.Series) -> tuple[Piece, int, int]:
        """Return the piece without excluded rows, how many pairs were taken out, and how many self-matches."""
        if not self or not len(piece):
            return piece, 0, 0
        rows = pl.DataFrame({"query": queries.gather(piece.code), "item": piece.item})
        same = (rows["query"] == rows["item"]).to_numpy() if self.self_match else np.zeros(len(piece), np.bool_)
        listed = np.zeros(len(piece), np.bool_)
        if self.pairs is not None:
            pairs = self.pairs.select("query", "item").unique().with_columns(listed=True)
            joined = rows.join(pairs, on=["query", "item"], how="left", maintain_order="left")
            listed = joined["listed"].fill_null(value=False).to_numpy()
        gone = same | listed
        return (piece.where(~gone) if gone.any() else piece), int((listed & ~same).sum()), int(same.sum())
