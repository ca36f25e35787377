"""The relation level of completeness: how many of its values each subject of a property has.

Without a reference nobody knows how many there should be, and rules of thumb stand in: under the closed world (cwa)
nothing is missing; under partial completeness (pca) who has one value has all; or with N values all are there. pca
is sound only for properties of which things have one value. Source: Galárraga, Razniewski, Amarilli and Suchanek 2017.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from assay.core.completeness import Profile
from assay.core.completeness_levels import Oracle, RelationLevel
from assay.core.estimates import Interval
from assay.core.sample import Sample
from assay.core.terms import Term, iri
from assay.errors import ParameterError
from assay.graph.completeness.reference import Pair, Reference, found_of, objects
from assay.graph.completeness.required import Expected
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import pieces, unlike, values
from assay.statistics.interval import interval as interval_of

_TOTALS = "SELECT ?p (COUNT(DISTINCT ?s) AS ?n) (COUNT(*) AS ?k) {{ {given} ?s ?p ?o . {test} }} GROUP BY ?p"
_MEMBERS = "SELECT ?p (COUNT(DISTINCT ?s) AS ?n) {{ {given} ?s a ?d }} GROUP BY ?p"
_WITH_ANY = "SELECT ?p (COUNT(DISTINCT ?s) AS ?n) {{ {given} ?s a ?d ; ?p ?o . {test} }} GROUP BY ?p"
_AT_LEAST = """SELECT ?p (COUNT(*) AS ?n) {{ SELECT ?p ?s {{
    {given} ?s a ?d ; ?p ?o . {test}
}} GROUP BY ?p ?s HAVING(COUNT(DISTINCT ?o) >= {least}) }} GROUP BY ?p"""


def rule_of(text: str) -> tuple[str, int]:
    """Read a rule of thumb: its name and how many values it wants; 0 for the closed world.

    Raises
    ------
    ParameterError
        None of cwa, pca and a whole number from 1.

    >>> rule_of("pca"), rule_of("2")
    (('pca', 1), ('least-2', 2))
    """
    if text in {"cwa", "pca"}:
        return text, int(text == "pca")
    if not (text.isascii() and text.isdigit() and int(text)):
        msg = f"rule: expected cwa, pca or a number of values from 1, found {text!r}"
        raise ParameterError(msg, hint="--rule 2 calls a subject complete that has two values.")
    return f"least-{int(text)}", int(text)


def relation_levels(
    graph: Graph,
    found: Profile,
    expected: Mapping[tuple[str, str], Expected],
    *,
    rules: Sequence[str] = ("pca",),
    properties: Iterable[str] = (),
    reference: Reference | None = None,
    sampled: bool = False,
    level: float = 0.95,
) -> tuple[RelationLevel, ...]:
    """Return how many of their values the subjects of each property have.

    Subjects that should have a value are the entities of the classes that expect the property, or where none does of
    the class that uses it most, less those that are known to have no value; where no class has it, the subjects of the
    reference. `properties` are looked at besides those that some class uses. The other parameters are those of
    `completeness`.

    Raises
    ------
    QueryError
        The graph did not answer.
    ParameterError
        A rule that does not exist.
    """
    asked = [rule_of(one) for one in rules]
    held = _held(graph, reference, found.voids) if reference is not None and reference.facts else {}
    names = sorted({name for _, name in found.uses} | set(properties) | held.keys())
    totals = _totals(graph, names, found.voids)
    classes = {name: classes_of(found, expected, name) for name in names}
    rows = [(iri(name), iri(one)) for name in names for kind in classes[name] for one in found.parts.get(kind, (kind,))]
    members = _counted(graph, _MEMBERS.format(given=values(["p", "d"], rows))) if rows else {}
    none = _known_none(found, classes)
    enough = {least: _enough(graph, rows, least, totals, found.voids) for _, least in asked if least}
    levels = []
    for name in names:
        judged = held.get(name, [])
        of = max(0, members.get(name, 0) - none.get(name, 0)) if classes[name] else len(judged)
        oracles = tuple(
            _oracle(rule, least, enough.get(least, {}).get(name, 0) if classes[name] else None, of, judged)
            for rule, least in asked
        )
        one = RelationLevel(name, *totals.get(name, (0, 0)), of, oracles)
        levels.append(_held_against(one, judged, level if sampled else None))
    return tuple(levels)


def classes_of(found: Profile, expected: Mapping[tuple[str, str], Expected], name: str) -> tuple[str, ...]:
    """Return the classes whose entities should have a property: those that expect it, else what uses it most."""
    asked = tuple(sorted(kind for kind, one in expected if one == name))
    if asked:
        return asked
    shares = [(use.have / found.entities[kind], kind) for (kind, one), use in found.uses.items() if one == name]
    return (max(shares)[1],) if shares else ()


def _totals(graph: Graph, names: Sequence[str], voids: Sequence[Term]) -> dict[str, tuple[int, int]]:
    """Count subjects and values of each property."""
    found: dict[str, tuple[int, int]] = {}
    for piece in pieces((iri(name),) for name in names):
        query = _TOTALS.format(given=values(["p"], piece), test=unlike("o", voids))
        for name, subjects, count in graph.select(query).rows:
            if name is not None and subjects is not None and count is not None:
                found[name.value] = int(float(subjects.value)), int(float(count.value))
    return found


def _enough(
    graph: Graph, rows: Sequence[Pair], least: int, totals: Mapping[str, tuple[int, int]], voids: Sequence[Term]
) -> dict[str, int]:
    """Count the entities with so many values by property; where no subject can have so many, nothing is asked."""
    can = [(name, kind) for name, kind in rows if _surplus(totals.get(name.value)) >= least - 1]
    query = _WITH_ANY if least == 1 else _AT_LEAST
    given, test = values(["p", "d"], can), unlike("o", voids)
    return _counted(graph, query.format(given=given, test=test, least=least)) if can else {}


def _surplus(totals: tuple[int, int] | None) -> int:
    """Return how many more values than subjects a property has."""
    return -1 if totals is None else totals[1] - totals[0]


def _counted(graph: Graph, query: str) -> dict[str, int]:
    return {row[0].value: int(float(row[1].value)) for row in graph.select(query).rows if row[0] and row[1]}


def _known_none(found: Profile, classes: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Count, for each property, the entities of its classes that are known to have no value."""
    within = {
        name: {one for kind in kinds for one in found.parts.get(kind, (kind,))} for name, kinds in classes.items()
    }
    entities: dict[str, set[str]] = defaultdict(set)
    for entity, name, stated in found.none:
        if stated in within.get(name, ()):
            entities[name].add(entity)
    return {name: len(some) for name, some in entities.items()}


Held = tuple[str, int, list[bool]]
"""A subject, how many values the graph has for it, and for each value of the reference whether it is there."""


def _held(graph: Graph, reference: Reference, voids: Sequence[Term]) -> dict[str, list[Held]]:
    """Hold the graph against the reference, by property."""
    wanted = reference.by_pair()
    there: dict[Pair, list[Term]] = objects(graph, wanted)
    found: dict[str, list[Held]] = defaultdict(list)
    for (subject, name), things in sorted(wanted.items()):
        given = [thing for thing in there.get((subject, name), []) if thing not in voids]
        found[name.value].append((subject.value, len(given), found_of(things, given)))
    return dict(found)


def _oracle(rule: str, least: int, counted: int | None, of: int, held: Sequence[Held]) -> Oracle:
    """Return what a rule calls complete: as counted in the graph, else among the subjects of the reference."""
    called = [all(values) for _, count, values in held if count >= least]
    complete = of if not least else len(called) if counted is None else counted
    if not held:
        return Oracle(rule, complete, of)
    return Oracle(rule, complete, of, sum(called), len(called), sum(all(values) for _, _, values in held))


def _held_against(one: RelationLevel, held: Sequence[Held], level: float | None) -> RelationLevel:
    """Return a property with what the reference says of it; an interval where the reference is a sample."""
    if not held:
        return one
    there = list(_each(held))
    ends = None if level is None else _interval(there, level)
    return replace(one, found=sum(found for _, found in there), reference=len(there), interval=ends)


def _each(held: Sequence[Held]) -> Iterator[tuple[int, bool]]:
    """Yield the number of the subject, and whether it is there, for each value of the reference."""
    for place, (_, _, found) in enumerate(held):
        for one in found:
            yield place, one


def _interval(there: Sequence[tuple[int, bool]], level: float) -> Interval:
    """Return the interval of the share that is there: values of one subject were drawn together."""
    found = np.array([float(one) for _, one in there])
    subjects = np.array([place for place, _ in there])
    names = pl.Series([f"{place:09d}" for place in range(len(there))])
    return interval_of(Sample(names, found, None, subjects, bounds=(0.0, 1.0)), level=level)
