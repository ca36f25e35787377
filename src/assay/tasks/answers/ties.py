"""Rows that the order of a query does not part, and the limits that cut through them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from assay.core.answers import Answer, Question, Row
from assay.core.suite_health import TieGroup, Ties
from assay.core.terms import Term
from assay.graph.sparql.asking import Graph, QueryError
from assay.graph.sparql.modifiers import Modifiers

PARTS = ("?{0}", *(f'COALESCE({part}, "")' for part in ("STR(?{0})", "LANG(?{0})", "STR(DATATYPE(?{0}))")))
"""What tells any two terms apart: engines may hold 1 and 1.0, or "a" and "a"@en, to be equal in an order."""
BLANK = Term("blank", "")


class UnstableError(QueryError):
    """A query that gives other rows each time that it is asked."""


def find_ties(query: str, graph: Graph, columns: Sequence[str] | None = None) -> Ties | None:
    """Return the rows of a query without its limit, in groups that its order does not part.

    The query is asked twice without limit and offset. Its own order is followed by all columns, once ascending and
    once descending, so that within each group of tied rows, and only there, the order is reversed: a group ends
    where both answers have given the same rows. A query without ORDER BY is asked once; all its rows are tied.

    Parameters
    ----------
    query
        A SELECT; for other forms, and without order and limit, there is nothing to find: None.
    columns
        Names of its variables; else they are asked for first.

    Raises
    ------
    QueryError
        The graph did not answer, or not with all rows.
    UnstableError
        The two answers hold different rows, as with RAND().

    >>> from assay.graph.sparql.store import Store
    >>> store = Store.of("@prefix : <http://x/> . :a :n 1 . :b :n 2 . :c :n 2 .")
    >>> found = find_ties("SELECT ?s { ?s ?p ?n } ORDER BY DESC(?n) LIMIT 1", store)
    >>> [row[0].value for row in found.acceptable], found.size, found.stable
    (['http://x/b', 'http://x/c'], 1, False)
    """
    modifiers = Modifiers.of(query)
    if modifiers.form != "SELECT" or not (modifiers.order or modifiers.cuts):
        return None
    if not modifiers.order:
        groups = [found.rows] if (found := _whole(graph, modifiers.written())).rows else []
        return Ties(found.columns, _taken(groups, modifiers), modifiers.limit, modifiers.offset, ordered=False)
    names = graph.select(query).columns if columns is None else tuple(columns)
    parts = [part.format(name) for name in names for part in PARTS]
    up = _whole(graph, modifiers.written(further=[f"ASC({part})" for part in parts]))
    down = _whole(graph, modifiers.written(further=[f"DESC({part})" for part in parts]))
    return Ties(up.columns, _taken(_parted(up, down), modifiers), modifiers.limit, modifiers.offset)


def acceptable(question: Question, graph: Graph) -> Ties | None:
    """Return the rows from which a right answer may take some; None where one answer alone is right.

    Raises
    ------
    QueryError
        As `find_ties`.
    """
    found = find_ties(question.gold_query, graph)
    return None if found is None or found.stable else found


def _whole(graph: Graph, query: str) -> Answer:
    found = graph.select(query)
    if found.truncated:
        raise QueryError(f"{graph.name}: expected all rows, found more than {len(found.rows):,}")
    return found


def _parted(up: Answer, down: Answer) -> list[tuple[Row, ...]]:
    """Part rows where both orders have given the same ones so far; blank nodes have no names that last."""
    balance: Counter[Row] = Counter()
    uneven, begun, groups = 0, 0, []
    if len(up.rows) != len(down.rows):
        raise UnstableError(f"expected the same rows twice, found {len(up.rows):,} and {len(down.rows):,}")
    for place, (one, other) in enumerate(zip(map(_named, up.rows), map(_named, down.rows), strict=True), 1):
        for row, step in ((one, 1), (other, -1)):
            uneven -= balance[row] != 0
            balance[row] += step
            uneven += balance[row] != 0
        if not uneven:
            groups.append(up.rows[begun:place])
            begun = place
    if uneven:
        raise UnstableError("expected the same rows twice, found others the second time")
    return groups


def _named(row: Row) -> Row:
    return tuple(BLANK if term is not None and term.kind == "blank" else term for term in row)


def _taken(groups: Sequence[tuple[Row, ...]], modifiers: Modifiers) -> tuple[TieGroup, ...]:
    return tuple(_windows(groups, modifiers))


def _windows(groups: Sequence[tuple[Row, ...]], modifiers: Modifiers) -> Iterator[TieGroup]:
    total = sum(map(len, groups))
    first = modifiers.offset
    last = total if modifiers.limit is None else first + modifiers.limit
    begun = 0
    for rows in groups:
        ended = begun + len(rows)
        yield TieGroup(rows, max(0, min(ended, last) - max(begun, first)))
        begun = ended
