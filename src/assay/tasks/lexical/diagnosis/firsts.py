"""`firsts`: the first places of a search by words, ranked as a run is."""

from collections.abc import Mapping

import polars as pl

from assay.core.judged import Ints
from assay.core.policy import Policy
from assay.engines import head
from assay.tasks.lexical.search import Found, Searcher, Weighted, run_of


def firsts(searcher: Searcher, weighted: Mapping[str, Weighted], cutoff: int, policy: Policy) -> pl.DataFrame:
    """Return the first items of each query, as `head` gives those of a run: equal scores stand as the policy says.

    >>> from assay.core.texts import Documents
    >>> from assay.tasks.lexical.index import Index
    >>> searcher = Searcher(Index.build(Documents.of({"a": "gold", "b": "gold", "c": "gold silk"})))
    >>> firsts(searcher, {"1": {"gold": 1.0}}, 1, Policy())["item"].to_list()
    ['b']
    """
    found = [deep_enough(searcher, terms, cutoff) for terms in weighted.values()]
    return head(run_of(list(weighted), searcher.index.items, found, searcher.model.name), cutoff, policy)


def standing(items: pl.Series, policy: Policy) -> Ints:
    """Return where each document stands among those with its score, shape (documents,); see `head` on ties.

    >>> items = pl.Series(["a", "b"])
    >>> standing(items, Policy()).tolist(), standing(items, Policy(ties="order")).tolist()
    ([1, 0], [0, 1])
    """
    places = pl.Series(range(len(items)), dtype=pl.Int64)
    if policy.ties == "order":
        return places.to_numpy()
    order = items.arg_sort(descending=policy.ties != "id-asc")
    return places.gather(order.arg_sort()).to_numpy()


def deep_enough(searcher: Searcher, query: Weighted, cutoff: int) -> Found:
    """Return what a query finds, with all documents that have the score of the last of the first places."""
    depth, (places, scores) = cutoff, searcher.top(query, cutoff)
    while len(places) == depth and scores[-1] == scores[cutoff - 1]:
        depth *= 4
        places, scores = searcher.top(query, depth)
    return places, scores
