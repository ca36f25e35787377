"""`Judged`: gold joined to one run, sparse: each judged item that was retrieved, with its rank.

A run of seven million rows has perhaps seven thousand judged items in it; only their ranks are needed.
Measures read them with the words of `Hits`: `top(k)`, `relevant(rel)`, `count()`, `sum(weights)`,
`position()`, `first()`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np
import polars as pl

from assay.core.facets import Facets
from assay.core.hits import UNJUDGED, Flags, Floats, Hits, Ints, rank_ties
from assay.core.policy import Policy
from assay.errors import UnsupportedError

__all__ = ["UNJUDGED", "Facets", "Flags", "Floats", "Hits", "Ints", "Judged", "Notes", "rank_ties"]

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Notes:
    """What the engine noticed on its way, for the audit: ids are named, counts are whole."""

    rows: int = 0
    run_queries: int = 0
    extra_queries: tuple[str, ...] = ()
    duplicates: int = 0
    nan: int = 0
    excluded: int = 0
    self_matches: int = 0


@dataclass(frozen=True)
class Judged:
    """What an engine makes of a gold standard and one run: the only input of a measure.

    `names` are the gold's queries; `hits` the judged items that were retrieved; `ideal` all judged items,
    best first; `retrieved` the number of ranked items of each query, `candidates` how many there were to
    rank, both of shape (queries,); `answered` flags queries for which the run holds any row. `whole_top` is
    the highest grade of the whole gold, where these queries are a part of it. `judgments` are the gold's
    facets as they stand in the gold; `facets` gives them with the ranks of this run. `judged_only` says that
    items without a judgment were taken out: measures of groups then take out what a group did not judge.
    """

    names: pl.Series
    hits: Hits
    ideal: Hits
    retrieved: Ints
    answered: Flags
    candidates: Ints | None = None
    whole_top: float | None = None
    judgments: Facets | None = None
    judged_only: bool = False
    notes: Notes = field(default_factory=Notes)

    @classmethod
    def of_grades(cls, ranked: Sequence[float], gold: Sequence[float]) -> Self:
        """Make the judged ranks of one query from the grades of its ranking, best place first, and of its gold."""
        grades = np.array(ranked, np.float64)
        hits = Hits.ranked(1, np.zeros(len(grades), np.int64), grades).where(grades > UNJUDGED)
        best = np.sort(np.array(gold, np.float64))[::-1]
        ideal = Hits.ranked(1, np.zeros(len(best), np.int64), best)
        retrieved = np.array([len(grades)], np.int64)
        return cls(pl.Series(["1"]), hits, ideal, retrieved, retrieved > 0)

    @property
    def queries(self) -> int:
        """The number of queries in the gold."""
        return len(self.names)

    def top(self, k: int | None) -> Hits:
        """Return the judged items within the first k places."""
        return self.hits.top(k)

    def relevant(self, rel: float) -> Hits:
        """Return the retrieved items whose grade is at least rel."""
        return self.hits.relevant(rel)

    def wanted(self, rel: float) -> Floats:
        """Return how many judgments of at least grade rel each query has, counted once, shape (queries,)."""
        if rel not in self._wanted:
            self._wanted[rel] = self.ideal.relevant(rel).count()
            self._wanted[rel].setflags(write=False)
        return self._wanted[rel]

    @cached_property
    def _wanted(self) -> dict[float, Floats]:
        return {}

    @cached_property
    def top_grade(self) -> float:
        """The highest grade of the whole gold, at least 0."""
        if self.whole_top is not None:
            return self.whole_top
        return float(max(self.ideal.grade.max(initial=0.0), 0.0))

    @cached_property
    def facets(self) -> Facets:
        """The judgments by aspect, group or sample, with the ranks of this run.

        Raises
        ------
        UnsupportedError
            The gold has one grade for each item and nothing more.
        """
        if self.judgments is None:
            msg = "the gold gives one grade for each item, found no aspects, groups or probabilities"
            raise UnsupportedError(msg, hint="--gold-format diversity, prefs, qrels_jg, prels or strata reads them.")
        return self.judgments.ranked(self.hits)

    @cached_property
    def _made(self) -> dict[Any, Any]:
        return {}

    def once(self, make: Callable[["Judged"], Made]) -> Made:
        """Return `make(self)`, made once for all measures that ask for it."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    def under(self, policy: Policy) -> "Judged":
        """Apply the fields of the policy that need grades: ties, negative, unjudged."""
        judged = self
        if policy.negative == "nonrelevant":
            judged = replace(
                judged,
                hits=replace(judged.hits, grade=np.maximum(judged.hits.grade, 0.0)),
                ideal=replace(judged.ideal, grade=np.maximum(judged.ideal.grade, 0.0)),
                judgments=None if judged.judgments is None else judged.judgments.judged_strictly(),
            )
        if policy.unjudged == "drop":
            judged = judged.condensed()
        return replace(judged, hits=rank_ties(judged.hits, policy.ties))

    def select(self, kept: Flags) -> "Judged":
        """Return only the queries that are flagged."""
        number = np.cumsum(kept) - 1

        def some(hits: Hits) -> Hits:
            rows = hits.where(kept[hits.query])
            return replace(rows, queries=int(kept.sum()), query=number[rows.query])

        return replace(
            self,
            names=self.names.filter(pl.Series(kept)),
            hits=some(self.hits),
            ideal=some(self.ideal),
            retrieved=self.retrieved[kept],
            answered=self.answered[kept],
            candidates=None if self.candidates is None else self.candidates[kept],
            whole_top=self.top_grade,
            judgments=None if self.judgments is None else self.judgments.select(kept, number),
        )

    def tied_across(self, k: int | None) -> Flags:
        """Flag the queries in which a tie decides: its group has unequal gains and crosses place k.

        Without k, any tie with unequal gains counts. Items without a judgment have gain 0.
        """
        hits = self.hits.where(self.hits.tied > 1)
        if k is not None:
            hits = hits.where((hits.above < k) & (k < hits.above + hits.tied))
        hits = hits.where(np.lexsort((hits.above, hits.query)))
        flags = np.zeros(self.queries, np.bool_)
        if len(hits):
            start = np.flatnonzero(np.diff(hits.groups(), prepend=-1))
            gain = np.maximum(hits.grade, 0)
            lowest, highest = np.minimum.reduceat(gain, start), np.maximum.reduceat(gain, start)
            whole = np.bincount(hits.groups()) == hits.tied[start]
            flags[hits.query[start][np.where(whole, lowest, 0.0) < highest]] = True
        return flags

    def condensed(self) -> "Judged":
        """Take the items without a judgment out of every ranking, so that the judged ones move up."""
        hits = self.hits.judged()
        hits = hits.where(np.lexsort((hits.rank, hits.above, hits.query)))
        rank = hits.position()
        group = hits.groups()
        start = np.flatnonzero(np.diff(group, prepend=-1))
        hits = replace(
            hits, rank=rank.astype(np.float64), above=(rank[start] - 1)[group], tied=np.bincount(group)[group]
        )
        return replace(self, hits=hits, retrieved=hits.count().astype(np.int64), judged_only=True)
