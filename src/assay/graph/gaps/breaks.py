"""Where the patterns of a query, joined one after the other, find nothing any more."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.gaps import MissingFact
from assay.core.terms import Term
from assay.core.validity import Link
from assay.graph.gaps.supports import instance, variable, variables, written
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.modifiers import tokenised
from assay.graph.sparql.patterns import Pattern, parts
from assay.report.iris import shorten

MOST = 1_000
"""So many things are looked at that the join has reached before it breaks off,"""
LISTED = 20
"""and of so many it is said what they lack."""

Bound = dict[str, Term | None]


@dataclass(frozen=True, slots=True)
class Break:
    """A query whose patterns up to `pattern` find something, and with it nothing.

    `joined` are those before it, `reached` some of what they find, by variable.
    """

    pattern: Pattern
    joined: tuple[Pattern, ...]
    reached: tuple[Bound, ...]

    def through(self, invalid: frozenset[Link]) -> list[Link]:
        """Return the invalid links by which all that the join has reached was reached; none where one link is valid."""
        ends = {end for end in (self.pattern.subject, self.pattern.object) if isinstance(end, str)}
        last = [one for one in self.joined if ends.intersection((one.subject, one.object))]
        wrong = []
        for bound in self.reached:
            links = [link for one in last if (link := instance(one, bound)) in invalid and link is not None]
            if not links:
                return []
            wrong += links
        return list(dict.fromkeys(wrong))

    def missing(self) -> list[tuple[Term | None, str, Term | None]]:
        """Return what is not there: the ends of the statement that are known, and its property; nothing without one."""
        if not isinstance(self.pattern.predicate, Term):
            return []
        predicate = self.pattern.predicate.value
        ends = (self._ends(bound) for bound in (self.reached or ({},)))
        known = dict.fromkeys(pair for pair in ends if any(pair) and "blank" not in {one.kind for one in pair if one})
        return [(subject, predicate, thing) for subject, thing in list(known)[:LISTED]]

    def _ends(self, bound: Bound) -> tuple[Term | None, Term | None]:
        found = (
            bound.get(variable(end)[1:]) if isinstance(end, str) else end
            for end in (self.pattern.subject, self.pattern.object)
        )
        subject, thing = found
        return subject, thing

    @property
    def said(self) -> str:
        """What is not there, in words."""
        facts = self.missing()
        names = [term.value for subject, _, thing in facts for term in (subject, thing) if term and term.kind == "iri"]
        short = shorten([*names, *(predicate for _, predicate, _ in facts)])

        def end(term: Term | None) -> str:
            return "?" if term is None else short.get(term.value, term.n3)

        shown = [f"{end(subject)} {short[predicate]} {end(thing)}" for subject, predicate, thing in facts[:3]]
        more = f" and {len(facts) - 3:,} more" if len(facts) > 3 else ""
        return f"nothing for {', '.join(shown)}{more}" if shown else f"nothing for {written(self.pattern)}"


def break_of(query: str, graph: Graph) -> Break | None:
    """Return where a query breaks off; None where its patterns together find something, or nobody can tell.

    Only patterns that every answer needs are joined, those first that name most. Conditions are left out: that the
    patterns alone find nothing is sure, that they find something says little.

    >>> from assay.graph.sparql.store import Store
    >>> graph = Store.of("@prefix : <http://x/> . :a :boss :b . :c :town :d .")
    >>> found = break_of("SELECT ?t { <http://x/a> <http://x/boss> ?b . ?b <http://x/town> ?t }", graph)
    >>> found.said
    'nothing for b town ?'
    """
    read = parts(query)
    words = [token.text.upper() for token in tokenised(query) if token.kind == "word"]
    if read.form is None or words.count("SELECT") > (read.form == "SELECT") or "SERVICE" in words:
        return None
    order = _in_order([one for one in read.patterns if one.role == "needed" and one.predicate is not None])
    if not order or _found(order, graph):
        return None
    for place in range(1, len(order) + 1):
        if not _found(order[:place], graph):
            joined = tuple(order[: place - 1])
            return Break(order[place - 1], joined, _reached(joined, graph) if joined else ())
    return None


def _in_order(patterns: Sequence[Pattern]) -> list[Pattern]:
    """Return patterns so that each, where it can, shares a variable with those before it."""
    left, order, bound = list(dict.fromkeys(patterns)), list[Pattern](), set[str]()
    while left:
        chosen = min(left, key=lambda one: _open(one, bound))
        left.remove(chosen)
        order.append(chosen)
        bound.update(variables(chosen))
    return order


def _open(pattern: Pattern, bound: set[str]) -> tuple[int, int]:
    """Return how many ends of a pattern are open; one that all things of a class fit comes late."""
    names = variables(pattern)
    unbound = sum(name not in bound for name in names)
    return (unbound if bound.intersection(names) or len(names) < 2 else 3, len(names))


def _found(patterns: Sequence[Pattern], graph: Graph) -> bool:
    answer = graph.ask(f"SELECT * {{ {' '.join(map(written, patterns))} }} LIMIT 1")
    return not answer.answered or bool(answer.rows)


def _reached(patterns: Sequence[Pattern], graph: Graph) -> tuple[Bound, ...]:
    answer = graph.ask(f"SELECT DISTINCT * {{ {' '.join(map(written, patterns))} }} LIMIT {MOST}")
    rows = sorted(answer.rows, key=lambda row: [term.n3 if term else "" for term in row])
    return tuple(dict(zip(answer.columns, row, strict=True)) for row in rows)


def missing_facts(broken: Break, question: str, weight: float, lost: float) -> list[MissingFact]:
    """Return what the join looked for and did not find, as far as its ends are known."""
    facts = broken.missing()
    return [
        MissingFact(subject, predicate, thing, "query", weight, lost / len(facts), (question,))
        for subject, predicate, thing in facts
    ]
