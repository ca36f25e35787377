"""How scores of different systems come onto one scale, query by query."""

from typing import Literal

import polars as pl

from assay.errors import ParameterError

Norm = Literal["min-max", "z-score", "sum", "max", "rank", "none"]

SCORE = pl.col("score")
FINITE = pl.when(SCORE.is_finite()).then(SCORE)
"""The scores that are finite, null for the others."""


def normalised(rows: pl.DataFrame, norm: str, name: str) -> pl.DataFrame:
    r"""Return the rows of one run (query, item, rank, score) with scores on the scale of a norm, query by query.

    With n scores s of one query, their mean m and their standard deviation σ (divided by n):

    - `min-max`: $$ (s - \min) / (\max - \min) $$ from 0 to 1; equal scores all become 1: nothing stands below them.
    - `z-score`: $$ (s - m) / \sigma $$ equal scores all become 0. An item that a list does not hold gets 0 as well, so
      that it counts as an average one.
    - `sum`: $$ (s - \min) / \sum (s - \min) $$ equal scores all become 1/n.
    - `max`: $$ s / \max $$ for lists whose highest score is above 0.
    - `rank`: $$ 1 - (r - 1) / n $$
    - `none`: scores as they are.

    An infinite score (with nan worst, one that is no number) counts as the nearest finite one of its list, as 0 where
    it has none. Sources: Lee 1997, "Analyses of multiple evidence combination"; Montague & Aslam 2001, "Relevance
    score normalization for metasearch"; Renda & Straccia 2003, "Web metasearch: rank vs. score based".

    Raises
    ------
    ParameterError
        For `max`, a list whose highest score is not above 0.

    >>> rows = pl.DataFrame({"query": ["q"] * 3, "item": list("abc"), "rank": [1, 2, 3], "score": [9.0, 3.0, 1.0]})
    >>> normalised(rows, "min-max", "bm25")["score"].to_list()
    [1.0, 0.25, 0.0]
    """
    if norm == "rank":
        return rows.with_columns(score=1 - (pl.col("rank") - 1) / pl.len().over("query"))
    rows = rows.with_columns(
        score=SCORE.clip(FINITE.min().over("query").fill_null(0), FINITE.max().over("query").fill_null(0))
    )
    if norm == "none":
        return rows
    if norm == "max":
        _require_above_0(rows, name)
    return rows.with_columns(score=_scaled(norm))


def _scaled(norm: str) -> pl.Expr:
    """Return the scores on a scale; what divides by nothing, in a list of equal scores, has a value of its own."""
    low, high = SCORE.min().over("query"), SCORE.max().over("query")
    above = SCORE - low
    if norm == "max":
        return SCORE / high
    many = pl.len().over("query")
    scaled, equal = {
        "min-max": (above / (high - low), pl.lit(1.0)),
        "z-score": ((SCORE - SCORE.mean().over("query")) / SCORE.std(ddof=0).over("query"), pl.lit(0.0)),
        "sum": (above / above.sum().over("query"), 1 / many),
    }[norm]
    return pl.when(high > low).then(scaled).otherwise(equal)


def _require_above_0(rows: pl.DataFrame, name: str) -> None:
    """Refuse lists for which a share of the highest score has no meaning."""
    highest = rows.group_by("query").agg(highest=SCORE.max()).filter(pl.col("highest") <= 0).sort("query")
    if highest.height:
        query, score = highest.row(0)
        msg = f"{name}: expected a highest score above 0 to divide by, found {score:g} for query {query!r}"
        raise ParameterError(msg, hint="min-max and z-score take scores of any sign.")
