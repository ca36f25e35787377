"""Rules that need no axiom: what is hardly ever meant, in whatever graph."""

from collections import Counter
from collections.abc import Iterable, Iterator

from assay.core.terms import Term
from assay.graph.sparql.asking import Graph
from assay.graph.validity.datatypes import lexical
from assay.graph.validity.rules import OWL, PREFIXES, RDF, RDFS, Rule

SAME_AS = OWL + "sameAs"
SCHEMA_LANGUAGES = (RDF, RDFS, OWL, "http://www.w3.org/ns/shacl#")
"""Links by these vocabularies speak about the schema, not about things."""
OWN = 0.01
"""A namespace is the graph's own where at least this share of the things that it describes stand in it."""


def own_namespaces(graph: Graph) -> tuple[str, ...]:
    """Return the namespaces that the graph's own things stand in; where each has its own, the hosts.

    A thing is a subject with a type, or with anything where nothing has a type. Its namespace is what stands before
    the last / or # (or : without an http in front).
    """
    things = "?s a ?t . FILTER(isIRI(?s))"
    spaces = _spaces(graph, things, _NAMESPACE)
    if not spaces:
        things = "?s ?p ?o . FILTER(isIRI(?s))"
        spaces = _spaces(graph, things, _NAMESPACE)
    total = sum(spaces.values())
    large = [name for name, n in spaces.items() if name and n >= OWN * total]
    if sum(spaces[name] for name in large) * 2 < total:
        spaces = _spaces(graph, things, 'REPLACE(STR(?s), "^([^:/]+:/*[^/#:]*[/#:]).*$", "$1")')
        large = [name for name, n in spaces.items() if name and n >= OWN * total]
    return tuple(sorted(large))


_NAMESPACE = 'REPLACE(STR(?s), IF(STRSTARTS(STR(?s), "http"), "[^/#]*$", "[^/#:]*$"), "")'


def _spaces(graph: Graph, things: str, expression: str) -> Counter[str]:
    inner = f"SELECT DISTINCT ?s WHERE {{ {things} }}"
    query = f"SELECT ?space (COUNT(*) AS ?n) WHERE {{ {{ {inner} }} BIND({expression} AS ?space) }} GROUP BY ?space"
    found = Counter[str]()
    for space, n in graph.select(query).rows:
        if space is not None and n is not None:
            found[space.value] = int(n.value)
    return found


def default_rules(graph: Graph, used: Iterable[str], namespaces: Iterable[str]) -> Iterator[Rule]:
    """Return the rules that every graph is held against; `used` are its predicates."""
    spaces = tuple(namespaces)
    links = f"?s ?p ?o . FILTER({_not_schema()})"
    if spaces:
        own = " || ".join(f"STRSTARTS(STR(?o), {_quoted(one)})" for one in spaces)
        scope = f"{links} FILTER(isIRI(?o)) FILTER({own})"
        yield Rule("dangling", "", scope, "NOT EXISTS { ?o ?q ?v }", "", "BIND(?o AS ?found)", spaces, "default")
    yield Rule("self", "", f"{links} FILTER(!isLiteral(?o))", "?s = ?o", source="default")
    twice = "EXISTS { ?s ?p ?x . FILTER(isLiteral(?x)) FILTER(LANG(?x) = LANG(?o) && !sameTerm(?x, ?o)) "
    twice += f"FILTER({_plain('?x')} = {_plain('?o')} && {_key('?x')} < {_key('?o')}) }}"
    yield Rule("duplicate", "", "?s ?p ?o . FILTER(isLiteral(?o))", twice, source="default")
    if SAME_AS in used:
        yield from _same_as()
    yield from _lexical(graph)


def _not_schema() -> str:
    return " && ".join(f"!STRSTARTS(STR(?p), {_quoted(one)})" for one in SCHEMA_LANGUAGES if one != OWL) + (
        f" && (?p = <{SAME_AS}> || !STRSTARTS(STR(?p), {_quoted(OWL)}))"
    )


def _same_as() -> Iterator[Rule]:
    scope = "?s owl:sameAs ?o . FILTER(?s != ?o)"
    further = "?o owl:sameAs ?x . FILTER(?x != ?s && ?x != ?o) FILTER NOT EXISTS { ?s owl:sameAs ?x }"
    yield Rule("same-as chain", SAME_AS, scope, f"EXISTS {{ {further} }}", source="default")
    one, other = _NAMESPACE, _NAMESPACE.replace("?s", "?x")
    rival = f"?x owl:sameAs ?o . FILTER(?x != ?s && {other} = {one})"
    yield Rule("same-as rival", SAME_AS, scope, f"EXISTS {{ {rival} }}", source="default")


def _lexical(graph: Graph) -> Iterator[Rule]:
    """Return a rule for each property and each datatype that has a form, of those that stand in the graph."""
    query = "SELECT DISTINCT ?p ?d WHERE { ?s ?p ?o . FILTER(isLiteral(?o)) BIND(DATATYPE(?o) AS ?d) }"
    found = graph.ask(PREFIXES + query)
    pairs = {(p.value, d.value) for p, d in found.rows if p is not None and d is not None}
    rules = (lexical(about, datatype) for about, datatype in sorted(pairs))
    yield from (rule for rule in rules if rule is not None)


def _plain(variable: str) -> str:
    """Return the text of a literal without what no reader would see: case and blanks."""
    return f'LCASE(REPLACE(STR({variable}), "\\\\s+", ""))'


def _key(variable: str) -> str:
    return f'CONCAT(STR({variable}), " ", STR(DATATYPE({variable})))'


def _quoted(text: str) -> str:
    return Term("literal", text).n3
