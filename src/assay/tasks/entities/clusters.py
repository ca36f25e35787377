"""Proposed clusters held against true ones: every figure from one table of how they share records."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl

from assay.core.entities import UNDEFINED, Agreement, ClusterFigures
from assay.core.judged import Ints
from assay.errors import InputError, MissingExtraError, UnsupportedError
from assay.report.amounts import counted
from assay.tasks.entities import figures
from assay.tasks.entities.contingency import Aligned, Contingency, align
from assay.tasks.entities.listing import Caps, by_size, merges, splits
from assay.tasks.entities.sources import Link, Sources, check_link, linked
from assay.tasks.entities.unlabelled import bounds


def judge_clusters(
    truth: pl.DataFrame | Ints,
    proposed: pl.DataFrame | Ints,
    *,
    sources: pl.DataFrame | None = None,
    link: Link = "dedupe",
    listed: int = 20,
    members: int = 10,
) -> ClusterFigures:
    """Hold proposed clusters against true ones.

    Both are frames `record, entity` (a null entity is no label, or no cluster), or whole numbers of the same records,
    shapes (records,), where a true one below 0 is no label. Records without a label make no figure: they are counted,
    and `bounds` say what labels could do. Labelled records without a proposed cluster are clusters of their own.
    `sources` (`record, source`) gives the pairs of each two sources; with `link="link"` the pairwise figures count
    only pairs between sources. `listed` splits and merges are named, with so many parts and `members` each.

    Raises
    ------
    InputError
        A record twice, no labelled record, or a record without a source where sources matter.

    >>> truth = pl.DataFrame({"record": [1, 2, 3, 4], "entity": ["a", "a", "a", "b"]})
    >>> found = judge_clusters(truth, pl.DataFrame({"record": [1, 2, 3, 4], "entity": ["x", "x", "y", "y"]}))
    >>> found.pairwise.precision, round(found.b_cubed.recall, 4), found.muc.recall, found.split, found.merged
    (0.5, 0.6667, 0.5, 1, 1)
    """
    check_link(link, sources)
    aligned = _aligned(truth, proposed)
    found = _judged(aligned, Caps(listed, members))
    if sources is None:
        return found
    counts, between = linked(aligned, Sources.of(sources), link)
    bounds_left = tuple(one for one in found.bounds if link != "link" or not one.figure.startswith("pairwise"))
    return replace(found, pairs=counts, pairwise=counts.agreement, by_sources=between, bounds=bounds_left)


def _judged(aligned: Aligned, caps: Caps) -> ClusterFigures:
    table = aligned.table()
    counts = figures.pair_counts(table)
    homogeneity, completeness, v = figures.v_measure(table)
    (split, split_ones), (merged, merged_ones) = splits(aligned, table, caps), merges(aligned, table, caps)
    ceaf, why = _assigned(table)
    return ClusterFigures(
        records=table.records, unlabelled=aligned.unlabelled, missing=aligned.missing,
        true_clusters=table.true_clusters, proposed_clusters=table.proposed_clusters,
        pairs=counts, pairwise=counts.agreement,
        b_cubed=figures.b_cubed(table), b_cubed_by_cluster=figures.b_cubed_by_cluster(table),
        exact_cluster=figures.exact_cluster(table), muc=figures.muc(table),
        ceaf_m=ceaf[0], ceaf_e=ceaf[1], lea=figures.lea(table),
        homogeneity=homogeneity, completeness=completeness, v_measure=v, adjusted_rand=figures.adjusted_rand(counts),
        split=split, merged=merged, splits=split_ones, merges=merged_ones,
        by_size=by_size(table), bounds=bounds(table, counts), notices=(*_notices(aligned, table), *why),
    )  # fmt: skip


def score_records(truth: pl.DataFrame, proposed: pl.DataFrame) -> pl.DataFrame:
    """Return the B-cubed precision, recall and F1 of each labelled record: record, entity, precision, recall, f1.

    Their means are those of `judge_clusters(...).b_cubed` (but for F1, which is there of the means). Sorted by record.

    >>> truth = pl.DataFrame({"record": [1, 2], "entity": ["a", "a"]})
    >>> score_records(truth, truth.with_columns(entity=pl.Series(["x", "y"]))).row(0)
    (1, 'a', 1.0, 0.5, 0.6666666666666666)
    """
    aligned = align(truth, proposed)
    table = aligned.table()
    known = np.flatnonzero(aligned.true >= 0)
    width = len(table.whole_sizes)
    cell = np.searchsorted(
        table.true * np.int64(width) + table.proposed, aligned.true[known] * np.int64(width) + aligned.proposed[known]
    )
    precision, recall = (table.shared[cell] / size[cell] for size in (table.proposed_size, table.true_size))
    columns = {
        "record": aligned.record.gather(known),
        "entity": aligned.true_names.gather(aligned.true[known]),
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall),
    }
    return pl.DataFrame(columns).sort("record")


def _aligned(truth: pl.DataFrame | Ints, proposed: pl.DataFrame | Ints) -> Aligned:
    if isinstance(truth, pl.DataFrame) and isinstance(proposed, pl.DataFrame):
        return align(truth, proposed)
    if isinstance(truth, pl.DataFrame) or isinstance(proposed, pl.DataFrame):
        raise InputError("clusters: expected two frames or two arrays, found one of each")
    if len(truth) != len(proposed):
        raise InputError(f"clusters: expected a proposed cluster for {len(truth):,} records, found {len(proposed):,}")
    record = pl.Series(np.arange(len(truth)))
    sides = (pl.DataFrame({"record": record, "entity": np.asarray(side)}) for side in (truth, proposed))
    named = pl.when(pl.col("entity") >= 0).then("entity")
    return align(*(side.with_columns(named.alias("entity")) for side in sides))


def _assigned(table: Contingency) -> tuple[tuple[Agreement, Agreement], tuple[str, ...]]:
    """Return both forms of CEAF, undefined with the reason where they cannot be had."""
    makers: tuple[Callable[[Contingency], Agreement], ...] = (figures.ceaf_m, figures.ceaf_e)
    made, why = [], []
    for name, make in zip(("ceaf_m", "ceaf_e"), makers, strict=True):
        try:
            made.append(make(table))
        except (MissingExtraError, UnsupportedError) as error:
            made.append(UNDEFINED)
            hint = f"; {error.hint}" if error.hint else ""
            why.append(f"{name} is undefined: {error.message}{hint}")
    return (made[0], made[1]), tuple(why)


def _notices(aligned: Aligned, table: Contingency) -> tuple[str, ...]:
    found = []
    if aligned.unlabelled:
        found.append(
            f"{aligned.unlabelled:,} of {counted(len(aligned.record), 'record')} have no true "
            "entity: they make no figure, "
            "the bounds say what labels for them could do"
        )
    if aligned.missing:
        found.append(
            f"{counted(aligned.missing, 'labelled record is', 'labelled records are')} in no "
            "proposed cluster: each counts as one of its own"
        )
    if table.true_clusters == table.records:
        found.append("no two records are of the same entity: pairwise and MUC recall are undefined")
    if table.proposed_clusters == table.records:
        found.append("no two records were put together: pairwise and MUC precision are undefined")
    return tuple(found)
