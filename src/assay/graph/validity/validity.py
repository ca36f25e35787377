"""Link validity: a graph held against the rules of its axioms, of shapes, and against those that need neither."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from assay.core.answers import Answer
from assay.core.progress import Progress, told
from assay.core.terms import Term
from assay.core.validity import Checked, Fault, Link, LinkValidity, Validity
from assay.graph.sparql.asking import Graph
from assay.graph.validity.axioms import axiom_rules, read_classes
from assay.graph.validity.default_rules import default_rules, own_namespaces
from assay.graph.validity.rules import MEANINGS, PREFIXES, Rule
from assay.graph.validity.shape_rules import shape_rules
from assay.graph.validity.shapes import conform
from assay.report.amounts import counted

MOST = 1_000_000
"""Wrong statements of one rule beyond this are counted, but no longer told apart from those of other rules."""
BY_CLASS = {"min count", "disjoint", "has value"}
"""Kinds whose subjects need not have the property that the rule speaks of."""

Pairs = dict[str, set[tuple[Term, Term]]]


@dataclass(slots=True)
class _Audit:
    """A graph while it is held against rules."""

    graph: Graph
    used: dict[str, int]
    examples: int
    wrong: Pairs = field(default_factory=lambda: defaultdict(set))
    unclear: Pairs = field(default_factory=lambda: defaultdict(set))
    touched: set[str] = field(default_factory=set)
    too_many: bool = False

    def check(self, rule: Rule) -> list[Checked]:
        """Return what a rule found; one that speaks of no single property found something for each."""
        if rule.about and rule.about not in self.used and rule.kind not in BY_CLASS:
            return [_checked(rule, rule.about)]
        counts = self.graph.ask(rule.counts)
        if not counts.answered:
            return [_checked(rule, rule.about, message=counts.message or counts.status)]
        numbers = {
            rule.about or _value(row[0]): tuple(_whole(cell) for cell in row[-3:]) for row in counts.rows
        }  # fmt: skip
        if rule.unit == "statement":
            self.touched.update(about for about, (n, *_) in numbers.items() if n)
        listed, found = self._wrong(rule, any(wrong for _, wrong, _ in numbers.values()))
        self._remember(rule, listed, any(unclear for *_, unclear in numbers.values()))
        made = [
            _checked(rule, about, *n, found=found.get(about, {}), faults=self._some(listed.get(about, ())))
            for about, n in sorted(numbers.items())
        ]
        return [self._shown(one) for one in made] or [_checked(rule, rule.about)]

    def _shown(self, one: Checked) -> Checked:
        most = sorted(one.found.items(), key=lambda pair: (-pair[1], pair[0]))
        return replace(one, found=dict(most[: self.examples]), variety=len(most))

    def _wrong(self, rule: Rule, any_wrong: bool) -> tuple[dict[str, list[Fault]], dict[str, dict[str, int]]]:
        if not any_wrong:
            return {}, {}
        listed = self._listed(rule, rule.listing)
        found: dict[str, dict[str, int]] = defaultdict(dict)
        answer = self.graph.ask(rule.found_counts) if rule.found else Answer("answered")
        for row in answer.rows:
            about, (what, n) = (rule.about, row) if rule.about else (_value(row[0]), row[1:])
            found[about][_value(what)] = _whole(n)
        return listed, found

    def _listed(self, rule: Rule, query: str) -> dict[str, list[Fault]]:
        answer = self.graph.ask(f"{query} LIMIT {MOST}")
        self.too_many |= not answer.answered or answer.truncated or len(answer.rows) == MOST
        listed: dict[str, list[Fault]] = defaultdict(list)
        for row in answer.rows:
            subject, *rest = row
            about = rule.about or _value(rest.pop(0))
            if subject is not None:
                listed[about].append(Fault(subject, rest[0] if rest else None))
        return listed

    def _remember(self, rule: Rule, listed: dict[str, list[Fault]], any_unclear: bool) -> None:
        if rule.unit != "statement":
            return
        _add(self.wrong, listed)
        if any_unclear:
            _add(self.unclear, self._listed(rule, rule.unclear_listing))

    def _some(self, faults: Iterable[Fault]) -> tuple[Fault, ...]:
        key = {fault: (fault.subject, fault.object or fault.subject) for fault in faults}
        return tuple(sorted(key, key=key.__getitem__)[: self.examples])

    def predicates(self) -> Iterator[LinkValidity]:
        """Return each predicate that a rule about statements looked at, each statement counted once."""
        for about in sorted(self.touched):
            wrong = self.wrong.get(about, set())
            unclear = self.unclear.get(about, set()) - wrong
            yield LinkValidity(about, self.used.get(about, 0), len(wrong), len(unclear))


def validity(
    graph: Graph,
    ontology: Graph | None = None,
    shapes: Graph | None = None,
    *,
    axioms: bool = True,
    defaults: bool = True,
    namespaces: Sequence[str] | None = None,
    examples: int = 5,
    full: bool = False,
    progress: Progress | None = None,
) -> Validity:
    """Hold a graph against rules.

    Parameters
    ----------
    graph
        What is judged, embedded or remote.
    ontology
        RDFS and OWL beside those axioms that the graph holds itself.
    shapes
        SHACL: targets, and constraints on a property that speak of one value or of their number. What is beyond
        that is named in the notices, and left to `assay.graph.validity.shapes.conform`.
    axioms, defaults
        Whether the axioms of graph and ontology make rules; whether those rules are checked that need none.
    namespaces
        The graph's own names, for dangling links; found where not given.
    examples
        How many of the wrong to show for each rule.
    full
        Have pySHACL check those constraints of the shapes that are no rules.
    progress
        Told how many rules are done, of how many.

    Raises
    ------
    QueryError
        The graph does not answer what its predicates and classes are.

    >>> from assay.graph.sparql.store import Store
    >>> found = validity(
    ...     Store.of(
    ...         "@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
    ...         ":p a owl:FunctionalProperty . :a :p 1, 2 . :b :p 3 ."
    ...     )
    ... )
    >>> one = found.of("functional", "http://x/p")
    >>> one.checked, one.wrong, one.validity
    (2, 1, 0.5)
    """
    count = "SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p"
    used = {_value(p): _whole(n) for p, n in graph.select(PREFIXES + count).rows}
    rules: list[Rule] = []
    notices: list[str] = []
    schemas = [graph] if ontology is None else [graph, ontology]
    classes = read_classes(graph, *([ontology] if ontology else []), *([shapes] if shapes else []))
    if axioms:
        rules += [rule for schema in schemas for rule in axiom_rules(schema, classes)]
    if shapes is not None:
        made, left = shape_rules(shapes, classes)
        rules += made
        notices += [] if full else left
    if defaults:
        own = own_namespaces(graph) if namespaces is None else tuple(namespaces)
        rules += default_rules(graph, used, own)
    audit = _Audit(graph, used, examples)
    each = list(dict.fromkeys(rules))
    checked = [one for rule in told(each, progress, len(each)) for one in audit.check(rule)]
    if full and shapes is not None:
        checked += conform(graph, shapes, ontology)
    return _summed(audit, checked, notices)


def _summed(audit: _Audit, checked: list[Checked], notices: list[str]) -> Validity:
    kinds, graph = list(MEANINGS), audit.graph
    checked.sort(key=lambda one: (kinds.index(one.kind), one.about, one.among, one.expected, one.source, one.query))
    failed = sum(bool(one.message) for one in checked)
    if failed:
        notices.append(f"{counted(failed, 'rule')} could not be evaluated: the graph did not answer; not counted.")
    predicates = None if audit.too_many else tuple(audit.predicates())
    invalid: frozenset[Link] = frozenset((s, about, o) for about, pairs in audit.wrong.items() for s, o in pairs)
    return Validity(graph.name, sum(audit.used.values()), tuple(checked), predicates, invalid, tuple(notices))


def _checked(
    rule: Rule,
    about: str,
    checked: int = 0,
    wrong: int = 0,
    unclear: int = 0,
    *,
    found: dict[str, int] | None = None,
    faults: tuple[Fault, ...] = (),
    message: str = "",
) -> Checked:
    return Checked(
        rule.kind, about, rule.expected, rule.source, rule.unit, rule.among, checked, wrong, unclear, found or {}, 0,
        faults, message, rule.listing,
    )  # fmt: skip


def _add(pairs: Pairs, listed: dict[str, list[Fault]]) -> None:
    for about, faults in listed.items():
        pairs[about].update((one.subject, one.object) for one in faults if one.object is not None)


def _value(term: Term | None) -> str:
    return "" if term is None else term.value


def _whole(term: Term | None) -> int:
    return 0 if term is None else int(float(term.value))
