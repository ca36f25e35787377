"""Pairs of records that come from several sources: how many there can be, and how many lie between which sources."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import polars as pl

from assay.core.entities import PairCounts, SourceFigures
from assay.core.judged import Ints
from assay.errors import InputError, UnknownNameError
from assay.tasks.entities.contingency import Aligned, number, pairs

Link = Literal["dedupe", "link", "both"]
"""Which pairs count: all of one source, those between sources only, or all of several sources."""


def check_link(link: str, sources: object) -> None:
    """Refuse a way of linking that does not exist, or one that needs sources where there are none."""
    if link not in get_args(Link):
        raise UnknownNameError.of("way of linking", link, get_args(Link))
    if link == "link" and sources is None:
        raise InputError("link: expected the source of each record, found none", hint="give a frame record, source.")


def possible_pairs(sizes: Sequence[int], link: Link = "dedupe") -> int:
    r"""Return how many pairs of records there can be in sources of these sizes.

    $$ \binom N 2 \text{ (dedupe, both)}, \quad \binom N 2 - \sum_s \binom{n_s}{2} \text{ (link)} $$

    >>> possible_pairs([6, 6, 6], "link"), possible_pairs([6, 6, 6], "both")
    (108, 153)
    """
    check_link(link, sizes)
    within = sum(math.comb(size, 2) for size in sizes) if link == "link" else 0
    return math.comb(sum(sizes), 2) - within


@dataclass(frozen=True, eq=False)
class Sources:
    """The source of each record by number; where no sources were given, all records are of one without a name."""

    table: pl.DataFrame | None
    names: tuple[str, ...]

    @classmethod
    def of(cls, frame: pl.DataFrame | None) -> "Sources":
        """Read a frame `record, source`.

        Raises
        ------
        InputError
            A frame without the columns, a record named twice, or one without a source.
        """
        if frame is None:
            return cls(None, ("",))
        if not {"record", "source"} <= set(frame.columns):
            raise InputError(f"sources: expected the columns record and source, found {', '.join(frame.columns)}")
        if frame["record"].n_unique() < frame.height:
            twice = frame.filter(frame["record"].is_duplicated())["record"].min()
            raise InputError(f"sources: expected each record once, found {twice!r} again")
        codes, names = number(frame["source"].cast(pl.String))
        if (codes < 0).any():
            first = frame.filter(frame["source"].is_null())["record"].min()
            raise InputError(f"sources: expected a source for each record, found none for {first!r}")
        return cls(pl.DataFrame({"record": frame["record"], "code": codes}), tuple(names))

    def codes(self, records: pl.Series) -> Ints:
        """Return the number of each record's source, shape (records,).

        Raises
        ------
        InputError
            A record that has no source, or one that is named by another kind of value.
        """
        if self.table is None:
            return np.zeros(len(records), np.int64)
        if records.dtype != self.table["record"].dtype:
            kinds = f"{records.dtype} and {self.table['record'].dtype}"
            raise InputError(f"sources: expected records named by the same kind of value everywhere, found {kinds}")
        asked = pl.DataFrame({"record": records})
        found = asked.join(self.table, on="record", how="left", maintain_order="left")["code"]
        if found.null_count():
            first = records.filter(found.is_null()).min()
            raise InputError(f"sources: expected a source for each record, found none for {first!r}")
        return found.to_numpy()

    def sizes(self, records: pl.Series) -> Ints:
        """Return how many of the records are of each source, shape (sources,)."""
        return np.bincount(self.codes(records), minlength=len(self.names))


def possible_by_sources(sizes: Ints) -> Ints:
    """Return how many pairs there can be between two sources of these sizes, shape (sources, sources).

    >>> possible_by_sources(np.array([2, 3])).tolist()
    [[1, 6], [0, 3]]
    """
    between: Ints = np.triu(np.outer(sizes, sizes), 1)
    return between + np.diag(pairs(sizes))


def pairs_by_sources(group: Ints, source: Ints, sources: int) -> Ints:
    """Return how many pairs of records of the same group lie between two sources, shape (sources, sources).

    The lower half is 0, the diagonal counts pairs within a source. `group` and `source` have the shape (records,).

    >>> pairs_by_sources(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), 2).tolist()
    [[1, 2], [0, 0]]
    """
    table = pl.DataFrame({"group": group, "left": source}).group_by("group", "left").len("records")
    counts = np.zeros((sources, sources), np.int64)
    several = table.filter(pl.col("left").n_unique().over("group") > 1) if table.height else table
    right = several.rename({"left": "right", "records": "others"})
    crossing = (
        several.join(right, on="group")
        .filter(pl.col("left") < pl.col("right"))
        .group_by("left", "right")
        .agg((pl.col("records").cast(pl.Int64) * pl.col("others")).sum().alias("pairs"))
    )
    counts[crossing["left"].to_numpy(), crossing["right"].to_numpy()] = crossing["pairs"].to_numpy()
    same = table["left"].to_numpy(), pairs(table["records"].to_numpy().astype(np.int64))
    np.add.at(counts, (same[0], same[0]), same[1])
    return counts


def linked(aligned: Aligned, sources: Sources, link: Link) -> tuple[PairCounts, tuple[SourceFigures, ...]]:
    """Return the pairs of labelled records that count, and the same for each two sources that have any."""
    known = aligned.true >= 0
    record = aligned.record.filter(pl.Series(known))
    true, proposed, source = aligned.true[known], aligned.proposed[known], sources.codes(record)
    cell = true * (int(aligned.proposed.max()) + 1) + proposed
    shared, together, same = (pairs_by_sources(group, source, len(sources.names)) for group in (cell, proposed, true))
    possible = possible_by_sources(sources.sizes(record))
    return BySources(shared, together, same, possible).figures(sources.names, link)


@dataclass(frozen=True, slots=True, eq=False)
class BySources:
    """How many pairs lie between two sources, each of shape (sources, sources), the lower half 0."""

    shared: Ints
    proposed: Ints
    true: Ints
    possible: Ints | None

    def figures(self, names: Sequence[str], link: Link) -> tuple[PairCounts, tuple[SourceFigures, ...]]:
        """Return the counts of all pairs that count, and those of each two sources that have any."""
        counting = np.triu(np.ones_like(self.shared), 1 if link == "link" else 0)
        found = []
        for left, right in np.argwhere(counting & ((self.proposed > 0) | (self.true > 0))).tolist():
            here = np.zeros_like(counting)
            here[left, right] = 1
            found.append(SourceFigures(names[left], names[right], self._count(here)))
        return self._count(counting), tuple(found)

    def _count(self, where: Ints) -> PairCounts:
        hits, given, real = (int((table * where).sum()) for table in (self.shared, self.proposed, self.true))
        possible = None if self.possible is None else int((self.possible * where).sum())
        return PairCounts(hits, given - hits, real - hits, possible)
