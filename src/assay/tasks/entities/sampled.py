"""Figures of all proposed clusters, with intervals, estimated from a sample of true ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import polars as pl

from assay.core.entities_sampled import Estimate, SampledFigures
from assay.core.judged import Floats
from assay.errors import InputError, ParameterError, UnknownNameError
from assay.statistics.ratio import Ratio
from assay.tasks.entities.contingency import Aligned, Contingency, align, pairs

Design = Literal["clusters", "records"]
"""How the true clusters were drawn: each alike, or by drawing records and taking the clusters they are in."""


def estimate_clusters(
    sample: pl.DataFrame,
    proposed: pl.DataFrame,
    *,
    design: Design = "clusters",
    weights: pl.DataFrame | None = None,
    population: int | None = None,
    level: float = 0.95,
) -> SampledFigures:
    r"""Estimate the figures of all proposed clusters from a sample of true clusters.

    `sample` (`record, entity`) holds whole true clusters, `proposed` every record that was resolved. Each true
    cluster c brings its own part of every total: with p the proposed clusters and T(c) its pairs,

    $$ TP(c) = \sum_p \binom{|c \cap p|}{2}, \quad
    P(c) = TP(c) + \tfrac 1 2 \sum_p |c \cap p| \, (|p| - |c \cap p|) $$

    as a wrong pair belongs to two true clusters by half; and it holds $\sum_p |c \cap p| / |p|$ of the proposed
    clusters. Summed over all true clusters these are the totals, so ratios of weighted sums estimate the figures.
    A cluster weighs 1 where clusters were drawn alike, 1/|c| where records were drawn (`design="records"`), or what
    `weights` (`entity, weight`) say. The error is that of the delta method times the root of 1 - n/N, with N true
    clusters in all: `population`, or estimated from the number of records. If all were drawn, all weigh 1, the error
    is 0 and the estimates are the figures. Source: Binette et al. 2022; Cochran 1977, ch. 6.

    Raises
    ------
    InputError
        A frame that is none of clusters, no labelled record, or a cluster without a positive weight.
    UnknownNameError
        A design that does not exist.
    ParameterError
        A population smaller than the sample, or a level outside 0 to 1.

    >>> truth = pl.DataFrame({"record": [1, 2, 3, 4], "entity": ["a", "a", "a", "b"]})
    >>> proposed = pl.DataFrame({"record": [1, 2, 3, 4], "entity": [1, 1, 2, 2]})
    >>> found = estimate_clusters(truth, proposed)
    >>> found.estimates["pairwise"]["precision"].value, found.estimates["pairwise"]["precision"].error
    (0.5, 0.0)
    """
    _check(design, level)
    aligned = align(sample.drop_nulls("entity") if "entity" in sample.columns else sample, proposed)
    table = aligned.table()
    weight = _weights(aligned, table, design, weights)
    drawn = _drawn(aligned, table, weight, population)
    parts = _parts(table)
    weight = np.ones_like(weight) if drawn.share >= 1 else weight
    made = {
        name: {part: _estimate(ratio, level, drawn.share) for part, ratio in figure.items()}
        for name, figure in _ratios(parts, weight).items()
    }
    return SampledFigures(
        design="weights" if weights is not None else design,
        level=level,
        clusters=table.true_clusters,
        records=table.records,
        missing=aligned.missing,
        population=drawn.population,
        population_given=population is not None,
        share=drawn.share,
        estimates=made,
        notices=_notices(aligned, drawn, given=population is not None),
    )


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How many true clusters there are, and the share of them that was drawn."""

    population: float
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """What each sampled true cluster brings to the totals, shapes (clusters,)."""

    size: Floats
    hits: Floats
    proposed: Floats
    true: Floats
    right: Floats
    found: Floats
    exact: Floats
    clusters: Floats


def _parts(table: Contingency) -> _Parts:
    whole = table.whole_sizes[table.proposed]
    present = table.true_sizes > 0

    def total(cells: Floats) -> Floats:
        return np.bincount(table.true, cells, minlength=len(present))[present].astype(np.float64)

    hits = total(pairs(table.shared).astype(np.float64))
    size = table.true_sizes[present].astype(np.float64)
    return _Parts(
        size=size,
        hits=hits,
        proposed=hits + total(table.shared * (whole - table.shared) / 2),
        true=size * (size - 1) / 2,
        right=total(table.squared / whole),
        found=total(table.squared / table.true_size),
        exact=total(((table.shared == table.true_size) & (table.shared == whole)).astype(np.float64)),
        clusters=total(table.shared / whole),
    )


def _ratios(of: _Parts, weight: Floats) -> Mapping[str, Mapping[str, Ratio | None]]:
    def ratio(part: Floats, whole: Floats) -> Ratio | None:
        return Ratio.of(part, whole, weight)

    one = np.ones_like(of.size)
    shares = {
        "b_cubed": (ratio(of.right, of.size), ratio(of.found, of.size)),
        "b_cubed_by_cluster": (ratio(of.right / of.size, one), ratio(of.found / of.size, one)),
    }
    return {
        "pairwise": {
            "precision": ratio(of.hits, of.proposed),
            "recall": ratio(of.hits, of.true),
            "f1": ratio(2 * of.hits, of.proposed + of.true),
        },
        "exact_cluster": {
            "precision": ratio(of.exact, of.clusters),
            "recall": ratio(of.exact, one),
            "f1": ratio(2 * of.exact, of.clusters + one),
        },
    } | {
        name: {"precision": right, "recall": found, "f1": right.harmonic(found) if right and found else None}
        for name, (right, found) in shares.items()
    }


def _weights(aligned: Aligned, table: Contingency, design: Design, given: pl.DataFrame | None) -> Floats:
    """Return the weight of each sampled cluster, shape (clusters,)."""
    present = np.flatnonzero(table.true_sizes)
    if given is None:
        return 1 / table.true_sizes[present] if design == "records" else np.ones(len(present))
    if not {"entity", "weight"} <= set(given.columns):
        raise InputError(f"weights: expected the columns entity and weight, found {', '.join(given.columns)}")
    entity = pl.DataFrame({"entity": aligned.true_names.gather(present)})
    same = given.select(pl.col("entity").cast(entity["entity"].dtype), pl.col("weight").cast(pl.Float64))
    if same["entity"].n_unique() < same.height:
        raise InputError("weights: expected each entity once, found one again")
    found = entity.join(same, on="entity", how="left", maintain_order="left")
    wrong = found.filter(~((pl.col("weight") > 0) & pl.col("weight").is_finite()).fill_null(False))
    if wrong.height:
        raise InputError(f"weights: expected a positive weight for each entity, found none for {wrong['entity'][0]!r}")
    return found["weight"].to_numpy()


def _drawn(aligned: Aligned, table: Contingency, weight: Floats, population: int | None) -> _Drawn:
    clusters, records = table.true_clusters, table.records
    if population is not None:
        if population < clusters:
            raise ParameterError(
                f"population: expected at least the {clusters:,} sampled clusters, found {population:,}"
            )
        return _Drawn(population, clusters / population)
    every = len(aligned.record)
    if every == records:
        return _Drawn(clusters, 1.0)
    size = float((weight * table.true_sizes[table.true_sizes > 0]).sum() / weight.sum())
    estimated = max(every / size, clusters)
    return _Drawn(estimated, clusters / estimated)


def _estimate(ratio: Ratio | None, level: float, share: float) -> Estimate:
    if ratio is None:
        return Estimate(None, None, None)
    return Estimate(ratio.value, ratio.error(share), ratio.interval(level, share))


def _check(design: str, level: float) -> None:
    if design not in get_args(Design):
        raise UnknownNameError.of("design", design, get_args(Design))
    if not 0 < level < 1:
        raise ParameterError(f"interval: expected a level between 0 and 1, found {level}", hint="0.95 is usual.")


def _notices(aligned: Aligned, drawn: _Drawn, *, given: bool) -> tuple[str, ...]:
    found = []
    if not given and drawn.share < 1:
        found.append(f"about {drawn.population:,.0f} true clusters in all, estimated from the number of records")
    if aligned.missing:
        found.append(f"{aligned.missing:,} sampled records are in no proposed cluster: each counts as one of its own")
    if drawn.share >= 1:
        found.append("all true clusters were sampled: the figures are exact")
    return tuple(found)
