"""Preparing: what can be done with one block of a run by itself, in the thread that read it.

The queries that begin and end within the block are counted and forgotten; the rows of its first and last
query, which other blocks may share, are handed on. Where there are no other blocks, all queries are counted.
"""

from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np
import polars as pl

from assay.core.judged import Ints
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines.exclusions import Exclusions
from assay.engines.gold_index import GoldIndex
from assay.engines.pieces import Piece, Stretches, make_piece
from assay.engines.refusals import no_number, repeated_item
from assay.engines.resolve import Found, resolve


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """One block of a run.

    `codes` are the queries in the order of the block, -1 for one without gold; `piece` holds all rows with gold.
    Where each query's rows stand together, the first query's rows end at `head`, the last one's, if it is
    another, begin at `tail`, and `found` is what was counted in between; else `found` is None.
    """

    codes: Ints
    piece: Piece
    head: int
    tail: int
    found: Found | None
    rows: int
    extra: tuple[str, ...]
    nan: int
    excluded: int
    self_matches: int

    def moved(self, rows: int) -> "Prepared":
        """Return the block with the places of its rows moved by so many rows that stand before it."""
        return replace(self, piece=self.piece.moved(rows))

    @property
    def first(self) -> Piece:
        """The rows of the first query."""
        return self.piece.slice(0, self.head)

    @property
    def last(self) -> Piece:
        """The rows of the last query, if it is another."""
        return self.piece.slice(self.tail, len(self.piece))


@dataclass(frozen=True, slots=True, eq=False)
class Preparing:
    """What a block is prepared with."""

    run: Run
    index: GoldIndex
    policy: Policy
    exclusions: Exclusions
    grouped: bool
    """Whether to count queries that begin and end within a block."""
    whole: bool
    """Whether the run is one block, so that all its queries do."""

    def __call__(self, block: pl.DataFrame) -> Prepared:
        """Prepare one block."""
        stretches = Stretches.of(block["query"])
        codes = stretches.codes(self.index)
        piece = make_piece(block, codes, stretches.length, self.policy, self.index)
        piece, excluded, same = self.exclusions.apply(piece, self.index.gold.queries)
        piece, nan = self._without_nan(piece)
        known = codes[codes >= 0]
        head = tail = len(piece)
        found = None
        if self.grouped and len(known) and len(np.unique(known)) == len(known):
            head, tail = (0, len(piece)) if self.whole and len(known) > 1 else _split(piece, known[0], known[-1])
            found = self.resolve([piece.slice(head, tail)], grouped=True)
        unknown = stretches.query.filter(pl.Series(codes < 0)) if (codes < 0).any() else ()
        return Prepared(codes, piece, head, tail, found, block.height, tuple(unknown), nan, excluded, same)

    def resolve(self, pieces: list[Piece], *, grouped: bool) -> Found:
        """Count the ranks of judged rows in pieces that hold whole queries."""
        return resolve(pieces, self.index, self.policy, grouped=grouped, refuse=self.refuse)

    def refuse(self, repeated: pl.DataFrame) -> NoReturn:
        """Raise the error that names the first item that occurs twice: of the rows code, item and row, the lowest."""
        first = repeated.sort("row").row(0, named=True)
        raise repeated_item(self.run, self.index.gold.queries[first["code"]], first["item"])

    def _without_nan(self, piece: Piece) -> tuple[Piece, int]:
        wrong = np.isnan(piece.score)
        if not wrong.any():
            return piece, 0
        if self.policy.nan == "error":
            row = int(np.flatnonzero(wrong)[0])
            raise no_number(self.run, self.index.gold.queries[int(piece.code[row])], piece.item[row])
        score = np.where(wrong, -np.inf, piece.score)
        return Piece(piece.code, score, piece.pair, piece.item, piece.place), int(wrong.sum())


def _split(piece: Piece, first: int, last: int) -> tuple[int, int]:
    """Return where in a grouped piece the rows of its first query end, and where those of its last query begin."""
    head, tail = 0, len(piece)
    if len(piece) and piece.code[0] == first:
        head = int(piece.borders[0]) if len(piece.borders) else len(piece)
    if head < len(piece) and piece.code[-1] == last:
        tail = int(piece.borders[-1]) if len(piece.borders) else 0
    return head, tail
