"""Full SHACL by pySHACL (extra `graph`), with the number of things that each constraint was held against.

pySHACL says what breaks a shape, not how much was looked at, and a shape whose target is empty passes. Here each
constraint has its focus nodes counted, and one without any is not evaluated. Nothing is inferred: classes are closed
over rdfs:subClassOf, as SHACL says, and never over domain and range.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from assay.core.terms import Term, iri, literal
from assay.core.validity import Checked, Fault
from assay.errors import InputError, MissingExtraError
from assay.graph.sparql.asking import Graph
from assay.graph.validity.shape_rules import MAKERS, SAYINGS, SH

ALONE = Lock()
TARGETS = ("targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf")


@dataclass(frozen=True, slots=True)
class _Part:
    """One constraint of one shape, with the shape whose target it is held against."""

    shape: Any
    part: Any
    kind: str

    @property
    def component(self) -> str:
        return f"{SH}{self.kind[0].upper()}{self.kind[1:]}ConstraintComponent"


def conform(graph: Graph, shapes: Graph, ontology: Graph | None = None, *, all_kinds: bool = False) -> list[Checked]:
    """Return each constraint of a shapes graph that is no rule of `shape_rules`, checked by pySHACL.

    Parameters
    ----------
    graph, shapes, ontology
        What is judged, and by what; of the ontology only what lies below which class is taken.
    all_kinds
        Return those constraints as well that are rules.

    Raises
    ------
    InputError
        Shapes that pySHACL cannot use.
    MissingExtraError
        pySHACL is not installed.
    """
    rules = _triples(shapes, "?s ?p ?o")
    parts = [one for one in _parts(rules) if all_kinds or not _is_rule(rules, one)]
    if not parts:
        return []
    data = _triples(graph, "?s ?p ?o")
    for extra in (ontology, shapes):
        if extra is not None:
            data += _triples(extra, "?s ?p ?o . FILTER(?p = <http://www.w3.org/2000/01/rdf-schema#subClassOf>)")
    results = _results(data, rules)
    made = [_held(rules, one, _focus(data, rules, one.shape), results) for one in parts]
    return sorted(made, key=lambda one: (one.about, one.expected, one.among))


def _triples(graph: Graph, pattern: str) -> Any:
    rdflib = _rdflib()
    made = rdflib.Graph()
    for row in graph.select(f"SELECT ?s ?p ?o WHERE {{ {pattern} }}").rows:
        made.add(tuple(_node(rdflib, term) for term in row if term is not None))
    return made


def _node(rdflib: Any, term: Term) -> Any:
    if term.kind == "iri":
        return rdflib.URIRef(term.value)
    if term.kind == "blank":
        return rdflib.BNode(term.value)
    datatype = rdflib.URIRef(term.datatype) if term.datatype else None
    return rdflib.Literal(term.value, lang=term.language or None, datatype=datatype, normalize=False)


def _parts(rules: Any) -> Iterator[_Part]:
    named = _rdflib().Namespace(SH)
    off = {shape for shape, value in rules.subject_objects(named.deactivated) if value.toPython() is True}
    for shape in sorted(_targeted(rules) - off):
        for part in (shape, *sorted(set(rules.objects(shape, named.property)) - off)):
            for predicate in sorted(set(rules.predicates(part))):
                kind = str(predicate).removeprefix(SH)
                if str(predicate).startswith(SH) and kind not in SAYINGS:
                    yield _Part(shape, part, kind)


def _targeted(rules: Any) -> set[Any]:
    rdflib = _rdflib()
    named, found = rdflib.Namespace(SH), set[Any]()
    for kind in TARGETS:
        found.update(rules.subjects(named[kind]))
    for kind in (rdflib.RDFS.Class, rdflib.OWL.Class):
        found.update(set(rules.subjects(rdflib.RDF.type, kind)) & set(rules.subjects(named.property)))
    return found


def _is_rule(rules: Any, one: _Part) -> bool:
    rdflib = _rdflib()
    path = rules.value(one.part, rdflib.Namespace(SH).path)
    return one.kind in MAKERS and isinstance(path, rdflib.URIRef)


def _focus(data: Any, rules: Any, shape: Any) -> set[Any]:
    """Return the things that a shape speaks of."""
    rdflib = _rdflib()
    named, found = rdflib.Namespace(SH), set(rules.objects(shape, rdflib.Namespace(SH).targetNode))
    tops = set(rules.objects(shape, named.targetClass))
    if {rdflib.RDFS.Class, rdflib.OWL.Class} & set(rules.objects(shape, rdflib.RDF.type)):
        tops.add(shape)
    for top in tops:
        for below in data.transitive_subjects(rdflib.RDFS.subClassOf, top):
            found.update(data.subjects(rdflib.RDF.type, below))
    for about in rules.objects(shape, named.targetSubjectsOf):
        found.update(data.subjects(about))
    for about in rules.objects(shape, named.targetObjectsOf):
        found.update(data.objects(None, about))
    return found


def _results(data: Any, rules: Any) -> dict[tuple[Any, str], dict[Any, Any]]:
    """Return, for each shape and component, the focus nodes that break it, each with a value that does."""
    try:
        import pyshacl
    except ImportError:
        raise MissingExtraError.of("full SHACL", "pyshacl", "graph") from None
    try:
        with _alone():
            _, report, _ = pyshacl.validate(data, shacl_graph=rules, inference="none", advanced=False, meta_shacl=False)
    except Exception as error:  # noqa: BLE001 - pySHACL and RDFLib raise whatever shapes lead them into
        raise _unusable(error) from None
    if isinstance(report, Exception):
        raise _unusable(report)
    named = _rdflib().Namespace(SH)
    found: dict[tuple[Any, str], dict[Any, Any]] = defaultdict(dict)
    for result in report.subjects(named.focusNode):
        key = (report.value(result, named.sourceShape), str(report.value(result, named.sourceConstraintComponent)))
        found[key][report.value(result, named.focusNode)] = report.value(result, named.value)
    return found


@contextmanager
def _alone() -> Iterator[None]:
    """Let no SPARQL within shapes ask another machine; pySHACL looks for the word, which can be written otherwise."""
    from rdflib.plugins.sparql import evaluate

    with ALONE:
        asked = evaluate.evalServiceQuery
        evaluate.evalServiceQuery = _refused  # type: ignore[assignment]
        try:
            yield
        finally:
            evaluate.evalServiceQuery = asked


def _refused(*_: Any) -> None:
    raise ValueError("SERVICE, which asks another graph")


def _unusable(error: Exception) -> InputError:
    said = " ".join(str(error).split())
    return InputError(f"shapes: expected SHACL that pySHACL can use, found an error: {said}")


def _held(rules: Any, one: _Part, focus: set[Any], results: dict[tuple[Any, str], dict[Any, Any]]) -> Checked:
    named = _rdflib().Namespace(SH)
    broken = {node: value for node, value in results.get((one.part, one.component), {}).items() if node in focus}
    path = rules.value(one.part, named.path)
    about = str(path) if path is not None and type(path).__name__ == "URIRef" else _name(one.part)
    targets = sorted(str(target) for kind in TARGETS for target in rules.objects(one.shape, named[kind]))
    faults = [Fault(_term(node), None if value is None else _term(value)) for node, value in broken.items()]
    faults.sort(key=lambda fault: (fault.subject, fault.object or fault.subject))
    return Checked(
        "shape", about, (f"sh:{one.kind}",), "shape", "subject", tuple(targets), len(focus), len(broken),
        faults=tuple(faults[:5]),
    )  # fmt: skip


def _name(shape: Any) -> str:
    return str(shape) if type(shape).__name__ == "URIRef" else "(shape)"


def _term(node: Any) -> Term:
    kind = type(node).__name__
    if kind == "Literal":
        return literal(str(node), str(node.datatype or ""), node.language or "")
    return iri(str(node)) if kind == "URIRef" else Term("blank", str(node))


def _rdflib() -> Any:
    try:
        import rdflib
    except ImportError:
        raise MissingExtraError.of("full SHACL", "rdflib", "graph") from None
    return rdflib
