"""The engine for runs in this process: files read in blocks, frames, mappings.

A run whose lines are grouped by query is counted block by block and forgotten: one pass, little memory.
Any other is kept as arrays and counted at the end or, where it is too large for that, gone over several times.
None is sorted.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
import polars as pl

from assay.core.gold import Gold
from assay.core.judged import Judged, Notes
from assay.core.policy import Policy
from assay.core.run import MappingRows, Run, each
from assay.engines.exclusions import Exclusions
from assay.engines.gold_index import index_of
from assay.engines.mapping import judge_mapping, takes_mapping
from assay.engines.memory import narrowed, rows_held
from assay.engines.pieces import Piece, join
from assay.engines.preparing import Prepared, Preparing
from assay.engines.refusals import extra_queries
from assay.engines.rescan import rescan
from assay.engines.resolve import Found, assemble


def judge(run: Run, gold: Gold, policy: Policy, exclude: pl.DataFrame | None = None) -> Judged:
    """Join gold to a run: the rank of each judged item that was retrieved.

    `exclude` holds pairs (query, item) that are taken out of every ranking before ranks are given. The memory that
    the run may take changes no number, only how often its rows are read.

    Raises
    ------
    RunError
        What the policy calls an error: duplicates, scores that are no number, queries without gold.
    """
    exclusions = Exclusions.of(exclude, policy)
    if isinstance(run.rows, MappingRows) and takes_mapping(run.rows.scores, exclusions):
        return judge_mapping(run, run.rows.scores, gold, policy)
    run = narrowed(run)
    whole = getattr(run.rows, "whole", False)
    preparing = Preparing(run, index_of(gold), policy, exclusions, grouped=True, whole=whole)
    feed = _Feed(preparing, rows_held(run))
    found = feed.grouped()
    if found is None:
        feed = feed.anew()
        found = feed.kept(feed.blocks())
    feed.refuse_extra()
    return assemble(gold, found, feed.answered, feed.notes(found))


@dataclass(eq=False)
class _Feed:
    """Takes the prepared blocks of one run in their order, and remembers what was noticed on the way.

    `held` is how many bytes of rows it may hold.
    """

    preparing: Preparing
    held: int
    rows: int = 0
    nan: int = 0
    excluded: int = 0
    self_matches: int = 0
    extra: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.answered = np.zeros(len(self.preparing.index.gold.queries), np.bool_)

    def anew(self) -> "_Feed":
        """Return a feed from the beginning that takes every block as a whole."""
        return _Feed(replace(self.preparing, grouped=False), self.held)

    def blocks(self) -> Iterator[Prepared]:
        """Yield each block with the places of its rows counted from the beginning of the run."""
        for block in each(self.preparing.run.rows, self.preparing):
            self.nan += block.nan
            self.excluded += block.excluded
            self.self_matches += block.self_matches
            self.extra.update(block.extra)
            yield block.moved(self.rows)
            self.rows += block.rows

    def grouped(self) -> Found | None:
        """Count query by query; None where a query comes back after rows were forgotten, or has too many."""
        found: list[Found] = []
        rest: list[Piece] = []  # the rows of the last query so far, which the next block may go on with
        last = -1
        blocks = self.blocks()
        for block in blocks:
            known = block.codes[block.codes >= 0]
            if not len(known):
                continue
            if block.found is None:
                return self.kept(chain([block], blocks)) if last < 0 else None
            going_on = known[0] == last and not self.preparing.whole
            if self.answered[known[1:] if going_on else known].any():
                return None
            self.answered[known] = True
            if not going_on:
                found += self._counted(rest)
            rest.append(block.first)
            if len(rest) > 1 and sum(piece.size for piece in rest) > self.held:
                return None
            if len(known) > 1:
                found += [*self._counted(rest), block.found]
                rest.append(block.last)
            last = known[-1]
        return Found.concat([*found, *self._counted(rest)])

    def kept(self, blocks: Iterable[Prepared]) -> Found:
        """Count the rows of all blocks at once or, where they are too many to be held, in several passes."""
        pieces, held, size = self._pieces(blocks), [], 0
        for piece in pieces:
            held.append(piece)
            size += piece.size
            if size > self.held:
                return rescan(chain(_let_go(held), pieces), self._again, self.preparing, self.held)
        return self.preparing.resolve(held, grouped=False)

    def _again(self) -> Iterator[Piece]:
        """Yield the rows of each block once more."""
        return (block.piece for block in self.anew().blocks())

    def _pieces(self, blocks: Iterable[Prepared]) -> Iterator[Piece]:
        """Yield the rows of each block, and remember which queries it answers."""
        for block in blocks:
            self.answered[block.codes[block.codes >= 0]] = True
            yield block.piece

    def refuse_extra(self) -> None:
        """Raise where the policy forbids answers to queries without gold."""
        if self.extra and self.preparing.policy.extra == "error":
            raise extra_queries(self.preparing.run, self.extra)

    def notes(self, found: Found) -> Notes:
        """Return what was noticed."""
        return Notes(
            rows=self.rows,
            run_queries=int(self.answered.sum()) + len(self.extra),
            extra_queries=tuple(sorted(self.extra)),
            duplicates=found.duplicates,
            nan=self.nan,
            excluded=self.excluded,
            self_matches=self.self_matches,
        )

    def _counted(self, rest: list[Piece]) -> list[Found]:
        """Count the rows of one query that came in pieces, and forget them."""
        pieces = [piece for piece in rest if len(piece)]
        rest.clear()
        return [self.preparing.resolve([join(pieces)], grouped=True)] if pieces else []


def _let_go(pieces: list[Piece]) -> Iterator[Piece]:
    """Yield what was held, piece by piece, and forget it."""
    pieces.reverse()
    while pieces:
        yield pieces.pop()
