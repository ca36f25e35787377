"""IRIs fit for a table: by a prefix that everybody knows, else by their end, no two alike."""

from collections import Counter
from collections.abc import Iterable

from assay.report.names import visible

PREFIXES = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs",
    "http://www.w3.org/2002/07/owl#": "owl",
    "http://www.w3.org/2001/XMLSchema#": "xsd",
    "http://www.w3.org/2004/02/skos/core#": "skos",
    "http://www.w3.org/ns/shacl#": "sh",
    "http://www.w3.org/ns/prov#": "prov",
    "http://www.w3.org/ns/dcat#": "dcat",
    "http://www.w3.org/2003/01/geo/wgs84_pos#": "geo",
    "http://purl.org/dc/terms/": "dct",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://xmlns.com/foaf/0.1/": "foaf",
    "http://rdfs.org/ns/void#": "void",
    "http://schema.org/": "schema",
    "https://schema.org/": "schema",
    "http://dbpedia.org/ontology/": "dbo",
    "http://dbpedia.org/property/": "dbp",
    "http://dbpedia.org/resource/": "dbr",
    "http://www.wikidata.org/entity/": "wd",
    "http://www.wikidata.org/prop/direct/": "wdt",
}
"""Namespaces whose prefix is the same wherever people write it."""


def shorten(iris: Iterable[str]) -> dict[str, str]:
    """Return a short name for each IRI; as much of its end as tells it from all others.

    >>> names = shorten(["http://x/people/Anna", "http://x/places/Anna", "http://www.w3.org/2002/07/owl#Class"])
    >>> sorted(names.values())
    ['owl:Class', 'people/Anna', 'places/Anna']
    """
    choices = {iri: _choices(iri) for iri in dict.fromkeys(iris)}
    places = dict.fromkeys(choices, 0)
    while True:
        names = {iri: found[places[iri]] for iri, found in choices.items()}
        often = Counter(names.values())
        clashing = [iri for iri, name in names.items() if often[name] > 1 and places[iri] + 1 < len(choices[iri])]
        if not clashing:
            return names
        for iri in clashing:
            places[iri] += 1


def _choices(iri: str) -> list[str]:
    """Return names for an IRI, ever longer, the whole of it last."""
    shown = visible(iri)
    ends = [place + 1 for place, char in enumerate(shown[:-1]) if char in "/#:"]
    known = next((f"{name}:{shown[len(space) :]}" for space, name in PREFIXES.items() if _within(shown, space)), None)
    return [*([known] if known else []), *(shown[end:] for end in reversed(ends)), shown]


def _within(iri: str, space: str) -> bool:
    rest = iri.removeprefix(space)
    return rest != iri and bool(rest) and not set(rest) & set("/#")
