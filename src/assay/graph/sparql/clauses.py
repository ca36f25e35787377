"""Parts of SPARQL made of names: nothing in a name can end the part that it stands in."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from assay.core.terms import Term

AT_ONCE = 500
"""Rows of one VALUES clause: servers take queries of some ten thousand characters."""
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")


def is_iri(text: str) -> bool:
    """Tell whether a text can be an IRI: a scheme, and no character that IRIs may not have.

    >>> is_iri("http://x/a"), is_iri("http://x/a b"), is_iri("Anna")
    (True, False, False)
    """
    return _IRI.fullmatch(text) is not None


def values(names: Sequence[str], rows: Iterable[Sequence[Term]]) -> str:
    """Return a VALUES clause for rows of terms; the names of variables are without question mark.

    >>> values(["s"], [[Term("iri", "http://x/a")]])
    'VALUES (?s) { (<http://x/a>) }'
    """
    heads = " ".join(f"?{name}" for name in names)
    lines = " ".join(f"({' '.join(term.n3 for term in row)})" for row in rows)
    return f"VALUES ({heads}) {{ {lines} }}"


def pieces(rows: Iterable[tuple[Term, ...]], size: int = AT_ONCE) -> Iterator[tuple[tuple[Term, ...], ...]]:
    """Yield the rows that a VALUES clause can hold: no blank node, no IRI that is none; so many at once."""
    fit = (row for row in rows if all(map(_askable, row)))
    while piece := tuple(islice(fit, size)):
        yield piece


def unlike(variable: str, terms: Sequence[Term]) -> str:
    """Return a FILTER that keeps what is none of these terms; nothing if there are none."""
    tests = " && ".join(f"!sameTerm(?{variable}, {term.n3})" for term in terms)
    return f"FILTER({tests})" if tests else ""


def _askable(term: Term) -> bool:
    return is_iri(term.value) if term.kind == "iri" else term.kind == "literal"
