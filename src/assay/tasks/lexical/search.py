"""`Searcher`: queries of weighted terms against an index."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.progress import Progress
from assay.core.run import Run
from assay.core.texts import Queries
from assay.errors import ParameterError
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25, Model

Weighted = Mapping[str, float]
"""A query as its terms, already analysed, with their weights."""


@dataclass(frozen=True, eq=False)
class Searcher:
    """An index and the model that ranks its documents.

    The score of a document is the sum of the weights of the query's terms in it, each as often as it stands in the
    query, given in single precision as Lucene does. Equal scores stand in the order of the documents. Documents that
    share no term with the query, and those with a score below 0, are not found.

    Parameters
    ----------
    index
        What is searched.
    model
        What a term in a document is worth; else Lucene's BM25.

    >>> from assay.core.texts import Documents
    >>> searcher = Searcher(Index.build(Documents.of({"a": "gold", "b": "silver and gold"})))
    >>> searcher.run(Queries.of({"1": "silver gold"})).frame()["item"].to_list()
    ['b', 'a']
    """

    index: Index
    model: Model = field(default_factory=BM25)

    def terms(self, text: str) -> dict[str, float]:
        """Return the terms of a query; one that is there twice weighs twice."""
        return dict(Counter(self.index.analyzer.terms(text)))

    def weighted(self, queries: Queries) -> dict[str, dict[str, float]]:
        """Return the terms of all queries."""
        return {query: self.terms(text) for query, text in queries.texts.items()}

    def scores(self, query: Weighted) -> Floats:
        """Return the score of each document, 0 for those without a term of the query, shape (documents,)."""
        found = np.zeros(len(self.index))
        for part, weight in self._parts(query):
            weights = self._weights[part]
            np.add.at(found, self._places[part], weights if weight == 1 else weight * weights)
        return found

    def top(self, query: Weighted, depth: int) -> tuple[Ints, Floats]:
        """Return the numbers of the best documents and their scores, best first, shapes (found,)."""
        scores = self.scores(query)
        (found,) = np.nonzero((scores > 0) | (self._shares(query) & (scores == 0)) if self._may_be_zero else scores > 0)
        keys = scores[found].astype(np.float32).view(np.uint32).astype(np.uint64)
        keys = keys << HALF | self._backwards[found]  # from 0 on the bits of numbers have the order of the numbers
        if depth < len(keys):
            keys = np.partition(keys, len(keys) - depth)[len(keys) - depth :]
        keys.sort()
        best = keys[::-1]
        places = len(scores) - 1 - (best & LOW).astype(np.int64)
        return places, (best >> HALF).astype(np.uint32).view(np.float32).astype(np.float64)

    def run(
        self,
        queries: Queries | Mapping[str, Weighted],
        depth: int = 1000,
        *,
        remove_query: bool = False,
        name: str | None = None,
        progress: Progress | None = None,
    ) -> Run:
        """Return what all queries find.

        Parameters
        ----------
        queries
            Texts, or terms with their weights by query.
        depth
            How many documents a query finds at most.
        remove_query
            Never find the document that has the id of the query.
        name
            What the run is called; else as the model.
        progress
            Called with the number of queries that are done, and of all.

        Raises
        ------
        ParameterError
            A depth below 1.
        """
        if depth < 1:
            raise ParameterError(f"depth: expected a number of at least 1, found {depth}")
        asked = self.weighted(queries) if isinstance(queries, Queries) else queries
        found = []
        for query, terms in asked.items():
            best = self.top(terms, depth + remove_query)
            found.append(without(best, self.index.place.get(query), depth) if remove_query else best)
            if progress is not None:
                progress(len(found), len(asked))
        return run_of(list(asked), self.index.items, found, name or self.model.name)

    def _parts(self, query: Weighted) -> list[tuple[slice, float]]:
        """Return where the postings of each term are, and its weight, in the order of the index."""
        number, starts = self.index.number, self._starts
        known = sorted((number[term], weight) for term, weight in query.items() if term in number)
        return [(slice(starts[term], starts[term + 1]), weight) for term, weight in known]

    def _shares(self, query: Weighted) -> Flags:
        """Tell which documents have a term of the query, shape (documents,)."""
        found = np.zeros(len(self.index), np.bool_)
        for part, _ in self._parts(query):
            found[self._places[part]] = True
        return found

    @cached_property
    def _weights(self) -> Floats:
        return self.model.weights(self.index)

    @cached_property
    def _places(self) -> Ints:
        """The documents of all postings, as wide as NumPy counts: adding at narrower numbers is slow."""
        return self.index.places.astype(np.int64)

    @cached_property
    def _may_be_zero(self) -> bool:
        """Whether a document may share terms with a query and have the score 0."""
        return not bool((self._weights > 0).all())

    @cached_property
    def _starts(self) -> list[int]:
        starts: list[int] = self.index.starts.tolist()
        return starts

    @cached_property
    def _backwards(self) -> Any:
        """How many documents come after each: of equal scores the first document has the highest key."""
        return np.arange(len(self.index), dtype=np.uint64)[::-1]


Found = tuple[Ints, Floats]
"""Places of documents and their scores, best first."""
HALF = np.uint64(32)
LOW = np.uint64(2**32 - 1)


def without(found: Found, place: int | None, depth: int) -> Found:
    """Return what was found without one document, and at most `depth` of it."""
    places, scores = found
    if place is not None and place in places:
        places, scores = places[places != place], scores[places != place]
    return places[:depth], scores[:depth]


def run_of(queries: Sequence[str], items: pl.Series, found: Iterable[Found], name: str) -> Run:
    """Return a run of the places and scores that each query found."""
    all_of = list(found)
    sizes = [len(places) for places, _ in all_of]
    places = np.concatenate([np.zeros(0, np.int64), *(places for places, _ in all_of)])
    scores = np.concatenate([np.zeros(0), *(scores for _, scores in all_of)])
    asked = pl.Series("query", queries, dtype=pl.String).gather(np.repeat(np.arange(len(sizes)), sizes))
    table = {"query": asked, "item": items.gather(places).alias("item"), "score": pl.Series("score", scores)}
    return Run.from_frame(pl.DataFrame(table), name=name)
