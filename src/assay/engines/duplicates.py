"""Duplicates: the same item twice in one ranking, found by hashes and proved by texts."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.judged import Flags, Ints
from assay.engines.gold_index import Hashes
from assay.engines.pieces import Piece

PART = 1 << 16
ODD = np.uint64(0xD6E8FEB86659FD93)
"""An odd factor: multiplying by it moves other bits to the front, so that a second try separates other pairs."""


def find_grouped(piece: Piece) -> bool:
    """Tell whether two rows may be the same pair, in a piece that holds whole queries."""
    borders = np.flatnonzero(np.diff(piece.code)) + 1
    start = 0
    while start < len(piece):
        far = np.searchsorted(borders, start + PART)
        stop = int(borders[far]) if far < len(borders) else len(piece)
        if _equal_somewhere(piece.pair[start:stop]):
            return True
        start = stop
    return False


def find_anywhere(pieces: Sequence[Piece]) -> bool:
    """Tell whether two rows may be the same pair, in pieces of any order."""
    hashes = pl.concat([pl.Series(piece.pair) for piece in pieces], rechunk=False)
    return hashes.n_unique() < len(hashes)


def _equal_somewhere(pair: Hashes) -> bool:
    """Write each hash into a slot; whoever lost its slot either met its equal or tries other bits."""
    bits = max(int(2 * len(pair)).bit_length(), 4)
    shift = np.uint64(64 - bits)
    table = np.zeros(1 << bits, np.int32)
    key = pair
    while len(pair):
        slot = key >> shift
        row = np.arange(len(pair), dtype=np.int32)
        table[slot] = row
        winner = table[slot]
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
        columns = {"row": rows, "code": some.code, "item": some.item, "score": some.score, "place": some.place}
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
