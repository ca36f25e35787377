"""What questions ask of a graph: which properties and classes, and how often."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assay.core.answers import Suite
from assay.core.completeness_levels import Demand, RelationLevel, Wanted
from assay.errors import InputError
from assay.graph.sparql.patterns import Parts, parts

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


@dataclass(frozen=True, slots=True)
class Asked:
    """How much demand needs each property and each class, as the suite weighs its questions.

    `queries` have SPARQL, `unread` have none that could be taken apart, `variable` leave a property open.
    """

    properties: Mapping[str, float] = field(default_factory=dict)
    classes: Mapping[str, float] = field(default_factory=dict)
    queries: int = 0
    unread: int = 0
    variable: int = 0


def asked(suite: Suite) -> Asked:
    """Return what the questions of a suite ask for; a question counts once for each property that its SPARQL names.

    The query that defines the right answers is read before that of a system, which may miss what is needed.

    Raises
    ------
    MissingExtraError
        rdflib is not installed.

    >>> from assay.core.answers import Question
    >>> asked(Suite("s", (Question("1", gold_query="ASK { ?x <http://x/boss> ?y }", weight=9),))).properties
    {'http://x/boss': 9.0}
    """
    properties: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    unread = variable = 0
    for question in suite.questions:
        query = question.gold_query or question.query
        found = parts(query) if query else Parts(None)
        if found.form is None:
            unread += 1
            continue
        for name in found.predicates:
            properties[name] += question.weight if name != RDF_TYPE else 0  # type: ignore[assignment]
        for name in found.classes:
            classes[name] += question.weight  # type: ignore[assignment]
        variable += any(isinstance(one.predicate, str) for one in found.patterns)
    kept = {name: float(weight) for name, weight in sorted(properties.items()) if weight}
    return Asked(kept, _shares(classes), len(suite) - unread, unread, variable)


def demand_of(wanted: Asked, levels: Iterable[RelationLevel]) -> Demand:
    r"""Hold what is asked for against what is there.

    $$ CR_{demand} = \sum_p w_p \, CR(p), \quad gap(p) = w_p (1 - CR(p)) $$

    w_p is the share of the demand that needs p. CR(p) is that of the reference where there is one, else the share of
    the entities that should have p and do. A property that the graph never uses has 0.
    Source: Hopkinson et al. 2018, Demand-Weighted Completeness Prediction for a Knowledge Base.
    """
    known = {one.predicate: one for one in levels}
    found = [
        Wanted(name, weight, _ratio(known.get(name)), name in known and known[name].values > 0)
        for name, weight in _shares(wanted.properties).items()
    ]
    return Demand(tuple(found), wanted.queries, wanted.unread, wanted.variable, wanted.classes)


def require_queries(wanted: Asked, place: str) -> None:
    """Refuse a suite without a query that names a property.

    Raises
    ------
    InputError
        No question has SPARQL that names one.
    """
    if not wanted.properties:
        msg = f"{place}: expected questions with SPARQL that names properties, found none"
        raise InputError(msg, hint="questions need SPARQL; a log of queries will do too (--log).")


def _ratio(one: RelationLevel | None) -> float | None:
    if one is None or not one.values:
        return 0.0
    if one.ratio is not None:
        return one.ratio
    called = {rule.rule: rule.ratio for rule in one.oracles}
    return called.get("pca")


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {name: weight / total for name, weight in sorted(weights.items())} if total else {}
