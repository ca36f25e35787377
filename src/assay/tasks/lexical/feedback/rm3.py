"""`RM3`: the terms of the first documents, interpolated with the query."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.judged import Floats, Ints
from assay.tasks.lexical.feedback.expander import COMMON, combined, feedback_terms, heaviest, named, scaled, summed
from assay.tasks.lexical.search import Searcher, Weighted


@dataclass(frozen=True, slots=True)
class RM3:
    r"""Relevance model: what a document that answers the query probably says, and the query itself.

    $$ w(t) = \lambda \frac{q_t}{\sum q} + (1 - \lambda) \frac{r_t}{\sum r}, \quad
    r_t = \sum_{D} s(D) \cdot \frac{tf(t, D)}{\sum_{t'} tf(t', D)} $$

    over the first `docs` documents D with their scores s. Of each document only its `terms` most frequent terms
    count, of r again only the `terms` heaviest; equal ones are kept in the order of the alphabet. Terms are
    words of 2 to 20 letters a to z and digits in at most a share `common` of the documents.
    Source: Abdul-Jaleel et al. 2004; Lavrenko and Croft 2001. Same runs as Anserini's -rm3.

    Parameters
    ----------
    docs
        How many documents to learn from.
    terms
        How many terms to keep of each document, and in all.
    weight
        The share of the query (lambda).
    common
        The share of documents beyond which a term is not added.

    >>> from assay.core.texts import Documents
    >>> from assay.tasks.lexical.index import Index
    >>> searcher = Searcher(Index.build(Documents.of({"x": "gold purse", "y": "gold rush", "z": "silver"})))
    >>> found = RM3(docs=1, common=1).expand(searcher, {"1": {"purs": 1.0}})["1"]
    >>> {term: round(weight, 4) for term, weight in found.items()}
    {'purs': 0.75, 'gold': 0.25}
    """

    docs: int = 10
    terms: int = 10
    weight: float = 0.5
    common: float = COMMON
    name: str = "rm3"

    def expand(self, searcher: Searcher, weighted: Mapping[str, Weighted]) -> dict[str, dict[str, float]]:
        """Return all terms of each query with their weights above 0, which sum to 1 where feedback says anything."""
        allowed, index = feedback_terms(searcher.index, self.common), searcher.index
        known: dict[int, tuple[Ints, Floats]] = {}

        def shares(document: int) -> tuple[Ints, Floats]:
            if document not in known:
                terms, counts = heaviest(*allowed.of(document), self.terms)
                known[document] = terms, counts / counts.sum() if len(counts) else counts
            return known[document]

        found = {}
        for query, own in weighted.items():
            places, scores = searcher.top(own, self.docs)
            vectors = [
                (terms, score * share) for (terms, share), score in zip(map(shares, places), scores, strict=True)
            ]
            found[query] = self.mixed(own, named(index, *heaviest(*summed(vectors), self.terms)))
        return found

    def mixed(self, own: Weighted, model: Weighted) -> dict[str, float]:
        """Return the query and the relevance model, each scaled to the sum 1, by their shares; nothing of weight 0."""
        mixed = combined(_share(own, self.weight), _share(model, 1 - self.weight))
        return {term: weight for term, weight in mixed.items() if weight}


def _share(query: Weighted, weight: float) -> dict[str, float]:
    whole = float(np.sum(np.abs(list(query.values()))))
    return scaled(query, weight / whole) if whole else dict(query)
