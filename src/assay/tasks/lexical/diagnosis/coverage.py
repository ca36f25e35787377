"""What queries and their relevant documents share, when texts are read as described and with less and less of that."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.judged import Floats, Ints
from assay.core.lexical_readings import Overlap
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.diagnosis.readings import Shared, Texts, plain, unstemmed
from assay.tasks.lexical.index import Index

Pairs = Mapping[str, Ints]
"""The places in the index of the relevant documents of each query; shapes (documents,)."""


@dataclass(frozen=True, slots=True)
class Covered:
    """The words that one query shares with its relevant documents; None without any of them or of these words."""

    coverage: float | None
    weighted: float | None
    unknown: float | None
    disjoint: int

    @classmethod
    def of(cls, shared: Shared) -> "Covered":
        """Sum up what the terms of a query share with its relevant documents."""
        if not shared.terms:
            return cls(None, None, None, shared.counts.shape[1])
        unknown = float(shared.unknown.mean())
        if not shared.counts.shape[1]:
            return cls(None, None, unknown, 0)
        disjoint = int((shared.counts == 0).all(axis=0).sum())
        return cls(float(shared.coverage.mean()), float(shared.weighted.mean()), unknown, disjoint)


def shared_of(texts: Texts, analyzer: Analyzer, pairs: Pairs) -> dict[str, Shared]:
    """Return what each query shares with its relevant documents, all read by one analyser.

    Words that the analyser of the texts leaves out take no part, in whatever case they stand.
    """
    index = texts.index(analyzer)
    terms = {query: Counter(filter(None, analyzer.terms_for(texts.kept(query)))) for query in pairs}
    return {query: Shared.of(index, terms[query], places) for query, places in pairs.items()}


def overlap_of(name: str, meaning: str, shared: Sequence[Shared], relevant: Sequence[int]) -> Overlap:
    r"""Sum up what all queries share with their relevant documents.

    $$ \mathrm{coverage} = \frac{1}{|Q|} \sum_q \frac{1}{|R_q|} \sum_{d \in R_q} \frac{|q \cap d|}{|q|}, \quad
       \mathrm{weighted} = \frac{1}{|Q|} \sum_q \frac{1}{|R_q|} \sum_{d \in R_q}
       \frac{\sum_{t \in q \cap d} idf(t)}{\sum_{t \in q} idf(t)}, \quad
       \mathrm{ceiling} = \frac{1}{|Q|} \sum_q \frac{|\{d \in R_q : q \cap d \ne \emptyset\}|}{n_q} $$

    q is the set of different terms of the query, those that no document has among them. R_q are the relevant documents
    that are among the documents; a query without any takes no part in coverage. n_q, `relevant`, counts all relevant
    documents: no search for these terms reaches a higher recall than the ceiling, however deep.

    >>> from assay.core.texts import Documents
    >>> texts = Texts(Documents.of({"a": "golden purses", "b": "a purse"}), {"1": "golden purse"}, Analyzer())
    >>> shared = shared_of(texts, Analyzer(), {"1": np.array([0, 1])})
    >>> found = overlap_of("as described", "", list(shared.values()), [2])
    >>> found.coverage, found.disjoint, found.ceiling
    (0.75, 0, 1.0)
    """
    covered = [Covered.of(one) for one in shared]
    return Overlap(
        name,
        meaning,
        _mean([one.coverage for one in covered]),
        _mean([one.weighted for one in covered]),
        _mean([one.unknown for one, found in zip(covered, shared, strict=True) if found.counts.shape[1]]),
        sum(one.disjoint for one in covered),
        sum(one.counts.shape[1] for one in shared),
        _mean([
            (found.counts.shape[1] - one.disjoint) / there
            for one, found, there in zip(covered, shared, relevant, strict=True)
        ]),
    )  # fmt: skip


def exchanged(shared: Mapping[str, Shared], index: Index, pairs: Pairs) -> tuple[Floats, Floats]:
    """Return the coverage of each query by its relevant documents, and that of the next query by the same documents.

    Shapes (queries,): the queries with words and relevant documents, in the order of their ids. Where gold belongs to
    other queries, both are alike.
    """
    names = sorted(query for query, one in shared.items() if one.terms and len(pairs[query]))
    own, other = [], []
    for query, following in zip(names, [*names[1:], *names[:1]], strict=True):
        asked = dict(zip(shared[following].terms, shared[following].weights.tolist(), strict=True))
        own.append(shared[query].coverage.mean())
        other.append(Shared.of(index, asked, pairs[query]).coverage.mean())
    return np.array(own), np.array(other)


def steps(analyzer: Analyzer) -> dict[str, tuple[str, Analyzer]]:
    """Return the analyser with each of its steps left out, and with all of them: name, meaning and analyser.

    >>> list(steps(Analyzer())), list(steps(Analyzer(stemmer=None, possessive=False)))
    (['as described', 'no stems', 'as written'], ['as described', 'as written'])
    """
    found = {"as described": ("after the whole analysis", analyzer)}
    if analyzer.stemmer is not None:
        found["no stems"] = ("without stemming", unstemmed(analyzer))
    if analyzer.lower or analyzer.possessive:
        found["as written"] = ("without stemming, in the case and form in which they stand", plain(analyzer))
    return found


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
