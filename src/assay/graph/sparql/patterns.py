"""What a query asks of a graph: its triple patterns, the predicates, classes and entities that it names (rdflib)."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from assay.core.terms import Term, iri, literal
from assay.errors import MissingExtraError
from assay.graph.sparql.prefixes import PREFIXES, expanded

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_WIKIDATA = "http://www.wikidata.org/"
TO_CLASS = frozenset({
    RDF_TYPE,
    "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    f"{_WIKIDATA}prop/direct/P31",
    f"{_WIKIDATA}prop/direct/P279",
})  # fmt: skip
"""The predicates whose object is a class."""
Slot = Term | str
"""A term, or the name of a variable; a blank node of a query is a variable called _:1, _:2 …"""
Role = Literal["needed", "either", "optional", "negated"]
"""Whether answers need a pattern, or it or another (UNION), may go without (OPTIONAL), or must (MINUS, NOT EXISTS)."""
STRENGTH: Mapping[str, int] = MappingProxyType({"needed": 0, "either": 1, "optional": 2, "negated": 3})
"""Which role is left when one stands within another."""
LONGEST = 20_000
"""Characters of the longest query that is taken apart: for rdflib, time grows by the square of the length."""
FORMS: Mapping[str, str] = MappingProxyType({
    "SelectQuery": "SELECT", "AskQuery": "ASK", "ConstructQuery": "CONSTRUCT", "DescribeQuery": "DESCRIBE",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pattern:
    """One triple pattern. A path of several steps is several patterns; one that may repeat or choose has no predicate.

    Parameters
    ----------
    subject, object
        Terms, or names of variables.
    predicate
        A term or the name of a variable; None where `through` lists what a path may pass through.
    through
        The IRIs of the predicates.
    role
        What the answers make of it.
    """

    subject: Slot
    predicate: Slot | None
    object: Slot
    through: tuple[str, ...] = ()
    role: Role = "needed"


@dataclass(frozen=True, slots=True)
class Parts:
    """What a query consists of. `form` is None where the text is no SPARQL, and `reason` says what is wrong with it.

    Parameters
    ----------
    form
        SELECT, ASK, CONSTRUCT or DESCRIBE.
    patterns
        Its triple patterns, but those that another endpoint is asked (SERVICE).
    predicates, classes, entities
        The IRIs that stand as predicate; as object of rdf:type, of rdfs:subClassOf or of what Wikidata has for these;
        and all others, in patterns, VALUES and conditions. Sorted, each once.
    ordered, limit, offset, distinct
        What the outermost query says.
    columns
        The variables of the result; sorted for `SELECT *`.
    aggregates
        COUNT, AVG …, anywhere in the query. Sorted, each once.
    """

    form: str | None
    patterns: tuple[Pattern, ...] = ()
    predicates: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    ordered: bool = False
    limit: int | None = None
    offset: int = 0
    distinct: bool = False
    columns: tuple[str, ...] = ()
    aggregates: tuple[str, ...] = ()
    reason: str = ""


@lru_cache(4096)
def parts(query: str) -> Parts:
    """Return what a query consists of; text that is no SPARQL gives parts without form, never an exception.

    Raises
    ------
    MissingExtraError
        rdflib is not installed.

    >>> found = parts("SELECT ?boss { ?x a <http://x/Person> ; <http://x/boss>/<http://x/name> ?boss } LIMIT 3")
    >>> found.classes, [one.through[0][-4:] for one in found.patterns[1:]], found.limit
    (('http://x/Person',), ['boss', 'name'], 3)
    >>> parts("SELECT ?x { ?x <http://x/p> }").form is None
    True
    """
    if len(query) > LONGEST:
        return Parts(None, reason=f"longer than {LONGEST:,} characters")
    algebra, parser, error = _library()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            syntax = parser.parseQuery(query)
            used = {one.name.removeprefix("Aggregate_").upper() for one in _aggregates(syntax[1])}
            chosen = bool(syntax[1].projection)
            whole = algebra.translateQuery(syntax, initNs=dict(PREFIXES)).algebra
            return _parts(whole, tuple(sorted(used)), chosen=chosen)
    except error as wrong:
        return Parts(None, reason=f"line {wrong.lineno}, column {wrong.column}: not well formed")
    except RecursionError:
        return Parts(None, reason="nested too deep")
    except Exception as wrong:  # noqa: BLE001 - rdflib raises bare Exception for a prefix that nothing declares
        plain = expanded(query)  # or for two prefixes of one namespace
        return parts(plain) if plain != query else Parts(None, reason=_said(wrong))


def _said(wrong: Exception) -> str:
    text = " ".join(str(wrong).split())[:200] or type(wrong).__name__
    _, is_prefix, name = text.partition("Unknown namespace prefix : ")
    return f"nothing declares the prefix {'' if name == 'None' else name}:" if is_prefix else text


def _library() -> Any:
    try:
        from pyparsing import ParseBaseException
        from rdflib.plugins.sparql import algebra, parser
    except ImportError:
        raise MissingExtraError.of("reading SPARQL", "rdflib", "graph") from None
    return algebra, parser, ParseBaseException


def _parts(whole: Any, aggregates: tuple[str, ...], *, chosen: bool) -> Parts:
    reading = _Reading()
    reading.read(whole.p, "needed")
    outer = {one.name: one for one in _outermost(whole)}
    cut = outer.get("Slice")
    classes = {end for one in reading.patterns for end in _classes(one)}
    predicates = {one for pattern in reading.patterns for one in pattern.through}
    columns = [str(one) for one in whole.PV or ()] if whole.name == "SelectQuery" else []
    return Parts(
        FORMS[whole.name],
        tuple(reading.patterns),
        tuple(sorted(predicates)),
        tuple(sorted(classes)),
        tuple(sorted(reading.named - classes)),
        "OrderBy" in outer,
        None if cut is None or cut.length is None else int(cut.length),
        0 if cut is None else int(cut.start),
        "Distinct" in outer,
        tuple(columns if chosen else sorted(columns)),
        aggregates,
    )


def _outermost(whole: Any) -> Iterator[Any]:
    """Yield what surrounds the pattern of the outermost query: slice, distinct, project, order."""
    at = whole.p
    while getattr(at, "name", "") in {"Slice", "Distinct", "Reduced", "Project", "OrderBy"}:
        yield at
        at = at.p


def _classes(pattern: Pattern) -> Iterator[str]:
    thing = pattern.object
    if TO_CLASS & set(pattern.through) and isinstance(thing, Term) and thing.kind == "iri":
        yield thing.value


def _aggregates(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        if getattr(value, "name", "").startswith("Aggregate_"):
            yield value
        for held in value.values():
            yield from _aggregates(held)
    elif isinstance(value, list) or type(value).__name__ == "ParseResults":
        for held in value:
            yield from _aggregates(held)


@dataclass(slots=True)
class _Reading:
    """Patterns, and IRIs that are no predicates, as they come up."""

    patterns: list[Pattern] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    blanks: dict[str, str] = field(default_factory=dict)
    steps: int = 0

    def read(self, value: Any, role: Role) -> None:
        """Read a part of the algebra, and all within it."""
        name = getattr(value, "name", "")
        if name in {"BGP", "TriplesBlock"}:
            self._triples(value.triples, role)
        elif isinstance(value, Mapping):
            for key, held in _within(name, value):
                self.read(held, _role(name, key, role))
        elif isinstance(value, list | tuple | set):
            for held in value:
                self.read(held, role)
        elif type(value).__name__ == "URIRef":
            self.named.add(str(value))

    def _triples(self, triples: Any, role: Role) -> None:
        for flat in triples:
            ends = list(flat)
            for at in range(0, len(ends) - 2, 3):
                subject, path, thing = ends[at : at + 3]
                self._add(self._slot(subject), path, self._slot(thing), role)

    def _add(self, subject: Slot, path: Any, thing: Slot, role: Role) -> None:
        kind = type(path).__name__
        if kind == "SequencePath":
            between = [self._step() for _ in path.args[1:]]
            for left, step, right in zip([subject, *between], path.args, [*between, thing], strict=True):
                self._add(left, step, right, role)
        elif kind == "InvPath":
            self._add(thing, path.arg, subject, role)
        elif kind in {"URIRef", "Variable"}:
            through = (str(path),) if kind == "URIRef" else ()
            self.patterns.append(Pattern(subject, iri(str(path)) if through else str(path), thing, through, role))
        else:
            self.patterns.append(Pattern(subject, None, thing, tuple(sorted(set(_passed(path)))), role))

    def _step(self) -> str:
        self.steps += 1
        return f"_:step{self.steps}"

    def _slot(self, value: Any) -> Slot:
        kind = type(value).__name__
        if kind == "Variable":
            return str(value)
        if kind == "BNode":
            return self.blanks.setdefault(str(value), f"_:{len(self.blanks) + 1}")
        if kind == "Literal":
            return literal(str(value), str(value.datatype or ""), value.language or "")
        self.named.add(str(value))
        return iri(str(value))


def _within(name: str, value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what a part of the algebra consists of, but names of functions and what another endpoint is asked."""
    if name == "Function":
        yield "expr", value["expr"]
    elif name != "ServiceGraphPattern":
        yield from ((key, held) for key, held in value.items() if key not in {"_vars", "PV", "datasetClause"})


def _role(name: str, key: str, role: Role) -> Role:
    """Return the role of what stands under a key of a part of the algebra that has a role itself."""
    inner: Role = role
    if name in {"Builtin_NOTEXISTS", "UnaryNot"} or (name == "Minus" and key == "p2"):
        inner = "negated"
    elif name == "LeftJoin" and key == "p2":
        inner = "optional"
    elif name == "Union":
        inner = "either"
    return role if STRENGTH[role] > STRENGTH[inner] else inner


def _passed(path: Any) -> Iterator[str]:
    """Yield the predicates of a path that may repeat or choose; of one that names what it may not be, none."""
    kind = type(path).__name__
    if kind == "URIRef":
        yield str(path)
    elif kind == "MulPath":
        yield from _passed(path.path)
    elif kind == "InvPath":
        yield from _passed(path.arg)
    elif kind in {"AlternativePath", "SequencePath"}:
        for one in path.args:
            yield from _passed(one)
