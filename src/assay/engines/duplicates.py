"""Duplicates: the same item twice in one ranking, found by hashes and proved by texts."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.judged import Flags, Ints
from assay.engines.pieces import Piece

PART = 1 << 13
"""Rows whose hashes are sorted together: NumPy sorts so many in the cache, with vector instructions."""


def find_grouped(piece: Piece) -> bool:
    """Tell whether two rows may be the same pair, in a piece that holds whole queries."""
    start = 0
    while start < len(piece):
        far = np.searchsorted(piece.borders, start + PART)
        stop = int(piece.borders[far]) if far < len(piece.borders) else len(piece)
        hashes = np.sort(piece.pair[start:stop])
        if (hashes[1:] == hashes[:-1]).any():
            return True
        start = stop
    return False


def find_anywhere(pieces: Sequence[Piece]) -> bool:
    """Tell whether two rows may be the same pair, in pieces of any order."""
    hashes = pl.concat([pl.Series(piece.pair) for piece in pieces], rechunk=False)
    return hashes.n_unique() < len(hashes)


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
    gone = losers(rows, rule)
    return [
        piece.where(_kept(piece, gone.filter(piece=number)["row"].to_numpy())) for number, piece in enumerate(pieces)
    ]


def losers(rows: pl.DataFrame, rule: str) -> pl.DataFrame:
    """Return all rows but the one of each pair that is kept."""
    return best_first(rows, rule).filter(~pl.struct("code", "item").is_first_distinct())


def best_first(rows: pl.DataFrame, rule: str) -> pl.DataFrame:
    """Sort rows that come in the order of the input so that of each pair the one that is kept comes first."""
    by = pl.when(pl.lit(value=rule == "best")).then(-pl.col("score")).otherwise(0.0)
    return rows.sort(by.alias("by"), "place", maintain_order=True)


def _kept(piece: Piece, losers: Ints) -> Flags:
    kept = np.ones(len(piece), np.bool_)
    kept[losers] = False
    return kept
