"""Postings: texts gathered piece by piece into one list of documents for each term."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.judged import Ints
from assay.core.progress import Progress
from assay.tasks.lexical.analysis import Analyzer

Numbers = NDArray[np.int32]
"""Numbers of documents or terms, and counts: half as wide as other numbers, as there are many."""
PIECE = 1 << 25
"""So many bytes of text are looked at together."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The terms in the order of their UTF-8 bytes, and which documents hold each, as `Index` has them."""

    terms: pl.Series
    starts: Ints
    places: Numbers
    counts: Numbers
    lengths: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """What one piece of the texts holds: terms (ascending), documents (ascending within a term) and counts."""

    terms: Numbers
    places: Numbers
    counts: Numbers


def gather(texts: pl.Series, analyzer: Analyzer, progress: Progress | None = None) -> Postings:
    """Return the postings of all texts; `progress` is told how many are done, of how many."""
    number: dict[str, int] = {}
    lengths = np.zeros(len(texts), np.int64)
    parts = []
    for start, end in _pieces(texts):
        coded = analyzer.coded(texts[start:end])
        known = np.array([number.setdefault(term, len(number)) for term in coded.terms], np.int64)
        lengths[start:end] = np.bincount(coded.rows, minlength=end - start)
        if len(known):
            parts.append(_counted(known[coded.codes], coded.rows + start))
        if progress is not None:
            progress(end, len(texts))
    return _together(list(number), parts, lengths)


def _pieces(texts: pl.Series) -> Iterator[tuple[int, int]]:
    """Yield from where to where each piece goes."""
    sizes = texts.str.len_bytes().fill_null(0).cum_sum().to_numpy()
    start = 0
    while start < len(texts):
        before = sizes[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(sizes, before + PIECE, side="right")))
        yield start, end
        start = end


def _counted(terms: Ints, places: Ints) -> _Part:
    """Count how often each term is in each document."""
    pairs = np.sort(terms << 32 | places)
    (first,) = np.nonzero(np.diff(pairs, prepend=-1))
    counts = np.diff(first, append=len(pairs))
    pairs = pairs[first]
    return _Part((pairs >> 32).astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32), counts.astype(np.int32))


def _together(terms: list[str], parts: list[_Part], lengths: Ints) -> Postings:
    """Bring the parts together, term by term; each part is let go of when it is done."""
    named = pl.Series("term", terms, pl.String)
    order = named.arg_sort().to_numpy()
    rank = np.empty(len(terms), np.int64)
    rank[order] = np.arange(len(terms))
    frequency = np.zeros(len(terms), np.int64)
    for part in parts:
        frequency += np.bincount(part.terms, minlength=len(terms))
    starts = np.concatenate([[0], np.cumsum(frequency[order])]).astype(np.int64)
    free = starts[:-1][rank]
    places, counts = (np.empty(int(starts[-1]), np.int32) for _ in range(2))
    while parts:
        part = parts.pop(0)
        held = np.bincount(part.terms, minlength=len(terms))
        within = np.arange(len(part.terms)) - np.repeat(np.cumsum(held) - held, held)
        at = free[part.terms] + within
        places[at], counts[at] = part.places, part.counts
        free += held
    return Postings(named.gather(order), starts, places, counts, lengths)
