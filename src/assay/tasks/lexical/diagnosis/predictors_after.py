"""How hard a query was, told from the documents found for it and their scores."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.core.judged import Floats, Ints
from assay.tasks.lexical.diagnosis.predictors_before import Asked, example

SMOOTHING = 0.6
"""The part of a document's own text in its language model, as in Cronen-Townsend et al. 2002."""
GAIN_DEPTH = 5
"""How many of the first documents WIG reads, as in Zhou and Croft 2007."""


@dataclass(frozen=True, eq=False)
class Found:
    """What a searcher found for a query: the numbers of the best documents and their scores, best first, (found,).

    `average` is the mean score of all documents of the collection, those with none of the terms counted as 0.
    """

    asked: Asked
    places: Ints
    scores: Floats
    average: float

    @cached_property
    def words(self) -> tuple[Ints, Ints, Ints]:
        """The terms of the found documents: place among the found, number of the term, count; shapes (postings,)."""
        parts = [self.asked.index.forward.of(int(place)) for place in self.places]
        rows = np.repeat(np.arange(len(parts)), [len(terms) for terms, _ in parts])
        return rows, np.concatenate([terms for terms, _ in parts]), np.concatenate([counts for _, counts in parts])


def clarity(found: Found) -> float | None:
    r"""Return how far the words of the found documents are from those of all, in bits.

    $$ \sum_w P(w|q) \log_2 \frac{P(w|q)}{P(w|C)}, \quad P(w|q) = \sum_d P(w|d) P(d|q),
       \quad P(w|d) = .6 \frac{tf}{dl} + .4 P(w|C) $$

    P(d|q) is the likelihood of the query in d, the found documents summing to 1. Source: Cronen-Townsend, Zhou and
    Croft 2002.

    >>> round(clarity(found_example()), 4)
    0.1207
    """
    if not len(found.places):
        return None
    index, (rows, terms, counts) = found.asked.index, found.words
    own = SMOOTHING * counts / index.lengths[found.places[rows]]
    weight = _likelihoods(found, rows, terms, own)[rows] * own
    seen, where = np.unique(terms, return_inverse=True)
    everywhere = index.collection_frequency[seen] / index.total
    here = np.bincount(where, weight) + (1 - SMOOTHING) * everywhere
    unseen = (1 - SMOOTHING) * np.log2(1 - SMOOTHING) * (1 - everywhere.sum())
    return float((here * np.log2(here / everywhere)).sum() + unseen)


def _likelihoods(found: Found, rows: Ints, terms: Ints, own: Floats) -> Floats:
    """Return how likely each found document makes the query, summing to 1, shape (found,)."""
    total = np.zeros(len(found.places))
    asked = found.asked
    for number, weight, share in zip(asked.numbers, asked.weights, asked.share, strict=True):
        there = terms == number
        part = np.bincount(rows[there], own[there], minlength=len(total))
        total += weight * np.log(part + (1 - SMOOTHING) * share)
    likely = np.exp(total - total.max())
    chances: Floats = likely / likely.sum()
    return chances


def nqc(found: Found) -> float | None:
    r"""Return the normalised query commitment: how much the scores spread, against the query in all text.

    $$ NQC = \frac{\sqrt{\frac{1}{k} \sum_d (s(d) - \bar s)^2}}{|\sum_t w_t \ln (cf / C)|} $$

    Source: Shtok et al. 2012; the score of the collection is the log-likelihood of the query in all text.

    >>> round(nqc(found_example()), 4)
    0.0951
    """
    deviation = score_sd(found)
    whole = abs(float((found.asked.weights * np.log(found.asked.share)).sum()))
    return None if deviation is None or not whole else deviation / whole


def wig(found: Found) -> float | None:
    r"""Return the weighted information gain: how far the first 5 scores stand above those of all documents.

    $$ WIG = \frac{1}{k \sqrt{|q|}} \sum_{i \le k} (s(d_i) - s(C)) $$

    Source: Zhou and Croft 2007. s(C), the score of the collection, is the mean score of all documents.

    >>> round(wig(found_example()), 4)
    0.1307
    """
    if not len(found.scores):
        return None
    gain = float(found.scores[:GAIN_DEPTH].mean()) - found.average
    return gain / float(np.sqrt(found.asked.weights.sum()))


def score_sd(found: Found) -> float | None:
    """Return the standard deviation of the scores found. Source: Perez-Iglesias and Araujo 2010.

    >>> round(score_sd(found_example()), 4)
    0.209
    """
    return float(found.scores.std()) if len(found.scores) > 1 else None


def score_gap(found: Found) -> float | None:
    """Return the fall from the first score to the second, as a part of the first, 0 to 1.

    None where fewer than two documents are found, or the first is worth nothing. A tie is 0.

    >>> round(score_gap(found_example()), 4)
    0.5474
    """
    return float(1 - found.scores[1] / found.scores[0]) if len(found.scores) > 1 and found.scores[0] > 0 else None


def found_example() -> Found:
    """Return what BM25 finds for the example of `predictors_before`."""
    from assay.tasks.lexical.search import Searcher

    asked = example()
    searcher = Searcher(asked.index)
    query = {"gold": 1.0, "silver": 1.0}
    return Found(asked, *searcher.top(query, 100), float(searcher.scores(query).mean()))
