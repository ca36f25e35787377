"""`predictors`: how hard each query looks, by every figure that is known for it, before anyone judges anything."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.judged import Floats, Ints
from assay.core.policy import Policy
from assay.tasks.lexical.diagnosis import predictors_after as after
from assay.tasks.lexical.diagnosis import predictors_before as before
from assay.tasks.lexical.diagnosis.firsts import deep_enough, standing
from assay.tasks.lexical.search import Searcher, Weighted

DEPTH = 100
"""How many of the documents found the figures read that need any (WIG: 5)."""


@dataclass(frozen=True, slots=True)
class Before:
    """A figure that needs only the terms of the query."""

    figure: Callable[[before.Asked], float | None]
    meaning: str


@dataclass(frozen=True, slots=True)
class After:
    """A figure that needs the documents found."""

    figure: Callable[[after.Found], float | None]
    meaning: str


PREDICTORS: Mapping[str, Before | After] = {
    "length": Before(before.length, "its terms that the documents know"),
    "idf_mean": Before(before.idf_mean, "mean idf of its terms"),
    "idf_max": Before(before.idf_max, "greatest idf of a term"),
    "scq_sum": Before(before.scq_sum, "likeness of all text to its terms"),
    "scq_max": Before(before.scq_max, "greatest likeness to one term"),
    "var_sum": Before(before.var_sum, "uneven use of its terms, summed"),
    "var_max": Before(before.var_max, "uneven use of one term"),
    "scs": Before(before.scs, "query against all text, bits"),
    "ictf_mean": Before(before.ictf_mean, "mean rarity of its terms, bits"),
    "clarity": After(after.clarity, "documents found against all text"),
    "nqc": After(after.nqc, "spread of the scores, normalised"),
    "wig": After(after.wig, "first scores above the mean score"),
    "score_sd": After(after.score_sd, "spread of the scores"),
    "score_gap": After(after.score_gap, "fall from first to second score"),
}
"""Every figure by its name. The higher, the easier the query should be."""


def predictors(searcher: Searcher, weighted: Mapping[str, Weighted], *, depth: int = DEPTH) -> pl.DataFrame:
    """Return how hard each query looks: a row for each, in the given order.

    Parameters
    ----------
    searcher
        What searches; scores are those of its model.
    weighted
        The analysed queries, as `searcher.weighted(queries)` gives them.
    depth
        How many of the documents found are read.

    Returns
    -------
        Columns query and the names of `PREDICTORS`, null where a figure is undefined: no term is known, or fewer than
        two documents are found.

    >>> from assay.core.texts import Documents
    >>> from assay.tasks.lexical.index import Index
    >>> searcher = Searcher(Index.build(Documents.of({"a": "gold gold", "b": "gold silver", "c": "silk"})))
    >>> found = predictors(searcher, {"1": {"gold": 1.0}, "2": {"tin": 1.0}})
    >>> found.select("query", "length", pl.col("idf_max", "clarity").round(3)).rows()
    [('1', 1.0, 0.47, 0.084), ('2', 0.0, None, None)]
    """
    average, ids = _average(searcher), standing(searcher.index.items, Policy())
    rows = []
    for query, terms in weighted.items():
        places, scores = deep_enough(searcher, terms, depth)
        first = np.lexsort((ids[places], -scores))[:depth]  # equal scores by id: no figure knows the order of documents
        rows.append({"query": query} | _figures(searcher, terms, average, (places[first], scores[first])))
    return pl.DataFrame(rows, schema={"query": pl.String} | dict.fromkeys(PREDICTORS, pl.Float64))


def _figures(
    searcher: Searcher, query: Weighted, average: Floats, first: tuple[Ints, Floats]
) -> dict[str, float | None]:  # fmt: skip
    asked = before.Asked.of(searcher.index, query)
    mean = float((asked.weights * average[asked.numbers]).sum())
    found = after.Found(asked, *first, mean)
    return {
        name: one.figure(asked) if isinstance(one, Before) else one.figure(found) for name, one in PREDICTORS.items()
    }


def _average(searcher: Searcher) -> Floats:
    """Return what each term adds to the mean score of all documents, shape (terms,)."""
    index, weights = searcher.index, searcher.model.weights(searcher.index)
    terms = np.repeat(np.arange(len(index.terms)), np.diff(index.starts))
    ordered = weights[np.lexsort((weights, terms))]  # a sum does not know the order of documents
    return np.add.reduceat(ordered, index.starts[:-1]) / len(index)
