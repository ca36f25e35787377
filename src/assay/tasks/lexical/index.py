"""`Index`: which document holds which term, how often; what BM25 and its kin need, and nothing else."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from assay.core.judged import Floats, Ints
from assay.core.progress import Progress
from assay.core.texts import Documents
from assay.errors import InputError
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.postings import Numbers, gather


@dataclass(frozen=True, eq=False)
class Index:
    """An inverted index in arrays.

    Parameters
    ----------
    items
        The ids of the documents, shape (documents,); the place is the number of a document.
    terms
        The terms in the order of their UTF-8 bytes, shape (terms,).
    starts, places, counts
        The postings of term t are `places[starts[t]:starts[t + 1]]` (numbers of documents, ascending) and
        `counts[…]` (how often it is in each). Shapes (terms + 1,), (postings,), (postings,).
    lengths
        How many terms each document has, stop words aside, shape (documents,).
    analyzer
        How the texts became terms; queries must become terms the same way.
    name
        What the documents are called.
    digest
        `Documents.digest` of what was indexed.

    >>> index = Index.build(Documents.of({"a": "gold and gold", "b": "silver and gold"}))
    >>> index.terms.to_list(), index.document_frequency.tolist(), index.lengths.tolist()
    (['gold', 'silver'], [2, 1], [2, 2])
    """

    items: pl.Series
    terms: pl.Series
    starts: Ints
    places: Numbers
    counts: Numbers
    lengths: Ints
    analyzer: Analyzer = field(default_factory=Analyzer)
    name: str = "documents"
    digest: str = ""

    @classmethod
    def build(cls, documents: Documents, analyzer: Analyzer | None = None, *, progress: Progress | None = None) -> Self:
        """Return the index of documents, which are read in pieces; `progress` is told how many are done, of how many.

        Raises
        ------
        InputError
            No document has a term.
        """
        analyzer = analyzer or Analyzer()
        postings = gather(documents.whole, analyzer, progress)
        if not len(postings.terms):
            raise InputError(f"{documents.name}: expected documents with words, found none")
        arrays = postings.starts, postings.places, postings.counts, postings.lengths
        return cls(documents.items, postings.terms, *arrays, analyzer, documents.name, documents.digest())

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Return an index that was saved; what it holds stays on disk until it is looked at.

        Raises
        ------
        InputError
            No such folder, another kind of folder, one of another version, or one that is damaged.
        """
        from assay.tasks.lexical.index_files import read_index

        return cls(**read_index(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the index in a folder, which is there as a whole or not at all; an index that is there is replaced.

        Raises
        ------
        InputError
            Something else is there, or nothing can be written there.
        """
        from assay.tasks.lexical.index_files import write_index

        write_index(self, path)

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of each term."""
        return {term: number for number, term in enumerate(self.terms)}

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The number of each document by its id."""
        return {item: place for place, item in enumerate(self.items)}

    @cached_property
    def document_frequency(self) -> Ints:
        """In how many documents each term is, shape (terms,)."""
        return np.diff(self.starts)

    @cached_property
    def collection_frequency(self) -> Ints:
        """How often each term is there at all, shape (terms,)."""
        found: Ints = np.add.reduceat(self.counts, self.starts[:-1], dtype=np.int64)
        return found

    @cached_property
    def total(self) -> int:
        """How many terms all documents have together."""
        return int(self.lengths.sum())

    @cached_property
    def average_length(self) -> float:
        """How many terms a document has that has any, on average; Lucene counts documents the same way."""
        return self.total / max(1, int((self.lengths > 0).sum()))

    @cached_property
    def idf(self) -> Floats:
        """BM25's weight of each term, ln(1 + (N - df + .5) / (df + .5)), shape (terms,)."""
        documents = int((self.lengths > 0).sum())
        return np.log1p((documents - self.document_frequency + 0.5) / (self.document_frequency + 0.5))

    @cached_property
    def forward(self) -> "Forward":
        """The same, document by document."""
        order = np.argsort(self.places, kind="stable")
        terms = np.repeat(np.arange(len(self.terms), dtype=np.int32), self.document_frequency)[order]
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.places, minlength=len(self)))])
        return Forward(starts.astype(np.int64), terms, self.counts[order])


@dataclass(frozen=True, slots=True, eq=False)
class Forward:
    """The terms of each document: `terms[starts[d]:starts[d + 1]]` (ascending) and how often each is there."""

    starts: Ints
    terms: Numbers
    counts: Numbers

    def of(self, document: int) -> tuple[Numbers, Numbers]:
        """Return the numbers of the terms of one document, and how often each is there."""
        part = slice(self.starts[document], self.starts[document + 1])
        return self.terms[part], self.counts[part]
