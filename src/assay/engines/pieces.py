"""`Piece`: a stretch of a run's rows as arrays, only those whose query has gold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.policy import Policy
from assay.engines.gold_index import GoldIndex, Hashes, hash_texts

VIEW = 16
"""Bytes of a text beside its letters."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Rows of a run in input order; all arrays have the shape (rows,).

    `code` is the number of the query in the gold, `pair` the hash of query and item, `place` what the
    tie rule `order` goes by: empty where nobody asks for it.
    """

    code: Ints
    score: Floats
    pair: Hashes
    item: pl.Series
    place: Ints

    def __len__(self) -> int:
        return len(self.code)

    @property
    def size(self) -> int:
        """About how many bytes the rows take."""
        arrays = self.code.nbytes + self.score.nbytes + self.pair.nbytes + self.place.nbytes
        return arrays + int(self.item.estimated_size()) + VIEW * len(self)

    def where(self, rows: Flags | Ints) -> Self:
        """Return the rows that are flagged, or the rows of these numbers."""
        item = self.item.filter(pl.Series(rows)) if rows.dtype == np.bool_ else self.item.gather(rows)
        place = self.place[rows] if len(self.place) else self.place
        return type(self)(self.code[rows], self.score[rows], self.pair[rows], item, place)

    def slice(self, start: int, stop: int) -> Self:
        """Return the rows from start up to, not including, stop."""
        cut = slice(start, stop)
        return type(self)(self.code[cut], self.score[cut], self.pair[cut], self.item[cut], self.place[cut])

    def moved(self, rows: int) -> Self:
        """Return the rows with their places moved, for a piece that stands after so many rows."""
        return replace(self, place=self.place + rows) if rows and len(self.place) else self

    @cached_property
    def borders(self) -> Ints:
        """The rows at which another query begins, the first row left out, shape (changes,)."""
        return np.flatnonzero(self.code[1:] != self.code[:-1]) + 1

    @property
    def starts(self) -> Ints:
        """The rows at which a query begins, the first row included, shape (stretches,)."""
        return np.concatenate([np.zeros(min(len(self), 1), np.int64), self.borders])

    @property
    def queries(self) -> Ints:
        """The number of the query that begins at each of `starts`, shape (stretches,)."""
        return self.code[self.starts]

    def counts(self, queries: int) -> Ints:
        """Return the number of rows of each query, shape (queries,)."""
        length = np.diff(self.starts, append=len(self))
        return np.bincount(self.queries, length, minlength=queries).astype(np.int64)


def join(pieces: Sequence[Piece]) -> Piece:
    """Return several pieces as one, copied."""
    if len(pieces) == 1:
        return pieces[0]
    return Piece(
        np.concatenate([piece.code for piece in pieces]),
        np.concatenate([piece.score for piece in pieces]),
        np.concatenate([piece.pair for piece in pieces]),
        pl.concat([piece.item for piece in pieces]),
        np.concatenate([piece.place for piece in pieces]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """The query column of a block as stretches of equal neighbours."""

    query: pl.Series
    length: Ints

    @classmethod
    def of(cls, query: pl.Series) -> Self:
        """Find the stretches of a column."""
        found = query.rle().struct.unnest()
        return cls(found["value"], found["len"].to_numpy().astype(np.int64))

    def codes(self, index: GoldIndex) -> Ints:
        """Return the number of each stretch's query in the gold, -1 for a query without gold."""
        numbers = index.gold.queries
        if len(self.query) > len(numbers):  # a table of all queries of the gold costs less than so many searches
            wanted = pl.DataFrame({"query": self.query})
            known = pl.DataFrame({"query": numbers, "code": np.arange(len(numbers))})
            found = wanted.join(known, on="query", how="left", maintain_order="left")["code"]
            return found.fill_null(-1).to_numpy()
        near = np.minimum(numbers.search_sorted(self.query).to_numpy().astype(np.int64), len(numbers) - 1)
        return np.where((numbers[near] == self.query).to_numpy(), near, -1)


def make_piece(block: pl.DataFrame, codes: Ints, lengths: Ints, policy: Policy, index: GoldIndex) -> Piece:
    """Turn a block of a run into arrays, leaving out rows of queries without gold (their code is -1).

    `codes` and `lengths` are those of its stretches.
    """
    score = block["score"].to_numpy()
    if policy.precision == "float32":
        with np.errstate(over="ignore"):  # what is too large for 32 bits is infinite
            score = score.astype(np.float32).astype(np.float64)
    code = np.repeat(codes, lengths)
    pair = np.repeat(index.query_hashes[codes], lengths) + hash_texts(block["item"])
    piece = Piece(code, score, pair, block["item"], _places(block, policy))
    return piece.where(code >= 0) if codes.min(initial=0) < 0 else piece


def _places(block: pl.DataFrame, policy: Policy) -> Ints:
    """Return what rows are ordered by where the policy goes by the input: their position, then their row."""
    if policy.ties != "order" and policy.duplicates == "error":
        return np.zeros(0, np.int64)
    rows = np.arange(block.height)
    return (block["position"].to_numpy().astype(np.int64) << 32) + rows if "position" in block.columns else rows
