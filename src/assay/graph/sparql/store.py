"""`Store`: RDF files in this process, asked by SPARQL; pyoxigraph does both (extra `graph`)."""

import io
import os
import re
import time
from collections.abc import Generator, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from assay.core.answers import Answer, Row
from assay.core.terms import Term, iri, literal
from assay.errors import InputError, MissingExtraError
from assay.formats.nesting import require_shallow
from assay.formats.rdf import broken, require_harmless
from assay.formats.source import BOM, Source
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.casts import casts
from assay.graph.sparql.modifiers import tokenised

FORMATS = {
    "nt": "N_TRIPLES",
    "nq": "N_QUADS",
    "ttl": "TURTLE",
    "trig": "TRIG",
    "rdf": "RDF_XML",
    "owl": "RDF_XML",
    "xml": "RDF_XML",
    "jsonld": "JSON_LD",
    "n3": "N3",
}
"""The ending of a file, without that of compression, and the format of its RDF."""
MOST_ROWS = 10_000_000
"""Rows of one answer beyond this are left out, and the answer says so."""
SERVICE = re.compile(r"(E?\d+)?SERVICE(:.*)?", re.IGNORECASE | re.DOTALL)
"""A word of a query that asks another service, also where it stands close to what is around it."""


class Store:
    """RDF in memory, or in a folder where it is large.

    Named graphs are seen as one graph with the rest, each triple once; `GRAPH` still tells them apart. A query has no
    limit here, and one that is nested too deep ends this process: `Worker` is for the queries of strangers.

    >>> store = Store.of("@prefix : <http://x/> . :a :knows :b , :c .")
    >>> len(store)
    2
    >>> store.select("SELECT ?o { <http://x/a> ?p ?o } ORDER BY ?o").rows[0]
    (Term(kind='iri', value='http://x/b', datatype='', language=''),)
    """

    def __init__(self, store: Any, name: str = "graph") -> None:
        self._store = store
        self._casts = casts()
        self.name = name

    @classmethod
    def open(cls, paths: Iterable[str | os.PathLike[str]], folder: str | os.PathLike[str] | None = None) -> "Store":
        """Read RDF files, plain or packed, as one graph; or open a folder that Oxigraph wrote, which stays as it is.

        Parameters
        ----------
        paths
            N-Triples, N-Quads, Turtle, TriG, RDF/XML, JSON-LD or N3; the ending tells. Or one folder.
        folder
            Keep the graph on disk there rather than in memory.

        Raises
        ------
        InputError, FormatError
            No such file, an ending that says nothing, a statement that is not well formed (with its line).
        MissingExtraError
            pyoxigraph is not installed.
        """
        given = [os.fspath(path) for path in paths]
        if len(given) == 1 and folder is None and Path(given[0]).is_dir():
            return cls.reopen(given[0])
        sources = [Source.open(path) for path in given]
        store = _oxigraph().Store() if folder is None else _opened(os.fspath(folder), "Store")
        for source in sources:
            _load(store, source)
        _merge(store)
        store.flush()
        return cls(store, ", ".join(source.path for source in sources))

    @classmethod
    def reopen(cls, folder: str | os.PathLike[str], name: str | None = None) -> "Store":
        """Open a folder that holds a graph already, and only read it; several processes may do so at once.

        Raises
        ------
        InputError
            The folder holds no graph, or named graphs that are not part of its default graph.
        """
        place = os.fspath(folder)
        if not (Path(place) / "CURRENT").is_file():
            msg = f"{place}: expected RDF files, or a folder that Oxigraph wrote, found a folder without a graph"
            raise InputError(msg, hint=f"endings of files that are known: {_endings()}.")
        store = _opened(place, "Store.read_only")
        if bool(store.query("ASK { GRAPH ?g { ?s ?p ?o } FILTER NOT EXISTS { ?s ?p ?o } }")):
            msg = f"{place}: expected triples in the default graph, found some that only named graphs hold"
            raise InputError(msg, hint="dump the store as N-Quads and name that file.")
        return cls(store, place if name is None else name)

    @classmethod
    def of(cls, turtle: str, name: str = "graph") -> "Store":
        """Return the graph that Turtle text holds."""
        store = _oxigraph().Store()
        require_shallow([turtle.encode()], "TURTLE", name)
        store.load(input=turtle, format=_oxigraph().RdfFormat.TURTLE)
        return cls(store, name)

    def __len__(self) -> int:
        """Return how many different triples there are."""
        if next(iter(self._store.named_graphs()), None) is None:
            return len(self._store)
        return sum(1 for _ in self._store.quads_for_pattern(None, None, None, _oxigraph().DefaultGraph()))

    def ask(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK; an error is an answer with that status."""
        begun = time.monotonic()
        try:
            return self.select(query)
        except QueryError as error:
            return Answer("error", message=error.message, seconds=time.monotonic() - begun)

    def select(self, query: str, most_rows: int = MOST_ROWS) -> Answer:
        """Return the answer to SELECT or ASK, at most so many rows of it.

        Raises
        ------
        QueryError
            SPARQL that is not well formed, that the engine cannot execute, or that would ask another service.
        """
        refuse_services(query, self.name)
        begun = time.monotonic()
        try:
            found = self._answer(query, most_rows)
        except QueryError:
            raise
        except (SyntaxError, OSError, RuntimeError, ValueError) as error:
            said = " ".join(str(error).split())
            raise QueryError(f"{self.name}: expected SPARQL that can be executed, found an error: {said}") from None
        return replace(found, seconds=time.monotonic() - begun)

    def _answer(self, query: str, most_rows: int) -> Answer:
        found = self._store.query(query, custom_functions=self._casts)
        kind = type(found).__name__
        if kind == "QueryBoolean":
            return Answer("answered", boolean=bool(found))
        if kind != "QuerySolutions":
            msg = f"{self.name}: expected SELECT or ASK, found CONSTRUCT or DESCRIBE"
            raise QueryError(msg)
        columns = tuple(variable.value for variable in found.variables)
        known: dict[Any, Term | None] = {None: None}  # most terms stand in many rows
        rows = tuple(_row(solution, known) for solution in islice(found, most_rows))
        return Answer("answered", columns, rows, truncated=next(found, None) is not None)


def _oxigraph() -> Any:
    try:
        import pyoxigraph
    except ImportError:
        raise MissingExtraError.of("asking RDF", "pyoxigraph", "graph") from None
    return pyoxigraph


def _opened(folder: str, how: str) -> Any:
    """Return the store of a folder: `Store` to write one, `Store.read_only` to read it."""
    try:
        return _oxigraph().Store.read_only(folder) if how == "Store.read_only" else _oxigraph().Store(folder)
    except OSError as error:
        raise InputError(f"{folder}: expected a folder for a graph, found an error: {error}") from None


class _Stream(io.RawIOBase):
    """The unpacked bytes of a source, as a file: what is large is never held at once."""

    def __init__(self, chunks: Generator[bytes]) -> None:
        self._chunks = chunks
        self._left = memoryview(next(chunks, b"").removeprefix(BOM))

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most `size`; empty at the end."""
        while not self._left and (chunk := next(self._chunks, None)) is not None:
            self._left = memoryview(chunk)
        end = len(self._left) if size < 0 else size
        taken, self._left = self._left[:end], self._left[end:]
        return bytes(taken)


def _load(store: Any, source: Source) -> None:
    ending = source.suffixes[-1] if source.suffixes else ""
    if ending not in FORMATS:
        msg = f"{source.path}: expected RDF, found a file whose ending says nothing"
        raise InputError(msg, hint=f"endings that are known: {_endings()}.")
    form = getattr(_oxigraph().RdfFormat, FORMATS[ending])
    place = source.file.absolute()
    require_harmless(source, FORMATS[ending])
    try:
        if _plain(source):
            store.bulk_load(path=place, format=form, base_iri=place.as_uri())
        else:
            store.bulk_load(input=_Stream(source.chunks(1 << 20)), format=form, base_iri=place.as_uri())
    except (SyntaxError, MemoryError) as error:
        raise broken(error, source.path, str(form)) from None


def _plain(source: Source) -> bool:
    """Tell whether a file can be read as it lies, which takes a third less time: not packed, no byte order mark."""
    if source.compression is not None:
        return False
    with source.file.open("rb") as file:
        return file.read(len(BOM)) != BOM


def _merge(store: Any) -> None:
    """Put what named graphs hold into the default graph too: a union on the fly would give a triple more than once."""
    if next(iter(store.named_graphs()), None) is not None:
        pyoxigraph = _oxigraph()
        named = store.quads_for_pattern(None, None, None)
        everywhere = (pyoxigraph.Quad(one.subject, one.predicate, one.object) for one in named)
        store.bulk_extend(everywhere)


def _endings() -> str:
    return ", ".join(f".{one}" for one in FORMATS)


def refuse_services(query: str, name: str) -> None:
    """Refuse SERVICE: a graph of files answers from its files, and no query makes this process ask other machines."""
    if "service" not in query.lower():
        return
    words = (token.text for token in tokenised(query) if token.kind in {"word", "prefixed"})
    if any(SERVICE.fullmatch(word) for word in words):
        msg = f"{name}: expected a query of this graph alone, found SERVICE, which asks another one"
        raise QueryError(msg, hint="an endpoint may answer it: --endpoint URL.")


def _row(solution: Any, known: dict[Any, Term | None]) -> Row:
    row = tuple(solution)
    for found in row:
        if found not in known:
            known[found] = term_of(found)
    return tuple(known[found] for found in row)


def term_of(found: Any) -> Term:
    """Return a term of pyoxigraph as a `Term`."""
    kind = type(found).__name__
    if kind == "NamedNode":
        return iri(found.value)
    if kind == "Literal":
        return literal(found.value, found.datatype.value, found.language or "")
    return Term("blank", found.value if kind == "BlankNode" else str(found))
