"""Expansion in plain Python: one query, one dictionary at a time, by the definitions."""

import math
import re
from collections import Counter

WORD = re.compile(r"[a-z0-9]{2,20}")


def heaviest(weights, most):
    """Return the heaviest terms, of equal ones those first in the alphabet."""
    return dict(sorted(weights.items(), key=lambda entry: (-entry[1], entry[0]))[:most])


def allowed(texts, common, form=WORD):
    """Return the terms that feedback may add."""
    documents = Counter(term for text in texts.values() for term in set(text.split()))
    return {t for t, n in documents.items() if form.fullmatch(t) and n <= common * len(texts)}


def rm3(texts, query, found, way):
    """Return the query by RM3; `found` is documents with scores, best first."""
    known, model = allowed(texts, way.common), Counter()
    for document, score in found[: way.docs]:
        counts = heaviest({t: n for t, n in Counter(texts[document].split()).items() if t in known}, way.terms)
        for term, count in counts.items():
            model[term] += score * count / sum(counts.values())
    model = heaviest(model, way.terms)
    mixed = {term: way.weight * asked / sum(query.values()) for term, asked in query.items()}
    for term, value in model.items():
        mixed[term] = mixed.get(term, 0.0) + (value and (1 - way.weight) * value / sum(model.values()))
    return {term: value for term, value in mixed.items() if value}


def rocchio(texts, query, found, way):
    """Return the query by Rocchio, the last documents those at the end of `found`."""
    known, mixed = allowed(texts, way.common, re.compile(r".{2,20}")), Counter()
    vectors = [(way.alpha, query), (way.beta, mean(texts, found[: way.docs], known, way.terms))]
    if way.gamma:
        vectors.append((-way.gamma, mean(texts, found[-way.docs :], known, way.terms)))
    for share, vector in vectors:
        length = math.sqrt(sum(value**2 for value in vector.values()))
        for term, value in vector.items():
            mixed[term] += share * value / length
    return {term: value for term, value in mixed.items() if value > 0}


def mean(texts, found, known, terms):
    """Return the heaviest terms of the mean of documents, each of length 1."""
    total = Counter()
    for document, _ in found:
        counts = {term: count for term, count in Counter(texts[document].split()).items() if term in known}
        length = math.sqrt(sum(count**2 for count in counts.values()))
        for term, count in counts.items():
            total[term] += count / length / len(found)
    return heaviest(total, terms)


def prf(texts, query, found, way):
    """Return the query by BM25-PRF, each weight relative to the idf of its term."""
    whole = len(texts)
    everywhere = Counter(term for text in texts.values() for term in set(text.split()))
    first = [set(texts[document].split()) for document, _ in found[: way.docs]]
    held = Counter(term for terms_there in first for term in terms_there)

    def rsj(term):
        n, r, first_count = everywhere[term], held[term], len(first)
        there = (r + 0.5) * (whole - n - first_count + r + 0.5)
        return max(math.log(there / ((n - r + 0.5) * (first_count - r + 0.5))), 1e-6)

    def relative(term):
        return rsj(term) / math.log(1 + (whole - everywhere[term] + 0.5) / (everywhere[term] + 0.5))

    words = [t for t in held if held[t] >= 2 and t not in query and WORD.fullmatch(t) and not t.isdigit()]
    added = heaviest({term: round(rsj(term) * math.log(held[term]), 9) for term in words}, way.terms)
    own = {term: relative(term) if everywhere[term] else asked for term, asked in query.items()}
    return own | {term: way.weight * relative(term) for term in added}
