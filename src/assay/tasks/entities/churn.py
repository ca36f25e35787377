"""What changed between two resolutions of the same records."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.entities import PairCounts
from assay.core.entities_sampled import Changes, Churn, SizeChanges
from assay.core.judged import Ints
from assay.errors import InputError, MissingExtraError, UnsupportedError
from assay.report.amounts import counted
from assay.statistics.assignment import best_assignment, components
from assay.tasks.entities.contingency import Aligned, Contingency, check_clusters, number
from assay.tasks.entities.figures import adjusted_rand, pair_counts
from assay.tasks.entities.listing import SIZES, Caps, merges, splits

FATES = ("kept", "split", "merged", "regrouped")
"""What becomes of clusters: the same, several of one, one of several, several of several."""


def compare_resolutions(before: pl.DataFrame, after: pl.DataFrame, *, listed: int = 20, members: int = 10) -> Churn:
    """Say what changed from one resolution (`record, entity`) to another; names of clusters may differ.

    Clusters that share records, directly or by way of others, have one fate: kept (the same records), split (one
    became several), merged (several became one) or regrouped (several became several others). Only records in both
    count; those in one only are counted apart. A record with a null entity is a cluster of its own.

    Raises
    ------
    InputError
        A frame that is none of clusters, a record twice, or no record in both.

    >>> before = pl.DataFrame({"record": [1, 2, 3, 4], "entity": ["a", "a", "a", "b"]})
    >>> found = compare_resolutions(before, before.with_columns(entity=pl.Series(["x", "x", "y", "z"])))
    >>> found["split"].before, found["kept"].before, found.moved, found.rand
    (1, 1, 1, 0.6666666666666666)
    """
    both = _both(before, after)
    aligned, table = both.aligned, both.aligned.table()
    counts, fate = pair_counts(table), _fates(table)
    moved, why = _moved(table)
    caps = Caps(listed, members)
    return Churn(
        records=table.records,
        removed=both.removed,
        added=both.added,
        before_clusters=table.true_clusters,
        after_clusters=table.proposed_clusters,
        resized=_resized(table, both, fate),
        changes=_changes(table, fate),
        moved=moved,
        pairs=counts,
        rand=_rand(counts),
        adjusted_rand=adjusted_rand(counts),
        by_size=_by_size(table, fate),
        splits=splits(aligned, table, caps)[1],
        merges=merges(aligned, table, caps)[1],
        notices=(*_alone(both), *why),
    )


def _alone(both: "_Both") -> list[str]:
    """Say how many records are in one resolution only."""
    counts = {"before": both.removed, "after": both.added}
    return [
        f"{counted(count, 'record is', 'records are')} in {place} only: they are left out"
        for place, count in counts.items()
        if count
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Both:
    """The records of both resolutions, how many are in one only, and the full sizes of the clusters."""

    aligned: Aligned
    removed: int
    added: int
    before_sizes: Ints
    after_sizes: Ints


def _both(before: pl.DataFrame, after: pl.DataFrame) -> _Both:
    for place, frame in (("before", before), ("after", after)):
        check_clusters(place, frame)
    if before["record"].dtype != after["record"].dtype:
        kinds = f"{before['record'].dtype} and {after['record'].dtype}"
        raise InputError(f"resolutions: expected records named by the same kind of value in both, found {kinds}")
    (old, old_names), (new, new_names) = (_codes(frame) for frame in (before, after))
    sides = (pl.DataFrame({"record": frame["record"], "code": codes}) for frame, codes in ((before, old), (after, new)))
    shared = next(sides).join(next(sides), on="record", how="inner").sort("record")
    if not shared.height:
        raise InputError("resolutions: expected records that both have, found none")
    aligned = Aligned(
        record=shared["record"],
        true=shared["code"].to_numpy(),
        proposed=shared["code_right"].to_numpy(),
        true_names=old_names,
        proposed_names=new_names,
        missing=0,
    )
    gone, come = before.height - shared.height, after.height - shared.height
    return _Both(aligned, gone, come, np.bincount(old), np.bincount(new))


def _codes(frame: pl.DataFrame) -> tuple[Ints, pl.Series]:
    """Return the number of each record's cluster; a record without one gets one of its own, named as it is."""
    named = frame.select(
        pl.coalesce(pl.col("entity").cast(pl.String), pl.format("(alone) {}", pl.col("record").cast(pl.String)))
    )
    return number(named.to_series() if frame["entity"].null_count() else frame["entity"])


def _fates(table: Contingency) -> Ints:
    """Return the place in FATES of each cell, shape (cells,)."""
    part = components(table.true, table.proposed)
    parts = int(part.max()) + 1
    olds, news = (
        np.bincount(part[np.unique(side, return_index=True)[1]], minlength=parts)
        for side in (table.true, table.proposed)
    )
    fate: Ints = ((news > 1) + 2 * (olds > 1))[part]
    return fate


def _changes(table: Contingency, fate: Ints) -> tuple[Changes, ...]:
    found = []
    for place, name in enumerate(FATES):
        cells = fate == place
        old, new = (len(np.unique(side[cells])) for side in (table.true, table.proposed))
        found.append(Changes(name, old, new, int(table.shared[cells].sum())))
    return tuple(found)


def _resized(table: Contingency, both: _Both, fate: Ints) -> int:
    lost = both.before_sizes[table.true] > table.true_size
    won = both.after_sizes[table.proposed] > table.proposed_size
    return int(np.count_nonzero((fate == 0) & (lost | won)))


def _moved(table: Contingency) -> tuple[int | None, tuple[str, ...]]:
    try:
        kept = best_assignment(table.true, table.proposed, table.shared.astype(np.float64))
    except (MissingExtraError, UnsupportedError) as error:
        return None, (f"moved records are undefined: {error.message}",)
    return table.records - round(kept), ()


def _rand(counts: PairCounts) -> float | None:
    if not counts.possible or counts.true_negatives is None:
        return None
    return (counts.true_positives + counts.true_negatives) / counts.possible


def _by_size(table: Contingency, fate: Ints) -> tuple[SizeChanges, ...]:
    """Return the fates of the clusters of before, by their size."""
    first = np.unique(table.true, return_index=True)[1]
    size, met = table.true_size[first], fate[first]
    band = np.searchsorted(SIZES, size, side="right")
    found = []
    for place in np.unique(band).tolist():
        here = band == place
        met_here = np.bincount(met[here], minlength=len(FATES)).tolist()
        high = SIZES[place] - 1 if place < len(SIZES) else None
        found.append(SizeChanges(SIZES[place - 1], high, int(here.sum()), int(size[here].sum()), *met_here))
    return tuple(found)
