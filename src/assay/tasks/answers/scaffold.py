"""`suite_of_graph`: questions that a graph answers today, as a beginning that people correct and add to.

A template is a class, a property and a way to ask: for the value of an entity (`value`), for the entities that have a
value (`holders`), or for a value of a value (`through`). Every class gets its turn; its templates come in the order of
how many entities they fit.
"""

import hashlib
import random
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from assay.core.answers import Answer, Question, Suite
from assay.core.progress import Progress
from assay.core.terms import Term
from assay.errors import InputError, ParameterError
from assay.graph.completeness.profile import profile
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import is_iri
from assay.tasks.answers.naming import LABELS, Names

KINDS: Mapping[str, tuple[int, str, str]] = {
    "value": (1, "?s a {c} ; {p} ?o .", "?s ?o"),
    "holders": (1, "?o a {c} ; {p} ?s .", "?s ?o"),
    "through": (2, "?s a {c} ; {p} ?m . ?m {q} ?o .", "?s ?m ?o"),
}
"""How many hops a way to ask has, the pattern of what it asks for (?s is named, ?o is the answer), and its order."""
ASKED = {
    "value": "SELECT DISTINCT ?answer {{ {s} {p} ?answer }}",
    "holders": "SELECT DISTINCT ?answer {{ ?answer a {c} ; {p} {s} }}",
    "through": "SELECT DISTINCT ?answer {{ {s} {p} ?between . ?between {q} ?answer }}",
}
WORDS = {
    "value": "What is the {p} of {s}?",
    "holders": "Which {c} has {s} as {p}?",
    "through": "What is the {q} of the {p} of {s}?",
}
NEXT = (
    "SELECT ?q (COUNT(DISTINCT ?s) AS ?n) {{ ?s a {c} ; {p} ?m . ?m ?q ?o FILTER(isIRI(?s) && isIRI(?m)) }} GROUP BY ?q"
)
MOST_ROWS = 20_000
"""Rows of a template that are looked at; the entities come in the order of their IRIs."""
MOST_PAIRS = 60
"""Pairs of class and property from which a second hop is looked for."""
Row = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A class, a property, perhaps a second one, the way to ask, and how many entities it fits."""

    kind: str
    class_name: str
    property: str
    second: str = ""
    entities: int = 0

    def filled(self, text: str, **further: str) -> str:
        """Return a text with the IRIs of the template in their places."""
        names = {"c": self.class_name, "p": self.property, "q": self.second}
        return text.format(**{key: f"<{name}>" for key, name in names.items()}, **further)


def suite_of_graph(
    graph: Graph,
    *,
    questions: int = 100,
    hops: Iterable[int] = (1, 2),
    classes: Sequence[str] = (),
    least: int = 5,
    most: int = 20,
    language: str = "en",
    seed: int = 0,
    progress: Progress | None = None,
) -> Suite:
    """Write questions that a graph answers, with the SPARQL, the answers and the facts that they rest on.

    Parameters
    ----------
    questions
        How many; fewer where the graph has no more.
    hops
        1: values of entities, and entities with a value; 2: values of values.
    classes
        IRIs of the classes to ask about; all if none.
    least
        How many entities of a class must have a property.
    most
        How many answers a question may have.
    language
        Of the names, where the graph has several.
    seed
        Which entities are asked about.

    Raises
    ------
    InputError
        The graph has nothing to ask about.
    ParameterError
        A number that is not allowed.
    QueryError
        The graph did not answer.

    >>> from assay.graph.sparql.store import Store
    >>> graph = Store.of("@prefix : <http://x/> . :ann a :Person ; :hasBoss :bob . :bob a :Person ; :hasBoss :ann .")
    >>> [one.text for one in suite_of_graph(graph, questions=2, least=1, hops=[1]).questions]
    ['What is the boss of ann?', 'Which person has bob as boss?']
    """
    wanted = _checked(questions, hops, least, most)
    templates = _templates(graph, wanted, classes, least)
    rows = _in_turn([_drawn(graph, one, most, seed) for one in templates], questions, progress)
    if not rows:
        raise InputError(
            f"{graph.name}: expected classes whose entities have properties, found none to ask about",
            hint=f"properties of fewer than {least} entities are left out; --least 1 takes all.",
        )
    names = Names.of(graph, _named(rows), language)
    return Suite("scaffold", tuple(_question(*row, names) for row in rows), format="assay")


def _checked(questions: int, hops: Iterable[int], least: int, most: int) -> list[int]:
    if min(questions, least, most) < 1:
        raise ParameterError("scaffold: expected questions, least and most of 1 or more, found a lower number")
    wanted = sorted(set(hops))
    if not wanted or not set(wanted) <= {1, 2}:
        raise ParameterError(f"hops: expected 1, 2 or both, found {wanted}")
    return wanted


def _templates(graph: Graph, hops: Sequence[int], classes: Sequence[str], least: int) -> list[Template]:
    """Return the templates that fit so many entities: of each class and way to ask the most frequent, then the next."""
    found = profile(graph, subclasses=False)
    uses = sorted((-use.have, *pair) for pair, use in found.uses.items())
    pairs = [
        Template("", kind, name, entities=-negative)
        for negative, kind, name in uses
        if -negative >= least and name not in LABELS and (not classes or kind in classes)
    ]
    made: list[Template] = []
    for number, pair in enumerate(pairs):
        if 1 in hops:
            made += [replace(pair, kind="value"), replace(pair, kind="holders")]
        if 2 in hops and number < MOST_PAIRS:
            made += _second(graph, pair, least)
    made.sort(key=lambda one: -one.entities)
    place: Counter[tuple[str, str]] = Counter()
    turns = []
    for one in made:
        place[one.class_name, one.kind] += 1
        turns.append((place[one.class_name, one.kind], one))
    return [one for _, one in sorted(turns, key=lambda turn: turn[0])]


def _second(graph: Graph, pair: Template, least: int) -> Iterator[Template]:
    """Yield what can be asked of the values of a property, the most frequent first."""
    rows = graph.select(pair.filled(NEXT)).rows
    found = sorted((-int(n.value), q.value) for q, n in rows if q is not None and n is not None)
    for negative, second in found:
        if -negative >= least and second not in LABELS and not second.endswith("#type"):
            yield replace(pair, kind="through", second=second, entities=-negative)


Drawn = tuple[Template, Term, tuple[Row, ...]]
"""A template, the entity or value that a question of it names, and the rows of its answer."""


def _drawn(graph: Graph, template: Template, most: int, seed: int) -> Iterator[Drawn]:
    """Yield the questions of a template in an order that the seed decides; the first asks the graph for all of them."""
    _, pattern, order = KINDS[template.kind]
    query = f"SELECT DISTINCT {order} {{ {template.filled(pattern)} FILTER(isIRI(?s)) }} ORDER BY {order}"
    rows = [tuple(row) for row in graph.select(f"{query} LIMIT {MOST_ROWS}").rows]
    groups = [(term, tuple(found)) for term, found in groupby(rows, key=lambda row: row[0])]
    if len(rows) == MOST_ROWS:
        groups.pop()  # its rows may go on
    fit = [(term, found) for term, found in groups if term and _fits(found, most)]
    fit.sort(key=lambda group: group[0])
    random.Random(f"{seed} {template}").shuffle(fit)  # noqa: S311 - a draw that can be repeated
    for term, found in fit:
        yield template, term, tuple(tuple(one for one in row if one is not None) for row in sorted(found))


def _fits(rows: Sequence[tuple[Term | None, ...]], most: int) -> bool:
    """Whether people can say what is asked for, and list the answers."""
    terms = [term for row in rows for term in row]
    plain = all(term is not None and term.kind != "blank" and len(term.value) <= 200 for term in terms)
    return plain and len({row[-1] for row in rows}) <= most and is_iri(rows[0][0].value if rows[0][0] else "")


def _in_turn(sources: Iterable[Iterator[Drawn]], most: int, progress: Progress | None) -> list[Drawn]:
    """Take one question of each source in turn, none twice."""
    taken: dict[str, Drawn] = {}
    waiting = deque(sources)
    while waiting and len(taken) < most:
        source = waiting.popleft()
        one = next(source, None)
        if one is not None:
            taken.setdefault(_query(one[0], one[1]), one)
            waiting.append(source)
            if progress is not None:
                progress(len(taken), most)
    return list(taken.values())


def _query(template: Template, term: Term) -> str:
    return template.filled(ASKED[template.kind], s=term.n3)


def _named(rows: Iterable[Drawn]) -> list[str]:
    return [name for one, term, _ in rows for name in (one.class_name, one.property, one.second, term.value) if name]


def _question(template: Template, term: Term, rows: tuple[Row, ...], names: Names) -> Question:
    query = _query(template, term)
    said = {"c": template.class_name, "p": template.property, "q": template.second, "s": term.value}
    words = {key: names.property(name) if key in {"p", "q"} else names.thing(name) for key, name in said.items()}
    answers = tuple(dict.fromkeys((row[-1],) for row in rows))
    groups = {"hops": str(KINDS[template.kind][0]), "kind": template.kind, "class": template.class_name}
    return Question(
        hashlib.sha256(query.encode()).hexdigest()[:10],
        WORDS[template.kind].format(**words),
        gold_query=query,
        gold=Answer("answered", ("answer",), answers),
        facts=tuple(dict.fromkeys(fact for row in rows for fact in _facts(template, row))),
        groups={**groups, "property": template.second or template.property},
    )


def _facts(template: Template, row: Row) -> Iterator[tuple[str, str, str]]:
    first, last = row[0].value, row[-1].value
    if template.kind == "through":
        yield first, template.property, row[1].value
        yield row[1].value, template.second, last
    else:
        yield (first, template.property, last) if template.kind == "value" else (last, template.property, first)
