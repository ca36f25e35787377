"""The shapes in which JSON holds judgments and answers, and the rows they stand for.

One object for each row, `{"query", "item", "score" | "rank" | "grade"}`; one object for each query with its items
in a list, best first, `{"query", "items": [...]}`; or a mapping `{query: {item: number}}` or `{query: [items]}`.
An entry of a list is an id, a pair `[id, number]` or an object `{"item", "score"}`.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from assay.core.columns import GRADE, ITEM, QUERY, RANK, SCORE
from assay.formats.base import Kind

LISTS = (
    "items", "ranking", "results", "docs", "hits", "evidence", "documents", "passages", "retrieved", "ranked",
    "relevant", "positives", "gold", "judgments", "answers", "corpus-ids",
)  # fmt: skip
ABSENT: Any = object()
MANY = 1000
Entry = tuple[str, Any, Any]
"""An item, its grade or score, its rank; ABSENT where there is none."""
COLUMN_TYPES: tuple[frozenset[type], ...] = (
    frozenset({str}),
    frozenset({str}),
    frozenset({int, float}),
    frozenset({int}),
)
Keys = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The keys of an object that may name its query, item, number and rank; the first that fits is taken."""


class ShapeError(ValueError):
    """Says what was expected and what was found; the reader adds the place."""


class Repeated(dict[str, Any]):
    """An object of JSON in which a key stands twice; `pairs` keeps all of them."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def keep_all(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON; one with a repeated key remembers all its values."""
    made = dict(pairs)
    return made if len(made) == len(pairs) else Repeated(pairs)


@dataclass
class Table:
    """Rows gathered from values of JSON.

    `pattern` says whether the rows of a run have scores and ranks: what the first row has, all must have.
    `unjudged` are the queries that were named without an item.
    """

    kind: Kind
    queries: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    unjudged: list[str] = field(default_factory=list)
    pattern: tuple[bool, bool] | None = None
    _keys: dict[tuple[str, ...], Keys] = field(default_factory=dict)

    def add(self, value: object) -> None:
        """Add the rows of an object, or of each object in a list.

        Raises
        ------
        ShapeError
            A value of none of the shapes.
        """
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, dict):
                msg = f"expected an object with a query, found {_shown(each)}"
                raise ShapeError(msg)
            key = _scalar(each, self._known(each)[0])
            if key is None:
                for query, held in _pairs(each):
                    self._add_query(query, held)
            else:
                self._add_object(_text(each[key], "query"), _single(each))

    def add_alike(self, values: list[Any]) -> bool:
        """Add objects that stand for rows and are all alike, at once; say whether they were.

        Alike are objects with the same keys, whose ids are text and whose numbers are numbers.
        """
        if set(map(type, values)) != {dict} or len(set(map(tuple, values))) > 1:
            return False
        wanted = [column[0] if column else None for column in self._known(values[0])]
        held = [None if key is None else [value[key] for value in values] for key in wanted]
        pattern = (held[2] is not None, held[3] is not None)
        if self.kind == "run" and (not any(pattern) or pattern != (self.pattern or pattern)):
            return False
        if not all(column is None or _are(column, kinds) for column, kinds in zip(held, COLUMN_TYPES, strict=True)):
            return False
        queries, items, numbers, ranks = held
        if not queries or not items:
            return False
        self._extend(queries, items, numbers, ranks)
        return True

    def take(self) -> pl.DataFrame:
        """Return the rows gathered so far as a frame, and forget them."""
        number = "grade" if self.kind == "gold" else "score"
        columns: dict[str, Any] = {"query": self.queries, "item": self.items, number: self.numbers}
        schema: dict[str, Any] = {"query": pl.String, "item": pl.String, number: pl.Float64}
        if self.ranks:
            columns["position"], schema["position"] = self.ranks, pl.Int64
        self.queries, self.items, self.numbers, self.ranks = [], [], [], []
        return pl.DataFrame(columns, schema=schema)

    def _extend(
        self, queries: list[str], items: list[str], numbers: list[float] | None, ranks: list[int] | None
    ) -> None:
        self.queries += queries
        self.items += items
        if self.kind == "gold":
            self.numbers += [1.0] * len(items) if numbers is None else map(float, numbers)
            return
        self.pattern = (numbers is not None, ranks is not None)
        self.ranks += ranks or []
        self.numbers += map(float, numbers) if numbers is not None else [-float(rank) for rank in ranks or []]

    def _add_object(self, query: str, value: dict[str, Any]) -> None:
        if _scalar(value, self._known(value)[1]) is not None:
            self._add_row(query, self._entry(value), 1)
            return
        held = next((value[key] for key in value if key.lower() in LISTS and isinstance(value[key], dict | list)), None)
        if held is None:
            msg = f"expected an item, or a list of items ({', '.join(LISTS[:5])} …), found the keys {list(value)}"
            raise ShapeError(msg)
        self._add_query(query, held)

    def _add_query(self, query: str, held: object) -> None:
        if isinstance(held, dict):
            entries: Iterable[Entry] = ((item, number, ABSENT) for item, number in _pairs(held))
        elif isinstance(held, list):
            entries = map(self._entry, held)
        else:
            msg = f"expected a list or mapping of items for query {query!r}, found {_shown(held)}"
            raise ShapeError(msg)
        if not held:
            self.unjudged.append(query)
        for place, entry in enumerate(entries, 1):
            self._add_row(query, entry, place)

    def _entry(self, value: object) -> Entry:
        if isinstance(value, list):
            if len(value) != 2:
                msg = f"expected a pair of an id and a number, found {_shown(value)}"
                raise ShapeError(msg)
            return _text(value[0], "item"), value[1], ABSENT
        if not isinstance(value, dict):
            return _text(value, "item"), ABSENT, ABSENT
        _, items, numbers, ranks = self._known(_single(value))
        key = _scalar(value, items)
        if key is None:
            msg = f"expected an item ({', '.join(ITEM[:6])} …), found the keys {list(value)}"
            raise ShapeError(msg)
        number, rank = _scalar(value, numbers), _scalar(value, ranks)
        return (
            _text(value[key], "item"),
            ABSENT if number is None else value[number],
            ABSENT if rank is None else value[rank],
        )

    def _known(self, value: dict[str, Any]) -> Keys:
        """Look up the keys of an object; those of objects with the same keys are remembered."""
        names = tuple(value)
        keys = self._keys.get(names)
        if keys is None:
            if len(self._keys) > MANY:
                self._keys.clear()
            keys = self._keys[names] = (
                _named(names, QUERY), _named(names, ITEM),
                _named(names, GRADE if self.kind == "gold" else SCORE), _named(names, RANK),
            )  # fmt: skip
        return keys

    def _add_row(self, query: str, entry: Entry, place: int) -> None:
        item, number, rank = entry
        self.queries.append(query)
        self.items.append(item)
        if self.kind == "gold":
            self.numbers.append(1.0 if number is ABSENT else _number(number, "grade"))
            return
        pattern = (number is not ABSENT, rank is not ABSENT)
        self.pattern = self.pattern or pattern
        if pattern != self.pattern:
            words = [word for word, wanted in zip(("a score", "a rank"), self.pattern, strict=True) if wanted]
            msg = f"expected {' and '.join(words) or 'an id alone'}, as in the rows before, found another kind of row"
            raise ShapeError(msg)
        if pattern[1]:
            self.ranks.append(_rank(rank))
        self.numbers.append(_number(number, "score") if pattern[0] else -float(_rank(rank) if pattern[1] else place))


def _are(column: list[Any], types: frozenset[type]) -> bool:
    """Say whether all values are of these types, no text is empty and no number is too large for a column."""
    if not types.issuperset(map(type, column)):
        return False
    return all(column) if str in types else all(-(2**63) < number < 2**63 for number in column if type(number) is int)


def _pairs(value: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    return value.pairs if isinstance(value, Repeated) else value.items()


def _single(value: dict[str, Any]) -> dict[str, Any]:
    """Refuse an object for a row in which a key stands twice."""
    if isinstance(value, Repeated):
        names = [name for name, _ in value.pairs]
        msg = f"expected each key once, found {next(name for name in names if names.count(name) > 1)!r} twice"
        raise ShapeError(msg)
    return value


def _named(keys: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys that are among the names, in any case, in the order of the names."""
    lowered = {key.lower(): key for key in keys}
    return tuple(lowered[name] for name in names if name in lowered)


def _scalar(value: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    """Return the first key under which something other than a list or object stands."""
    for key in keys:
        if not isinstance(value[key], dict | list):
            return key
    return None


def _text(value: object, what: str) -> str:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    msg = f"expected text or a whole number as {what}, found {_shown(value)}"
    raise ShapeError(msg)


def _number(value: object, what: str) -> float:
    if value is None and what == "score":
        return math.nan
    if isinstance(value, int | float) and not (what == "score" and isinstance(value, bool)):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    msg = f"expected a number as {what}, found {_shown(value)}"
    raise ShapeError(msg)


def _rank(value: object) -> int:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**63 and value == int(value):
        return int(value)
    msg = f"expected a whole number as rank, found {_shown(value)}"
    raise ShapeError(msg)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
