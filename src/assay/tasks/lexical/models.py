"""Models: what a term in a document is worth. Each gives a weight to each posting of an index."""

from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

import numpy as np

from assay.core.judged import Floats, Ints
from assay.errors import ParameterError, UnknownNameError
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.variants import VARIANTS, Variant


class Model(Protocol):
    """What ranks documents: the score of one is the sum over the terms of the query of their weights in it."""

    @property
    def name(self) -> str:
        """What runs are called."""
        ...

    def weights(self, index: Index) -> Floats:
        """Return what each posting of the index is worth, shape (postings,)."""
        ...


@dataclass(frozen=True, slots=True)
class BM25:
    r"""BM25 as Lucene computes it.

    $$ w(t, d) = \mathrm{idf}(t) \cdot \frac{tf}{tf + k_1 (1 - b + b \cdot dl / \overline{dl})} $$

    with idf = ln(1 + (N - df + .5) / (df + .5)); N counts documents with terms. `coarse` reads lengths back from one
    byte, as Lucene keeps them. Other forms multiply by (k1 + 1), which changes scores and no order.
    Source: Robertson and Walker 1994; Apache Lucene, BM25Similarity.

    Raises
    ------
    ParameterError
        k1 below 0, or b outside of 0 to 1.

    >>> from assay.core.texts import Documents
    >>> index = Index.build(Documents.of({"a": "gold gold", "b": "gold silver"}))
    >>> BM25(k1=1.2, b=0.75).weights(index).round(4).tolist()
    [0.114, 0.0829, 0.3151]
    """

    k1: float = 0.9
    b: float = 0.4
    coarse: bool = True
    name: str = "bm25"

    def __post_init__(self) -> None:
        _check("k1", self.k1, 0 <= self.k1 < inf, "of at least 0")
        _check("b", self.b, 0 <= self.b <= 1, "from 0 to 1")

    def weights(self, index: Index) -> Floats:
        """Return what each posting of the index is worth, shape (postings,)."""
        lengths = coarse(index.lengths) if self.coarse else index.lengths
        norms = self.k1 * (1 - self.b + self.b * lengths / index.average_length)
        idf = np.repeat(index.idf, index.document_frequency)
        return idf * index.counts / (index.counts + norms[index.places])


@dataclass(frozen=True, slots=True)
class Dirichlet:
    r"""Query likelihood, smoothed by the collection (Dirichlet).

    $$ w(t, d) = \max\left(0, \ln\left(1 + \frac{tf}{\mu p(t)}\right) + \ln\frac{\mu}{dl + \mu}\right) $$

    with p = (cf + 1) / (C + 1). Source: Zhai and Lafferty 2004; Apache Lucene, LMDirichletSimilarity.

    Raises
    ------
    ParameterError
        mu not above 0.
    """

    mu: float = 1000
    coarse: bool = True
    name: str = "ql"

    def __post_init__(self) -> None:
        _check("mu", self.mu, 0 < self.mu < inf, "above 0")

    def weights(self, index: Index) -> Floats:
        """Return what each posting of the index is worth, shape (postings,)."""
        lengths = coarse(index.lengths) if self.coarse else index.lengths
        share = np.repeat((index.collection_frequency + 1) / (index.total + 1), index.document_frequency)
        length = np.log(self.mu / (lengths + self.mu))[index.places]
        found: Floats = np.maximum(0, np.log1p(index.counts / (self.mu * share)) + length)
        return found


PARAMETERS = {"bm25": ("k1", "b", "coarse"), "ql": ("mu", "coarse")} | dict.fromkeys(VARIANTS, ("k1", "b", "delta"))
"""The models by name, and the parameters that each has."""


def model(name: str, *, coarse: bool = True, **parameters: float | None) -> Model:
    """Return a model by its name; parameters that are not given (None) are those that are usual for it.

    Parameters
    ----------
    name
        bm25, ql, or a variant of BM25: lucene, robertson, atire, bm25l or bm25plus.
    coarse
        Whether bm25 and ql read lengths from one byte; variants know lengths as they are.
    parameters
        k1 and b of BM25 and its variants, delta of bm25l and bm25plus, mu of ql.

    Raises
    ------
    UnknownNameError
        No such model.
    ParameterError
        A parameter that the model does not have, or that is not allowed.

    >>> model("bm25", k1=1.2).k1, model("ql").mu
    (1.2, 1000)
    """
    if name not in PARAMETERS:
        raise UnknownNameError.of("model", name, PARAMETERS)
    given: dict[str, Any] = {key: value for key, value in parameters.items() if value is not None}
    wrong = next((key for key in given if key not in PARAMETERS[name]), None)
    if wrong is not None:
        has = ", ".join(key for key in PARAMETERS[name] if key != "coarse")
        raise ParameterError(f"model {name}: expected parameters of it ({has}), found {wrong}")
    if name in VARIANTS:
        return Variant(name, **given)
    return BM25(coarse=coarse, **given) if name == "bm25" else Dirichlet(coarse=coarse, **given)


def coarse(lengths: Ints) -> Ints:
    """Return lengths as one byte keeps them: exact below 40, then four significant bits, rounded down.

    >>> coarse(np.array([7, 39, 40, 41, 100, 1000])).tolist()
    [7, 39, 40, 40, 96, 984]
    """
    above = np.maximum(lengths - FREE, 1)
    shift = np.maximum(np.floor(np.log2(above)).astype(np.int64) - 3, 0)
    return np.where(lengths < 40, lengths, FREE + ((above >> shift) << shift))


FREE = 24
"""Lengths below this have a value of their own in one byte."""


def _check(name: str, value: float, allowed: bool, wanted: str) -> None:
    if not allowed:
        raise ParameterError(f"{name}: expected a number {wanted}, found {value:g}")
