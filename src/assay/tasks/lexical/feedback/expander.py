"""`Expander`: what gives queries more terms, and `FeedbackTerms`: which terms of documents may become some."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.search import Searcher, Weighted

WORD = r"^[a-z0-9]{2,20}$"
"""Terms that RM3 and BM25PRF may add: 2 to 20 letters from a to z and digits."""
LONG = r"(?s)^.{2,20}$"
"""Terms that Rocchio may add: 2 to 20 characters of any kind."""
COMMON = 0.1
"""Terms in more than this share of the documents are not added."""


class Expander(Protocol):
    """What gives queries other terms or other weights; a dataclass, whose numbers are its settings."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str:
        """What runs with it are called."""
        ...

    def expand(self, searcher: Searcher, weighted: Mapping[str, Weighted]) -> dict[str, dict[str, float]]:
        """Return all terms of each query with their weights, those of the query included."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FeedbackTerms:
    """The terms of documents that feedback may add to a query, flagged, shape (terms,)."""

    index: Index
    allowed: Flags

    def of(self, document: int) -> tuple[Ints, Floats]:
        """Return the numbers of the allowed terms of a document, ascending, and how often each is there."""
        terms, counts = self.index.forward.of(document)
        kept = self.allowed[terms]
        return terms[kept].astype(np.int64), counts[kept].astype(np.float64)


def feedback_terms(index: Index, common: float = COMMON, form: str = WORD) -> FeedbackTerms:
    """Return the terms that may be added: of this form (a pattern), in at most the share `common` of the documents."""
    fits = index.terms.str.contains(form).to_numpy()
    return FeedbackTerms(index, fits & (index.document_frequency <= common * len(index)))


def summed(vectors: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Return the sum of sparse vectors as the numbers of its terms, ascending, and their weights."""
    if not vectors:
        return np.empty(0, np.int64), np.empty(0)
    terms, places = np.unique(np.concatenate([numbers for numbers, _ in vectors]), return_inverse=True)
    weights = np.concatenate([one for _, one in vectors])
    return terms, np.bincount(places, weights, len(terms)).astype(np.float64)


def heaviest(terms: Ints, weights: Floats, most: int) -> tuple[Ints, Floats]:
    """Return the `most` terms of the highest weights, of equal ones those that come first in the alphabet.

    >>> heaviest(np.array([3, 5, 8]), np.array([1.0, 2.0, 1.0]), 2)
    (array([5, 3]), array([2., 1.]))
    """
    order = np.argsort(-weights, kind="stable")[:most]
    return terms[order], weights[order]


def named(index: Index, terms: Ints, weights: Floats) -> dict[str, float]:
    """Return terms by their names instead of their numbers."""
    return dict(zip(index.terms.gather(pl.Series(terms, dtype=pl.UInt32)), weights.tolist(), strict=True))


def combined(one: Weighted, other: Weighted) -> dict[str, float]:
    """Return the sum of two queries of weighted terms: those of the first, then those that only the other has."""
    return {term: one.get(term, 0.0) + other.get(term, 0.0) for term in (*one, *(t for t in other if t not in one))}


def scaled(query: Weighted, factor: float) -> dict[str, float]:
    """Return a query with all weights times a factor."""
    return {term: factor * weight for term, weight in query.items()}
