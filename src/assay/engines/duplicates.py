"""Duplicates: the same item twice in one ranking, found by hashes and proved by texts."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.judged import Flags, Ints
from assay.engines.gold_index import Hashes
from assay.engines.pieces import Piece

PART = 1 << 14
ODD = np.uint64(0xD6E8FEB86659FD93)
"""An odd factor: multiplying by it moves other bits to the front, so that a second try separates other pairs."""


def find_grouped(piece: Piece) -> bool:
    """Tell whether two rows may be the same pair, in a piece that holds whole queries."""
    slots = Slots()
    start = 0
    while start < len(piece):
        far = np.searchsorted(piece.borders, start + PART)
        stop = int(piece.borders[far]) if far < len(piece.borders) else len(piece)
        if slots.hold_equals(piece.pair[start:stop]):
            return True
        start = stop
    return False


def find_anywhere(pieces: Sequence[Piece]) -> bool:
    """Tell whether two rows may be the same pair, in pieces of any order."""
    hashes = pl.concat([pl.Series(piece.pair) for piece in pieces], rechunk=False)
    return hashes.n_unique() < len(hashes)


class Slots:
    """A table in which each hash is written to one slot; never cleared, since only what was written is read."""

    def __init__(self) -> None:
        self._table = np.empty(0, np.int32)
        self._rows = np.empty(0, np.int32)

    def hold_equals(self, pair: Hashes) -> bool:
        """Tell whether two of the hashes are equal: who lost its slot either met its equal or tries other bits."""
        bits = max(int(2 * len(pair)).bit_length(), 4)
        if len(self._table) < 1 << bits:
            self._table, self._rows = np.empty(1 << bits, np.int32), np.arange(1 << bits, dtype=np.int32)
        shift = np.uint64(64 - bits)
        key = pair
        while len(pair):
            slot = key >> shift
            row = self._rows[: len(pair)]
            self._table[slot] = row
            winner = self._table[slot]
            lost = np.flatnonzero(winner != row)
            if (pair[lost] == pair[winner[lost]]).any():
                return True
            pair, key = pair[lost], key[lost] * ODD
        return False


def repeated(pieces: Sequence[Piece]) -> pl.DataFrame:
    """Return the rows whose pair really occurs more than once: piece, row, code, item, score, place."""
    hashes = pl.concat([pl.Series(piece.pair) for piece in pieces])
    suspect = hashes.is_duplicated().to_numpy()
    tables, start = [], 0
    for number, piece in enumerate(pieces):
        rows = np.flatnonzero(suspect[start : start + len(piece)])
        start += len(piece)
        some = piece.where(rows)
        place = some.place if len(some.place) else rows
        columns = {"row": rows, "code": some.code, "item": some.item, "score": some.score, "place": place}
        tables.append(pl.DataFrame(columns).with_columns(piece=pl.lit(number)))
    table = pl.concat(tables)
    return table.filter(pl.struct("code", "item").is_duplicated())


def drop(pieces: Sequence[Piece], rows: pl.DataFrame, rule: str) -> list[Piece]:
    """Keep one row of each repeated pair: the first in the input, or the one with the best score."""
    by = pl.when(pl.lit(value=rule == "best")).then(-pl.col("score")).otherwise(0.0)
    ordered = rows.sort(by.alias("by"), "place", maintain_order=True)
    losers = ordered.filter(~pl.struct("code", "item").is_first_distinct())
    return [
        piece.where(_kept(piece, losers.filter(piece=number)["row"].to_numpy())) for number, piece in enumerate(pieces)
    ]


def _kept(piece: Piece, losers: Ints) -> Flags:
    kept = np.ones(len(piece), np.bool_)
    kept[losers] = False
    return kept
