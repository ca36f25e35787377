"""Which facts the right answers need and a graph lacks: by what a suite says, and by a more complete graph."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from assay.core.answers import Question, Row
from assay.core.gaps import MissingFact
from assay.core.terms import Term, iri
from assay.core.validity import Link
from assay.graph.completeness.reference import found_of, objects
from assay.graph.gaps.supports import Support, supports
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import is_iri
from assay.graph.sparql.patterns import parts
from assay.tasks.answers.matching import LOCAL

Written = tuple[str, str, str]
"""A fact as a suite writes it."""


@dataclass(slots=True)
class Needs:
    """Facts that questions need and the graph lacks, while they are collected; each with what it costs by question."""

    costs: dict[Link, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    sources: dict[Link, str] = field(default_factory=dict)
    untraced: dict[str, str] = field(default_factory=dict)

    def add(self, fact: Link, question: str, cost: float, source: str) -> None:
        """Say that a question needs a fact, and what it loses without."""
        self.costs[fact][question] = self.costs[fact].get(question, 0.0) + cost
        self.sources.setdefault(fact, source)

    def costly(self) -> dict[str, list[Link]]:
        """Return, for each question, the missing facts by which it loses something."""
        found: dict[str, list[Link]] = defaultdict(list)
        for fact in sorted(self.costs, key=_key):
            for question, cost in self.costs[fact].items():
                if cost > 0:
                    found[question].append(fact)
        return found

    def missing(self, weights: Mapping[str, float]) -> list[MissingFact]:
        """Return the facts with demand and lost recall, as the questions weigh."""
        return [
            MissingFact(
                subject, predicate, thing, self.sources[subject, predicate, thing],
                sum(weights[name] for name in costs), sum(weights[name] * cost for name, cost in costs.items()),
                tuple(costs),
            )
            for (subject, predicate, thing), costs in self.costs.items()
        ]  # fmt: skip


def by_reference(needs: Needs, questions: Iterable[Question], reference: Graph, graph: Graph) -> None:
    """Add what the right answers rest on in the reference and the graph lacks.

    An answer is lost where every way to it needs a fact that is missing. Each missing fact costs the share of these
    ways that need it, of one answer among all of the question; a fact that no answer is lost by costs nothing.
    """
    traced: dict[str, Mapping[Row, tuple[Support, ...]]] = {}
    for question in questions:
        found = supports(question.gold_query or question.asked, reference)
        if found.reason:
            needs.untraced[question.name] = found.reason
        else:
            traced[question.name] = found.answers
    every = {link for answers in traced.values() for ways in answers.values() for way in ways for link in way}
    absent = lacking(every, graph)
    for name, answers in traced.items():
        for ways in answers.values():
            lost = all(way & absent for way in ways)
            for fact, share in _shares(ways, absent).items():
                needs.add(fact, name, share / len(answers) if lost else 0.0, "reference")


def lacking(links: Iterable[Link], graph: Graph) -> frozenset[Link]:
    """Return the statements that a graph does not have; objects are compared by value, blank nodes never missed."""
    wanted: dict[tuple[Term, Term], list[Term]] = defaultdict(list)
    for subject, predicate, thing in links:
        if "blank" not in {subject.kind, thing.kind}:
            wanted[subject, iri(predicate)].append(thing)
    there = objects(graph, sorted(wanted))
    absent = (
        (subject, predicate.value, thing)
        for (subject, predicate), things in wanted.items()
        for thing, found in zip(things, found_of(things, there.get((subject, predicate), [])), strict=True)
        if not found
    )
    return frozenset(absent)


def by_facts(
    needs: Needs, questions: Sequence[Question], graph: Graph, recall: Mapping[str, float | None], used: Iterable[str]
) -> None:
    """Add the facts that the suite itself names and the graph lacks; each costs all that its question loses.

    A fact is written with IRIs, or with what ends them. Names are completed by the IRIs that the query of the question
    or the graph has; a name that neither has stays as it is.
    """
    facts = {fact for question in questions for fact in question.facts}
    if not facts:
        return
    there = _written(graph, {predicate for _, predicate, _ in facts}, used)
    named = {name: term for found in there.values() for term in found for name in (term.value, _name(term.value))}
    for question in questions:
        own = named | {_name(one): iri(one) for one in _iris(question)}
        for fact in dict.fromkeys(question.facts):
            if _short(fact) not in there or not _exactly(fact, there[_short(fact)]):
                lost = recall.get(question.name)
                subject, predicate, thing = (_meant(text, own) for text in fact)
                needs.add((subject, predicate.value, thing), question.name, 1 - (1 if lost is None else lost), "facts")


def _written(graph: Graph, wanted: set[str], used: Iterable[str]) -> dict[Written, list[Term]]:
    """Return the statements of the wanted properties by the ends of their names."""
    names = {_name(text) for text in wanted}
    found: dict[Written, list[Term]] = defaultdict(list)
    for predicate in used:
        if _name(predicate) in names:
            for subject, thing in graph.select(f"SELECT DISTINCT ?s ?o {{ ?s {iri(predicate).n3} ?o }}").rows:
                if subject is not None and thing is not None:
                    key = (_name(subject.value), _name(predicate), _end(thing))
                    found[key] += [subject, iri(predicate), thing]
    return found


def _exactly(fact: Written, terms: Sequence[Term]) -> bool:
    """Tell whether one of these statements has the IRIs of the fact, wherever it is written with IRIs."""
    triples = zip(terms[::3], terms[1::3], terms[2::3], strict=True)
    return any(
        all(not is_iri(text) or text == term.value for text, term in zip(fact, triple, strict=True))
        for triple in triples
    )


def _iris(question: Question) -> list[str]:
    read = parts(question.gold_query or question.asked)
    return [*read.entities, *read.predicates, *read.classes]


def _short(fact: Written) -> Written:
    subject, predicate, thing = fact
    return (_name(subject), _name(predicate), _name(thing) if is_iri(thing) else thing)


def _end(term: Term) -> str:
    return _name(term.value) if term.kind == "iri" else term.value


def _name(text: str) -> str:
    found = LOCAL.search(text)
    return unquote(found[0]) if found is not None and found[0] else text


def _meant(text: str, named: Mapping[str, Term]) -> Term:
    if is_iri(text):
        return iri(text)
    return named.get(text, Term("text", text))


def _shares(ways: Sequence[Support], absent: frozenset[Link]) -> dict[Link, float]:
    """Return, for each fact that is missing, the share of the ways that need it."""
    often: dict[Link, int] = defaultdict(int)
    for way in ways:
        for link in way & absent:
            often[link] += 1
    return {link: many / len(ways) for link, many in often.items()}


def _key(fact: Link) -> tuple[str, str, str]:
    return (fact[0].n3, fact[1], fact[2].n3)
