"""`Rocchio`: the query moved towards the first documents, and away from the last where that is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.judged import Floats, Ints
from assay.tasks.lexical.feedback.expander import (
    COMMON,
    LONG,
    FeedbackTerms,
    combined,
    feedback_terms,
    heaviest,
    named,
    scaled,
    summed,
)
from assay.tasks.lexical.search import Searcher, Weighted


@dataclass(frozen=True, slots=True)
class Rocchio:
    r"""The query, plus the mean of the first documents, minus that of the last.

    $$ q' = \alpha \frac{q}{\lVert q \rVert} + \beta \frac{c}{\lVert c \rVert} - \gamma \frac{n}{\lVert n \rVert},
    \quad c = \frac{1}{|F|} \sum_{D \in F} \frac{d}{\lVert d \rVert} $$

    with F the first `docs` documents, d how often each term is in D, and n the same over the last `docs` of `depth`
    documents found. Of c and n the `terms` heaviest terms are kept, equal ones in the order of the alphabet, before
    they are scaled. Weights of 0 or less are dropped. Terms are those of 2 to 20 characters, of any kind, in at most a
    share `common` of the documents.
    Source: Rocchio 1971; the settings are those of Anserini's -rocchio.

    Parameters
    ----------
    docs, terms, common
        As for RM3.
    alpha, beta
        What the query and the first documents weigh.
    gamma
        What the last documents weigh, 0 by default; .15 is usual.
    depth
        How many documents are searched for to know the last.

    >>> from assay.core.texts import Documents
    >>> from assay.tasks.lexical.index import Index
    >>> searcher = Searcher(Index.build(Documents.of({"x": "gold purse", "y": "gold rush", "z": "silver"})))
    >>> found = Rocchio(docs=1, common=1).expand(searcher, {"1": {"purs": 1.0}})["1"]
    >>> {term: round(weight, 4) for term, weight in found.items()}
    {'purs': 1.5303, 'gold': 0.5303}
    """

    docs: int = 10
    terms: int = 10
    alpha: float = 1.0
    beta: float = 0.75
    gamma: float = 0.0
    depth: int = 1000
    common: float = COMMON
    name: str = "rocchio"

    def expand(self, searcher: Searcher, weighted: Mapping[str, Weighted]) -> dict[str, dict[str, float]]:
        """Return all terms of each query with their weights, all above 0."""
        allowed = feedback_terms(searcher.index, self.common, LONG)
        found = {}
        for query, own in weighted.items():
            places, _ = searcher.top(own, self.depth if self.gamma else self.docs)
            made = combined(_unit(own, self.alpha), self._mean(allowed, places[: self.docs], self.beta))
            if self.gamma:
                made = combined(made, self._mean(allowed, places[-self.docs :], -self.gamma))
            found[query] = {term: weight for term, weight in made.items() if weight > 0}
        return found

    def _mean(self, allowed: FeedbackTerms, places: Ints, weight: float) -> dict[str, float]:
        """Return the heaviest terms of the mean of documents, scaled to a length."""
        mean = summed([_direction(*allowed.of(place)) for place in places])
        return _unit(named(allowed.index, *heaviest(*mean, self.terms)), weight)


def _direction(terms: Ints, counts: Floats) -> tuple[Ints, Floats]:
    return terms, counts / np.linalg.norm(counts) if len(counts) else counts


def _unit(query: Weighted, length: float) -> dict[str, float]:
    norm = float(np.linalg.norm(list(query.values())))
    return scaled(query, length / norm) if norm else dict(query)
