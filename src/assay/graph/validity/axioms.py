"""RDFS and OWL axioms, read from a graph or an ontology and turned into rules.

A property with several rdfs:domain wants all of them; with schema:domainIncludes one of them is enough. Classes are
closed over rdfs:subClassOf (and named equivalent classes) alone: never over domain and range, for that would give
each thing the very type that the rule is to check.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from assay.core.answers import Row
from assay.core.terms import XSD
from assay.errors import InputError
from assay.graph.sparql.asking import Graph
from assay.graph.validity.datatypes import of_datatype
from assay.graph.validity.rules import (
    OWL,
    PREFIXES,
    RDFS,
    SAY_NOTHING,
    Rule,
    counted,
    directed,
    disjoint,
    disjoint_properties,
    domain,
    functional,
    inverse_functional,
    ranged,
    typed,
)

SCHEMA = tuple(f"{scheme}://schema.org/" for scheme in ("http", "https"))
CHARACTERS = {
    OWL + "FunctionalProperty": "functional",
    OWL + "InverseFunctionalProperty": "inverse functional",
    OWL + "AsymmetricProperty": "asymmetric",
    OWL + "SymmetricProperty": "symmetric",
    OWL + "IrreflexiveProperty": "irreflexive",
}
CARDINALITIES = {
    OWL + "maxCardinality": ("max",), OWL + "minCardinality": ("min",), OWL + "cardinality": ("min", "max"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Classes:
    """Which classes lie below which, and which of them the graph uses.

    >>> Classes({"Town": {"City"}, "City": {"Place"}}, {"Town": 3}).below(["Place"])
    ('Place', 'Town')
    """

    above: dict[str, set[str]]
    used: dict[str, int]

    def below(self, tops: Iterable[str]) -> tuple[str, ...]:
        """Return these classes, and those below them that the graph uses, sorted."""
        wanted = set(tops)
        children = defaultdict(set)
        for child, parents in self.above.items():
            for parent in parents:
                children[parent].add(child)
        seen, front = set(wanted), list(wanted)
        while front:
            for child in children[front.pop()] - seen:
                seen.add(child)
                front.append(child)
        return tuple(sorted(wanted | {one for one in seen if one in self.used}))


def read_classes(graph: Graph, *schemas: Graph) -> Classes:
    """Return the classes that a graph uses, and which lie below which by it and by these schemas."""
    above: dict[str, set[str]] = defaultdict(set)
    for each in (graph, *schemas):
        for child, parent, equal in _rows(
            each,
            "SELECT DISTINCT ?c ?d ?e WHERE { VALUES (?k ?e) { (rdfs:subClassOf 0) (owl:equivalentClass 1) } "
            "?c ?k ?d . FILTER(isIRI(?c) && isIRI(?d)) }",
        ):
            above[child].add(parent)
            if equal == "1":
                above[parent].add(child)
    used = {name: int(n) for name, n in _rows(graph, "SELECT ?c (COUNT(*) AS ?n) WHERE { ?s a ?c } GROUP BY ?c")}
    return Classes(dict(above), used)


def axiom_rules(schema: Graph, classes: Classes) -> tuple[Rule, ...]:
    """Return the rules that the axioms of a schema make, in a stable order."""
    made = [
        *_typing(schema, classes),
        *_characters(schema),
        *_disjoint(schema, classes),
        *_restrictions(schema, classes),
    ]
    return tuple(dict.fromkeys(made))


def _typing(schema: Graph, classes: Classes) -> Iterator[Rule]:
    for about, expected in _wanted(schema, "domain"):
        if not set(expected) & set(SAY_NOTHING):
            yield domain(about, expected, classes.below(expected))
    for about, expected in _wanted(schema, "range"):
        yield from range_rules(about, expected, classes)


def range_rules(about: str, expected: tuple[str, ...], classes: Classes, within: str = "") -> Iterator[Rule]:
    """Return the rule of a range: a datatype, or classes; of a mixture and of what says nothing there is none."""
    datatypes = [one for one in expected if one.startswith(XSD) or one in {RDFS + "Literal", _LANGUAGE_STRING}]
    if len(datatypes) == len(expected) == 1:
        yield of_datatype(about, expected[0], within=within)
    elif not datatypes and not set(expected) & set(SAY_NOTHING) and not any(map(_schema_value, expected)):
        yield ranged(about, expected, classes.below(expected), within=within)


_LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_SCHEMA_VALUES = {"Text", "URL", "Number", "Integer", "Float", "Boolean", "Date", "DateTime", "Time", "DataType"}


def _schema_value(name: str) -> bool:
    """Return whether this is a value, not a thing, of schema.org."""
    return name.startswith(SCHEMA) and name.rpartition("/")[2] in _SCHEMA_VALUES


def _wanted(schema: Graph, what: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return properties with the classes of which one is wanted: each axiom by itself, includes and unions together."""
    simple = f"SELECT DISTINCT ?p ?c WHERE {{ ?p rdfs:{what} ?c . FILTER(isIRI(?p) && isIRI(?c)) }}"
    yield from sorted((about, (one,)) for about, one in _rows(schema, simple))
    includes = ", ".join(f"<{prefix}{what}Includes>" for prefix in SCHEMA)
    loose = f"SELECT DISTINCT ?p (?k AS ?d) ?c WHERE {{ ?p ?k ?c . FILTER(?k IN ({includes}) && isIRI(?c)) }}"
    yield from _together(_rows(schema, loose))
    union = f"?p rdfs:{what} ?d . ?d owl:unionOf/rdf:rest*/rdf:first ?c . FILTER(isIRI(?p))"
    yield from _together(_rows(schema, f"SELECT DISTINCT ?p ?d ?c WHERE {{ {union} }}", blanks=True))


def _together(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for about, axiom, one in rows:
        groups[about, axiom].add(one)
    for about, wanted in sorted((about, tuple(sorted(wanted))) for (about, _), wanted in groups.items()):
        if not any(one.startswith("_:") for one in wanted):
            yield about, wanted


def _characters(schema: Graph) -> Iterator[Rule]:
    kinds = ", ".join(f"<{one}>" for one in CHARACTERS)
    rows = _rows(schema, f"SELECT DISTINCT ?p ?k WHERE {{ ?p a ?k . FILTER(isIRI(?p) && ?k IN ({kinds})) }}")
    for about, character in sorted(rows):
        kind = CHARACTERS[character]
        if kind == "functional":
            yield functional(about)
        elif kind == "inverse functional":
            yield inverse_functional(about)
        else:
            yield directed(kind, about)


def _disjoint(schema: Graph, classes: Classes) -> Iterator[Rule]:
    members = "?d {} ?list . ?list rdf:rest*/rdf:first ?a . ?list rdf:rest*/rdf:first ?b . FILTER(STR(?a) < STR(?b))"
    ways = ("?a owl:disjointWith ?b .", members.format("owl:members"), members.format("owl:disjointUnionOf"))
    ways = (ways[0], f"?d a owl:AllDisjointClasses . {ways[1]}", ways[2])
    pairs = {
        (min(pair), max(pair))
        for way in ways
        for pair in _rows(schema, f"SELECT DISTINCT ?a ?b WHERE {{ {way} FILTER(isIRI(?a) && isIRI(?b)) }}")
    }
    for first, second in sorted(pairs):
        yield disjoint(first, second, classes.below([first]), classes.below([second]))
    apart = "SELECT DISTINCT ?a ?b WHERE { ?a owl:propertyDisjointWith ?b . FILTER(isIRI(?a) && isIRI(?b)) }"
    for first, second in sorted(_rows(schema, apart)):
        yield disjoint_properties(first, second)


def _restrictions(schema: Graph, classes: Classes) -> Iterator[Rule]:
    kinds = ", ".join(f"<{one}>" for one in (*CARDINALITIES, OWL + "allValuesFrom"))
    rows = _rows(
        schema,
        "SELECT DISTINCT ?c ?p ?k ?n WHERE { ?c rdfs:subClassOf|owl:equivalentClass ?r . ?r owl:onProperty ?p ; "
        f"?k ?n . FILTER(isIRI(?c) && isIRI(?p) && !isBlank(?n) && ?k IN ({kinds})) }}",
    )
    for name, about, kind, value in sorted(rows):
        within = f"FILTER({typed('?s', classes.below([name]))})"
        if kind not in CARDINALITIES:
            made = range_rules(about, (value,), classes, within)
        elif not value.strip().isdecimal():
            raise InputError(f"axioms: cardinality of {about}: expected a whole number, found {value!r}")
        else:
            made = _cardinality(about, name, int(value), CARDINALITIES[kind], classes)
        yield from (replace(rule, among=(name,)) for rule in made)


def _cardinality(about: str, name: str, number: int, ends: tuple[str, ...], classes: Classes) -> Iterator[Rule]:
    below = classes.below([name])
    if "max" in ends:
        yield counted("max count", about, number, within=f"FILTER({typed('?s', below)})")
    if "min" in ends and number:
        yield counted("min count", about, 0, within=instances(below), least=number)


def instances(classes: Iterable[str]) -> str:
    """Return the pattern of all things of these classes, each once."""
    names = ", ".join(f"<{one}>" for one in classes)
    return f"{{ SELECT DISTINCT ?s WHERE {{ ?s a ?c . FILTER(?c IN ({names})) }} }}"


def _rows(graph: Graph, query: str, *, blanks: bool = False) -> list[tuple[str, ...]]:
    """Return rows as text; a row with a blank node only where asked for, marked `_:`."""
    found = graph.select(PREFIXES + query).rows
    rows = [_texts(row) for row in found]
    return [row for row in rows if blanks or not any(one.startswith("_:") for one in row)]


def _texts(row: Row) -> tuple[str, ...]:
    return tuple("" if one is None else f"_:{one.value}" if one.kind == "blank" else one.value for one in row)
