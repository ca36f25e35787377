"""The join of link validity and retrieval: how many of the right answers found rest on links that are invalid."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.core.answers import Answer, Question, Row
from assay.core.estimates import Interval
from assay.core.gaps import Resting
from assay.core.validity import Link
from assay.graph.gaps.supports import Support, supports
from assay.graph.sparql.asking import Graph
from assay.statistics.proportion import wilson
from assay.tasks.answers.matching import Matching

EXAMPLES = 20
OTHER = "its answers are not those of this query on this graph"
COLUMNS = "its columns are not those of the gold"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What answers are traced in."""

    graph: Graph
    invalid: frozenset[Link]


@dataclass(slots=True)
class _Counted:
    """What is counted, question by question."""

    found: int = 0
    traced: int = 0
    invalid: int = 0
    some: int = 0
    recalls: list[tuple[float, float, float]] = field(default_factory=list)
    links: Counter[Link] = field(default_factory=Counter)
    untraced: Counter[str] = field(default_factory=Counter)


def resting_on(
    graph: Graph,
    questions: Sequence[Question],
    answers: Mapping[str, Answer],
    gold: Mapping[str, Answer],
    invalid: frozenset[Link],
    *,
    level: float = 0.95,
) -> Resting:
    """Count right answers that are found only by way of invalid links.

    An answer rests on invalid links alone where each way to it has one: were these links taken out, it would not be
    found. Rows count once; the interval takes answers for independent, though those of one question share links.

    >>> from assay.core.terms import iri
    >>> from assay.graph.sparql.store import Store
    >>> graph = Store.of("@prefix : <http://x/> . :a :boss :b , :c .")
    >>> one = Question("1", query="SELECT ?b { <http://x/a> <http://x/boss> ?b }")
    >>> right = graph.ask(one.query)
    >>> wrong = frozenset([(iri("http://x/a"), "http://x/boss", iri("http://x/c"))])
    >>> found = resting_on(graph, [one], {"1": right}, {"1": right}, wrong)
    >>> found.traced, found.invalid, found.recall, found.sound
    (2, 1, 1.0, 0.5)
    """
    counted = _Counted()
    for question in questions:
        found, right = answers.get(question.name), gold.get(question.name)
        if found is not None and right is not None and found.answered:
            _count(counted, question, found, right, _Asked(graph, invalid))
    total = sum(weight for weight, *_ in counted.recalls)
    recall, sound = (sum(one[0] * one[place] for one in counted.recalls) / total if total else None for place in (1, 2))
    return Resting(
        counted.found, counted.traced, counted.invalid, counted.some, _interval(counted, level), recall, sound,
        len(counted.recalls), dict(sorted(counted.untraced.items())), tuple(_most(counted.links)),
    )  # fmt: skip


def _count(counted: _Counted, question: Question, found: Answer, right: Answer, asked: _Asked) -> None:
    relevant, of = _relevant(found, right)
    if relevant is None:
        counted.untraced[COLUMNS] += 1
    elif relevant:
        counted.found += len(relevant)
        traced = supports(question.asked, asked.graph)
        reason = traced.reason or (OTHER if not relevant <= traced.answers.keys() else "")
        if reason:
            counted.untraced[reason] += 1
        else:
            _judge(counted, [traced.answers[row] for row in relevant], asked.invalid, of, question.weight)


def _judge(
    counted: _Counted, ways: Sequence[tuple[Support, ...]], invalid: frozenset[Link], of: int, weight: float
) -> None:
    """Count the answers of one question, each by all ways to it."""
    alone = 0
    for each in ways:
        wrong = [way & invalid for way in each]
        alone += all(wrong)
        counted.some += any(wrong) and not all(wrong)
        counted.links.update({link for links in wrong for link in links} if all(wrong) else ())
    counted.traced += len(ways)
    counted.invalid += alone
    counted.recalls.append((weight, len(ways) / of, (len(ways) - alone) / of))


def _relevant(found: Answer, right: Answer) -> tuple[set[Row] | None, int]:
    """Return the different right rows that were found, and how many there are; None where columns do not match."""
    if found.boolean is not None or right.boolean is not None:
        return ({()} if found.boolean and right.boolean else set()), 1
    if found.rows and right.rows and len(found.columns) != len(right.columns):
        return None, 0
    rows = list(dict.fromkeys(found.rows))
    wanted, given = Matching().keys(right.rows, rows)
    known = set(wanted)
    return {row for row, key in zip(rows, given, strict=True) if key in known}, len(known)


def _interval(counted: _Counted, level: float) -> Interval | None:
    if not counted.traced:
        return None
    low, high = wilson(counted.invalid / counted.traced, counted.traced, level)
    return Interval(low, high, level, "wilson", counted.traced)


def _most(links: Counter[Link]) -> list[tuple[Link, int]]:
    order = sorted(links.items(), key=lambda pair: (-pair[1], pair[0][0].n3, pair[0][1], pair[0][2].n3))
    return order[:EXAMPLES]
