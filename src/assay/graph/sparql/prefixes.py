"""Prefixes of queries: those that endpoints know by themselves, and names written out as IRIs."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from assay.graph.sparql.modifiers import tokenised

_WIKIDATA = "http://www.wikidata.org/"
PREFIXES: Mapping[str, str] = MappingProxyType({
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "http://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "geof": "http://www.opengis.net/def/function/geosparql/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "dbr": "http://dbpedia.org/resource/",
    "dbc": "http://dbpedia.org/resource/Category:",
    "yago": "http://dbpedia.org/class/yago/",
    "wd": f"{_WIKIDATA}entity/",
    "wds": f"{_WIKIDATA}entity/statement/",
    "wdt": f"{_WIKIDATA}prop/direct/",
    "p": f"{_WIKIDATA}prop/",
    "ps": f"{_WIKIDATA}prop/statement/",
    "psv": f"{_WIKIDATA}prop/statement/value/",
    "pq": f"{_WIKIDATA}prop/qualifier/",
    "pqv": f"{_WIKIDATA}prop/qualifier/value/",
    "wikibase": "http://wikiba.se/ontology#",
    "bd": "http://www.bigdata.com/rdf#",
})  # fmt: skip
"""Prefixes that endpoints know without a declaration; a query that declares one of them means its own."""
_ESCAPED = re.compile(r"\\(.)")


def expanded(query: str) -> str:
    """Return a query with its prefixed names written out, and without the declarations of their prefixes.

    A prefix that nothing declares stays as it is.

    >>> expanded("PREFIX x: <http://x/> SELECT ?a { ?a x:p nope:q }")
    ' SELECT ?a { ?a <http://x/p> nope:q }'
    """
    tokens = [token for token in tokenised(query) if token.kind != "comment"]
    spaces = {f"{name}:": space for name, space in PREFIXES.items()}
    written, done, number = [], 0, 0
    while number < len(tokens):
        token = tokens[number]
        ends = tokens[number : number + 3]
        replaced, last = None, token
        if token.word == "PREFIX" and [one.kind for one in ends[1:]] == ["prefixed", "iri"]:
            spaces[ends[1].text] = ends[2].text[1:-1]
            replaced, last, number = "", ends[2], number + 2
        elif token.kind == "prefixed":
            replaced = _written_out(token.text, spaces)
        if replaced is not None:
            written += [query[done : token.start], replaced]
            done = last.start + len(last.text)
        number += 1
    return "".join([*written, query[done:]])


def _written_out(name: str, spaces: Mapping[str, str]) -> str | None:
    """Return the IRI of a prefixed name; None where nothing declares its prefix."""
    prefix, _, local = name.partition(":")
    space = spaces.get(f"{prefix}:")
    return None if space is None else f"<{space}{_ESCAPED.sub(lambda found: found.group(1), local)}>"
