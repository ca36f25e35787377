"""How a run seems to have read texts: which analyser explains it best, and whether case parts queries and documents."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.judged import Floats
from assay.core.lexical_readings import Analysis, Reading
from assay.core.policy import Policy
from assay.statistics.interval import difference_interval
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.diagnosis.firsts import firsts
from assay.tasks.lexical.diagnosis.readings import Texts
from assay.tasks.lexical.models import Model
from assay.tasks.lexical.search import Searcher

EXPLAINED = 0.5
"""The share of the first places from which on a reading explains a run; another model than BM25 shares less."""
QUERIES = 300
"""So many queries are asked at most, evenly drawn from all in the order of their ids."""
TELLING = 0.02
"""What another reading must gain at least to be called a mismatch."""
APART = 0.5
"""How far the shares of upper-case letters lie apart where one side is in upper case and the other is not."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to read texts: an analyser for the documents and one for the queries."""

    name: str
    documents: Analyzer
    queries: Analyzer


def ways(analyzer: Analyzer) -> Iterator[Way]:
    """Yield the described way to read texts, and each that differs from it in one step, on both sides or on one.

    >>> [way.name for way in ways(Analyzer())][:3]
    ['as described', 'no stems', 'stems in documents only']
    """
    yield Way("as described", analyzer, analyzer)
    stemmed, bare = replace(analyzer, stemmer=analyzer.stemmer or "lucene"), replace(analyzer, stemmer=None)
    yield Way("stems", stemmed, stemmed) if analyzer.stemmer is None else Way("no stems", bare, bare)
    yield Way("stems in documents only", stemmed, bare)
    yield Way("stems in queries only", bare, stemmed)
    if analyzer.stop_words:
        other = replace(analyzer, stop=not analyzer.stop)
        yield Way("stop words kept" if analyzer.stop else "no stop words", other, other)
    folded, cased = replace(analyzer, lower=True), replace(analyzer, lower=False)
    yield Way("case kept", cased, cased) if analyzer.lower else Way("lower case", folded, folded)
    yield Way("lower case in documents only", folded, cased)
    yield Way("lower case in queries only", cased, folded)


def explain_run(
    texts: Texts, tops: Mapping[str, list[str]], model: Model, cutoff: int,
    *, policy: Policy | None = None, level: float = 0.95, seed: int = 0,
) -> Analysis:  # fmt: skip
    r"""Say which way to read texts explains a run best, by searches that read them so.

    $$ \mathrm{overlap} = \frac{1}{|Q|} \sum_q \frac{|run_k(q) \cap BM25_k(q)|}{\min(k, |run(q)|)} $$

    Parameters
    ----------
    texts
        Documents and queries.
    tops
        The first items of the run for each query, at most `cutoff`; a query without any cannot tell. Of more than
        300 queries every second, third … is asked.
    model
        What ranks documents in the searches; the run may come from another, and then shares less with all of them.
    cutoff
        How many first places are held against each other.
    policy
        How equal scores are ranked, as in the run.
    level, seed
        Of the interval of what the best way gains over the described one.

    >>> from assay.core.texts import Documents
    >>> from assay.tasks.lexical.models import BM25
    >>> documents = Documents.of({"a": "gold purse", "b": "golden purses", "c": "silk"})
    >>> texts = Texts(documents, {str(n): "golden purses" for n in range(9)}, Analyzer())
    >>> found = explain_run(texts, {str(n): ["b"] for n in range(9)}, BM25(), 1)
    >>> found.described, found.explained, found.mismatch
    ('as described', True, False)
    """
    telling = sorted(query for query, items in tops.items() if items and query in texts.queries)
    asked = {query: tops[query] for query in telling[:: -(-len(telling) // QUERIES) or 1]}
    ranked = policy or Policy()
    found = {way: _overlaps(texts, way, asked, (model, cutoff, ranked)) for way in ways(texts.analyzer)}
    first = next(iter(found))
    best = max(found, key=lambda way: found[way].mean()) if asked else first
    if asked and found[best].mean() <= found[first].mean():
        best = first
    readings = [Reading(way.name, settings(way.documents), settings(way.queries), _mean(values), len(values))
                for way, values in found.items()]  # fmt: skip
    readings.sort(key=lambda one: (-(one.overlap or 0), one.name != best.name))
    explained = bool(asked) and float(found[best].mean()) >= EXPLAINED
    if best == first:
        return Analysis(tuple(readings), first.name, explained, mismatch=False, gain=None, low=None, high=None)
    gained = difference_interval(found[first], found[best], level=level, seed=seed, bounds=(-1.0, 1.0))
    gain = float((found[best] - found[first]).mean())
    surely = gained.low is not None and gained.low > 0 and gain >= TELLING
    return Analysis(
        tuple(readings), first.name, explained, explained and surely, gain=gain, low=gained.low, high=gained.high
    )  # fmt: skip


def settings(analyzer: Analyzer) -> dict[str, str | bool | None]:
    """Return the steps of an analyser as plain data."""
    return {
        "stemmer": analyzer.stemmer, "stop": analyzer.stop, "lower": analyzer.lower, "possessive": analyzer.possessive
    }  # fmt: skip


def upper_share(texts: pl.Series) -> float | None:
    """Return the share of letters that are in upper case, of those that have a case; None without any.

    >>> upper_share(pl.Series(["Gold", "SILK 2"]))
    0.625
    """
    upper, lower = (int(texts.str.count_matches(kind).sum() or 0) for kind in (r"\p{Lu}", r"\p{Ll}"))
    return upper / (upper + lower) if upper + lower else None


def apart(queries: float | None, documents: float | None) -> bool:
    """Tell whether case parts queries from documents: one side is in upper case and the other is not.

    >>> apart(1.0, 0.02), apart(0.1, 0.05)
    (True, False)
    """
    return queries is not None and documents is not None and abs(queries - documents) >= APART


def _overlaps(
    texts: Texts, way: Way, asked: Mapping[str, list[str]], search: tuple[Model, int, Policy]
) -> Floats:  # fmt: skip
    """Return the part of the first items that a search finds as well, shape (queries,)."""
    model, cutoff, policy = search
    weighted = {query: Counter(way.queries.terms(texts.queries[query])) for query in asked}
    rows = firsts(Searcher(texts.index(way.documents), model), weighted, cutoff, policy)
    there = set(rows.select("query", "item").rows())
    return np.array([sum((query, item) in there for item in items) / len(items) for query, items in asked.items()])


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
