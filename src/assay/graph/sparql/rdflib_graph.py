"""`RdflibGraph`: RDF files asked through RDFLib, a second engine to hold the first against (extra `graph`)."""

import json
import logging
import os
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from assay.core.answers import Answer, Row
from assay.core.terms import Term, iri, literal
from assay.errors import FormatError, InputError, MissingExtraError
from assay.formats.source import Source
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.store import refuse_services

FORMATS = {
    "nt": "nt11", "nq": "nquads", "ttl": "turtle", "trig": "trig", "rdf": "xml", "owl": "xml", "xml": "xml",
    "jsonld": "json-ld", "n3": "n3",
}  # fmt: skip
"""The ending of a file, without that of compression, and what RDFLib calls its format."""

NAMED = frozenset({"nq", "trig"})
"""Formats whose triples stand in named graphs, which are read as one."""


class _LateError(Exception):
    """A query beyond its limit."""


class RdflibGraph:
    """RDF in memory, asked by a second engine, which shares no code with the first.

    A query beyond the limit is a time-out; the clock is looked at whenever the query reads triples.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "few.nt")
    ...     _ = file.write_text("<http://x/a> <http://x/p> <http://x/b> .")
    ...     graph = RdflibGraph.open([file])
    >>> graph.ask("ASK { <http://x/a> ?p ?o }").boolean
    True
    """

    def __init__(self, graph: Any, name: str, limit_s: float | None) -> None:
        self._graph = graph
        self.name = name
        self.limit_s = limit_s

    @classmethod
    def open(cls, paths: Iterable[str | os.PathLike[str]], *, limit_s: float | None = None) -> "RdflibGraph":
        """Read RDF files, plain or packed, as one graph.

        Raises
        ------
        InputError, FormatError
            No such file, an ending that says nothing, a file that RDFLib cannot read.
        MissingExtraError
            RDFLib is not installed.
        """
        graph = _timed_graph()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # RDFLib uses what it calls deprecated
            for source in map(Source.open, paths):
                _load(graph, source)
        return cls(graph, "rdflib", limit_s)

    def ask(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK; an error or a time-out is an answer with that status."""
        from rdflib.plugins.sparql.parser import expandUnicodeEscapes

        begun = time.monotonic()
        try:
            refuse_services(expandUnicodeEscapes(query), self.name)
        except QueryError as error:
            return Answer("error", message=error.message, seconds=0.0)
        self._graph.deadline = None if self.limit_s is None else begun + self.limit_s
        try:
            found = self._graph.query(query)
            boolean = found.askAnswer
            columns = tuple(str(name) for name in found.vars or ())
            rows = tuple(_row(row, len(columns)) for row in found) if boolean is None else ()
        except _LateError:
            message = f"no answer within {self.limit_s:g} s"
            return Answer("timeout", message=message, seconds=time.monotonic() - begun)
        except Exception as error:  # noqa: BLE001 - RDFLib raises whatever its evaluation runs into
            message = f"{type(error).__name__}: {error}"
            return Answer("error", message=message, seconds=time.monotonic() - begun)
        return Answer("answered", columns, rows, boolean, seconds=time.monotonic() - begun)

    def select(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK.

        Raises
        ------
        QueryError
            The query is wrong, took too long, or RDFLib failed.
        """
        found = self.ask(query)
        if not found.answered:
            raise QueryError(f"{self.name}: expected an answer, found an error: {found.message}")
        return found


def _rdflib() -> Any:
    try:
        import rdflib
    except ImportError:
        raise MissingExtraError.of("a second engine", "rdflib", "graph") from None
    told = logging.getLogger("rdflib")
    if not told.handlers:
        told.addHandler(logging.NullHandler())  # what it says of odd literals goes where the user's logging sends it
    return rdflib


def _timed_graph() -> Any:
    """Return an empty graph that looks at the clock when it is read."""

    class Timed(_rdflib().Graph):  # type: ignore[misc]
        deadline: float | None = None

        def triples(self, pattern: Any) -> Iterator[Any]:
            for triple in super().triples(pattern):
                if self.deadline is not None and time.monotonic() > self.deadline:
                    raise _LateError
                yield triple

    return Timed()


def _load(graph: Any, source: Source) -> None:
    ending = source.suffixes[-1] if source.suffixes else ""
    if ending not in FORMATS:
        msg = f"{source.path}: expected RDF, found a file whose ending says nothing"
        raise InputError(msg, hint=f"endings that are known: {', '.join(f'.{one}' for one in FORMATS)}.")
    named = _rdflib().Dataset(default_union=True) if ending in NAMED else graph
    content = source.read()
    try:
        if ending == "jsonld":
            _require_own_context(json.loads(content))
        named.parse(data=content, format=FORMATS[ending])
    except Exception as error:  # noqa: BLE001 - each of its parsers raises errors of its own
        said = next(iter(str(error).splitlines()), type(error).__name__)
        raise FormatError.at(source.path, None, f"expected {FORMATS[ending]}", f"RDFLib found: {said}") from None
    if named is not graph:
        for triple in named.triples((None, None, None)):
            graph.add(triple)


def _require_own_context(value: object) -> None:
    """Raise ValueError for JSON-LD with a context from elsewhere: RDFLib would ask any address, or read any file."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            context = one.get("@context")
            if "@import" in one or any(isinstance(part, str) for part in _listed(context)):
                raise ValueError("a context from elsewhere")
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _row(found: Any, width: int) -> Row:
    return tuple(None if found[place] is None else _term(found[place]) for place in range(width))


def _term(found: Any) -> Term:
    known = _rdflib()
    if isinstance(found, known.URIRef):
        return iri(str(found))
    if isinstance(found, known.Literal):
        return literal(str(found), str(found.datatype or ""), found.language or "")
    return Term("blank", str(found))
