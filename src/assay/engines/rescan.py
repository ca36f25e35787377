"""Counting a run that is too large to be held: it is gone over several times, and each block forgotten.

First pass: the judged rows, of which there are no more than the gold has, how many rows each query has, and the
hashes of all pairs. Only if a hash repeats, a second pass: the rows with such hashes, proved by their texts. Last
pass: each block is counted against the scores of the judged rows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.core.judged import Flags, Ints
from assay.core.policy import ENGINE_TIES
from assay.engines.counting import Thresholds, count
from assay.engines.duplicates import best_first, losers
from assay.engines.pieces import Piece
from assay.engines.preparing import Preparing
from assay.engines.resolve import Found
from assay.engines.spill import HASHES, Folder, Spill
from assay.engines.tie_order import count_before
from assay.errors import RunError

BITS = 24
"""Leading bits of a hash by which rows are suspected of being repeated."""
JUDGED_HELD = 1 << 16
"""Judged rows that are held, beside those that the gold has, before repeated ones are let go."""
ASIDE = 4
"""Of so many parts of the rows that may be held one is put aside together: it is sorted, which takes more."""
Again = Callable[[], Iterable[Piece]]


def rescan(first: Iterable[Piece], again: Again, preparing: Preparing, held: int) -> Found:
    """Count the ranks of judged rows in pieces that come once as `first` and then as often as `again` is asked.

    `held` is about how many bytes may be held.
    """
    with Folder() as folder:
        most = held // ASIDE
        survey = _Survey(preparing, Spill(folder, most, "hashes"))
        for piece in first:
            survey.add(piece)
        repeated = survey.repeated()
        passes = _Passes(again, survey.mark, preparing.run.name)
        lost = None
        if repeated is not None:
            lost = _Suspects(preparing, Spill(folder, most, "rows"), repeated).lost(passes, folder)
        return _counted(survey, passes, lost)


@dataclass(eq=False)
class _Mark:
    """How many rows went by, and a sum of their hashes and scores that tells other rows, or another order, apart.

    The order matters where rows of one pair are told apart by it.
    """

    ordered: bool
    rows: int = 0
    sum: int = 0

    def add(self, piece: Piece) -> None:
        """Take in some rows."""
        bits = piece.pair + np.ascontiguousarray(piece.score).view(np.uint64)
        if self.ordered:
            bits *= np.arange(self.rows + 1, self.rows + 1 + len(piece), dtype=np.uint64)
        self.rows += len(piece)
        self.sum = (self.sum + int(bits.sum())) % HASHES


@dataclass(frozen=True, eq=False)
class _Passes:
    """The pieces of a run once more, each with the place of its first row; they must be what they were."""

    again: Again
    mark: _Mark
    name: str

    def __iter__(self) -> Iterator[tuple[int, Piece]]:
        mark = _Mark(self.mark.ordered)
        for piece in self.again():
            if mark.rows + len(piece) <= self.mark.rows:
                yield mark.rows, piece
            mark.add(piece)
        if (mark.rows, mark.sum) != (self.mark.rows, self.mark.sum):
            found = f"{mark.rows:,} after {self.mark.rows:,}" if mark.rows != self.mark.rows else "others"
            msg = f"{self.name}: expected the same rows in the same order each time that it is read, found {found}"
            raise RunError(msg, hint="a file that is being written, and a frame without an order, need more memory.")


@dataclass(eq=False)
class _Survey:
    """What is remembered of the first pass."""

    preparing: Preparing
    hashes: Spill
    found: list[pl.DataFrame] = field(default_factory=list)
    judged_rows: int = 0

    def __post_init__(self) -> None:
        self.mark = _Mark(self.preparing.policy.duplicates != "error")
        self.queries = len(self.preparing.index.gold.queries)
        self.retrieved = np.zeros(self.queries, np.int64)
        self.most = JUDGED_HELD + 2 * len(self.preparing.index.items)

    def add(self, piece: Piece) -> None:
        """Look through some rows."""
        at, gold_row = self.preparing.index.judged_rows(piece.code, piece.pair, piece.item)
        place = piece.place[at] if len(piece.place) else at + self.mark.rows
        columns = {"gold_row": gold_row, "code": piece.code[at], "score": piece.score[at], "place": place}
        self.found.append(pl.DataFrame(columns))
        self.judged_rows += len(at)
        if self.judged_rows > self.most:
            self.found = [self.judged()]
            self.judged_rows = self.found[0].height
        self.retrieved += piece.counts(self.queries)
        self.hashes.add(pl.DataFrame({"pair": piece.pair}))
        self.mark.add(piece)

    def repeated(self) -> Flags | None:
        """Flag the leading bits of the hashes that repeat; None where none does."""
        flags = np.zeros(1 << BITS, np.bool_)
        for part in self.hashes.parts():
            hashes = np.sort(part["pair"].to_numpy())
            flags[hashes[1:][hashes[1:] == hashes[:-1]] >> np.uint64(64 - BITS)] = True
        self.hashes.held.clear()
        return flags if flags.any() else None

    def judged(self) -> pl.DataFrame:
        """Return the judged rows so far, each judgment once: gold_row, code, score, place."""
        rows = best_first(pl.concat(self.found), self.preparing.policy.duplicates)
        return rows.unique("gold_row", keep="first", maintain_order=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Lost:
    """Rows that are dropped since another of the same pair is kept."""

    flags: Flags
    per_query: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Suspects:
    """Finds the rows of repeated pairs."""

    preparing: Preparing
    spill: Spill
    flags: Flags

    def lost(self, passes: _Passes, folder: Folder) -> _Lost | None:
        """Return which rows are dropped; None where no pair really repeats.

        Raises
        ------
        RunError
            A repeated pair where the policy calls it an error.
        """
        rule, queries = self.preparing.policy.duplicates, len(self.preparing.index.gold.queries)
        for start, piece in passes:
            self.spill.add(self._suspected(start, piece))
        repeated = (part.filter(pl.struct("code", "item").is_duplicated()) for part in self.spill.parts())
        if rule == "error":
            first = [rows.sort("row").head(1) for rows in repeated if rows.height]
            if first:
                self.preparing.refuse(pl.concat(first))
            return None
        lost: _Lost | None = None
        for rows in repeated:
            if rows.height:
                lost = lost or _Lost(_flags(folder, passes.mark.rows), np.zeros(queries, np.int64))
                gone = losers(rows.sort("row"), rule)
                lost.flags[gone["row"].to_numpy()] = True
                lost.per_query[:] += np.bincount(gone["code"], minlength=queries)
        return lost

    def _suspected(self, start: int, piece: Piece) -> pl.DataFrame:
        at = np.flatnonzero(self.flags[(piece.pair >> np.uint64(64 - BITS)).view(np.int64)])
        row = at + start
        texts = piece.item.gather(at).to_list()  # a copy: a gathered column keeps the texts of its whole block
        columns = {"pair": piece.pair[at], "row": row, "code": piece.code[at], "score": piece.score[at]}
        place = piece.place[at] if len(piece.place) else row
        return pl.DataFrame({**columns, "place": place, "item": pl.Series(texts, dtype=pl.String)})


def _flags(folder: Folder, rows: int) -> Flags:
    """Return a flag for each row, in a file."""
    with folder.writing() as path:
        return np.memmap(path / "lost", np.bool_, "w+", shape=(rows,))


def _counted(survey: _Survey, passes: _Passes, lost: _Lost | None) -> Found:
    """Go over the run a last time and count."""
    judged, index, rule = survey.judged(), survey.preparing.index, survey.preparing.policy.ties
    code, gold_row = judged["code"].to_numpy(), judged["gold_row"].to_numpy()
    thresholds = Thresholds.of(survey.queries, code, judged["score"].to_numpy())
    number = thresholds.of_judged
    items = index.items.gather(gold_row)
    hashes = np.zeros(len(code), np.uint64)
    rows = Piece(code, judged["score"].to_numpy(), hashes, items, judged["place"].to_numpy())
    above, tied = np.zeros(len(thresholds.score), np.int64), np.zeros(len(thresholds.score), np.int64)
    before = np.zeros(len(number), np.int64)
    for start, whole in passes:
        piece = whole if lost is None else whole.where(~lost.flags[start : start + len(whole)])
        counts = count([piece], thresholds)
        above += counts.above
        tied += counts.tied
        if rule in ENGINE_TIES:
            before += count_before([piece], counts, rows, number, rule, counts.tied > 0)
    retrieved, duplicates = survey.retrieved, 0
    if lost is not None:
        retrieved, duplicates = retrieved - lost.per_query, int(lost.per_query.sum())
    above, tied = above[number], tied[number]
    return Found(code, gold_row, above + before + 1, above, tied, retrieved, duplicates)
