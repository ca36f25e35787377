"""`Derived`: grades that a source gives pairs which nobody has to judge, each with what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import polars as pl

from assay.core.gold import Gold
from assay.core.shown import Shown

Basis = Literal["facts", "links", "rows"]
TABLE = {
    "query": pl.String, "item": pl.String, "grade": pl.Float64, "rule": pl.String, "source": pl.String,
    "evidence": pl.String,
}  # fmt: skip
"""The columns of the table of what was derived."""


@dataclass(frozen=True, eq=False)
class Derived(Shown):
    """What sources say of each pair.

    Parameters
    ----------
    name, basis
        What it is called; whether sources state facts, link what is the same, or give rows of query and item.
    complete
        Whether what a source says of a query is taken to be all that there is, so that anything else is wrong.
    sources
        Their paths or addresses.
    table
        A row for each pair in the order of query and item. `grade` is null where no source tells, or two contradict.
        `rule` says how it follows: stated, chain (of links), other values, not covered, contradicted. `evidence` is
        what the source says.
    pooled
        Whether the pairs were given; without a pool they are those of the sources, all covered.
    """

    name: str
    basis: Basis
    complete: bool
    sources: tuple[str, ...]
    table: pl.DataFrame
    pooled: bool
    notices: tuple[str, ...] = ()

    @cached_property
    def covered(self) -> pl.DataFrame:
        """The rows with a grade."""
        return self.table.filter(pl.col("grade").is_not_null())

    @property
    def coverage(self) -> float | None:
        """The share of pairs with a grade; None without pairs."""
        return self.covered.height / self.table.height if self.table.height else None

    @cached_property
    def by_query(self) -> pl.DataFrame:
        """Of each query its pairs, and how many are covered and relevant, least covered first."""
        found = self.table.group_by("query").agg(
            pairs=pl.len().cast(pl.Int64), covered=pl.col("grade").count().cast(pl.Int64),
            relevant=(pl.col("grade") > 0).sum().cast(pl.Int64),
        )  # fmt: skip
        return found.sort(pl.col("covered") / pl.col("pairs"), "query")

    @property
    def gold(self) -> Gold:
        """The derived grades as a gold standard.

        Raises
        ------
        GoldError
            Nothing is covered.
        """
        return Gold(self.covered.select("query", "item", "grade"), name=self.name)

    def rules(self) -> dict[str, int]:
        """Return how many pairs follow by each rule."""
        return dict(sorted(self.table["rule"].value_counts().iter_rows()))

    def to_dict(self, *, command: list[str] | None = None, inputs: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return all of it as plain data; `inputs` are files with their role and digest."""
        from assay._version import __version__

        return {
            "assay": __version__, "command": command or [], "inputs": [dict(one) for one in inputs], "name": self.name,
            "basis": self.basis, "complete": self.complete, "sources": list(self.sources), "pooled": self.pooled,
            "counts": {"pairs": self.table.height, "covered": self.covered.height}, "coverage": self.coverage,
            "rules": self.rules(), "queries": self.by_query.to_dicts(), "pairs": self.table.to_dicts(),
            "notices": list(self.notices),
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Derived({self.name}: {self.covered.height:,} of {self.table.height:,} pairs from {self.basis})"
