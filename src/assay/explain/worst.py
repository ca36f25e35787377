"""Which queries to look at first: those of the worst value, or those that changed most between two runs."""

import polars as pl

from assay.core.evaluation import Evaluation


def worst(evaluation: Evaluation, measure: object, n: int = 1) -> list[str]:
    """Return the n queries of the worst value, worst first, equal ones by id; undefined values are left out.

    The lowest value is the worst, or the highest where lower is better.

    Raises
    ------
    KeyError
        A measure that was not evaluated.
    """
    values = _values(evaluation, measure)
    falling = not evaluation.figure(measure).higher_is_better
    return values.sort("value", "query", descending=[falling, False])["query"].head(n).to_list()


def most_changed(before: Evaluation, after: Evaluation, measure: object, n: int = 1) -> list[str]:
    """Return the n queries whose value differs most between two runs, most changed first, equal ones by id.

    Raises
    ------
    KeyError
        A measure that was not evaluated.
    """
    both = _values(before, measure).join(_values(after, measure), on="query")
    size = (pl.col("value_right") - pl.col("value")).abs().round(12)
    return both.select("query", size=size).sort("size", "query", descending=[True, False])["query"].head(n).to_list()


def _values(evaluation: Evaluation, measure: object) -> pl.DataFrame:
    name = evaluation.figure(measure).name
    return evaluation.per_query.filter(pl.col("measure") == name, pl.col("value").is_not_null()).select(
        "query", "value"
    )
