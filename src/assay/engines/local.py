"""The engine for runs in this process: files read in blocks, frames, mappings.

A run whose lines are grouped by query is counted block by block and forgotten: one pass, little memory.
Any other is kept as arrays and counted at the end. Neither is sorted.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import polars as pl

from assay.core.gold import Gold
from assay.core.judged import Ints, Judged, Notes
from assay.core.policy import Policy
from assay.core.run import MappingRows, Run
from assay.engines.exclusions import Exclusions
from assay.engines.gold_index import GoldIndex, index_of
from assay.engines.mapping import judge_mapping, takes_mapping
from assay.engines.pieces import Piece, Stretches, join, make_piece
from assay.engines.resolve import Found, assemble, resolve
from assay.errors import RunError


def judge(run: Run, gold: Gold, policy: Policy, exclude: pl.DataFrame | None = None) -> Judged:
    """Join gold to a run: the rank of each judged item that was retrieved.

    `exclude` holds pairs (query, item) that are taken out of every ranking before ranks are given.

    Raises
    ------
    RunError
        What the policy calls an error: duplicates, scores that are no number, queries without gold.
    """
    exclusions = Exclusions.of(exclude, policy)
    if isinstance(run.rows, MappingRows) and takes_mapping(run.rows.scores, exclusions):
        return judge_mapping(run, run.rows.scores, gold, policy)
    index = index_of(gold)
    feed = _Feed(run, index, policy, exclusions)
    found = feed.grouped()
    if found is None:
        feed = _Feed(run, index, policy, exclusions)
        found = feed.kept()
    feed.refuse_extra()
    return assemble(gold, found, feed.answered, feed.notes())


@dataclass(eq=False)
class _Feed:
    """Reads the blocks of one run and hands over pieces, with what was noticed on the way."""

    run: Run
    index: GoldIndex
    policy: Policy
    exclusions: Exclusions
    rows: int = 0
    nan: int = 0
    dropped: int = 0
    self_matches: int = 0
    queries: int = 0
    duplicates: int = 0
    extra: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.answered = np.zeros(len(self.index.gold.queries), np.bool_)

    def grouped(self) -> Found | None:
        """Count query by query; None as soon as a query comes back after another."""
        found: list[Found] = []
        rest: list[Piece] = []  # the rows of the last query so far, which the next block may go on with
        last = -1
        for piece, codes in self._pieces():
            known = codes[codes >= 0]
            again = known[1:] if len(known) and known[0] == last else known
            if self.answered[again].any() or len(np.unique(known)) < len(known):
                return None
            self.answered[known] = True
            if len(again):
                ended, whole, begun = _split(piece, last, known[-1])
                found.append(self._resolve([join([*rest, ended]), whole], grouped=True))
                rest, last = [begun], known[-1]
            else:
                rest.append(piece)
        if rest:
            found.append(self._resolve([join(rest)], grouped=True))
        return Found.concat(found, self.index)

    def kept(self) -> Found:
        """Keep all rows, then count."""
        pieces = []
        for piece, codes in self._pieces():
            self.answered[codes[codes >= 0]] = True
            pieces.append(piece)
        return self._resolve(pieces, grouped=False)

    def refuse_extra(self) -> None:
        """Raise where the policy forbids answers to queries without gold."""
        if self.extra and self.policy.extra == "error":
            names = ", ".join(repr(name) for name in sorted(self.extra)[:3])
            msg = f"{_place(self.run)}: expected only queries with gold, found {len(self.extra)} without: {names}"
            raise RunError(msg, hint="extra='ignore' leaves them out.")

    def notes(self) -> Notes:
        """Return what was noticed."""
        return Notes(
            rows=self.rows,
            run_queries=int(self.answered.sum()) + len(self.extra),
            extra_queries=tuple(sorted(self.extra)),
            duplicates=self.duplicates,
            nan=self.nan,
            excluded=self.dropped,
            self_matches=self.self_matches,
        )

    def _pieces(self) -> Iterator[tuple[Piece, Ints]]:
        """Yield each block as a piece, with the query number of each stretch of equal queries."""
        for block in self.run.rows.blocks():
            stretches = Stretches.of(block["query"])
            codes = stretches.codes(self.index)
            code = np.repeat(codes, stretches.length)
            piece = make_piece(block, code, self.rows, self.policy, self.index)
            self.rows += block.height
            if (codes < 0).any():
                self.extra.update(stretches.query.filter(pl.Series(codes < 0)))
            piece, gone, same = self.exclusions.apply(piece, self.index.gold.queries)
            self.dropped += gone
            self.self_matches += same
            yield self._without_nan(piece), codes

    def _without_nan(self, piece: Piece) -> Piece:
        wrong = np.isnan(piece.score)
        if not wrong.any():
            return piece
        self.nan += int(wrong.sum())
        if self.policy.nan == "error":
            row = int(np.flatnonzero(wrong)[0])
            query, item = self.index.gold.queries[int(piece.code[row])], piece.item[row]
            place = self.run.origin.place(query, item) if self.run.origin else self.run.name
            msg = f"{place}: expected a number as score of item {item!r} for query {query!r}, found NaN"
            raise RunError(msg, hint="nan='worst' ranks such items last.")
        score = np.where(wrong, -np.inf, piece.score)
        return Piece(piece.code, score, piece.pair, piece.item, piece.place)

    def _resolve(self, pieces: list[Piece], *, grouped: bool) -> Found:
        refuse = partial(_refuse_duplicates, self.run, self.index.gold)
        found = resolve(pieces, self.index, self.policy, grouped=grouped, refuse=refuse)
        self.duplicates += found.duplicates
        return found


def _split(piece: Piece, first: int, last: int) -> tuple[Piece, Piece, Piece]:
    """Cut a piece into the rows of the query that went on, whole queries, and the rows of the last query."""
    head, tail = 0, len(piece)
    if len(piece) and piece.code[0] == first:
        head = int(piece.borders[0]) if len(piece.borders) else len(piece)
    if len(piece) and piece.code[-1] == last:
        tail = int(piece.borders[-1]) if len(piece.borders) else 0
    return piece.slice(0, head), piece.slice(head, tail), piece.slice(tail, len(piece))


def _place(run: Run) -> str:
    return run.origin.path if run.origin else run.name


def _refuse_duplicates(run: Run, gold: Gold, repeated: pl.DataFrame) -> None:
    """Raise the error that names the first item that occurs twice."""
    first = repeated.sort("place").row(0, named=True)
    query, item = gold.queries[first["code"]], first["item"]
    place = run.origin.place(query, item) if run.origin else run.name
    msg = f"{place}: item {item!r} occurs more than once for query {query!r}"
    raise RunError(msg, hint="duplicates='first' or 'best' keeps one of them.")
