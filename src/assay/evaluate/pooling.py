"""Pooling: all answers of all queries as one list by score, judged by all judgments at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import Run

ALL = "all"
"""The one query of a pooled list."""

_PAIR = pl.concat_str("query", "item", separator="\x1f").alias("item")


@dataclass(frozen=True, slots=True, eq=False)
class PooledRows:
    """The rows of a run as answers to one query; rows of queries without gold are left out."""

    run: Run
    queries: pl.Series
    drop_self: bool
    exclude: pl.DataFrame | None

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield all rows from the beginning."""
        for block in self.run.rows.blocks():
            rows = block.filter(pl.col("query").is_in(self.queries.implode()))
            if self.drop_self:
                rows = rows.filter(pl.col("query") != pl.col("item"))
            if self.exclude is not None:
                rows = rows.join(self.exclude, on=["query", "item"], how="anti", maintain_order="left")
            yield rows.with_columns(_PAIR, query=pl.lit(ALL))


def pooled(gold: Gold, run: Run, policy: Policy, exclude: pl.DataFrame | None) -> tuple[Gold, Run]:
    """Return gold and run with one query, whose items are the pairs of query and item.

    Self-matches and excluded pairs are taken out here, while queries can still be told apart.
    """
    pairs = gold.table.with_columns(_PAIR, query=pl.lit(ALL))
    rows = PooledRows(run, gold.queries, policy.self_match == "drop", exclude)
    return Gold(pairs, gold.name, gold.origin), Run(run.name, rows, run.origin, run.seconds, memory=run.memory)
