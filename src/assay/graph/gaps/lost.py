"""What stands between a query and a right answer that it does not find: the one pattern that fails for it."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from assay.core.answers import Answer, Row
from assay.core.gaps import MissingFact
from assay.core.terms import Term, iri
from assay.graph.completeness.reference import objects
from assay.graph.gaps.supports import untraceable, variable, variables, written
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.patterns import Pattern, Slot, parts
from assay.tasks.answers.matching import Matching

MOST = 1_000
"""Rows beyond which patterns say too little."""
FEW = 5
"""So many facts may come into question for one answer; of more, nobody can tell which it is."""
ANSWERS = 50
"""So many lost answers of a question are looked at."""

Fact = tuple[Term, str, Term | None]
Ends = tuple[Term, Term]


def lost_facts(query: str, right: Answer, graph: Graph) -> dict[Row, list[Fact]]:
    """Return, for right answers that the patterns of a query do not reach, the facts that may be missing.

    Each pattern is left out in turn. Where the others together reach the answer, the pattern is what fails, with the
    subject that they give it: a thing without any value of its property. The object is named where it is the answer
    itself. Of several such patterns the one counts that leaves fewest facts open.

    >>> from assay.core.terms import iri
    >>> from assay.graph.sparql.store import Store
    >>> graph = Store.of("@prefix : <http://x/> . :a :born 1 ; :name 'A' . :b :name 'B' .")
    >>> query = "SELECT ?n { ?x <http://x/name> ?n ; <http://x/born> ?y FILTER(?y < 9) }"
    >>> names = Answer("answered", ("n",), ((Term("text", "A"),), (Term("text", "B"),)))
    >>> lost_facts(query, names, graph) == {(Term("text", "B"),): [(iri("http://x/b"), "http://x/born", None)]}
    True
    """
    read = parts(query)
    patterns = list(dict.fromkeys(read.patterns))
    names = {name for one in patterns for name in variables(one)}
    columns = [variable(name) for name in read.columns]
    plain = right.answered and right.boolean is None and len(right.columns) == len(columns) and columns
    if untraceable(query) or not plain or not names.issuperset(columns):
        return {}
    reached = _rows(patterns, columns, graph)
    left = _lost(right.rows, reached, columns)[:ANSWERS] if reached is not None else []
    found = {row: [dict[Ends, set[Term | None]]() for _ in patterns] for row in left}
    for place, pattern in enumerate(patterns if left else ()):
        others = [one for one in patterns if one != pattern]
        for row, (subject, predicate, thing) in _without(pattern, others, columns, left, graph):
            found[row][place].setdefault((subject, iri(predicate)), set()).add(thing)
    there = objects(graph, sorted({pair for each in found.values() for ends in each for pair in ends}))
    open_ = {row: [_facts(ends, there) for ends in each] for row, each in found.items()}
    fewest = {row: min(filter(None, each), key=len, default=[]) for row, each in open_.items()}
    return {row: facts for row, facts in fewest.items() if 0 < len(facts) <= FEW}


def _facts(ends: Mapping[Ends, set[Term | None]], there: Collection[Ends]) -> list[Fact]:
    """Return the facts of things that have no value of the property."""
    return [
        (subject, predicate.value, next(iter(things)) if len(things) == 1 else None)
        for (subject, predicate), things in ends.items()
        if (subject, predicate) not in there
    ]


Bound = dict[str, Term | None]


def _rows(patterns: Sequence[Pattern], wanted: Sequence[str], graph: Graph) -> list[Bound] | None:
    """Return what patterns find, by variable; None where it is too much."""
    known = {name for one in patterns for name in variables(one)}
    shown = [name for name in dict.fromkeys(wanted) if name in known]
    body = " ".join(map(written, patterns))
    answer = graph.ask(f"SELECT DISTINCT {' '.join(shown) or '*'} {{ {body} }} LIMIT {MOST + 1}")
    if not answer.answered or len(answer.rows) > MOST:
        return None
    return [{f"?{name}": one for name, one in zip(answer.columns, row, strict=True)} for row in answer.rows]


def _lost(right: Sequence[Row], reached: Sequence[Bound], columns: Sequence[str]) -> list[Row]:
    rows = list(dict.fromkeys(right))
    given, wanted = Matching().keys([tuple(bound[name] for name in columns) for bound in reached], rows)
    there = set(given)
    return [row for row, key in zip(rows, wanted, strict=True) if key not in there]


def _without(
    pattern: Pattern, others: Sequence[Pattern], columns: Sequence[str], lost: Sequence[Row], graph: Graph
) -> Iterator[tuple[Row, Fact]]:
    """Yield lost answers that the other patterns reach, each with the fact that the left-out one stands for."""
    if not isinstance(pattern.predicate, Term) or not _connected(others):
        return
    found = _rows(others, [*columns, *variables(pattern)], graph) if others else [{}]
    places = [place for place, name in enumerate(columns) if found and name in found[0]]
    cut = [tuple(bound[columns[place]] for place in places) for bound in found or ()]
    given, wanted = Matching().keys(cut, [tuple(row[place] for place in places) for row in lost])
    for row, key in zip(lost, wanted, strict=True):
        cells = dict(zip(columns, row, strict=True))
        matched = (bound for bound, one in zip(found or (), given, strict=True) if one == key)
        facts = ((_end(pattern.subject, bound, cells), _end(pattern.object, {}, cells)) for bound in matched)
        for subject, thing in dict.fromkeys(facts):
            if subject is not None:
                yield row, (subject, pattern.predicate.value, thing)


def _end(end: Slot, bound: Bound, cells: Bound) -> Term | None:
    if isinstance(end, Term):
        return end
    found = bound.get(variable(end)) or cells.get(variable(end))
    return None if found is None or found.kind == "blank" else found


def _connected(patterns: Sequence[Pattern]) -> bool:
    """Tell whether patterns hang together by their variables: else they would find all pairs."""
    left = [set(variables(one)) for one in patterns if variables(one)]
    joined = left.pop() if left else set()
    while left:
        near = next((one for one in left if one & joined), None)
        if near is None:
            return False
        left.remove(near)
        joined |= near
    return True


def missing_of(lost: dict[Row, list[Fact]], question: str, weight: float, answers: int) -> list[MissingFact]:
    """Return the facts as missing, each with its share of the answers that are lost."""
    costs: dict[Fact, float] = {}
    for facts in lost.values():
        for fact in facts:
            costs[fact] = costs.get(fact, 0.0) + weight / answers / len(facts)
    return [
        MissingFact(subject, predicate, thing, "answer", weight, cost, (question,))
        for (subject, predicate, thing), cost in costs.items()
    ]
