"""Tie order: the rank of a judged item among items with its score, by id or by place in the input."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.judged import Flags, Ints
from assay.engines.counting import Counts, Places
from assay.engines.pieces import Piece

MOST_PAIRS = 16
"""Comparing each tied row with each judged one is faster than sorting up to this many pairs for each row."""
BATCH = 500_000


def count_before(  # noqa: PLR0917 - what is counted, of what, and how
    pieces: Sequence[Piece], counts: Counts, judged_rows: Piece, number: Ints, rule: str, among: Flags
) -> Ints:
    """Return for each judged row how many items with its score stand before it, shape (judged rows,).

    `number` is the threshold of each judged row; `among` flags the thresholds that rows beside the judged one lie on.
    """
    before = np.zeros(len(number), np.int64)
    mine = np.flatnonzero(among[number])
    if not len(mine):
        return before
    judged = pl.DataFrame(
        {"number": number[mine].astype(np.int32), "judged": mine, "key": _key(judged_rows, mine, rule)}
    )
    for rows in _tied_rows(pieces, counts, rule, among):
        found = _compare(rows, judged, rule)
        before[found["judged"].to_numpy()] += found["before"].to_numpy()
    return before


def _key(piece: Piece, rows: Ints | Places, rule: str) -> pl.Series:
    """Return what tied rows are ordered by: their place in the input or their id."""
    return pl.Series(piece.place[rows]) if rule == "order" else piece.item.gather(rows)


def _tied_rows(pieces: Sequence[Piece], counts: Counts, rule: str, among: Flags) -> "list[pl.DataFrame]":
    """Return the rows that share a score with a judged item, in batches: number, other."""
    batches = []
    for piece, (row, number) in zip(pieces, counts.on, strict=True):
        tied = among[number]
        row, number = row[tied], number[tied]  # noqa: PLW2901 - narrowed
        for start in range(0, len(row), BATCH):
            other = _key(piece, row[start : start + BATCH], rule)
            batches.append(pl.DataFrame({"number": number[start : start + BATCH], "other": other}))
    return batches


def _compare(rows: pl.DataFrame, judged: pl.DataFrame, rule: str) -> pl.DataFrame:
    """Return for each judged row how many of these rows stand before it: judged, before."""
    per_number = judged.group_by("number").len("judged_here")
    pairs = rows.group_by("number").len("rows_here").join(per_number, on="number")
    if (pairs["rows_here"] * pairs["judged_here"]).sum() <= MOST_PAIRS * rows.height:
        stands_before = pl.col("other") > pl.col("key") if rule == "id-desc" else pl.col("other") < pl.col("key")
        both = rows.lazy().join(judged.lazy(), on="number").filter(stands_before)
        return both.group_by("judged").agg(before=pl.len().cast(pl.Int64)).collect(engine="streaming")
    return _compare_sorted(rows, judged, rule)


def _compare_sorted(rows: pl.DataFrame, judged: pl.DataFrame, rule: str) -> pl.DataFrame:
    """Sort both together; the rows so far in the same group are those before."""
    left = rows.select("number", key="other", judged=pl.lit(-1, pl.Int64))
    right = judged.select("number", "key", pl.col("judged").cast(pl.Int64))
    # at an equal key the row is the judged item itself: it must not count, so judged rows come first
    both = pl.concat([right, left]).sort(
        "number", "key", pl.col("judged") < 0, descending=[False, rule == "id-desc", False]
    )
    before = ((pl.col("judged") < 0).cum_sum().over("number")).cast(pl.Int64)
    return both.with_columns(before=before).filter(pl.col("judged") >= 0).select("judged", "before")
