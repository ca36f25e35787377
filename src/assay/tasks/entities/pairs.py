"""Proposed pairs of records held against true ones; either side may also come as clusters."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.entities import Bound, PairCounts
from assay.core.entities_pairs import LeftOut, PairFigures
from assay.core.judged import Ints
from assay.errors import InputError
from assay.tasks.entities.contingency import align, check_clusters
from assay.tasks.entities.curve import threshold_curve
from assay.tasks.entities.sources import (
    BySources,
    Link,
    Sources,
    check_link,
    linked,
    pairs_by_sources,
    possible_by_sources,
)


def normalise_pairs(pairs: pl.DataFrame, place: str = "pairs") -> tuple[pl.DataFrame, int, int]:
    """Return each pair once, left before right; how many rows joined a record with itself, and how many were repeats.

    A pair keeps its highest score, where there are scores. Sorted by left and right.

    Raises
    ------
    InputError
        A frame without the columns left and right, a row without a record, or a score that is no number.

    >>> table, own, repeats = normalise_pairs(pl.DataFrame({"left": [1, 2, 3], "right": [2, 1, 3], "score": [5, 7, 9]}))
    >>> table.rows(), own, repeats
    ([(1, 2, 7.0)], 1, 1)
    """
    _check_pairs(pairs, place)
    score = [pl.col("score").cast(pl.Float64)] if "score" in pairs.columns else []
    ends = pl.col("left"), pl.col("right")
    ordered = pairs.filter(ends[0] != ends[1]).select(
        pl.min_horizontal(*ends).alias("left"), pl.max_horizontal(*ends).alias("right"), *score
    )
    table = ordered.group_by("left", "right").agg(*(pl.col("score").max() for _ in score)).sort("left", "right")
    return table, pairs.height - ordered.height, ordered.height - table.height


def judge_pairs(
    truth: pl.DataFrame,
    proposed: pl.DataFrame,
    *,
    records: int | pl.Series | None = None,
    sources: pl.DataFrame | None = None,
    link: Link = "dedupe",
    threshold: float | None = None,
    points: int = 200,
) -> PairFigures:
    """Hold proposed pairs against true ones; each side is pairs `left, right[, score]` or clusters `record, entity`.

    Pairs have no direction and count once; pairs of a record with itself are dropped and counted. Against true
    clusters a pair with a record that has no label makes no figure; against true pairs every other pair is wrong.
    With `threshold` only pairs with at least that score are proposed. How many pairs there can be follows from
    clusters, from `sources` (`record, source`) or from `records` (their number, or themselves); without any of
    them true negatives are None. `link="link"` leaves out pairs within a source. At most about `points` thresholds
    of the curve are kept.

    Raises
    ------
    InputError
        A frame that is neither, a threshold without scores, or a record without a source where sources matter.

    >>> truth = pl.DataFrame({"left": [1, 1, 4], "right": [2, 3, 5]})
    >>> found = judge_pairs(truth, pl.DataFrame({"left": [2, 1, 2, 2, 3], "right": [1, 3, 4, 5, 4]}), records=5)
    >>> found.precision, found.counts.false_negatives, found.counts.true_negatives
    (0.4, 1, 4)
    """
    check_link(link, sources)
    if threshold is not None and "score" not in proposed.columns:
        raise InputError(f"threshold: expected pairs with a score, found the columns {', '.join(proposed.columns)}")
    asked = _Question(Sources.of(sources), link, records, threshold, points)
    if _is_pairs(proposed):
        found = _pairs_given(truth, proposed, asked)
    elif _is_pairs(truth):
        found = _clusters_given(truth, proposed, asked)
    else:
        found = _only_clusters(truth, proposed, asked)
    found = found if sources is not None else replace(found, by_sources=())
    return replace(found, notices=_notices(found))


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """What pairs are asked about: their sources, which count, how many records there are, from which score on."""

    origin: Sources
    link: Link
    records: int | pl.Series | None
    threshold: float | None
    points: int

    def possible(self, known: pl.Series | None) -> Ints | None:
        """Return how many pairs there can be between two sources, None where the records are not known."""
        if known is not None:
            return possible_by_sources(self.origin.sizes(known))
        if isinstance(self.records, pl.Series):
            return possible_by_sources(self.origin.sizes(self.records.unique()))
        if self.origin.table is not None:
            return possible_by_sources(self.origin.sizes(self.origin.table["record"]))
        return None if self.records is None else possible_by_sources(np.array([self.records]))


def _pairs_given(truth: pl.DataFrame, proposed: pl.DataFrame, asked: _Question) -> PairFigures:
    table, own, repeats, within = _distinct(proposed, "proposed", asked)
    left_out = LeftOut(proposed_self=own, proposed_repeats=repeats, proposed_within=within)
    if not _is_pairs(truth):
        check_clusters("truth", truth)
        labelled = truth.drop_nulls("entity")
        true = _count_clusters(labelled, asked.origin)
        return _figured(_same(table, labelled), true, asked.possible(labelled["record"]), left_out, asked)
    real, own, repeats, within = _distinct(truth, "truth", asked)
    left_out = replace(left_out, true_self=own, true_repeats=repeats, true_within=within)
    listed = real.select("left", "right", match=pl.lit(True))
    marked = table.join(listed, on=["left", "right"], how="left").with_columns(pl.col("match").fill_null(False))
    return _figured(marked, _count(real, asked.origin), asked.possible(None), left_out, asked)


def _figured(
    marked: pl.DataFrame, true: Ints, possible: Ints | None, left_out: LeftOut, asked: _Question
) -> PairFigures:
    """Return the figures of distinct pairs that are marked as matches or not, null where a record has no label."""
    known = marked.drop_nulls("match")
    cut = marked if asked.threshold is None else marked.filter(pl.col("score") >= asked.threshold)
    judged = cut.drop_nulls("match")
    shared, given = _count(judged.filter("match"), asked.origin), _count(judged, asked.origin)
    counts, between = BySources(shared, given, true, possible).figures(asked.origin.names, asked.link)
    curve = None
    if "score" in known.columns:
        scores, match = known["score"].to_numpy(), known["match"].to_numpy()
        curve = threshold_curve(scores, match, counts.true, counts.possible, asked.points)
    left_out = replace(left_out, unlabelled=marked.height - known.height)
    return PairFigures(counts, asked.threshold, curve, left_out, between, _bounds(counts, cut.height - judged.height))


def _clusters_given(truth: pl.DataFrame, proposed: pl.DataFrame, asked: _Question) -> PairFigures:
    """Return the figures of proposed clusters against true pairs."""
    check_clusters("proposed", proposed)
    real, own, repeats, within = _distinct(truth, "truth", asked)
    together = proposed.drop_nulls("entity")
    shared = _count(_same(real, together).filter(pl.col("match").fill_null(False)), asked.origin)
    given, true = _count_clusters(together, asked.origin), _count(real, asked.origin)
    possible = asked.possible(pl.concat([real["left"], real["right"], proposed["record"]]).unique())
    counts, between = BySources(shared, given, true, possible).figures(asked.origin.names, asked.link)
    left_out = LeftOut(true_self=own, true_repeats=repeats, true_within=within)
    return PairFigures(counts, left_out=left_out, by_sources=between)


def _only_clusters(truth: pl.DataFrame, proposed: pl.DataFrame, asked: _Question) -> PairFigures:
    aligned = align(truth, proposed)
    counts, between = linked(aligned, asked.origin, asked.link)
    every = pairs_by_sources(aligned.proposed, asked.origin.codes(aligned.record), len(asked.origin.names))
    free = int(np.triu(every, 1 if asked.link == "link" else 0).sum()) - counts.proposed
    return PairFigures(counts, left_out=LeftOut(unlabelled=free), by_sources=between, bounds=_bounds(counts, free))


def _distinct(pairs: pl.DataFrame, place: str, asked: _Question) -> tuple[pl.DataFrame, int, int, int]:
    """Return the pairs that count, each once, and how many rows were no pairs, repeats, and within one source."""
    table, own, repeats = normalise_pairs(pairs, place)
    if asked.link != "link":
        return table, own, repeats, 0
    kept = table.filter(pl.Series(asked.origin.codes(table["left"]) != asked.origin.codes(table["right"])))
    return kept, own, repeats, table.height - kept.height


def _same(table: pl.DataFrame, clusters: pl.DataFrame) -> pl.DataFrame:
    """Mark pairs whose records are in the same cluster; null where a record is in none."""
    if table["left"].dtype != clusters["record"].dtype:
        kinds = f"{table['left'].dtype} and {clusters['record'].dtype}"
        raise InputError(f"pairs: expected records named by the same kind of value in both, found {kinds}")
    of = clusters.select("record", "entity")
    joined = table.join(of, left_on="left", right_on="record", how="left").join(
        of, left_on="right", right_on="record", how="left", suffix="_right"
    )
    return joined.with_columns((pl.col("entity") == pl.col("entity_right")).alias("match"))


def _count(table: pl.DataFrame, origin: Sources) -> Ints:
    """Return how many pairs lie between two sources, shape (sources, sources), the lower half 0."""
    counts = np.zeros((len(origin.names), len(origin.names)), np.int64)
    ends = np.sort(np.stack([origin.codes(table[side]) for side in ("left", "right")]), axis=0)
    np.add.at(counts, (ends[0], ends[1]), 1)
    return counts


def _count_clusters(clusters: pl.DataFrame, origin: Sources) -> Ints:
    group = clusters["entity"].rank("dense").to_numpy().astype(np.int64)
    return pairs_by_sources(group, origin.codes(clusters["record"]), len(origin.names))


def _bounds(counts: PairCounts, free: int) -> tuple[Bound, ...]:
    """Return between what precision would lie if the pairs with a record without label were all wrong or all right."""
    if not free:
        return ()
    every = counts.proposed + free
    low, high = counts.true_positives / every, (counts.true_positives + free) / every
    return (Bound("pairwise precision", low, high, exact=False),)


def _is_pairs(frame: pl.DataFrame) -> bool:
    return "left" in frame.columns


def _check_pairs(pairs: pl.DataFrame, place: str) -> None:
    absent = [column for column in ("left", "right") if column not in pairs.columns]
    if absent:
        raise InputError(f"{place}: expected the columns left and right, found {', '.join(pairs.columns)}")
    for column in ("left", "right", *(["score"] if "score" in pairs.columns else [])):
        if pairs[column].null_count():
            raise InputError(f"{place}: expected a {column} in each row, found {pairs[column].null_count():,} without")
    if "score" in pairs.columns and pairs["score"].cast(pl.Float64).is_nan().any():
        raise InputError(f"{place}: expected scores that are numbers, found NaN")


def _notices(found: PairFigures) -> tuple[str, ...]:
    out = found.left_out
    said = (
        (out.true_self, "true pairs join a record with itself: dropped"),
        (out.proposed_self, "proposed pairs join a record with itself: dropped"),
        (out.true_repeats, "true pairs are there again, in either direction: counted once"),
        (out.proposed_repeats, "proposed pairs are there again, in either direction: counted once"),
        (out.true_within, "true pairs are within one source, where only pairs between sources count: left out"),
        (out.proposed_within, "proposed pairs are within one source, where only pairs between sources count: left out"),
        (out.unlabelled, "proposed pairs have a record without a label: they make no figure"),
    )
    return tuple(f"{count:,} {text}" for count, text in said if count)
