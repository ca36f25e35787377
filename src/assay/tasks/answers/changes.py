"""What of an answer is no longer there, and what has come: terms by value, names of variables ignored."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context

from assay.core.answers import Answer, Row
from assay.core.suite_health import Ties
from assay.core.terms import XSD, Term
from assay.report.amounts import counted
from assay.tasks.answers.matching import Cells, Key, Matching
from assay.tasks.answers.rows import unnamed

EXACT = Matching(language="exact", labels="keep")
SHORT = Context(prec=12)
"""Significant digits up to which numbers are compared: engines divide decimals to different lengths."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Rows that only the first of two answers has, and rows that only the second has; `said` where more is the matter.

    >>> from assay.core.terms import iri
    >>> one, two = Answer("answered", ("x",), ((iri("http://x/a"),),)), Answer("answered", ("y",), ())
    >>> Changes.between(one, two).lost == one.rows, Changes.between(one, one).any
    (True, False)
    """

    lost: tuple[Row, ...] = ()
    added: tuple[Row, ...] = ()
    said: str = ""

    @property
    def any(self) -> bool:
        """Whether the two answers differ."""
        return bool(self.lost or self.added or self.said)

    @classmethod
    def of(cls, given: Answer, asked: Answer, ties: Ties | None) -> "Changes":
        """Return how a given answer differs from what a query was answered.

        Where the limit of the query cuts a tie, each choice is right. An answer that is ordered has to keep the order
        of the query; rows that are tied may stand in any.
        """
        found = cls.between(given, asked) if ties is None or ties.stable else cls._from_choices(given, ties)
        if found.any or ties is None or not (given.ordered and ties.ordered) or _in_order(given, ties):
            return found
        return cls(said="the rows are the same in another order")

    @classmethod
    def _from_choices(cls, given: Answer, ties: Ties) -> "Changes":
        sure = tuple(row for group in ties.groups if group.taken == len(group.rows) for row in group.rows)
        lost = cls.between(given, Answer("answered", ties.columns, ties.acceptable))
        added = cls.between(given, Answer("answered", ties.columns, sure)).added
        said = "" if len(given.rows) == ties.size else f"{counted(len(given.rows), 'row')} became {ties.size:,}"
        return cls(lost.lost, added, lost.said or said)

    @classmethod
    def between(cls, one: Answer, other: Answer) -> "Changes":
        """Return how two answers that were given differ; rows count once, their order does not count."""
        if one.boolean is not None or other.boolean is not None:
            return cls() if one.boolean == other.boolean else cls(said=f"{_kind(one)} became {_kind(other)}")
        if one.rows and other.rows and len(one.rows[0]) != len(other.rows[0]):
            return cls(said=f"{len(one.rows[0])} columns became {len(other.rows[0])}")
        first, second = tuple(dict.fromkeys(one.rows)), tuple(dict.fromkeys(_aligned(other, one.columns)))
        mine, theirs = (_rounded(cells) for cells in EXACT.keys(first, second))
        return cls(_without(first, mine, theirs), _without(second, theirs, mine))


def _aligned(answer: Answer, columns: tuple[str, ...]) -> tuple[Row, ...]:
    if answer.columns == columns or set(answer.columns) != set(columns):
        return answer.rows
    places = [answer.columns.index(name) for name in columns]
    return tuple(tuple(row[place] for place in places) for row in answer.rows)


def _in_order(given: Answer, ties: Ties) -> bool:
    """Whether rows stand in the order of their groups; a row of several groups may stand in any of these places."""
    groups = [(number, row) for number, group in enumerate(ties.groups) for row in group.rows]
    known, rows = (_rounded(cells) for cells in EXACT.keys([row for _, row in groups], _aligned(given, ties.columns)))
    places: dict[Cells, int] = {}
    for (number, _), cells in zip(groups, known, strict=True):
        if places.setdefault(cells, number) != number:
            return True
    found = [places[cells] for cells in rows if cells in places]
    return found == sorted(found)


def _rounded(rows: Sequence[Cells]) -> list[Cells]:
    """Return the keys of rows, blank nodes of a row without names, numbers of many digits rounded."""
    return [tuple(None if key is None else _short(key) for key in row) for row in unnamed(rows)]


def _short(key: Key) -> Key:
    if key[0] != "number" or len(key[1]) <= SHORT.prec:
        return key
    number = SHORT.create_decimal(f"{key[1]}e{key[2]}")
    return EXACT.key(Term("literal", str(number), XSD + "decimal"))


def _without(rows: Sequence[Row], keys: Sequence[Cells], others: Sequence[Cells]) -> tuple[Row, ...]:
    known = set(others)
    return tuple(row for row, key in zip(rows, keys, strict=True) if key not in known)


def _kind(answer: Answer) -> str:
    return counted(len(answer.rows), "row") if answer.boolean is None else "yes" if answer.boolean else "no"
