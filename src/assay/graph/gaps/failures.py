"""Why a question failed: one cause each, the first that holds, with what shows it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.core.answers import Answer, Question
from assay.core.answers_evaluation import QuestionOutcome
from assay.core.gaps import Failure, MissingFact
from assay.core.terms import Term, iri
from assay.core.validity import Link
from assay.graph.gaps.breaks import Break, break_of
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import pieces, values
from assay.graph.sparql.patterns import parts
from assay.report.amounts import counted
from assay.report.iris import shorten

_THERE = "SELECT DISTINCT ?e {{ {given} FILTER(EXISTS {{ ?e ?p ?o }} || EXISTS {{ ?s ?q ?e }}) }}"
OUTCOMES = {"absent": "no answer", "error": "query error", "timeout": "time-out"}
NAMED = 3
"""So many of what is missing are named as evidence."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a graph and of its questions.

    Parameters
    ----------
    graph
        What the joins of a query are asked of.
    predicates, classes, things
        What the graph uses, and those entities of the questions of which it says anything.
    gold
        The right answers by question.
    facts
        The facts that each question needs and the graph lacks, as far as a suite or a reference tells.
    invalid
        The statements that the audit calls invalid.
    indexed
        What a search can return; None where SPARQL was asked.
    """

    graph: Graph
    predicates: frozenset[str]
    classes: frozenset[str]
    things: frozenset[Term]
    gold: Mapping[str, Answer] = field(default_factory=dict)
    facts: Mapping[str, Sequence[Link]] = field(default_factory=dict)
    invalid: frozenset[Link] = frozenset()
    indexed: Collection[str] | None = None


def known_of(graph: Graph, questions: Iterable[Question], gold: Mapping[str, Answer], **more: Any) -> Known:
    """Ask a graph which properties, classes and entities of these questions it has."""
    wanted = {iri(one) for question in questions for one in _entities(question)}
    wanted |= {term for answer in gold.values() for row in answer.rows for term in row if term and term.kind == "iri"}
    found = [graph.select(_THERE.format(given=values(["e"], one))).rows for one in pieces((e,) for e in sorted(wanted))]
    things = frozenset(row[0] for rows in found for row in rows if row[0] is not None)
    used, classes = (_names(graph, f"SELECT DISTINCT ?x {{ {what} }}") for what in ("?s ?x ?o", "?s a ?x"))
    return Known(graph, used, classes, things, gold, **more)


def failed(outcome: QuestionOutcome) -> bool:
    """Tell whether a question did not get all its right answers."""
    return outcome.outcome != "answered" or (outcome.recall is not None and outcome.recall < 1)


def explain_failure(question: Question, outcome: QuestionOutcome, known: Known) -> tuple[Failure, Break | None]:
    """Return why a question failed, and where its query breaks off; None where it does not, or nobody looked."""
    cause, evidence, broken = _cause(question, outcome, known)
    recall = 1.0 if outcome.recall is None else outcome.recall  # where nothing is right, nothing is lost
    return Failure(question.name, question.text, cause, evidence, recall, question.weight), broken


def _cause(question: Question, outcome: QuestionOutcome, known: Known) -> tuple[str, str, Break | None]:
    if outcome.outcome in OUTCOMES:
        return (OUTCOMES[outcome.outcome], outcome.message, None)
    lacked = known.facts.get(question.name, ())
    broken = None if lacked or known.indexed is not None else break_of(question.asked, known.graph)
    wrong = broken.through(known.invalid) if broken else []
    looks = (
        ("schema mismatch", _unused(question, known)),
        ("entity not linked", _absent(question, known)),
        ("missing fact", _listed([_fact(link) for link in lacked])),
        ("invalid link", _listed([_fact(link) for link in wrong])),
        ("not indexed", _listed(list(_unindexed(question, known)))),
        ("missing fact", broken.said if broken else ""),
    )
    held = ((cause, evidence, broken) for cause, evidence in looks if evidence)
    return next(held, ("answers differ", _difference(outcome), None))


def _unused(question: Question, known: Known) -> str:
    """Say which property or class, that every answer needs, the graph never uses."""
    read = parts(question.asked)
    needed = [one for one in read.patterns if one.role == "needed"]
    lost = [one.through for one in needed if one.through and not known.predicates.intersection(one.through)]
    names = list(dict.fromkeys(name for through in lost for name in through))
    classes = {one.object.value for one in needed if isinstance(one.object, Term) and one.object.value in read.classes}
    missing = sorted(name for name in classes if name not in known.classes and iri(name) not in known.things)
    short = shorten([*names, *missing])
    said = [f"property {short[name]}" for name in names] + [f"class {short[name]}" for name in missing]
    return f"never used: {_listed(said)}" if said else ""


def _absent(question: Question, known: Known) -> str:
    lost = [name for name in _entities(question) if iri(name) not in known.things]
    short = shorten(lost)
    return f"not in the graph: {_listed([short[name] for name in lost])}" if lost else ""


def _entities(question: Question) -> list[str]:
    """Return the IRIs that every answer to the query needs as subject or object, but classes."""
    read = parts(question.asked)
    ends = (end for one in read.patterns if one.role == "needed" for end in (one.subject, one.object))
    named = {end.value for end in ends if isinstance(end, Term) and end.kind == "iri"}
    return sorted(named.difference(read.classes))


def _unindexed(question: Question, known: Known) -> Iterator[str]:
    right = None if known.indexed is None else known.gold.get(question.name)
    for term in dict.fromkeys(term for row in (right.rows if right else ()) for term in row if term):
        if term in known.things and term.value not in (known.indexed or ()):
            yield term.value


def _difference(outcome: QuestionOutcome) -> str:
    """Say how many answers are right; one that is right in part counts as a part of one."""
    if outcome.hits.is_integer():
        return f"{outcome.hits:,.0f} of {counted(outcome.gold, 'right answer')} among the {outcome.found:,} found"
    return f"{counted(outcome.found, 'answer')} found, right in part: worth {outcome.hits:,.4g} of {outcome.gold:,}"


def _fact(link: tuple[Term | None, str, Term | None]) -> str:
    subject, predicate, thing = link
    short = shorten([*(term.value for term in (subject, thing) if term and term.kind == "iri"), predicate])

    def end(term: Term | None) -> str:
        if term is None:
            return "?"
        return short.get(term.value, term.value if term.kind == "text" else term.n3)

    return f"{end(subject)} {short[predicate]} {end(thing)}"


def said_of(missing: Sequence[MissingFact]) -> str:
    """Return what may be missing in words."""
    return f"nothing for {_listed([_fact((one.subject, one.predicate, one.object)) for one in missing])}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _names(graph: Graph, query: str) -> frozenset[str]:
    return frozenset(row[0].value for row in graph.select(query).rows if row[0] is not None)
