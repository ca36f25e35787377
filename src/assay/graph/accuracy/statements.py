"""`Statements`: all that a graph says, as the population that a sample is drawn from."""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from assay.core.accuracy import Statement
from assay.core.judged import Ints
from assay.errors import FormatError, InputError
from assay.formats.compression import SUFFIXES
from assay.formats.rdf import read_terms
from assay.formats.source import Source
from assay.formats.triples import read_triples
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.store import FORMATS

EVERY = "SELECT ?subject ?predicate ?object { ?subject ?predicate ?object }"
JSONS = frozenset({"json", "jsonl", "ndjson"})
NAMES = (("subject", "s", "head"), ("predicate", "p", "relation"), ("object", "o", "tail"))
"""What the parts of a statement may be called in JSON."""


@dataclass(frozen=True, eq=False)
class Statements:
    """Statements, each once, in an order that does not depend on how they came; those of a subject lie together.

    `repeated` counts those that came again: a graph says a thing once.

    >>> found = Statements.of([("b", "p", "c"), ("a", "p", "c"), ("a", "p", "b"), ("a", "p", "b")])
    >>> found.rows[0], found.repeated, len(found), found.subjects
    (('a', 'p', 'b'), 1, 3, 2)
    """

    rows: tuple[Statement, ...]
    repeated: int = 0

    @classmethod
    def of(cls, statements: Iterable[Statement], place: str = "statements") -> Self:
        """Take statements as they come.

        Raises
        ------
        InputError
            None at all.
        """
        every = list(statements)
        rows = tuple(sorted(set(every)))
        if not rows:
            raise InputError(f"{place}: expected statements, found none")
        return cls(rows, len(every) - len(rows))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def subjects(self) -> int:
        """How many subjects there are."""
        return len(self.starts) - 1

    @cached_property
    def starts(self) -> Ints:
        """Where the statements of each subject begin, and the end of all; shape (subjects + 1,)."""
        new = [at for at, row in enumerate(self.rows) if not at or row[0] != self.rows[at - 1][0]]
        return np.array([*new, len(self.rows)])

    @cached_property
    def digest(self) -> str:
        """The first 16 digits of the SHA-256 of all statements."""
        made = hashlib.sha256()
        for row in self.rows:
            made.update("\x1f".join((*row, "\n")).encode("utf-8", "surrogatepass"))
        return made.hexdigest()[:16]


def read_statements(paths: Sequence[str | os.PathLike[str]]) -> Statements:
    """Read the statements of RDF files, of tables (columns subject, predicate, object) or of JSON, plain or packed.

    JSON is a list of statements or an object of them by id, each [subject, predicate, object] or an object with these
    keys; JSON Lines hold one a line. A statement may stand first in a list with more about it.

    Raises
    ------
    InputError, FormatError
        No such file, nothing in it, something that is no statement.
    MissingExtraError
        RDF, and pyoxigraph is not installed.
    """
    found: list[Statement] = []
    for path in paths:
        ending = _ending(path)
        found += _of_rdf(path) if ending in FORMATS else _of_json(path) if ending in JSONS else _of_table(path)
    return Statements.of(found, ", ".join(os.fspath(path) for path in paths))


def graph_statements(graph: Graph) -> Statements:
    """Return all statements of a graph.

    Raises
    ------
    InputError
        An empty graph, or one that does not give all its statements at once.
    QueryError
        The graph does not answer.
    """
    found = graph.select(EVERY)
    if found.truncated:
        raise InputError(
            f"{graph.name}: expected all statements at once, found {len(found.rows):,} and more",
            hint="draw from a file of those that matter.",
        )
    rows = (tuple(term.n3 for term in row if term is not None) for row in found.rows)
    return Statements.of(settled((row[0], row[1], row[2]) for row in rows), graph.name)


def _of_rdf(path: str | os.PathLike[str]) -> Iterable[Statement]:
    return settled(read_terms(Source.open(path), FORMATS[_ending(path)]))


def settled(statements: Iterable[Statement]) -> list[Statement]:
    """Return statements whose blank nodes are named by what is said of them, as their own names come and go.

    Blank nodes of which the same is said, as far as steps over other blank nodes lead, get one name.

    >>> settled([("_:x", "p", "_:y"), ("_:y", "p", "1")]) == settled([("_:b", "p", "_:c"), ("_:c", "p", "1")])
    True
    """
    rows = list(statements)
    about: dict[str, list[Statement]] = defaultdict(list)
    for row in rows:
        for term in {row[0], row[2]}:
            if term.startswith("_:"):
                about[term].append(row)
    names, different = dict.fromkeys(about, "_:"), 0
    while different < len(set(names.values())):
        different = len(set(names.values()))
        names = {node: _named(node, some, names) for node, some in about.items()}
    return [(names.get(row[0], row[0]), row[1], names.get(row[2], row[2])) for row in rows] if names else rows


def _named(node: str, about: Iterable[Statement], names: Mapping[str, str]) -> str:
    """Return a name made of what is said of a blank node, by the names that others have so far."""
    said = sorted(
        "\x1f".join("_:this" if term == node else names.get(term, term) for term in row)
        for row in about
    )  # fmt: skip
    made = hashlib.sha256("\x1e".join([names[node], *said]).encode("utf-8", "surrogatepass"))
    return f"_:{made.hexdigest()[:12]}"


def _of_table(path: str | os.PathLike[str]) -> Iterable[Statement]:
    found = read_triples(path)
    if found.format in {"turtle", "ntriples"}:
        msg = f"{found.place}: expected a file of RDF with an ending that names its format, found none"
        raise InputError(msg, hint="name it .ttl or .nt.")
    for subject, predicate, value in found.table.select("head", "relation", "tail").iter_rows():
        yield str(subject), str(predicate), str(value)


def _of_json(path: str | os.PathLike[str]) -> Iterable[Statement]:
    source = Source.open(path)
    text = source.text()
    if _ending(path) == "json":
        document = _parsed(text, source.path, None)
        if not isinstance(document, dict | list):
            raise InputError(f"{source.path}: expected statements, found {document!r:.60}")
        named = document.items() if isinstance(document, dict) else enumerate(document, 1)
        return [_statement(one, f"{source.path}, statement {name}") for name, one in named]
    lines = ((at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip())
    return [_statement(_parsed(line, source.path, at), f"{source.path}, line {at}") for at, line in lines]


def _parsed(text: str, place: str, line: int | None) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError.at(place, line, "expected JSON", f"found an error: {error}") from None


def _statement(one: Any, place: str) -> Statement:
    cells = one
    if isinstance(one, dict):
        cells = [next((one[name] for name in names if name in one), None) for names in NAMES]
    elif isinstance(one, list) and one and isinstance(one[0], list):
        cells = one[0]
    if not isinstance(cells, list) or len(cells) != 3 or not all(isinstance(cell, str | int | float) for cell in cells):
        raise InputError(f"{place}: expected [subject, predicate, object], found {json.dumps(one)[:80]}")
    subject, predicate, value = map(str, cells)
    return subject, predicate, value


def _ending(path: str | os.PathLike[str]) -> str:
    endings = [part[1:].lower() for part in Path(path).suffixes]
    return next((ending for ending in reversed(endings) if ending not in SUFFIXES), "")
