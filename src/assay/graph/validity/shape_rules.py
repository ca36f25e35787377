"""SHACL shapes as rules, so that they have denominators and run on any graph, an endpoint too.

Taken here: targets (class, implicit class, subjects and objects of a property, nodes), and constraints of a property
shape whose path is one property. A class is closed over rdfs:subClassOf. What else a shapes graph says is named, and
left to `assay.graph.validity.shapes.conform`.

SHACL calls a value without any type a violation of sh:class; here it is unclear, and `strict` counts it as wrong.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from assay.core.terms import Term
from assay.errors import InputError
from assay.graph.sparql.asking import Graph
from assay.graph.validity.axioms import Classes, instances
from assay.graph.validity.datatypes import stored
from assay.graph.validity.rules import PREFIXES, Rule, counted, named, ranged, typed

SH = "http://www.w3.org/ns/shacl#"
SAYINGS = {
    "path", "property", "name", "description", "message", "severity", "order", "group", "flags", "deactivated",
    "ignoredProperties", "defaultValue", "targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf",
    "declare", "prefixes", "qualifiedValueShape", "qualifiedValueShapesDisjoint",
}  # fmt: skip
"""What shapes say that constrains nothing."""
NODE_KINDS = {
    "IRI": "isIRI(?o)", "Literal": "isLiteral(?o)", "BlankNode": "isBlank(?o)",
    "IRIOrLiteral": "!isBlank(?o)", "BlankNodeOrIRI": "!isLiteral(?o)", "BlankNodeOrLiteral": "!isIRI(?o)",
}  # fmt: skip
VALUE = "BIND(STR(?o) AS ?found)"


@dataclass(frozen=True, slots=True)
class Focus:
    """Which things a shape speaks of: classes with those below them, or a pattern that binds ?s."""

    among: tuple[str, ...]
    classes: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def all(self) -> str:
        """The pattern of all of them, each once."""
        parts = [*([instances(self.classes)] if self.classes else []), *(f"{{ {one} }}" for one in self.others)]
        return parts[0] if len(parts) == 1 else f"{{ SELECT DISTINCT ?s WHERE {{ {' UNION '.join(parts)} }} }}"

    @property
    def narrowed(self) -> str:
        """The pattern that keeps a bound ?s where it is one of them."""
        return self.all if self.others else f"FILTER({typed('?s', self.classes)})"


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a shape says of the values of one property."""

    focus: Focus
    about: str
    kind: str
    value: Term
    flags: str = ""
    values: tuple[Term, ...] = ()

    @property
    def number(self) -> int:
        """The value as a whole number, where the constraint is one of how many or how long."""
        if not self.value.value.strip().isdecimal():
            place = f"shapes: sh:{self.kind} of {self.about}"
            raise InputError(f"{place}: expected a whole number, found {self.value.value!r}")
        return int(self.value.value)

    def of_value(self, kind: str, right: str, found: str = VALUE, expected: tuple[str, ...] = ()) -> Rule:
        """Return the rule that an expression is true for each value."""
        scope = f"?s {named(self.about)} ?o . {self.focus.narrowed}"
        wrong = f"!COALESCE({right}, false)"
        return Rule(kind, self.about, scope, wrong, "", found, expected or (self.value.value,), "shape")

    def of_subject(self, kind: str, scope: str, wrong: str) -> Rule:
        """Return a rule about each thing that the shape speaks of."""
        return Rule(kind, self.about, scope, wrong, "", "", (self.value.value,), "shape", "subject")


Maker = Callable[[Constraint, Classes], Rule | None]


def shape_rules(shapes: Graph, classes: Classes) -> tuple[list[Rule], list[str]]:
    """Return the rules of a shapes graph, and a sentence on what is left out."""
    focuses = _focuses(shapes, classes)
    rules: list[Rule] = []
    left: dict[str, int] = defaultdict(int)
    for one in _constraints(shapes, focuses, left):
        maker = MAKERS.get(one.kind)
        if maker is None:
            left[one.kind] += 1
        elif made := maker(one, classes):
            rules.append(replace(made, among=one.focus.among))
    told = ", ".join(f"sh:{kind} ({n})" for kind, n in sorted(left.items()))
    return rules, [
        f"Shapes: these constraints are not among the rules: {told}; --full has them checked."
    ] if left else []


def _focuses(shapes: Graph, classes: Classes) -> dict[Term, Focus]:
    query = (
        f"PREFIX sh: <{SH}> SELECT DISTINCT ?shape ?k ?t WHERE {{ {{ ?shape ?k ?t . FILTER(?k IN (sh:targetClass, "
        "sh:targetNode, sh:targetSubjectsOf, sh:targetObjectsOf)) } UNION { ?shape a ?type . FILTER(?type IN "
        "(rdfs:Class, owl:Class)) ?shape sh:property ?ps . BIND(sh:targetClass AS ?k) BIND(?shape AS ?t) } "
        "FILTER NOT EXISTS { ?shape sh:deactivated true } }"
    )
    targets: dict[Term, list[tuple[str, Term]]] = defaultdict(list)
    for shape, kind, target in _rows(shapes, query):
        targets[shape].append((kind.value.removeprefix(SH), target))
    return {shape: _focus(sorted(found), classes) for shape, found in targets.items()}


def _focus(targets: list[tuple[str, Term]], classes: Classes) -> Focus:
    patterns = {
        "targetSubjectsOf": "SELECT DISTINCT ?s WHERE {{ ?s {} ?any }}",
        "targetObjectsOf": "SELECT DISTINCT ?s WHERE {{ ?any {} ?s }}",
        "targetNode": "VALUES ?s {{ {} }}",
    }
    tops = [target.value for kind, target in targets if kind == "targetClass"]
    others = tuple(patterns[kind].format(target.n3) for kind, target in targets if kind in patterns)
    return Focus(tuple(target.value for _, target in targets), classes.below(tops) if tops else (), others)


def _constraints(shapes: Graph, focuses: dict[Term, Focus], left: dict[str, int]) -> Iterator[Constraint]:
    query = (
        f"PREFIX sh: <{SH}> SELECT DISTINCT ?shape ?ps ?path ?k ?v WHERE {{ {{ ?shape sh:property ?ps }} UNION "
        "{ ?ps sh:path ?any . BIND(?ps AS ?shape) } UNION { ?shape ?target ?t . FILTER(?target IN (sh:targetClass, "
        "sh:targetNode, sh:targetSubjectsOf, sh:targetObjectsOf)) BIND(?shape AS ?ps) } "
        "?ps ?k ?v . OPTIONAL { ?ps sh:path ?path } FILTER NOT EXISTS { ?ps sh:deactivated true } }"
    )
    marks = _rows(shapes, f"PREFIX sh: <{SH}> SELECT ?ps ?v WHERE {{ ?ps sh:flags ?v }}")
    flags = {part: value for part, value, *_ in marks}
    lists = _lists(shapes)
    for shape, part, path, kind, value in sorted(_rows(shapes, query)):
        name = kind.value.removeprefix(SH)
        if shape not in focuses or not kind.value.startswith(SH) or name in SAYINGS:
            continue
        if path.kind != "iri":
            left[name if path == NOTHING else "path"] += 1
            continue
        flag = flags.get(part, NOTHING).value
        yield Constraint(focuses[shape], path.value, name, value, flag, tuple(sorted(lists.get((part, kind), ()))))


def _lists(shapes: Graph) -> dict[tuple[Term, Term], set[Term]]:
    query = (
        f"PREFIX sh: <{SH}> SELECT DISTINCT ?ps ?k ?v WHERE {{ VALUES ?k {{ sh:in sh:languageIn }} "
        "?ps ?k ?list . ?list rdf:rest*/rdf:first ?v }"
    )
    found: dict[tuple[Term, Term], set[Term]] = defaultdict(set)
    for part, kind, value in _rows(shapes, query):
        found[part, kind].add(value)
    return found


NOTHING = Term("text", "")
"""Stands where a column is unbound."""


def _rows(shapes: Graph, query: str) -> list[tuple[Term, ...]]:
    return [tuple(cell or NOTHING for cell in row) for row in shapes.select(PREFIXES + query).rows]


def _minimum(one: Constraint, _: Classes) -> Rule | None:
    least = one.number
    return counted("min count", one.about, 0, "shape", within=one.focus.all, least=least) if least else None


def _maximum(one: Constraint, _: Classes) -> Rule:
    return counted("max count", one.about, one.number, "shape", within=one.focus.narrowed)


def _class(one: Constraint, classes: Classes) -> Rule:
    expected = (one.value.value,)
    return ranged(one.about, expected, classes.below(expected), "shape", one.focus.narrowed)


def _datatype(one: Constraint, _: Classes) -> Rule:
    found = 'BIND(IF(isLiteral(?o), DATATYPE(?o), IF(isIRI(?o), "IRI", "blank node")) AS ?found)'
    held = f"{one.value.n3}, <{stored(one.value.value)}>"
    return one.of_value("datatype", f"isLiteral(?o) && DATATYPE(?o) IN ({held})", found)


def _node_kind(one: Constraint, _: Classes) -> Rule | None:
    name = one.value.value.removeprefix(SH)
    return one.of_value("node kind", NODE_KINDS[name], expected=(name,)) if name in NODE_KINDS else None


def _compared(kind: str, sign: str) -> Maker:
    return lambda one, _: one.of_value(kind, f"?o {sign} {one.value.n3}")


def _long(kind: str, sign: str) -> Maker:
    return lambda one, _: one.of_value(kind, f"!isBlank(?o) && STRLEN(STR(?o)) {sign} {one.number}")


def _pattern(one: Constraint, _: Classes) -> Rule:
    parts = ", ".join(("STR(?o)", one.value.n3, *([Term("literal", one.flags).n3] if one.flags else [])))
    return one.of_value("pattern", f"!isBlank(?o) && REGEX({parts})")


def _languages(one: Constraint, _: Classes) -> Rule:
    tags = " || ".join(f"LANGMATCHES(LANG(?o), {value.n3})" for value in one.values)
    return one.of_value("language", tags or "false", "BIND(LANG(?o) AS ?found)", _texts(one.values))


def _one_of(one: Constraint, _: Classes) -> Rule:
    allowed = ", ".join(value.n3 for value in one.values)
    return one.of_value("one of", f"?o IN ({allowed})", expected=_texts(one.values))


def _unique_language(one: Constraint, _: Classes) -> Rule | None:
    inner = f"SELECT ?s ?l (COUNT(?o) AS ?n) WHERE {{ ?s {named(one.about)} ?o . FILTER(LANG(?o) != '') "
    inner += f"BIND(LCASE(LANG(?o)) AS ?l) {one.focus.narrowed} }} GROUP BY ?s ?l"
    scope = f"{{ SELECT ?s (MAX(?n) AS ?k) WHERE {{ {{ {inner} }} }} GROUP BY ?s }}"
    return one.of_subject("unique language", scope, "?k > 1") if one.value.value in {"true", "1"} else None


def _has_value(one: Constraint, _: Classes) -> Rule:
    return one.of_subject("has value", one.focus.all, f"NOT EXISTS {{ ?s {named(one.about)} {one.value.n3} }}")


def _texts(values: Iterable[Term]) -> tuple[str, ...]:
    return tuple(value.value for value in values)


MAKERS: dict[str, Maker] = {
    "minCount": _minimum, "maxCount": _maximum, "class": _class, "datatype": _datatype, "nodeKind": _node_kind,
    "minInclusive": _compared("at least", ">="), "maxInclusive": _compared("at most", "<="),
    "minExclusive": _compared("above", ">"), "maxExclusive": _compared("below", "<"),
    "minLength": _long("shortest", ">="), "maxLength": _long("longest", "<="), "pattern": _pattern,
    "languageIn": _languages, "uniqueLang": _unique_language, "in": _one_of, "hasValue": _has_value,
}  # fmt: skip
"""The constraints of a property shape that become rules."""
