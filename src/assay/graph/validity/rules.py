"""Rules that statements keep or break, as data: what each looks at and when it is broken, both in SPARQL.

A rule is one pattern (`scope`) that binds what is checked, and one expression (`wrong`) that is true where it breaks
the rule; `unclear` is true where nobody can tell. From the three come the counts, the list of what is wrong, and what
stands there instead: the same text for a graph in this process and for an endpoint.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from assay.core.terms import XSD, Term
from assay.core.validity import Source, Unit

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
PREFIXES = f"PREFIX rdf: <{RDF}> PREFIX rdfs: <{RDFS}> PREFIX owl: <{OWL}> PREFIX xsd: <{XSD}> "
SAY_NOTHING = (OWL + "Thing", OWL + "NamedIndividual", RDFS + "Resource")
"""Types that everything has: whoever has no other is untyped."""

MEANINGS = {
    "domain": "the subject has one of these types",
    "range": "the object has one of these types",
    "datatype": "the value is a literal of this datatype",
    "node kind": "the value is an IRI, a blank node or a literal, as declared",
    "lexical": "the value is written as its datatype wants",
    "functional": "a subject has one value",
    "inverse functional": "a value has one subject",
    "min count": "a subject has as many values at least",
    "max count": "a subject has as many values at most",
    "disjoint": "nothing has both types",
    "disjoint properties": "no two things are linked by both",
    "asymmetric": "no link goes both ways",
    "symmetric": "each link is stated both ways",
    "irreflexive": "nothing is linked to itself",
    "pattern": "the text of the value matches",
    "language": "the language of the value is one of these",
    "unique language": "a subject has one value in each language",
    "at least": "the value is not below", "at most": "the value is not above",
    "above": "the value is above", "below": "the value is below",
    "shortest": "the text is not shorter", "longest": "the text is not longer",
    "one of": "the value is one of these",
    "has value": "a subject has this value",
    "shape": "what the constraint of the shape says, checked by pySHACL",
    "dangling": "the object, of the graph's own names, is the subject of something",
    "self": "nothing is linked to itself, though no axiom forbids it",
    "duplicate": "no value of a subject is the same text once more",
    "same-as chain": "what is the same as a third thing is linked to it directly",
    "same-as rival": "no two things of one namespace are the same as a third",
}  # fmt: skip
"""Each kind of rule, and what it wants."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Parameters
    ----------
    kind, about, expected, source, unit
        As in `assay.core.validity.Checked`. Without `about`, the rule is held against each ?p of its scope.
    scope
        A pattern that binds ?s (and ?o where statements are checked).
    wrong, unclear
        Expressions over it.
    found
        A pattern that binds ?found: what stands there instead.
    among
        The classes (or what else) to whose members the rule is limited.
    """

    kind: str
    about: str
    scope: str
    wrong: str
    unclear: str = ""
    found: str = ""
    expected: tuple[str, ...] = ()
    source: Source = "axiom"
    unit: Unit = "statement"
    among: tuple[str, ...] = ()

    @property
    def counts(self) -> str:
        """SPARQL that counts ?checked, ?wrong and ?unclear; by ?p where the rule speaks of no single property."""
        group = "" if self.about else "GROUP BY ?p"
        unclear = f"BIND(IF({self.unclear}, 1, 0) AS ?u)" if self.unclear else "BIND(0 AS ?u)"
        head = f"{'' if self.about else '?p '}(COUNT(*) AS ?checked) (SUM(?w) AS ?wrong) (SUM(?u) AS ?unclear)"
        broken = f"BIND(IF(COALESCE({self.broken}, true), 1, 0) AS ?w)"
        return f"{PREFIXES}SELECT {head} WHERE {{ {self.scope} {broken} {unclear} }} {group}"

    @property
    def broken(self) -> str:
        """The expression that is true where the rule is broken for sure."""
        return f"({self.wrong}) && !({self.unclear})" if self.unclear else f"({self.wrong})"

    @property
    def listing(self) -> str:
        """SPARQL that lists what is wrong: ?s ?o, or ?s ?p ?o where the rule speaks of no single property."""
        return self._listed(f"COALESCE({self.broken}, true)")

    @property
    def unclear_listing(self) -> str:
        """SPARQL that lists what nobody can tell."""
        return self._listed(self.unclear)

    @property
    def found_counts(self) -> str:
        """SPARQL that counts what stands there instead; by ?p where the rule speaks of no single property."""
        names = "?found" if self.about else "?p ?found"
        where = f"{self.scope} FILTER(COALESCE({self.broken}, true)) {self.found}"
        return f"{PREFIXES}SELECT {names} (COUNT(*) AS ?n) WHERE {{ {where} }} GROUP BY {names}"

    def _listed(self, condition: str) -> str:
        names = {"statement": "?s ?o", "subject": "?s", "object": "?s"}[self.unit]
        names = names if self.about else names.replace("?s", "?s ?p")
        return f"{PREFIXES}SELECT DISTINCT {names} WHERE {{ {self.scope} FILTER({condition}) }}"


def named(value: str) -> str:
    """Return an IRI as SPARQL writes it."""
    return Term("iri", value).n3


def listed(values: Iterable[str]) -> str:
    """Return IRIs as SPARQL lists them."""
    return ", ".join(named(value) for value in values)


def typed(variable: str, classes: Iterable[str]) -> str:
    """Return the expression that is true for things of one of these classes, those below them written out."""
    return f"EXISTS {{ {variable} a ?type . FILTER(?type IN ({listed(classes)})) }}"


def untyped(variable: str) -> str:
    """Return the expression that is true for things without any type that says something."""
    return f"NOT EXISTS {{ {variable} a ?any . FILTER(?any NOT IN ({listed(SAY_NOTHING)})) }}"


def domain(about: str, expected: tuple[str, ...], classes: Iterable[str], source: Source = "axiom") -> Rule:
    """Return the rule that subjects are of one of the classes; `classes` also holds those below the expected ones."""
    scope, wrong = f"?s {named(about)} ?o .", f"!{typed('?s', classes)}"
    return Rule("domain", about, scope, wrong, untyped("?s"), "?s a ?found .", expected, source)


def ranged(
    about: str, expected: tuple[str, ...], classes: Iterable[str], source: Source = "axiom", within: str = ""
) -> Rule:
    """Return the rule that objects are of one of the classes; a literal never is. `within` narrows the subjects."""
    scope = f"?s {named(about)} ?o . {within}"
    wrong = f"isLiteral(?o) || !{typed('?o', classes)}"
    unclear = f"!isLiteral(?o) && {untyped('?o')}"
    found = "OPTIONAL { ?o a ?class } BIND(IF(isLiteral(?o), DATATYPE(?o), ?class) AS ?found)"
    return Rule("range", about, scope, wrong, unclear, found, expected, source)


def counted(
    kind: str, about: str, most: int, source: Source = "axiom", *, within: str = "", least: int | None = None
) -> Rule:
    """Return a rule about how many values a subject has.

    At most `most`, or, where `least` is given, at least that many among all subjects of the pattern `within`.
    """
    link = f"?s {named(about)} ?o ."
    body = f"{within} OPTIONAL {{ {link} }}" if least is not None else f"{link} {within}"
    scope = f"{{ SELECT ?s (COUNT(DISTINCT ?o) AS ?k) WHERE {{ {body} }} GROUP BY ?s }}"
    wrong, number = (f"?k < {least}", least) if least is not None else (f"?k > {most}", most)
    return Rule(kind, about, scope, wrong, "", "BIND(?k AS ?found)", (str(number),), source, "subject")


def functional(about: str) -> Rule:
    """Return the rule that a subject has one value."""
    return counted("functional", about, 1)


def inverse_functional(about: str) -> Rule:
    """Return the rule that a value has one subject."""
    inner = f"SELECT (?o AS ?s) (COUNT(DISTINCT ?x) AS ?k) WHERE {{ ?x {named(about)} ?o }} GROUP BY ?o"
    found = "BIND(?k AS ?found)"
    return Rule("inverse functional", about, f"{{ {inner} }}", "?k > 1", "", found, ("1",), "axiom", "object")


def disjoint(first: str, second: str, below: Iterable[str], below_second: Iterable[str]) -> Rule:
    """Return the rule that nothing is of both classes; those below each are written out."""
    one, other = tuple(below), tuple(below_second)
    either = listed(dict.fromkeys((*one, *other)))
    scope = f"{{ SELECT DISTINCT ?s WHERE {{ ?s a ?c . FILTER(?c IN ({either})) }} }}"
    wrong = f"{typed('?s', one)} && {typed('?s', other)}"
    return Rule("disjoint", first, scope, wrong, "", "", (second,), "axiom", "subject")


def disjoint_properties(first: str, second: str) -> Rule:
    """Return the rule that no two things are linked by both properties."""
    wrong = f"EXISTS {{ ?s {named(second)} ?o }}"
    return Rule("disjoint properties", first, f"?s {named(first)} ?o .", wrong, expected=(second,))


def directed(kind: str, about: str) -> Rule:
    """Return the rule of an asymmetric, symmetric or irreflexive property."""
    reverse = f"EXISTS {{ ?o {named(about)} ?s }}"
    wrong = {"asymmetric": reverse, "symmetric": f"!{reverse}", "irreflexive": "?s = ?o"}[kind]
    return Rule(kind, about, f"?s {named(about)} ?o . FILTER(!isLiteral(?o))", wrong)
