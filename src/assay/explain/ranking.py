"""`Ranking`: one query of one run item by item, its items in the order in which the policy counts them."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl

from assay.core.judged import UNJUDGED, Floats, Hits, Ints, Judged
from assay.core.policy import ENGINE_TIES, Policy

MEAN_RANKS = frozenset({"realistic", "expected"})
"""The tie rules that put no tied item before another."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The items of one query, first place first; arrays of the shape (items,).

    `judged` holds this query alone; `hit` is the row of each item in its hits, -1 for an item without a
    judgment. `grade` is `UNJUDGED` there. `rank` is the rank that measures see: the mean rank of tied items
    where the policy has no order of them. `above` and `tied` count as those of `Hits` do.
    """

    judged: Judged
    items: tuple[str, ...]
    score: Floats
    hit: Ints
    grade: Floats
    rank: Floats
    above: Ints
    tied: Ints
    shared: bool
    """Whether tied items share what their places contribute: no order of them is the right one."""

    @classmethod
    def of(cls, judged: Judged, table: pl.DataFrame, items: pl.Series, policy: Policy) -> Self:
        """Put the first places of one query (`table`, all of them) and its judged ranks together.

        `items` are those of the rows of the gold.
        """
        hits = judged.hits
        rows = np.zeros(0, np.int64) if hits.row is None else hits.row
        known = pl.DataFrame({"item": items.gather(rows), "hit": np.arange(len(rows))})
        table = table.join(known, on="item", how="left", maintain_order="left")
        if judged.judged_only:
            table = table.filter(pl.col("hit").is_not_null())
        hit = table["hit"].fill_null(-1).to_numpy().astype(np.int64)
        grade = np.where(hit < 0, UNJUDGED, np.append(hits.grade, UNJUDGED)[hit])
        above, tied = _groups(table["score"].to_numpy())
        order = _order(hit, grade, above, hits, policy.ties)
        return cls(
            judged=_compact(judged),
            items=tuple(table["item"].gather(order)),
            score=table["score"].to_numpy()[order],
            hit=hit[order],
            grade=grade[order],
            rank=(above + (tied + 1) / 2)[order] if policy.ties in MEAN_RANKS else np.arange(1.0, len(order) + 1),
            above=above[order],
            tied=tied[order],
            shared=policy.ties == "expected",
        )

    def __len__(self) -> int:
        return len(self.items)

    def spans(self, places: Ints) -> tuple[Ints, Ints]:
        """Return between which two cuts of the ranking each place (from 0) is added, shapes (places,)."""
        if not self.shared:
            return places, places + 1
        return self.above[places], self.above[places] + self.tied[places]

    def cut(self, length: int) -> Hits:
        """Return the hits of the ranking cut after so many places."""
        hit = self.hit[:length]
        return self.judged.hits.where(np.sort(hit[hit >= 0]))


def _groups(score: Floats) -> tuple[Ints, Ints]:
    """Return for falling scores how many stand above each and how many are equal, shapes (items,)."""
    start = np.flatnonzero(np.r_[True, score[1:] != score[:-1]][: len(score)])
    length = np.diff(start, append=len(score))
    return np.repeat(start, length), np.repeat(length, length)


def _order(hit: Ints, grade: Floats, above: Ints, hits: Hits, ties: str) -> Ints:
    """Return the order in which a tie rule counts items that are sorted by score, then as the engine sorts them."""
    place = np.arange(len(hit))
    if ties == "realistic":  # tied items have one rank: those that count for something come first
        return np.lexsort((place, -grade, above))
    if ties in ENGINE_TIES or ties == "expected":
        return place
    order = np.full(len(hit), -1)
    order[hits.rank.astype(np.int64)[hit[hit >= 0]] - 1] = place[hit >= 0]
    order[order < 0] = place[hit < 0]
    return order


def _compact(judged: Judged) -> Judged:
    """Number the rows of the gold anew, from 0, so that those of several rankings can stand side by side."""
    if judged.judgments is None or judged.hits.row is None:
        return replace(judged, hits=replace(judged.hits, row=None), judgments=None)
    rows = np.unique(np.concatenate([judged.judgments.row, judged.hits.row]))
    return replace(
        judged,
        hits=replace(judged.hits, row=np.searchsorted(rows, judged.hits.row)),
        judgments=replace(judged.judgments, row=np.searchsorted(rows, judged.judgments.row)),
    )
