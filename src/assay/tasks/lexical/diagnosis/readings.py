"""`Texts`: the same documents and queries, read in several ways; words are found once and only then become terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.texts import Documents
from assay.errors import InputError
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.postings import Postings, gather


@dataclass(frozen=True, eq=False)
class Texts:
    """Documents and the text of queries, ready to be read by any analyser that parts words as `analyzer` does.

    >>> texts = Texts(Documents.of({"a": "Golden purses", "b": "a purse"}), {"1": "GOLDEN purse"}, Analyzer())
    >>> texts.index(Analyzer()).terms.to_list()
    ['golden', 'purs']
    >>> texts.index(plain(Analyzer())).terms.to_list(), texts.words["1"]
    (['Golden', 'purse', 'purses'], ['GOLDEN', 'purse'])
    """

    documents: Documents
    queries: Mapping[str, str]
    analyzer: Analyzer
    made: dict[Analyzer, Index] = field(default_factory=dict, repr=False)

    def index(self, analyzer: Analyzer) -> Index:
        """Return the index of the documents as an analyser reads them, made once.

        Raises
        ------
        InputError
            No document has a term.
        """
        if analyzer not in self.made:
            self.made[analyzer] = self._indexed(analyzer)
        return self.made[analyzer]

    def kept(self, query: str) -> list[str]:
        """Return the words of a query that are no stop words, as they are written."""
        words = self.words[query]
        terms = self.analyzer.terms_for(words)
        return [word for word, term in zip(words, terms, strict=True) if term is not None]

    def named(self, query: str) -> dict[str, str]:
        """Return the terms of a query, each with the first word that it is made of."""
        words = self.kept(query)
        terms = self.analyzer.terms_for(words)
        return {term: word for term, word in reversed(list(zip(terms, words, strict=True))) if term is not None}

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """The words of each query as they are written."""
        reader = _whole_words(self.analyzer)
        return {query: reader.terms(text) for query, text in self.queries.items()}

    @cached_property
    def _written(self) -> Postings:
        """Which documents have each word as it is written."""
        return gather(self.documents.whole, _whole_words(self.analyzer))

    def _indexed(self, analyzer: Analyzer) -> Index:
        written = self._written
        found = analyzer.terms_for(written.terms.to_list())
        terms = pl.Series("term", [term for term in found if term is not None], pl.String).unique().sort()
        if not len(terms):
            raise InputError(f"{self.documents.name}: expected documents with words, found none")
        number = {term: place for place, term in enumerate(terms)}
        numbers = np.array([-1 if term is None else number[term] for term in found], np.int64)
        pairs = np.repeat(numbers, np.diff(written.starts)) << 32 | written.places
        order = np.argsort(pairs, kind="stable")
        order = order[np.count_nonzero(pairs < 0) :]
        (first,) = np.nonzero(np.diff(pairs[order], prepend=-1))
        counts = np.add.reduceat(written.counts[order], first)
        kept = pairs[order[first]]
        places = (kept & 0xFFFFFFFF).astype(np.int32)
        starts = np.searchsorted(kept >> 32, np.arange(len(terms) + 1)).astype(np.int64)
        lengths = np.bincount(places, counts, minlength=len(self.documents)).astype(np.int64)
        return Index(
            self.documents.items, terms, starts, places, counts.astype(np.int32), lengths, analyzer, self.documents.name
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """What a query and some documents share: the different terms of the query, and where each document has them.

    `counts` says how often each document has each term, `postings` where that stands in the index, -1 where it has it
    not; shapes (terms, documents). `idf` is that of each term; of one that no document has, what BM25 would say of
    none: ln(1 + (N + .5) / .5). `unknown` flags these. `weights` is how often the query has each. Shapes (terms,).
    """

    terms: tuple[str, ...]
    weights: Floats
    idf: Floats
    frequency: Ints
    counts: Ints
    postings: Ints

    @classmethod
    def of(cls, index: Index, query: Mapping[str, float], places: Ints) -> "Shared":
        """Return what the terms of a query share with the documents at these places, which are in the index."""
        numbers = np.array([index.number.get(term, -1) for term in query], np.int64)
        frequency = np.where(numbers >= 0, index.document_frequency[numbers], 0)
        postings = np.full((len(numbers), len(places)), -1, np.int64)
        for row, number in enumerate(numbers):
            if number >= 0:
                start, end = index.starts[number], index.starts[number + 1]
                at = start + np.searchsorted(index.places[start:end], places)
                there = (at < end) & (index.places[np.minimum(at, end - 1)] == places)
                postings[row, there] = at[there]
        some = int((index.lengths > 0).sum())
        counts = np.where(postings >= 0, index.counts[postings], 0)
        idf = np.log1p((some - frequency + 0.5) / (frequency + 0.5))
        return cls(tuple(query), np.array(list(query.values()), np.float64), idf, frequency, counts, postings)

    @property
    def unknown(self) -> Flags:
        """Which terms no document of the collection has, shape (terms,)."""
        flags: Flags = self.frequency == 0
        return flags

    @property
    def there(self) -> Flags:
        """Which terms each document has, shape (terms, documents)."""
        flags: Flags = self.counts > 0
        return flags

    @property
    def coverage(self) -> Floats:
        """The share of the terms that each document has, shape (documents,)."""
        shares: Floats = self.there.mean(axis=0)
        return shares

    @property
    def weighted(self) -> Floats:
        """The share of the terms' idf that each document has, shape (documents,)."""
        shares: Floats = self.idf @ self.there / self.idf.sum()
        return shares


def plain(analyzer: Analyzer) -> Analyzer:
    """Return the analyser that takes words as they are written; stop words are left out if they were before."""
    return replace(analyzer, stemmer=None, lower=False, possessive=False)


def unstemmed(analyzer: Analyzer) -> Analyzer:
    """Return the same analyser without stems."""
    return replace(analyzer, stemmer=None)


def _whole_words(analyzer: Analyzer) -> Analyzer:
    return replace(plain(analyzer), stop=False)
