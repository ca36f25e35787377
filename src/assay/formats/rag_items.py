"""Items of retrieval, in the shapes that tools write: texts, ids, triples, objects with a score."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

ID = ("id", "item", "_id", "item_id", "chunk_id", "passage_id", "node_id", "fact_id", "entity_id", "entity", "uri")
TEXT = ("text", "content", "page_content", "passage", "chunk", "context", "fact", "body")
DOCUMENT = ("document", "title", "doc_id", "docid", "document_id", "doc", "source", "file_name")
SCORE = ("score", "similarity", "relevance_score", "weight")
TOKENS = ("tokens", "token_count", "n_tokens", "num_tokens")
TRIPLE = ("triple", "spo", "edge")
ENDS = (
    ("subject", "predicate", "object"),
    ("head", "relation", "tail"),
    ("s", "p", "o"),
    ("source", "relation", "target"),
)
NESTED = ("metadata", "node", "document", "meta")

Cells = tuple[str | None, str | None, str | None, str | None, str | None, str | None, float | None, float | None]
"""id, text, document, subject, predicate, object, score, tokens."""
Keys = Mapping[str, Any]
Nested = list[Mapping[str, Any]]

SHAPES = (
    "text, a number, [subject, predicate, object], [document, passage], or an object with id, text, title or triple"
)


class ItemError(ValueError):
    """A value that is not of its shape; the reader adds the place."""

    def __init__(self, expected: str, found: str) -> None:
        self.expected, self.found = expected, found
        super().__init__(f"expected {expected}, found {found}")


def shown(value: object) -> str:
    """Return a value as a message shows it, not too long."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def cells(value: object) -> Cells:
    """Return what an item says of itself.

    Raises
    ------
    ItemError
        A value of no known shape.

    >>> cells("p1")[:3], cells(["a", "b", "c"])[3:6], cells({"id": 7, "score": 0.5})[0::6]
    (('p1', 'p1', None), ('a', 'b', 'c'), ('7', 0.5))
    """
    if isinstance(value, str):
        return (value, value, None, None, None, None, None, None)
    if isinstance(value, list | tuple):
        return _of_list(list(value))
    if isinstance(value, Mapping):
        return _of_object(value)
    name = text_of(value)
    if name is None:
        raise ItemError(f"an item: {SHAPES}", shown(value))
    return (name, name, None, None, None, None, None, None)


def text_of(value: object) -> str | None:
    """Return a text or a whole number as text; None for anything else."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def number_of(value: object, what: str) -> float | None:
    """Return a number; None stays None.

    Raises
    ------
    ItemError
        Anything else; a number too large for a float is infinite.
    """
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ItemError(f"a number as {what}", shown(value))
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _of_list(value: list[Any]) -> Cells:
    """Read a triple, with or without a score, or a pair of document and passage."""
    score = number_of(value.pop(), "score of a triple") if len(value) == 4 else None
    texts = [text_of(part) for part in value]
    if None not in texts and len(texts) == 3:
        return (None, None, None, texts[0], texts[1], texts[2], score, None)
    if None not in texts and len(texts) == 2 and score is None:
        return (pair(*texts), None, texts[0], None, None, None, None, None)
    raise ItemError(f"an item: {SHAPES}", shown(value))


def pair(*parts: str | None) -> str:
    """Return several texts as one id, different for different texts.

    >>> pair("Paris", "p1")
    '["Paris", "p1"]'
    """
    import json

    return json.dumps(parts, ensure_ascii=False)


def _of_object(value: Mapping[str, Any]) -> Cells:
    keys = _keys(tuple(value))
    inner = [one for name in NESTED if isinstance(one := value.get(name), Mapping)]
    triple = _triple(value, keys["triple"])
    identity = [_first(value, inner, keys, part, text_of) for part in ("id", "text", "document")]
    if triple == (None, None, None) and identity == [None, None, None]:
        raise ItemError(f"an item: {SHAPES}", f"an object with the keys {', '.join(map(str, value))}")
    score = _first(value, inner, keys, "score", lambda found: number_of(found, "score"))
    tokens = _first(value, inner, keys, "tokens", lambda found: number_of(found, "tokens"))
    return (*identity, *triple, score, tokens)


def _first(value: Mapping[str, Any], inner: Nested, keys: Keys, part: str, read: Callable[[Any], Any]) -> Any:
    """Return the first of the keys for a part that holds one, in the object itself, then in those inside."""
    for holder, names in ((value, keys[part]), *((one, _keys(tuple(one))[part]) for one in inner)):
        for name in names:
            if not isinstance(holder[name], Mapping) and (found := read(holder[name])) is not None:
                return found
    return None


def _triple(value: Mapping[str, Any], names: tuple[tuple[str, ...], ...]) -> tuple[str | None, str | None, str | None]:
    for group in names:
        parts = value[group[0]] if len(group) == 1 else [value[name] for name in group]
        texts = [text_of(part) for part in parts] if isinstance(parts, list | tuple) else []
        if len(texts) != 3 or None in texts:
            raise ItemError("a triple as [subject, predicate, object]", shown(parts))
        return texts[0], texts[1], texts[2]
    return None, None, None


@lru_cache(256)
def _keys(names: tuple[str, ...]) -> dict[str, Any]:
    """Return which keys of an object say what."""
    lowered = {str(name).lower(): name for name in reversed(names)}
    ends = tuple(tuple(lowered[end] for end in group) for group in ENDS if all(end in lowered for end in group))
    whole = tuple((lowered[name],) for name in TRIPLE if name in lowered)
    known = {"id": ID, "text": TEXT, "document": DOCUMENT, "score": SCORE, "tokens": TOKENS}
    ending = {name for group in ends for name in group}
    found = {
        part: tuple(lowered[name] for name in options if name in lowered and lowered[name] not in ending)
        for part, options in known.items()
    }
    return found | {"triple": (*whole, *ends)}
