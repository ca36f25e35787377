"""`Nodes`: statements as numbers, and what is known of each thing in them: its types, its links, its namespace."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from assay.core.judged import Floats, Ints

Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]

TYPE = ("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
SUBCLASS = tuple(one.replace("1999/02/22-rdf-syntax-ns#type", "2000/01/rdf-schema#subClassOf") for one in TYPE)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
DATE = re.compile(r"(-?\d{4,})-(\d\d)-(\d\d)(T.*)?(Z|[+-]\d\d:\d\d)?")
LITERAL = re.compile(r'"(.*)"(?:\^\^<(.*)>|@([\w-]+))?', re.DOTALL)
ADDRESS = re.compile(r"<?[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"]+>?")


@dataclass(frozen=True, eq=False)
class Features:
    """For each thing the numbers of what is known of it: those of thing i are flat[starts[i]:starts[i + 1]]."""

    starts: Ints
    flat: Ints

    @cached_property
    def weights(self) -> Floats:
        """The logarithm of how few things have each feature: 0 for what all things have that have any."""
        things = np.count_nonzero(np.diff(self.starts))
        return np.asarray(np.log(max(things, 1) / np.maximum(self.have, 1)), dtype=np.float64)

    @cached_property
    def have(self) -> Ints:
        """How many things have each feature."""
        return np.bincount(self.flat, minlength=1)

    @classmethod
    def of(cls, things: Ints, features: Ints, size: int) -> Self:
        """Take pairs of a thing and a feature, each once."""
        most = int(features.max(initial=0)) + 1
        pairs = distinct(things * most + features)
        return cls(np.searchsorted(pairs // most, np.arange(size + 1)), pairs % most)

    def of_each(self, things: Ints) -> tuple[Ints, Ints]:
        """Return, for a list of things, the place in the list and the feature, for each feature of each."""
        counts = self.starts[things + 1] - self.starts[things]
        places = np.repeat(np.arange(len(things)), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        return places, self.flat[self.starts[things][places] + within]


@dataclass(frozen=True, eq=False)
class Nodes:
    """Statements, with a number for each thing.

    `subjects`, `predicates`, `objects` have shape (statements,). `types` and `links` are what is known of each thing;
    `typed` says which have a type, `literal` which are values. A literal's type is its datatype, or without one what
    its text looks like.
    """

    texts: tuple[str, ...]
    subjects: Ints
    predicates: Ints
    objects: Ints
    types: Features
    links: Features
    typed: Flags
    literal: Flags

    @classmethod
    def of(cls, rows: Sequence[tuple[str, str, str]]) -> Self:
        """Number the things of statements."""
        numbers: dict[str, int] = {}
        flat = np.fromiter((numbers.setdefault(text, len(numbers)) for row in rows for text in row), np.int64)
        subjects, predicates, objects = flat.reshape(-1, 3).T
        texts = tuple(numbers)
        kinds, kind_of = _kinds(texts)
        stated = np.isin(predicates, [numbers[one] for one in TYPE if one in numbers])
        everyone = np.arange(len(texts))
        known = kind_of >= 0
        stating, classes = _closed(rows, numbers, subjects[stated], objects[stated])
        types = Features.of(
            np.concatenate([stating, everyone[known]]),
            np.concatenate([classes, kind_of[known] + len(texts)]),
            len(texts),
        )
        typed = np.zeros(len(texts), bool)
        typed[subjects[stated]] = True
        literal = np.fromiter((kind.startswith("literal") for kind in kinds), bool)[kind_of] & known
        links = Features.of(
            np.concatenate([subjects, objects, everyone[known]]),
            np.concatenate([predicates, predicates + len(texts), kind_of[known] + 2 * len(texts)]),
            len(texts),
        )
        return cls(texts, subjects, predicates, objects, types, links, typed | literal, literal)

    @property
    def by_predicate(self) -> list[Ints]:
        """The places of the statements of each predicate."""
        order = np.argsort(self.predicates, kind="stable")
        cuts = np.flatnonzero(np.diff(self.predicates[order])) + 1
        return np.split(order, cuts)


def distinct(numbers: Ints) -> Ints:
    """Return each number once, sorted; faster for many than numpy.unique, which hashes."""
    ordered = np.sort(numbers)
    return np.asarray(ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0], dtype=np.int64)


def _closed(
    rows: Iterable[tuple[str, str, str]], numbers: dict[str, int], things: Ints, classes: Ints
) -> tuple[Ints, Ints]:
    """Return things and their types, those above the stated ones as well."""
    above: dict[int, set[int]] = defaultdict(set)
    for child, predicate, parent in rows:
        if predicate in SUBCLASS:
            above[numbers[child]].add(numbers[parent])
    closed = {one: _all_above(one, above) for one in set(classes.tolist())}
    pairs = [(thing, up) for thing, one in zip(things.tolist(), classes.tolist(), strict=True) for up in closed[one]]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _all_above(one: int, above: dict[int, set[int]]) -> set[int]:
    found, front = {one}, [one]
    while front:
        for up in above.get(front.pop(), set()) - found:
            found.add(up)
            front.append(up)
    return found


def _kinds(texts: Sequence[str]) -> tuple[list[str], Ints]:
    """Return the kinds that texts show by how they are written, and the number of each one's, -1 for none."""
    known: dict[str, int] = {}
    found = (known.setdefault(kind, len(known)) if (kind := kind_of(text)) else -1 for text in texts)
    numbers = np.fromiter(found, np.int64, len(texts))
    return list(known) or [""], numbers


def kind_of(text: str) -> str:
    """Return what the writing of a thing says of it: its datatype, its namespace, or nothing.

    >>> kind_of('"4"^^<http://www.w3.org/2001/XMLSchema#int>'), kind_of("<http://x/a>"), kind_of("1.5"), kind_of("Anna")
    ('literal http://www.w3.org/2001/XMLSchema#int', 'namespace http://x/', 'literal number', '')
    """
    if text.startswith('"'):
        found = LITERAL.fullmatch(text)
        return f"literal {(found and found[2]) or 'text'}"
    if ADDRESS.fullmatch(text):
        bare = text.strip("<>")
        return f"namespace {bare[: max(bare.rfind(mark) for mark in ('/#' if '://' in bare else '/#:')) + 1]}"
    if NUMBER.fullmatch(text):
        return "literal number"
    return "literal date" if DATE.fullmatch(text) else ""


def value_of(text: str) -> str:
    """Return what is written in a literal; of anything else the text itself."""
    found = LITERAL.fullmatch(text) if text.startswith('"') else None
    return found[1] if found else text


def numbers_of(texts: Iterable[str]) -> list[float | None]:
    """Return the number that each text is; None where it is none, or one too large to be told."""
    found = (float(value) if NUMBER.fullmatch(value := value_of(text)) else math.inf for text in texts)
    return [value if math.isfinite(value) else None for value in found]


def days_of(texts: Iterable[str]) -> list[float | None]:
    """Return the day that each text is, in days; None where it is none. Months are taken as equally long."""
    found = (DATE.fullmatch(value_of(text)) for text in texts)
    return [365.25 * int(one[1]) + 30.44 * int(one[2]) + int(one[3]) if one else None for one in found]
