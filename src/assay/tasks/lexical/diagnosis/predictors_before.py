"""How hard a query will be, told from its terms alone, before anything is searched."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.core.judged import Floats, Ints
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.search import Weighted


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A query against an index: the numbers of its terms that the index knows, and their weights.

    Terms that no document has tell nothing of the documents and take no part; without any other, each figure of the
    query is undefined. Shapes (known,), (known,).
    """

    index: Index
    numbers: Ints
    weights: Floats

    @classmethod
    def of(cls, index: Index, query: Weighted) -> Self:
        """Return the query with the terms that the index knows."""
        known = {index.number[term]: weight for term, weight in query.items() if term in index.number}
        return cls(index, np.array(list(known), np.int64), np.array(list(known.values()), np.float64))

    @property
    def document_frequency(self) -> Ints:
        """In how many documents each term is, shape (known,)."""
        return self.index.document_frequency[self.numbers]

    @property
    def collection_frequency(self) -> Ints:
        """How often each term is there at all, shape (known,)."""
        return self.index.collection_frequency[self.numbers]

    @property
    def share(self) -> Floats:
        """The part of each term in all text, cf / C, shape (known,)."""
        return self.collection_frequency / self.index.total


def length(asked: Asked) -> float:
    """Return how many terms the query has that the index knows, those that are there twice twice.

    Source: He and Ounis 2004.

    >>> length(example())
    2.0
    """
    return float(asked.weights.sum())


def idf_mean(asked: Asked) -> float | None:
    """Return the mean of idf(t) = ln(1 + (N - df + .5) / (df + .5)) over the terms: how telling they are.

    Source: Cronen-Townsend et al. 2002, averaged as by He and Ounis 2004; idf as BM25 has it here.

    >>> round(idf_mean(example()), 4)
    0.7254
    """
    return _mean(asked.index.idf[asked.numbers])


def idf_max(asked: Asked) -> float | None:
    """Return the greatest idf(t) of a term. Source: Scholer, Williams and Turpin 2004.

    >>> round(idf_max(example()), 4)
    0.9808
    """
    return _most(asked.index.idf[asked.numbers])


def scq(asked: Asked) -> Floats:
    r"""Return how alike the collection is to each term, shape (known,).

    $$ SCQ(t) = (1 + \ln cf) \cdot \ln(1 + N / df) $$

    Source: Zhao, Scholer and Tsegay 2008.

    >>> scq(example()).round(4).tolist()
    [2.1865, 1.3863]
    """
    inverse = np.log1p(len(asked.index) / asked.document_frequency)
    return (1 + np.log(asked.collection_frequency)) * inverse


def scq_sum(asked: Asked) -> float | None:
    """Return the sum of SCQ over the terms. Source: Zhao, Scholer and Tsegay 2008.

    >>> round(scq_sum(example()), 4)
    3.5728
    """
    return _sum(scq(asked))


def scq_max(asked: Asked) -> float | None:
    """Return the greatest SCQ of a term. Source: Zhao, Scholer and Tsegay 2008.

    >>> round(scq_max(example()), 4)
    2.1865
    """
    return _most(scq(asked))


def spread(asked: Asked) -> Floats:
    r"""Return how much the weight of each term differs between the documents that have it, shape (known,).

    $$ \sigma_t = \sqrt{\frac{1}{df} \sum_{d \ni t} (w_{d,t} - \overline{w}_t)^2},
       \quad w_{d,t} = 1 + \ln tf \cdot \ln(1 + N / df) $$

    Where it is small, the ranker has little to tell these documents apart. Source: Zhao, Scholer and Tsegay 2008.

    >>> spread(example()).round(4).tolist()
    [0.5033, 0.0]
    """
    starts, counts = asked.index.starts, asked.index.counts
    inverse = np.log1p(len(asked.index) / asked.document_frequency)
    parts = (np.log(np.sort(counts[starts[number] : starts[number + 1]])).std() for number in asked.numbers)
    return np.fromiter(parts, np.float64, len(asked.numbers)) * inverse


def var_sum(asked: Asked) -> float | None:
    """Return the sum of the spreads of the terms. Source: Zhao, Scholer and Tsegay 2008 (sigma 1).

    >>> round(var_sum(example()), 4)
    0.5033
    """
    return _sum(spread(asked))


def var_max(asked: Asked) -> float | None:
    """Return the greatest spread of a term. Source: Zhao, Scholer and Tsegay 2008 (sigma 3).

    >>> round(var_max(example()), 4)
    0.5033
    """
    return _most(spread(asked))


def scs(asked: Asked) -> float | None:
    r"""Return the simplified clarity score: how unlike the query is to all text, in bits.

    $$ SCS = \sum_t P(t|q) \log_2 \frac{P(t|q)}{cf / C} $$

    Source: He and Ounis 2004.

    >>> round(scs(example()), 4)
    0.585
    """
    if not len(asked.numbers):
        return None
    own = asked.weights / asked.weights.sum()
    return float((own * np.log2(own / asked.share)).sum())


def ictf_mean(asked: Asked) -> float | None:
    r"""Return the mean of log2(C / cf) over the terms: their rarity in all text. Source: He and Ounis 2004.

    >>> round(ictf_mean(example()), 4)
    1.585
    """
    return _mean(-np.log2(asked.share))


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _most(values: Floats) -> float | None:
    return float(values.max()) if len(values) else None


def _sum(values: Floats) -> float | None:
    return float(values.sum()) if len(values) else None


def example() -> Asked:
    """Return the query "gold silver" against three documents, as the examples here ask it."""
    from assay.core.texts import Documents

    texts = {"a": "gold gold gold", "b": "gold silver", "c": "silk"}
    return Asked.of(Index.build(Documents.of(texts)), {"gold": 1.0, "silver": 1.0})
