"""Where judges disagree most: pairs and queries."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from assay.core.agreement import Disputed, DisputedQuery
from assay.core.judged import Floats
from assay.judging.agreement.panel import Panel
from assay.statistics.judges import Level, distances


def disputes(panel: Panel, level: Level) -> pl.DataFrame:
    """Return a row for each shared pair: row, query, item, judges, dispute, percent; the most disputed first.

    The dispute is the mean distance of two judges of the pair, by the distances of Krippendorff's alpha at that level
    and as a share of the largest one: 0 where all agree, 1 where two judges stand at the ends of the scale. Pairs of
    equal dispute stand in the order of more judges, then of query and item.
    """
    counts = panel.counts[panel.shared]
    apart = distances(panel.counts.sum(axis=0), panel.scale, level)
    many = counts.sum(axis=1)
    two = many * (many - 1)
    dispute = ((counts @ apart) * counts).sum(axis=1) / two / (apart.max() or 1)
    percent = ((counts - 1) * counts).sum(axis=1) / two
    found = panel.pairs.with_row_index("row").filter(pl.Series(panel.shared))
    wide = found.with_columns(judges=pl.Series(many), dispute=pl.Series(dispute), percent=pl.Series(percent))
    return wide.sort("dispute", "judges", "query", "item", descending=[True, True, False, False])


def disputed(panel: Panel, found: pl.DataFrame, most: int) -> Iterator[Disputed]:
    """Yield the most disputed pairs with their grades by judge, as many as asked for; none where all agree."""
    for row, query, item, dispute in found.filter(pl.col("dispute") > 0).head(most).select(
        "row", "query", "item", "dispute"
    ).iter_rows():  # fmt: skip
        grades: Floats = panel.grades[row]
        said = {name: float(grade) for name, grade in zip(panel.judges, grades, strict=True) if not np.isnan(grade)}
        yield Disputed(query, item, dispute, said)


def disputed_queries(found: pl.DataFrame, most: int) -> Iterator[DisputedQuery]:
    """Yield the queries with the highest mean dispute."""
    means = found.sort("row").group_by("query", maintain_order=True).agg(
        pairs=pl.len(), dispute=pl.col("dispute").mean(), percent=pl.col("percent").mean()
    )  # fmt: skip
    for row in means.filter(pl.col("dispute") > 0).sort(
        "dispute", "pairs", "query", descending=[True, True, False]
    ).head(most).iter_rows():  # fmt: skip
        yield DisputedQuery(*row)
