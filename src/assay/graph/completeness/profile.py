"""Which classes a graph has, and which of their entities have which property: a handful of queries, whatever its size.

Subclasses are those that the graph itself states with rdfs:subClassOf, followed to the end. Nothing else is inferred:
a property's domain or range would make types that nobody stated.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assay.core.completeness import Profile, Use
from assay.core.terms import Term, iri
from assay.graph.completeness.no_value import Marks, marked, void_terms
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import AT_ONCE, unlike, values

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SHACL = "http://www.w3.org/ns/shacl#"
LANGUAGE = (RDF, RDFS, OWL, SHACL)
"""Namespaces whose classes say how data is described; their members are no entities."""
_SUBCLASSES = f"SELECT DISTINCT ?sub ?super {{ ?sub <{RDFS}subClassOf> ?super }}"
_ENTITIES = "SELECT ?c (COUNT(DISTINCT ?s) AS ?n) {{ {given} ?s a ?{kind} }} GROUP BY ?c"
_USES = "SELECT ?c ?p (COUNT(DISTINCT ?s) AS ?n) {{ {given} ?s a ?{kind} ; ?p ?o . {test} }} GROUP BY ?c ?p"

Pair = tuple[str, str]


def profile(
    graph: Graph,
    *,
    subclasses: bool = True,
    empty: bool = False,
    no_value: Sequence[str] = (),
    marks: Marks = (),
    beside: Sequence[Graph] = (),
) -> Profile:
    """Count, for each class and property in use, the entities that have a value.

    Parameters
    ----------
    graph
        What to ask; an endpoint gets the same queries as a store.
    subclasses
        Count the entities of subclasses with those of a class.
    empty
        Whether an empty string is a value.
    no_value
        Values that say "there is none", as IRIs or texts ("n/a"): no values, and their entities leave the denominator.
    marks
        Pairs of an entity and a property of which the same is known otherwise. What OWL says of an entity (it is
        in the complement of those with a value, or may have 0 at most) is found without being named.
    beside
        Graphs that state further subclasses, such as an ontology in a file of its own.

    Raises
    ------
    QueryError
        The graph did not answer.

    >>> from assay.graph.sparql.store import Store
    >>> found = profile(Store.of("@prefix : <http://x/> . :a a :Town ; :name 'A' . :b a :Town ; :name '' ."))
    >>> found.entities["http://x/Town"], found.use("http://x/Town", "http://x/name").have
    (2, 1)
    """
    voids = void_terms(graph, ([] if empty else [""]) + list(no_value))
    direct = _entities(graph, _ENTITIES.format(given="", kind="c"))
    above = _above([graph, *beside], direct) if subclasses else {}
    parts = _parts(direct, above)
    use = _counts(graph, _USES.format(given="", kind="c", test=unlike("o", voids)))
    entities, have = dict(direct), dict(use)
    for given in _closures(parts):
        entities |= _entities(graph, _ENTITIES.format(given=given, kind="d"))
        have |= _counts(graph, _USES.format(given=given, kind="d", test=unlike("o", voids)))
    none, contradicting = marked(graph, voids, no_value, marks)
    uses = _uses(have, use, _by_class(none, above), _by_class(none, {}))
    left_out = tuple(sorted(name for name in direct if name.startswith(LANGUAGE)))
    kept = {name: n for name, n in entities.items() if not name.startswith(LANGUAGE)}
    uses = {pair: one for pair, one in uses.items() if pair[0] in kept}
    return Profile(
        {name: direct.get(name, 0) for name in kept},
        kept,
        parts,
        uses,
        frozenset(none),
        tuple(voids),
        contradicting,
        left_out,
    )


def _entities(graph: Graph, query: str) -> dict[str, int]:
    rows = graph.select(query).rows
    return {row[0].value: _whole(row[1]) for row in rows if row[0] is not None and row[0].kind == "iri"}


def _counts(graph: Graph, query: str) -> dict[Pair, int]:
    found: dict[Pair, int] = {}
    for kind, name, count in graph.select(query).rows:
        if kind is not None and name is not None and kind.kind == "iri" and name.value != f"{RDF}type":
            found[kind.value, name.value] = _whole(count)
    return found


def _whole(term: Term | None) -> int:
    return 0 if term is None else int(float(term.value))


def _above(graphs: Iterable[Graph], used: Mapping[str, int]) -> dict[str, set[str]]:
    """Return, for each class with entities, the classes above it, itself aside; circles of classes do no harm."""
    stated: dict[str, set[str]] = defaultdict(set)
    for lower, upper in (row for graph in graphs for row in graph.select(_SUBCLASSES).rows):
        if lower is not None and upper is not None and lower.kind == upper.kind == "iri":
            stated[lower.value].add(upper.value)
    found: dict[str, set[str]] = {}
    for name in used:
        seen, next_ones = {name}, list(stated.get(name, ()))
        while next_ones:
            if (one := next_ones.pop()) not in seen:
                seen.add(one)
                next_ones += stated.get(one, ())
        found[name] = {one for one in seen - {name} if not one.startswith(LANGUAGE)}
    return found


def _parts(direct: Mapping[str, int], above: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return, for each class with used classes below it, these classes, and itself where it is used."""
    below: dict[str, set[str]] = defaultdict(set)
    for name, uppers in above.items():
        for upper in uppers:
            below[upper].add(name)
    return {name: tuple(sorted(found | ({name} & direct.keys()))) for name, found in sorted(below.items())}


def _closures(parts: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield VALUES clauses that name for each used class (?d) a class above it (?c); no ?c is in two of them."""
    rows: list[tuple[Term, Term]] = []
    for name, below in parts.items():
        if rows and len(rows) + len(below) > AT_ONCE:
            yield values(["d", "c"], rows)
            rows = []
        rows += [(iri(one), iri(name)) for one in below]
    if rows:
        yield values(["d", "c"], rows)


def _by_class(none: Iterable[tuple[str, str, str]], above: Mapping[str, Iterable[str]]) -> Counter[Pair]:
    """Count the entities that are known to have no value, by class and property."""
    found = {
        (entity, kind, name) for entity, name, stated in none for kind in (stated, *above.get(stated, ()))
    }  # an entity may be stated to be of a class and of one above it
    return Counter((kind, name) for _, kind, name in found)


def _uses(
    have: Mapping[Pair, int], direct: Mapping[Pair, int], none: Mapping[Pair, int], direct_none: Mapping[Pair, int]
) -> dict[Pair, Use]:
    pairs = sorted(have.keys() | none.keys())
    return {
        pair: Use(have.get(pair, 0), direct.get(pair, 0), none.get(pair, 0), direct_none.get(pair, 0)) for pair in pairs
    }
