"""`Variant`: the forms of BM25 that the library bm25s computes, over our terms."""

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from assay.core.judged import Floats
from assay.errors import MissingExtraError, ParameterError, UnknownNameError
from assay.tasks.lexical.index import Index

VARIANTS = {
    "lucene": "lucene",
    "robertson": "robertson",
    "atire": "atire",
    "bm25l": "bm25l",
    "bm25plus": "bm25+",
}
"""The variants by name, and what bm25s calls them."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A form of BM25 as the library bm25s computes it (extra `lexical`), with lengths as they are.

    lucene is the form of Lucene; robertson has the first idf, never below 0; atire has idf = ln(N / df) and the
    factor (k1 + 1); bm25l and bm25plus raise long documents by delta. Of these two a document without a term is
    worth something to others: here its weight is 0 and every other is less by as much, which changes no order.
    Source: Kamphuis et al. 2020; Lù 2024 (bm25s).

    Parameters
    ----------
    name
        lucene, robertson, atire, bm25l or bm25plus.
    k1, b, delta
        How slowly repetition stops to count, how much length counts, and what is added.

    Raises
    ------
    UnknownNameError
        No such variant.
    ParameterError
        k1 or delta below 0, or b outside of 0 to 1.
    MissingExtraError
        bm25s is not installed.

    >>> from assay.core.texts import Documents
    >>> index = Index.build(Documents.of({"a": "gold gold", "b": "gold silver", "c": "silver mine"}))
    >>> Variant("atire").weights(index).round(4).tolist()
    [0.5792, 0.4055, 1.0986, 0.4055, 0.4055]
    """

    name: str
    k1: float = 1.5
    b: float = 0.75
    delta: float = 0.5

    def __post_init__(self) -> None:
        if self.name not in VARIANTS:
            raise UnknownNameError.of("variant of BM25", self.name, VARIANTS)
        if not (0 <= self.k1 < inf and 0 <= self.b <= 1 and 0 <= self.delta < inf):
            found = f"k1 {self.k1:g}, b {self.b:g}, delta {self.delta:g}"
            raise ParameterError(f"{self.name}: expected k1 and delta of at least 0 and b from 0 to 1, found {found}")

    def weights(self, index: Index) -> Floats:
        """Return what each posting of the index is worth, shape (postings,)."""
        ranker = _bm25s().BM25(
            k1=self.k1, b=self.b, delta=self.delta, method=VARIANTS[self.name], dtype="float64", int_dtype="int64",
            auto_compile=False,
        )  # fmt: skip
        texts = [np.repeat(*index.forward.of(place)).tolist() for place in range(len(index))]
        made = ranker.build_index_from_ids(list(range(len(index.terms))), texts, show_progress=False)
        return np.asarray(made["data"])


def _bm25s() -> Any:
    try:
        import bm25s
    except ImportError:
        raise MissingExtraError.of("variants of BM25", "bm25s", "lexical") from None
    return bm25s
