"""`Trial`: what ways to expand are tried on: documents, queries, gold and a measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.judged import Ints
from assay.core.policy import Policy
from assay.core.run import FrameRows, Run
from assay.core.texts import Queries
from assay.engines.head import head
from assay.evaluate import evaluate_all
from assay.evaluate.plan import conventions_of
from assay.inputs import as_pairs
from assay.tasks.lexical.search import Searcher, Weighted


@dataclass(frozen=True, eq=False)
class Trial:
    """Documents that are searched, queries and gold; `measure` is the one that is explained.

    `remove_query` leaves the document out that has the id of its query. `options` are those of `evaluate`; `higher`
    tells whether higher is better.
    """

    gold: Gold
    searcher: Searcher
    queries: Queries
    measure: str
    depth: int = 1000
    remove_query: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    higher: bool = True

    def gain(self, before: float, after: float) -> float:
        """Return by how much a value is better."""
        return after - before if self.higher else before - after

    @cached_property
    def weighted(self) -> dict[str, dict[str, float]]:
        """The terms of each query."""
        return self.searcher.weighted(self.queries)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of each query."""
        return self.queries.texts

    @cached_property
    def relevant(self) -> dict[str, Ints]:
        """The numbers of the relevant documents of each query, of those that are searched."""
        least = self.options.get("rel")
        table = self.gold.table.filter(pl.col("grade") >= (1 if least is None else least))
        rows = table.select("query", "item").rows()
        found: dict[str, list[int]] = {query: [] for query in self.weighted}
        for query, item in rows:
            if query in found and item in self.searcher.index.place:
                found[query].append(self.searcher.index.place[item])
        return {query: np.array(sorted(places), np.int64) for query, places in found.items()}

    def run(self, weighted: Mapping[str, Weighted], name: str) -> Run:
        """Return what weighted queries find, under a name."""
        found = self.searcher.run(weighted, self.depth, remove_query=self.remove_query)
        return replace(found, name=name)

    @cached_property
    def policy(self) -> Policy:
        """How the rankings are read."""
        return conventions_of(self.options.get("policy"), self.options.get("profile")).policy

    def read(self, run: Run) -> Run:
        """Return a run as it is judged: without what is taken out, and without the document with the query's id."""
        rows = head(run, None, self.policy, None, as_pairs(self.options.get("exclude")))
        if self.remove_query:
            rows = rows.filter(pl.col("query") != pl.col("item"))
        return replace(run, rows=FrameRows(rows.select("query", "item", "score")))

    def values(self, variants: Sequence[Mapping[str, Weighted]]) -> list[dict[str, float]]:
        """Return the value of each query that has one, for each variant of the queries."""
        used = [variant for variant in variants if variant]
        runs = [self.run(variant, f"variant {place}") for place, variant in enumerate(used)]
        found = iter(evaluate_all(self.gold, runs, self.measure, **self.options) if runs else [])
        return [_of(values_of(next(found), self.measure), variant) if variant else {} for variant in variants]


def values_of(evaluation: Evaluation, measure: str) -> dict[str, float]:
    """Return the value of each query that has one."""
    table = evaluation.scores.table.filter(pl.col("measure") == measure).drop_nulls("value")
    return dict(table.select("query", "value").rows())


def _of(values: Mapping[str, float], queries: Mapping[str, Weighted]) -> dict[str, float]:
    return {query: values[query] for query in queries if query in values}
