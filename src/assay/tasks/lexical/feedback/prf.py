"""`BM25PRF`: terms that are likelier in the first documents than elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.judged import Flags, Floats, Ints
from assay.errors import ParameterError
from assay.tasks.lexical.feedback.expander import feedback_terms, heaviest, named
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25
from assay.tasks.lexical.search import Searcher, Weighted

DIGITS = r"^[0-9]+$"
LEAST = 1e-6
"""A term that says nothing still weighs this much."""


@dataclass(frozen=True, slots=True)
class BM25PRF:
    r"""Pseudo-relevance feedback of BM25: the first documents stand for the relevant ones.

    $$ rsj(t) = \ln \frac{(r + .5)(N - n - R + r + .5)}{(n - r + .5)(R - r + .5)} $$

    with N documents, n of them with the term, R first documents, r of them with the term. The `terms` terms with the
    highest offer weight rsj · ln r are added, of equal ones those first in the alphabet; a term must be in two
    first documents, be a word of 2 to 20 letters a to z and digits, and not all digits. Every term, those of the
    query included, then weighs rsj in place of its idf (so the weight given here is rsj / idf), and an added one
    `weight` times that. A term that is in the query twice counts once.
    Source: Robertson and Sparck Jones 1976; Sakai and Robertson 2001; the settings are those of Anserini's -bm25prf.

    Parameters
    ----------
    docs
        How many documents stand for the relevant ones (R).
    terms
        How many terms to add.
    weight
        What an added term weighs, where one of the query weighs 1.

    >>> from assay.core.texts import Documents
    >>> from assay.tasks.lexical.index import Index
    >>> texts = {"v": "gold purse", "w": "purse gold", "x": "silver", "y": "tin", "z": "lead"}
    >>> searcher = Searcher(Index.build(Documents.of(texts)))
    >>> found = BM25PRF(docs=2).expand(searcher, {"1": {"purs": 1.0}})["1"]
    >>> {term: round(weight, 4) for term, weight in found.items()}
    {'purs': 4.0611, 'gold': 0.8122}
    """

    docs: int = 10
    terms: int = 20
    weight: float = 0.2
    name: str = "prf"

    def expand(self, searcher: Searcher, weighted: Mapping[str, Weighted]) -> dict[str, dict[str, float]]:
        """Return all terms of each query with their weights, relative to their idf.

        Raises
        ------
        ParameterError
            The searcher ranks by another model than BM25, whose idf these weights replace.
        """
        if not isinstance(searcher.model, BM25):
            msg = f"prf: expected the model bm25, whose idf it replaces, found {searcher.model.name}"
            raise ParameterError(msg, hint="rm3 and rocchio serve every model.")
        index = searcher.index
        allowed = feedback_terms(index, 1.0).allowed & ~index.terms.str.contains(DIGITS).to_numpy()
        return {query: self._expanded(searcher, own, allowed) for query, own in weighted.items()}

    def _expanded(self, searcher: Searcher, own: Weighted, allowed: Flags) -> dict[str, float]:
        index = searcher.index
        places, _ = searcher.top(own, self.docs)
        terms, held = _held(index, places)
        weights = _relevance(index, terms, held, len(places))
        asked = np.isin(terms, [index.number[term] for term in own if term in index.number])
        free = allowed[terms] & (held >= 2) & ~asked
        offers = weights[free] * np.log(held[free])
        chosen, _ = heaviest(np.flatnonzero(free), offers, self.terms)
        added = named(index, terms[chosen], self.weight * weights[chosen] / index.idf[terms[chosen]])
        return self._own(index, own, dict(zip(terms.tolist(), held.tolist(), strict=True)), len(places)) | added

    @staticmethod
    def _own(index: Index, own: Weighted, held: Mapping[int, int], documents: int) -> dict[str, float]:
        """Return the terms of the query; one that no document has keeps its weight, which nothing reads."""
        known = {term: index.number[term] for term in own if term in index.number}
        terms = np.array(list(known.values()), np.int64)
        numbers = np.array([held.get(term, 0) for term in known.values()], np.int64)
        weights = _relevance(index, terms, numbers, documents) / index.idf[terms]
        return dict(own) | dict(zip(known, weights.tolist(), strict=True))


def _held(index: Index, places: Ints) -> tuple[Ints, Ints]:
    """Return the terms of documents, and how many of the documents hold each."""
    parts = [index.forward.of(place)[0] for place in places]
    terms, held = np.unique(np.concatenate([np.empty(0, np.int64), *parts]), return_counts=True)
    return terms, held.astype(np.int64)


def _relevance(index: Index, terms: Ints, held: Ints, documents: int) -> Floats:
    """Return the weight of Robertson and Sparck Jones, shape (terms,)."""
    frequency, whole = index.document_frequency[terms], len(index)
    there = (held + 0.5) * (whole - frequency - documents + held + 0.5)
    found: Floats = np.maximum(np.log(there / ((frequency - held + 0.5) * (documents - held + 0.5))), LEAST)
    return found
