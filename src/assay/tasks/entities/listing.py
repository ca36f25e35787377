"""Which clusters were split or merged, with their records, and figures by the size of true clusters."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.entities import Part, Regrouping, SizeFigures
from assay.core.judged import Flags, Floats, Ints
from assay.tasks.entities.contingency import Aligned, Contingency, pairs

SIZES = (1, 2, 3, 4, 5, 10, 20, 50, 100)
"""The smallest size of each group of true clusters."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How many clusters are listed, and how many parts and members of each."""

    listed: int
    members: int


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The clusters of one side, and their records' clusters on the other, shapes (records,)."""

    own: Ints
    other: Ints
    own_names: pl.Series
    other_names: pl.Series


def splits(aligned: Aligned, table: Contingency, caps: Caps) -> tuple[int, tuple[Regrouping, ...]]:
    """Return how many true clusters lie in several proposed ones, and the largest of them."""
    side = Side(aligned.true, aligned.proposed, aligned.true_names, aligned.proposed_names)
    return _regrouped(aligned, side, np.bincount(table.true), table.true_sizes, caps)


def merges(aligned: Aligned, table: Contingency, caps: Caps) -> tuple[int, tuple[Regrouping, ...]]:
    """Return how many proposed clusters hold several true ones, and the largest of them."""
    side = Side(aligned.proposed, aligned.true, aligned.proposed_names, aligned.true_names)
    return _regrouped(aligned, side, np.bincount(table.proposed), table.proposed_sizes, caps)


def _regrouped(
    aligned: Aligned, side: Side, pieces: Ints, sizes: Ints, caps: Caps
) -> tuple[int, tuple[Regrouping, ...]]:
    several = np.flatnonzero(pieces > 1)
    largest = several[np.argsort(-sizes[several], kind="stable")][: max(caps.listed, 0)]
    if not len(largest):
        return len(several), ()
    wanted = np.zeros(max(len(sizes), int(side.own.max()) + 1), bool)
    wanted[largest] = True
    kept = np.flatnonzero(wanted[side.own] & (aligned.true >= 0))
    columns = {"own": side.own[kept], "other": side.other[kept], "record": aligned.record.gather(kept).cast(pl.String)}
    parts: dict[int, list[Part]] = {}
    for own, other, members, records in _parts(pl.DataFrame(columns), caps.members).iter_rows():
        name = str(side.other_names[other]) if other < len(side.other_names) else None
        parts.setdefault(own, []).append(Part(name, records, tuple(members)))
    return len(several), tuple(
        Regrouping(str(side.own_names[one]), int(sizes[one]), int(pieces[one]), tuple(parts[one][: caps.members]))
        for one in largest.tolist()
    )


def _parts(records: pl.DataFrame, members: int) -> pl.DataFrame:
    """Return own, other, the first members and the number of records of each part, the largest part first."""
    first = pl.col("record").sort().head(members)
    grouped = records.group_by("own", "other").agg(first, pl.len().alias("records"))
    return grouped.sort("own", "records", "other", descending=[False, True, False])


def by_size(table: Contingency) -> tuple[SizeFigures, ...]:
    """Return how true clusters were found, by their size; sizes without clusters are left out."""
    clusters = len(table.true_sizes)
    whole = (table.shared == table.true_size) & (table.shared == table.proposed_size)

    def each(cells: Floats | Ints | Flags) -> Floats:
        return np.bincount(table.true, cells, minlength=clusters).astype(np.float64)

    band = np.searchsorted(SIZES, table.true_sizes, side="right")
    columns = {
        "clusters": table.true_sizes > 0,
        "records": table.true_sizes,
        "exact": each(whole),
        "split": np.bincount(table.true, minlength=clusters) > 1,
        "merged": each(table.proposed_size > table.shared) > 0,
        "hits": each(pairs(table.shared)),
        "pairs": pairs(table.true_sizes),
        "right": each(table.squared / table.proposed_size),
        "found": each(table.squared / table.true_size),
    }
    sums = {name: np.bincount(band, each_one, minlength=len(SIZES) + 1).tolist() for name, each_one in columns.items()}
    return tuple(
        _of_size(place, {name: float(each_sum[place]) for name, each_sum in sums.items()})
        for place in range(1, len(SIZES) + 1)
        if sums["clusters"][place]
    )


def _of_size(place: int, of: Mapping[str, float]) -> SizeFigures:
    return SizeFigures(
        low=SIZES[place - 1],
        high=SIZES[place] - 1 if place < len(SIZES) else None,
        clusters=int(of["clusters"]),
        records=int(of["records"]),
        exact=int(of["exact"]),
        split=int(of["split"]),
        merged=int(of["merged"]),
        pairwise_recall=of["hits"] / of["pairs"] if of["pairs"] else None,
        b_cubed_precision=of["right"] / of["records"],
        b_cubed_recall=of["found"] / of["records"],
    )
