"""What answers rest on: the statements that make a query find them, each way of finding one apart from the others."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.core.answers import Row
from assay.core.terms import Term
from assay.core.validity import Link
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.modifiers import Modifiers, tokenised
from assay.graph.sparql.patterns import Parts, Pattern, Slot, parts

Support = frozenset[Link]
"""One way to find an answer: all statements that it takes."""
MOST = 100_000
"""Ways beyond which the answers of one query are not traced."""
FRESH = "assay_"
"""Begins the names that blank nodes of a query are given."""
ROLES = {
    "either": "it offers a choice (UNION)",
    "optional": "it has optional parts",
    "negated": "it asks for what is not there",
}
WORDS = {
    "EXISTS": "it asks for what is not there",
    "GROUP": "it groups its rows",
    "HAVING": "it groups its rows",
    "SELECT": "it has a query within",
    "SERVICE": "it asks another endpoint",
}


@dataclass(frozen=True, slots=True)
class Supports:
    """The answers of a query, each with the ways in which the graph gives it; or the reason why nobody can tell."""

    answers: Mapping[Row, tuple[Support, ...]] = field(default_factory=dict)
    reason: str = ""


def supports(query: str, graph: Graph) -> Supports:
    """Return what the answers of a query rest on; of ASK, the empty row stands for "yes".

    Traced are queries whose answers need all their patterns, each with one property: those with filters as well, but
    not those with UNION, OPTIONAL, repeated paths, aggregates or queries within. Order and limit are left out.

    Raises
    ------
    MissingExtraError
        rdflib is not installed.

    >>> from assay.graph.sparql.store import Store
    >>> graph = Store.of("@prefix : <http://x/> . :a :boss :b, :c . :b :town :d . :c :town :d .")
    >>> found = supports("SELECT ?t { <http://x/a> <http://x/boss>/<http://x/town> ?t }", graph)
    >>> [(row[0].value, len(ways), sorted(map(len, ways))) for row, ways in found.answers.items()]
    [('http://x/d', 2, [2, 2])]
    >>> supports("SELECT (COUNT(?x) AS ?n) { ?x ?p ?o }", graph).reason
    'it counts or sums up'
    """
    reason = untraceable(query)
    if reason:
        return Supports(reason=reason)
    read = parts(query)
    answer = graph.ask(_traced(query, read))
    if not answer.answered:
        return Supports(reason=f"the query for what its answers rest on failed ({answer.status})")
    if answer.truncated or len(answer.rows) > MOST:
        return Supports(reason=f"there are more than {MOST:,} ways to its answers")
    ways: dict[Row, dict[Support, None]] = defaultdict(dict)
    for row in answer.rows:
        bound = dict(zip(answer.columns, row, strict=True))
        links = [instance(one, bound) for one in read.patterns]
        support = frozenset(link for link in links if link is not None)
        if None in links:
            return Supports(reason="a part of it is not bound")
        ways[tuple(bound.get(name) for name in read.columns)][support] = None
    return Supports({row: tuple(sorted(each, key=_order)) for row, each in ways.items()})


def untraceable(query: str) -> str:
    """Return why nobody can tell what the answers of a query rest on; nothing where it can be told."""
    if not query.strip():
        return "there is no query"
    read = parts(query)
    if read.form is None:
        return "it cannot be read"
    if read.form not in {"SELECT", "ASK"}:
        return f"it is {read.form}"
    return next(_obstacles(query, read), "")


def _obstacles(query: str, read: Parts) -> Iterator[str]:
    if read.aggregates:
        yield "it counts or sums up"
    yield from (ROLES[one.role] for one in read.patterns if one.role in ROLES)
    yield from ("it has a path that repeats or chooses" for one in read.patterns if one.predicate is None)
    words = [token.text.upper() for token in tokenised(query) if token.kind == "word"]
    words.remove(read.form or "")
    yield from (WORDS[word] for word in words if word in WORDS)
    if not read.patterns:
        yield "it has no patterns"


def hops(query: str) -> int | None:
    """Return how many different facts an answer takes; None where nobody can tell."""
    return None if untraceable(query) else len(set(parts(query).patterns))


def variable(name: str) -> str:
    """Return a variable as SPARQL writes it; a blank node of a query gets a name of its own."""
    return "?" + (FRESH + name.removeprefix("_:") if name.startswith("_:") else name)


def written(pattern: Pattern) -> str:
    """Return a pattern as SPARQL writes it.

    >>> written(Pattern("x", Term("iri", "http://x/p"), "_:1"))
    '?x <http://x/p> ?assay_1 .'
    """
    ends = (pattern.subject, pattern.predicate, pattern.object)
    return " ".join(end.n3 if isinstance(end, Term) else variable(end or "") for end in ends) + " ."


def variables(pattern: Pattern) -> list[str]:
    """Return the variables of a pattern as SPARQL writes them."""
    ends = (pattern.subject, pattern.predicate, pattern.object)
    return [variable(end) for end in ends if isinstance(end, str)]


def instance(pattern: Pattern, bound: Mapping[str, Term | None]) -> Link | None:
    """Return the statement that a pattern stands for when its variables are bound; None where one is not."""
    subject, predicate, thing = (_end(end, bound) for end in (pattern.subject, pattern.predicate, pattern.object))
    if subject is None or predicate is None or thing is None:
        return None
    return (subject, predicate.value, thing)


def _end(end: Slot | None, bound: Mapping[str, Term | None]) -> Term | None:
    return bound.get(variable(end)[1:]) if isinstance(end, str) else end


def _traced(query: str, read: Parts) -> str:
    """Return the query with all its variables as columns: its blank nodes become variables by a pattern beside them."""
    said = Modifiers.of(query)
    tokens = [token for token in tokenised(said.before) if token.kind != "comment"]
    form = next(token for token in tokens if token.word == read.form)
    top = [token for token in tokens if token.depth == 0 and token.start > form.start]
    start = next(one.start for one in top if one.word in {"FROM", "WHERE"} or one.text == "{")
    end = next(one.start for one in reversed(top) if one.text == "}")
    chosen = said.before[form.start + len(read.form or "") : start]
    blank = [written(one) for one in read.patterns if any(FRESH in name for name in variables(one))]
    names = dict.fromkeys(name for one in read.patterns for name in variables(one))
    columns = _columns(chosen, [name for name in names if name[1:] not in read.columns])
    body = f"{said.before[start:end]} {_dot(said.before[:end])} {' '.join(blank)} }}"
    return f"{said.before[: form.start]}SELECT DISTINCT {columns} {body}\nLIMIT {MOST + 1}\n{said.after}"


def _dot(before: str) -> str:
    """Return what must stand between a body and a further pattern: a line's end, should a comment be the last."""
    last = [token for token in tokenised(before) if token.kind != "comment"][-1]
    return "\n" if last.text in {".", "{", "}"} else "\n."


def _columns(chosen: str, further: list[str]) -> str:
    tokens = [token for token in tokenised(chosen) if token.kind != "comment"]
    if tokens and tokens[0].word in {"DISTINCT", "REDUCED"}:
        chosen = chosen[tokens[0].start + len(tokens[0].text) :]
        tokens = tokens[1:]
    if not tokens and not further:
        return "*"
    return chosen if tokens and tokens[0].text == "*" else f"{chosen} {' '.join(further)}"


def _order(support: Support) -> list[tuple[str, str, str]]:
    return sorted((s.n3, p, o.n3) for s, p, o in support)
