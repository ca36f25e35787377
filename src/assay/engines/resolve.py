"""From pieces of a run to judged rows with their ranks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.gold import Gold
from assay.core.judged import Flags, Floats, Hits, Ints, Judged, Notes
from assay.core.policy import ENGINE_TIES, Policy
from assay.engines.counting import Counts, Thresholds, count, count_sorted, is_sorted
from assay.engines.duplicates import drop, find_anywhere, find_grouped, repeated
from assay.engines.gold_index import GoldIndex
from assay.engines.pieces import Piece, join
from assay.engines.tie_order import count_before


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Judged rows of some queries: arrays of shape (rows,), and per query how many items are ranked.

    `counted` are the numbers of the queries that `retrieved` speaks of; None: all of the gold, in their order.
    """

    code: Ints
    gold_row: Ints
    rank: Ints
    above: Ints
    tied: Ints
    retrieved: Ints
    duplicates: int = 0
    counted: Ints | None = None

    @classmethod
    def concat(cls, parts: Sequence["Found"]) -> Self:
        """Join what was found in separate queries."""
        return cls(
            code=_joined([part.code for part in parts]),
            gold_row=_joined([part.gold_row for part in parts]),
            rank=_joined([part.rank for part in parts]),
            above=_joined([part.above for part in parts]),
            tied=_joined([part.tied for part in parts]),
            retrieved=_joined([part.retrieved for part in parts]),
            duplicates=sum(part.duplicates for part in parts),
            counted=_joined([part.counted for part in parts if part.counted is not None]),
        )

    def retrieved_of_all(self, queries: int) -> Ints:
        """Return how many items of each query of the gold are ranked, shape (queries,)."""
        if self.counted is None:
            return self.retrieved
        counts = np.zeros(queries, np.int64)
        counts[self.counted] = self.retrieved
        return counts


def resolve(
    pieces: list[Piece],
    index: GoldIndex,
    policy: Policy,
    *,
    grouped: bool,
    refuse: Callable[[pl.DataFrame], None],
) -> Found:
    """Count the ranks of judged rows in pieces that hold whole queries; a grouped one comes alone."""
    pieces, duplicates = _deduplicated(pieces, policy, grouped=grouped, refuse=refuse)
    if not pieces:
        return Found.concat([])
    counted = pieces[0].queries if grouped else np.arange(len(index.gold.queries))
    known = index.among(counted) if grouped else index
    found = [known.judged_rows(piece.code, piece.pair, piece.item) for piece in pieces]
    if grouped:
        pieces[0] = _renumbered(pieces[0])
    places = [rows for rows, _ in found]
    code = _joined([piece.code[rows] for piece, rows in zip(pieces, places, strict=True)])
    counts, number = _counts(pieces, places, code, len(counted))
    before = np.zeros(len(number), np.int64)
    if policy.ties in ENGINE_TIES and (counts.tied > 1).any():
        judged = join([piece.where(rows) for piece, rows in zip(pieces, places, strict=True)])
        before = count_before(pieces, counts, judged, number, policy.ties, counts.tied > 1)
    above, tied = counts.above[number], counts.tied[number]
    retrieved = sum((piece.counts(len(counted)) for piece in pieces), np.zeros(len(counted), np.int64))
    gold_row = _joined([row for _, row in found])
    return Found(counted[code], gold_row, above + before + 1, above, tied, retrieved, duplicates, counted)


def _counts(pieces: Sequence[Piece], places: Sequence[Ints], code: Ints, queries: int) -> tuple[Counts, Ints]:
    """Count over all pieces; return for each judged row, at these places, the number of its threshold too."""
    if len(pieces) == 1 and is_sorted(pieces[0]):
        return count_sorted(pieces[0], places[0])
    score = _joined([piece.score[rows] for piece, rows in zip(pieces, places, strict=True)], np.float64)
    thresholds = Thresholds.of(queries, code, score)
    return count(pieces, thresholds), thresholds.of_judged


def _renumbered(piece: Piece) -> Piece:
    """Number the queries of a grouped piece from 0, so that a block costs nothing for the queries it has not."""
    lengths = np.diff(piece.starts, append=len(piece))
    return replace(piece, code=np.repeat(np.arange(len(lengths)), lengths))


def assemble(gold: Gold, found: Found, answered: Flags, notes: Notes) -> Judged:
    """Sort judged rows by query and rank."""
    order = slice(None) if _in_order(found) else np.lexsort((found.gold_row, found.rank, found.code))
    grade: Floats = gold.table["grade"].to_numpy()[found.gold_row[order]]
    hits = Hits(
        len(gold.queries),
        found.code[order].astype(np.int64),
        grade,
        found.rank[order].astype(np.float64),
        found.above[order],
        found.tied[order],
        found.gold_row[order],
    )
    retrieved = found.retrieved_of_all(len(gold.queries))
    return Judged(gold.queries, hits, gold.ideal, retrieved, answered, judgments=gold.facets, notes=notes)


def _in_order(found: Found) -> bool:
    """Tell whether judged rows stand by query and rank, as those of a sorted run do, no two at one rank."""
    step = np.diff(found.code)
    return bool(((step > 0) | ((step == 0) & (np.diff(found.rank) > 0))).all())


def _deduplicated(
    pieces: list[Piece], policy: Policy, *, grouped: bool, refuse: Callable[[pl.DataFrame], None]
) -> tuple[list[Piece], int]:
    if not pieces or not (any(map(find_grouped, pieces)) if grouped else find_anywhere(pieces)):
        return pieces, 0
    rows = repeated(pieces)
    if not rows.height:
        return pieces, 0
    if policy.duplicates == "error":
        refuse(rows.sort("piece", "row").head(1))
    kept = drop(pieces, rows, policy.duplicates)
    return kept, sum(map(len, pieces)) - sum(map(len, kept))


def _joined(arrays: Sequence[NDArray[Any]], kind: type = np.int64) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *arrays])
