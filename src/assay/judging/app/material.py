"""What a judge sees of a pair, made ready for a template: documents, statements, records, facts."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.core.judging import Pair

TITLES = ("title", "name", "label", "headline")
TEXTS = ("text", "body", "abstract", "description", "content", "passage", "snippet", "contents")
STATEMENT = ("subject", "predicate", "object")
EXCERPT = 420
LAST = re.compile(r"[^/#:]+(?=[/#]?>?$)")
WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a statement: what it is called, and its whole id where that says more."""

    role: str
    name: str
    whole: str


@dataclass(frozen=True, slots=True)
class Row:
    """One field of two records; `mark` says whether they are equal."""

    name: str
    left: str
    right: str
    mark: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A pair as a page shows it; what its material does not have is empty."""

    title: str = ""
    text: str = ""
    excerpt: str = ""
    statement: tuple[Term, ...] = ()
    rows: tuple[Row, ...] = ()
    more: tuple[tuple[str, str, bool], ...] = ()


def shown(pair: Pair) -> Shown:
    """Return what is known of an item; an item of which nothing is known shows its id."""
    fields = {name: value for name, value in pair.fields.items() if value}
    if {"left", "right"} <= fields.keys():
        return Shown(rows=_rows(_record(fields.pop("left")), _record(fields.pop("right"))), more=_more(fields))
    statement = tuple(_term(role, fields.pop(role)) for role in STATEMENT if role in fields)
    title = _taken(fields, TITLES)
    text = _taken(fields, TEXTS)
    if not (title or text or statement or fields):
        title = pair.item
    excerpt = text if len(text) <= EXCERPT else f"{text[:EXCERPT].rpartition(' ')[0] or text[:EXCERPT]} …"
    return Shown(title, text, excerpt, statement, more=_more(fields))


def _taken(fields: dict[str, str], names: tuple[str, ...]) -> str:
    lowered = {name.lower(): name for name in fields}
    found = next((lowered[name] for name in names if name in lowered), None)
    return fields.pop(found) if found else ""


def _more(fields: Mapping[str, str]) -> tuple[tuple[str, str, bool], ...]:
    """Return the other fields with whether each is an address on the web; no other kind of address is linked."""
    return tuple((name, value, value.startswith(WEB) and " " not in value) for name, value in fields.items())


def _term(role: str, said: str) -> Term:
    """Return a term by the last part of its IRI.

    >>> _term("subject", "http://x/resource/Marie_Curie")
    Term(role='subject', name='Marie Curie', whole='http://x/resource/Marie_Curie')
    """
    found = LAST.search(said) if said.strip("<").startswith((*WEB, "urn:")) else None
    name = found.group().replace("_", " ").removesuffix(">") if found else said
    return Term(role, name, said if found else "")


def _record(text: str) -> dict[str, str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {"": text}
    return {str(name): _words(value) for name, value in found.items()} if isinstance(found, dict) else {"": text}


def _words(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _rows(left: Mapping[str, str], right: Mapping[str, str]) -> tuple[Row, ...]:
    """Return the fields of two records beside each other."""
    found = []
    for name in dict.fromkeys((*left, *right)):
        one, other = left.get(name, ""), right.get(name, "")
        alike = one.casefold().split() == other.casefold().split()
        mark = "" if not one and not other else "same" if alike else "different" if one and other else "one only"
        found.append(Row(name, one, other, mark))
    return tuple(found)
