"""RDF files read by pyoxigraph (extra `graph`): the links of N-Triples and Turtle, the statements of any."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from assay.errors import FormatError, MissingExtraError
from assay.formats.nesting import require_shallow
from assay.formats.source import Source

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ENTITY = b"<!ENTITY"
DECLARED = 1024
SHORT = re.compile(rb"""<!ENTITY\s+[^\s"'&%]+\s+("[^"&%]{0,500}"|'[^'&%]{0,500}')\s*>""")
"""An entity that stands for a text of at most 500 bytes, in which no other stands."""
FORMS = {"ntriples": "N_TRIPLES", "turtle": "TURTLE"}
LANGUAGES = ("en", "")
"""Which label of several names a thing: English, then one without language, then the first in order."""


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Statements between two things: `table` has head, relation and tail as IRIs (blank nodes as `_:name`).

    `literals` counts the statements left out because their object is a literal; labels are kept apart and are not
    among them.
    """

    table: pl.DataFrame
    literals: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)


def read_links(source: Source, name: str) -> Links:
    """Read an RDF file; `name` is ntriples or turtle.

    Raises
    ------
    MissingExtraError
        pyoxigraph is not installed.
    FormatError
        At the first statement that is not well formed, with its line.
    """
    rows: list[tuple[str, str, str]] = []
    labels: dict[str, list[tuple[int, str]]] = {}
    literals = 0
    for statement in _parsed(source, FORMS[name], name):
        head, relation, tail = statement.subject, statement.predicate, statement.object
        if hasattr(tail, "datatype"):
            if relation.value == LABEL:
                labels.setdefault(_named(head), []).append(_by_language(tail))
            else:
                literals += 1
        else:
            rows.append((_named(head), relation.value, _named(tail)))
    table = pl.DataFrame(rows, schema=dict.fromkeys(("head", "relation", "tail"), pl.String), orient="row")
    return Links(table, literals, {thing: min(found)[1] for thing, found in labels.items()})


def read_terms(source: Source, form: str) -> Iterator[tuple[str, str, str]]:
    """Yield subject, predicate and object of every statement of an RDF file, as N-Triples writes them.

    `form` is one of pyoxigraph's names, such as TURTLE or JSON_LD. Names of blank nodes may differ from call to call.

    Raises
    ------
    MissingExtraError
        pyoxigraph is not installed.
    FormatError
        At the first statement that is not well formed, with its line.
    """
    for statement in _parsed(source, form, form.replace("_", "-")):
        yield str(statement.subject), str(statement.predicate), str(statement.object)


def _parsed(source: Source, form: str, name: str) -> Iterator[Any]:
    known = getattr(_oxigraph().RdfFormat, form)
    require_harmless(source, form)
    try:
        yield from _oxigraph().parse(source.read(), format=known)
    except (SyntaxError, MemoryError) as error:
        raise broken(error, source.path, name) from None


def require_harmless(source: Source, form: str) -> None:
    """Raise FormatError where a parser would unfold what is short, or go down too deep; `form` as in `read_terms`."""
    if form == "RDF_XML":
        _require_short_entities(source)
    require_shallow(source.chunks(1 << 20), form, source.path)


def _require_short_entities(source: Source) -> None:
    """Raise FormatError where RDF/XML declares an entity that may unfold: one that is long, elsewhere, or of others."""
    rest = b""
    for chunk in source.chunks(1 << 20):
        text = rest + chunk
        at = text.find(ENTITY)
        while 0 <= at <= len(text) - DECLARED:
            _require_short(text[at : at + DECLARED], source.path)
            at = text.find(ENTITY, at + 1)
        rest = text[max(at, 0) if at >= 0 else len(text) - len(ENTITY) :]
    if rest.startswith(ENTITY):
        for part in rest.split(ENTITY)[1:]:
            _require_short(ENTITY + part, source.path)


def _require_short(text: bytes, place: str) -> None:
    if SHORT.match(text) is None:
        shown = text[:40].decode(errors="replace")
        msg = f"{place}: expected entities that are short texts of their own, found {shown!r}"
        raise FormatError(msg, hint="write the entity out, or save the graph as Turtle.")


def broken(error: Exception, place: str, name: str) -> FormatError:
    """Make the error of a file in which pyoxigraph found one, or a word of more than 16 MiB."""
    if not isinstance(error, SyntaxError):
        return FormatError(f"{place}: expected {name}, found a literal or a name of more than 16 MiB")
    said = str(error.msg).partition(": ")[2] or str(error.msg)
    return FormatError.at(place, error.lineno, f"expected {name}", f"found an error: {said}")


def _oxigraph() -> Any:
    try:
        import pyoxigraph
    except ImportError:
        raise MissingExtraError.of("reading RDF", "pyoxigraph", "graph") from None
    return pyoxigraph


def _named(thing: Any) -> str:
    """Return an IRI as it is and a blank node as `_:name`."""
    value: str = thing.value if type(thing).__name__ == "NamedNode" else str(thing)
    return value


def _by_language(label: Any) -> tuple[int, str]:
    language = (label.language or "").partition("-")[0].lower()
    place = LANGUAGES.index(language) if language in LANGUAGES else len(LANGUAGES)
    return place, label.value
