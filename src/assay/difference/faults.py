"""Known faults: what some tools do that no policy allows, built so that their numbers can be recognised."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import polars as pl

from assay.core.gold import Gold
from assay.measures import MEASURES
from assay.measures.base import Measure

Inputs = tuple[Gold, pl.DataFrame, Measure]


@dataclass(frozen=True, slots=True)
class Fault:
    """What a tool does wrong: `build` does the same to the inputs, `concerns` tells which inputs can show it."""

    meaning: str
    build: Callable[[Gold, pl.DataFrame, Measure], Inputs]
    concerns: Callable[[Gold, pl.DataFrame, Measure], bool]


def _cutoff(measure: Measure) -> Any:
    return getattr(measure, "k", None)


def _first(rows: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return the k rows of each query with the highest scores, ties in the order of the input."""
    ordered = rows.with_row_index("_row").sort(["query", "score", "_row"], descending=[False, True, False])
    return ordered.group_by("query", maintain_order=True).head(k).sort("_row").drop("_row")


def _cut_first(gold: Gold, rows: pl.DataFrame, measure: Measure) -> Inputs:
    return gold, _first(rows, _cutoff(measure)), measure


def _only_retrieved(gold: Gold, rows: pl.DataFrame, measure: Measure) -> Inputs:
    kept = gold.table.join(rows.select("query", "item").unique(), on=["query", "item"], how="semi")
    lost = gold.table.join(kept, on="query", how="anti").with_columns(grade=pl.lit(0.0))
    return Gold(pl.concat([kept, lost]), gold.name), rows, measure


def _by_returned(gold: Gold, rows: pl.DataFrame, measure: Measure) -> Inputs:
    return gold, _first(rows, _cutoff(measure)), MEASURES["SetP"](rel=measure.rel)  # type: ignore[attr-defined]


def _above_zero(gold: Gold, rows: pl.DataFrame, measure: Measure) -> Inputs:
    return gold, rows.filter(pl.col("score") > 0), measure


def _reversed(gold: Gold, rows: pl.DataFrame, measure: Measure) -> Inputs:
    return gold, rows.with_columns(-pl.col("score")), measure


def _truncated(gold: Gold, rows: pl.DataFrame, measure: Measure) -> Inputs:
    return Gold(gold.table.with_columns(pl.col("grade").cast(pl.Int64)), gold.name), rows, measure


def _binary(gold: Gold, rows: pl.DataFrame, measure: Measure) -> Inputs:
    grade = pl.when(pl.col("grade") > 0).then(1.0).otherwise(pl.col("grade"))
    return Gold(gold.table.with_columns(grade=grade), gold.name), rows, measure


def _is_cut(gold: Gold, rows: pl.DataFrame, measure: Measure) -> bool:  # noqa: ARG001 - all have these three
    return _cutoff(measure) is not None


def _is_short_precision(gold: Gold, rows: pl.DataFrame, measure: Measure) -> bool:  # noqa: ARG001
    if measure.name != "P" or not rows.height:
        return False
    return bool(rows.group_by("query").len()["len"].min() < _cutoff(measure))


FAULTS: Mapping[str, Fault] = MappingProxyType({
    "cut before ties are ordered": Fault(
        "the list is cut at k as it lies in the input, and only then tied items are ordered",
        _cut_first,
        _is_cut,
    ),
    "best possible ranking from the retrieved items": Fault(
        "R and the ideal come from what was retrieved, not from all judgments (torchmetrics, scikit-learn, "
        "Elasticsearch's nDCG)",
        _only_retrieved,
        lambda gold, rows, measure: True,  # noqa: ARG005
    ),
    "P divided by the items returned": Fault(
        "P@k is divided by the number of items returned instead of k (Elasticsearch)",
        _by_returned,
        _is_short_precision,
    ),
    "scores of 0 and less dropped": Fault(
        "an item with a score of 0 or less counts as not retrieved (torchmetrics in AP, RR, P and R)",
        _above_zero,
        lambda gold, rows, measure: bool((rows["score"] <= 0).any()),  # noqa: ARG005
    ),
    "lower scores ranked first": Fault(
        "the scores were taken for distances",
        _reversed,
        lambda gold, rows, measure: True,  # noqa: ARG005
    ),
    "fractional grades cut to whole numbers": Fault(
        "grade 1.5 counts as 1 and 0.9 as 0 (trec_eval, ranx)",
        _truncated,
        lambda gold, rows, measure: gold.fractional is not None,  # noqa: ARG005
    ),
    "every positive grade counted as 1": Fault(
        "gains are 1 for each item with a grade above 0",
        _binary,
        lambda gold, rows, measure: any(grade > 0 and grade != 1 for grade in gold.grades()),  # noqa: ARG005
    ),
})  # fmt: skip
"""By name; the order is that in which they are tried."""
