"""`compare_links`: which of several link predictors is better, triple by triple, and how sure that is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.compare import compare_evaluations
from assay.core.comparison import Comparison
from assay.errors import InputError, ParameterError
from assay.evaluate import Measures
from assay.tasks.links.breakdowns import Types, columns_of
from assay.tasks.links.evaluate import evaluation_of
from assay.tasks.links.judged import MULTI_ANSWER
from assay.tasks.links.ranking import Ranking

COMPARED = "MRR HR@1 HR@10"
"""What is compared when nothing is asked for: few measures, since each further one makes every test harder to pass."""


def compare_links(
    rankings: Sequence[Ranking] | Mapping[str, Ranking],
    measures: Measures = COMPARED,
    *,
    protocol: str = "filtered",
    by: Iterable[str] = (),
    types: Types | None = None,
    **statistics: Any,
) -> Comparison:
    """Hold link predictors against each other by the same triples.

    Differences are paired by triple and side; triples with the same question do not count as independent: intervals
    and tests take each question as one unit.

    Parameters
    ----------
    rankings
        Two or more, of the same graph and protocol; or `{name: ranking}`.
    measures, protocol
        Measures of the ranks, and the way of ranking that they read: "filtered", "raw", "time", "typed" or
        "multi-answer".
    by, types
        Breakdowns as for `evaluate_links`; per-triple protocols only.
    **statistics
        Those of `assay.compare`: baseline, pairs, test, correction, alpha, level, flips, resamples, seed, margin,
        movers.

    Raises
    ------
    IncomparableError
        Rankings of different graphs or protocols.
    """
    if isinstance(rankings, Mapping):
        rankings = [replace(ranking, model=str(name)) for name, ranking in rankings.items()]
    wanted = list(by)
    if wanted and protocol == MULTI_ANSWER:
        raise ParameterError(f"by: expected a protocol per triple, found {protocol}", hint='protocol="filtered".')
    evaluations = [evaluation_of(ranking, protocol, measures) for ranking in rankings]
    columns = _texts(columns_of(rankings[0], wanted, types)) if wanted and rankings else None
    return compare_evaluations(evaluations, by=columns, **statistics)


def require_triples(ranking: Ranking, place: str) -> None:
    """Raise InputError unless the triples of a ranking are those of its graph: numbers mean nothing elsewhere."""
    held = {tuple(row) for row in ranking.graph.splits.get(ranking.protocol.split, np.zeros((0, 3), np.int64)).tolist()}
    asked = ranking.table.select("head", "relation", "tail").unique().rows()
    strange = next((row for row in asked if row not in held), None)
    if strange is not None:
        msg = f"{place}: expected ranks of triples of {ranking.protocol.split}, found {strange}, which it does not hold"
        raise InputError(msg, hint="name the same files and names as when the ranks were made.")


def _texts(columns: pl.DataFrame) -> pl.DataFrame:
    """Return the columns with the types of an entity as one text."""
    lists = [name for name, kind in columns.schema.items() if kind == pl.List(pl.String)]
    return columns.with_columns(pl.col(name).list.join(", ") for name in lists)
