"""The schema level of completeness: of the entities of a class, how many have what the class expects."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from assay.core.completeness import ClassScore, Filled, Profile, SchemaLevel
from assay.core.terms import Term, iri
from assay.graph.completeness.required import Expected, Pair
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import pieces, unlike, values

_AT_LEAST = """SELECT ?c ?p (COUNT(*) AS ?n) {{ SELECT ?c ?p ?s {{
    {given} ?s a ?d ; ?p ?o . {test}
}} GROUP BY ?c ?p ?s HAVING(COUNT(DISTINCT ?o) >= {least}) }} GROUP BY ?c ?p"""


def schema_level(
    graph: Graph,
    found: Profile,
    expected: Mapping[Pair, Expected],
    *,
    threshold: float | None = None,
    subclasses: bool = True,
    empty: bool = False,
) -> SchemaLevel:
    r"""Return which entities have the properties that their class expects.

    $$ CR(c, p) = \frac{|\{s \in c^* : s \text{ has enough values of } p\}|}{|c^*| - |\text{no value}(c, p)|} $$

    c* are the entities of the class and its subclasses. A class without entities has no ratio: not evaluated. The
    score of a class is the mean of its ratios.
    """
    several = {pair: one.least for pair, one in expected.items() if one.least > 1}
    alone: dict[str, tuple[str, ...]] = {}
    have = _at_least(graph, several, found.parts, found.voids)
    direct = _at_least(graph, several, alone, found.voids) if found.parts else have
    filled = tuple(
        _filled(found, pair, one, (have.get(pair, 0), direct.get(pair, 0)) if pair in several else None)
        for pair, one in sorted(expected.items())
    )
    return SchemaLevel(filled, tuple(_scores(filled, found)), threshold, subclasses, empty)


def _filled(found: Profile, pair: Pair, expected: Expected, counts: tuple[int, int] | None) -> Filled:
    kind, use = pair[0], found.use(*pair)
    have, direct_have = counts or (use.have, use.direct_have)
    return Filled(
        *pair, expected.why, expected.least, have, max(0, found.entities.get(kind, 0) - use.no_value), use.no_value,
        direct_have, max(0, found.direct.get(kind, 0) - use.direct_no_value),
    )  # fmt: skip


def _at_least(
    graph: Graph, several: Mapping[Pair, int], parts: Mapping[str, tuple[str, ...]], voids: Sequence[Term]
) -> dict[Pair, int]:
    """Count the entities with so many values, for pairs that ask for more than one."""
    by_least: dict[int, list[tuple[Term, ...]]] = defaultdict(list)
    for (kind, name), least in several.items():
        by_least[least] += [(iri(one), iri(kind), iri(name)) for one in parts.get(kind, (kind,))]
    counted: dict[Pair, int] = {}
    for least, rows in by_least.items():
        for piece in pieces(rows, len(rows)):
            given = values(["d", "c", "p"], piece)
            query = _AT_LEAST.format(given=given, test=unlike("o", voids), least=least)
            for row in graph.select(query).rows:
                if row[0] is not None and row[1] is not None and row[2] is not None:
                    counted[row[0].value, row[1].value] = int(float(row[2].value))
    return counted


def _scores(filled: Sequence[Filled], found: Profile) -> Iterator[ClassScore]:
    by_class: dict[str, list[float]] = {one.class_name: [] for one in filled}
    for one in filled:
        if one.ratio is not None:
            by_class[one.class_name].append(one.ratio)
    for name, ratios in by_class.items():
        mean = sum(ratios) / len(ratios) if ratios else None
        yield ClassScore(name, found.entities.get(name, 0), len(ratios), mean)
