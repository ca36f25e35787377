"""Which properties a class should have: by shapes (SHACL), by axioms (OWL), or by what most of its entities have."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.core.completeness import Profile
from assay.graph.sparql.asking import Graph

SHACL = "http://www.w3.org/ns/shacl#"
PREFIXES = f"""PREFIX sh: <{SHACL}> PREFIX owl: <http://www.w3.org/2002/07/owl#>
    PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>"""
_SHAPES = f"""{PREFIXES} SELECT ?c ?p ?n ?prop {{
    ?prop sh:minCount ?n ; sh:path ?p FILTER(?n > 0)
    FILTER NOT EXISTS {{ ?prop sh:deactivated true }}
    OPTIONAL {{
        ?shape sh:property ?prop
        FILTER NOT EXISTS {{ ?shape sh:deactivated true }}
        {{ ?shape sh:targetClass ?c }}
        UNION {{ VALUES ?kind {{ rdfs:Class owl:Class }} ?shape a ?kind BIND(?shape AS ?c) }}
    }}
}}"""
_AXIOMS = f"""{PREFIXES} SELECT ?c ?p ?n {{
    ?c (rdfs:subClassOf|owl:equivalentClass)/((owl:intersectionOf/rdf:rest*/rdf:first)?) ?r . ?r owl:onProperty ?p .
    {{ ?r (owl:minCardinality|owl:cardinality|owl:minQualifiedCardinality|owl:qualifiedCardinality) ?n FILTER(?n > 0) }}
    UNION {{ ?r (owl:someValuesFrom|owl:hasValue) ?any BIND(1 AS ?n) }}
}}"""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Expected:
    """What says that a class should have a property (shapes, axioms, usage, all), and how many values at least."""

    why: str
    least: int = 1


def required(shapes: Graph) -> tuple[dict[Pair, int], int]:
    """Return class and property of each shape that asks for values, with how many; and how many shapes were left out.

    Read are property shapes with sh:minCount on a plain property, of a shape with sh:targetClass or that is a class
    itself. Those with a longer path or another target are left out and counted.

    >>> from assay.graph.sparql.store import Store
    >>> shapes = "[] sh:targetClass :Person ; sh:property [ sh:path :born ; sh:minCount 1 ] ."
    >>> prefixes = "@prefix : <http://x/> . @prefix sh: <http://www.w3.org/ns/shacl#> . "
    >>> required(Store.of(prefixes + shapes))
    ({('http://x/Person', 'http://x/born'): 1}, 0)
    """
    found: dict[Pair, int] = {}
    left_out: set[object] = set()
    for kind, name, least, shape in shapes.select(_SHAPES).rows:
        if kind is None or name is None or kind.kind != "iri" or name.kind != "iri":
            left_out.add(shape)
        else:
            _raise(found, (kind.value, name.value), least)
    return dict(sorted(found.items())), len(left_out)


def restricted(ontology: Graph) -> dict[Pair, int]:
    """Return class and property of each OWL restriction that asks for values, with how many.

    Read are (qualified) minimum and exact cardinality, someValuesFrom and hasValue, as superclass or equivalent class,
    also within an intersection. Under the open world of OWL these are no faults but what should exist: gaps to fill.
    """
    found: dict[Pair, int] = {}
    for kind, name, least in ontology.select(_AXIOMS).rows:
        if kind is not None and name is not None and kind.kind == name.kind == "iri":
            _raise(found, (kind.value, name.value), least)
    return dict(sorted(found.items()))


def by_usage(found: Profile, threshold: float) -> dict[Pair, Expected]:
    """Return the pairs that so large a share of the class has; at 0 all pairs in use.

    A property that no entity has is never expected so: usage does not know what everything lacks. Nor is one of a class
    that only its subclasses have entities of: what most of them have, another subclass may rightly lack.
    """
    why = "usage" if threshold > 0 else "all"
    return {
        (kind, name): Expected(why)
        for (kind, name), use in found.uses.items()
        if use.have >= max(1, threshold * (found.entities[kind] - use.no_value))
        if found.direct[kind] or not threshold
    }


def stated(shapes: Mapping[Pair, int], axioms: Mapping[Pair, int]) -> dict[Pair, Expected]:
    """Return what shapes and axioms ask for together; where both speak of a pair, the higher number of values."""
    found = {pair: Expected("axioms", least) for pair, least in axioms.items()}
    for pair, least in shapes.items():
        if pair not in found or least >= found[pair].least:
            found[pair] = Expected("shapes", least)
    return dict(sorted(found.items()))


def highest(first: Mapping[Pair, int], second: Mapping[Pair, int]) -> dict[Pair, int]:
    """Return the pairs of both, each with the higher number of values."""
    return {pair: max(first.get(pair, 0), second.get(pair, 0)) for pair in first.keys() | second.keys()}


def _raise(found: dict[Pair, int], pair: Pair, least: object) -> None:
    number = int(float(getattr(least, "value", 1)))
    found[pair] = max(found.get(pair, 0), number)
