"""A list of what should be in a graph: facts or entities, from RDF, CSV, TSV or JSON Lines."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.core.terms import Term, iri
from assay.errors import FormatError, InputError
from assay.formats.cells import read_cells
from assay.formats.source import Source
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import is_iri, pieces, values
from assay.graph.sparql.store import FORMATS, Store
from assay.tasks.answers.matching import Matching

NAMES = {
    "subject": ("subject", "head", "s"),
    "predicate": ("predicate", "property", "relation", "p"),
    "object": ("object", "tail", "value", "o"),
    "entity": ("entity", "item", "iri", "id"),
}
"""What columns and keys are called."""
_OBJECTS = "SELECT DISTINCT ?s ?p ?o {{ {given} ?s ?p ?o }}"
_THERE = "SELECT DISTINCT ?e {{ {given} ?e ?p ?o }}"

Fact = tuple[Term, Term, Term]
Pair = tuple[Term, Term]


@dataclass(frozen=True, slots=True)
class Reference:
    """What should be there: facts, or entities alone (as IRIs, or as texts that a property gives them)."""

    path: str
    facts: tuple[Fact, ...] = ()
    entities: tuple[Term, ...] = ()

    @property
    def unit(self) -> str:
        """What is counted: facts or entities."""
        return "facts" if self.facts else "entities"

    def __len__(self) -> int:
        return len(self.facts or self.entities)

    def by_pair(self) -> dict[Pair, list[Term]]:
        """Return the objects of each subject and property."""
        found: dict[Pair, list[Term]] = defaultdict(list)
        for subject, name, thing in self.facts:
            found[subject, name].append(thing)
        return dict(found)


def read_reference(path: str | os.PathLike[str]) -> Reference:
    """Read a reference list; its ending and its columns tell what it is.

    RDF gives facts. CSV, TSV and JSON Lines give facts where they have subject, predicate and object (or three columns
    without a heading), else entities. Objects are texts that match a literal of that value, an IRI, or the end of one;
    what stands in angle brackets is an IRI alone. What is said twice counts once.

    Raises
    ------
    InputError, FormatError
        No such file, nothing in it, a row without the columns, a subject or property that is no IRI.
    """
    source = Source.open(path)
    ending = source.suffixes[-1] if source.suffixes else ""
    if ending in FORMATS:
        rows = Store.open([path]).select("SELECT DISTINCT ?s ?p ?o { ?s ?p ?o }").rows
        named = [row for row in rows if all(term is not None and term.kind != "blank" for term in row)]
        found = Reference(source.path, tuple(sorted((s, p, o) for s, p, o in named if s and p and o)))
    else:
        table = _objects(source) if ending in {"jsonl", "ndjson"} else _cells(source)
        found = _reference(source.path, table)
    if not len(found):
        raise InputError(f"{source.path}: expected facts or entities, found none")
    return found


Line = tuple[int, Mapping[str, str]]


def _objects(source: Source) -> Iterator[Line]:
    known = {name: part for part, names in NAMES.items() for name in names}
    for number, text in enumerate(source.text().splitlines(), 1):
        if not text.strip():
            continue
        try:
            one = json.loads(text)
        except json.JSONDecodeError as error:
            raise FormatError.at(
                source.path, number, "expected a JSON object", f"found an error: {error.msg}"
            ) from None
        except (ValueError, RecursionError) as error:
            raise FormatError.at(source.path, number, "expected a JSON object", f"found an error: {error}") from None
        if isinstance(one, str):
            one = {"entity": one}
        if not isinstance(one, dict):
            raise FormatError.at(source.path, number, "expected a JSON object or a text", f"found {text[:60]!r}")
        yield number, {known[name]: _text(value) for name, value in one.items() if name in known and value is not None}


def _text(value: object) -> str:
    """Return a value of JSON as RDF would write it."""
    return value if isinstance(value, str) else json.dumps(value)


def _cells(source: Source) -> Iterator[Line]:
    text = source.text()
    mark = "\t" if "\t" in text.partition("\n")[0] else ","
    known = {name: part for part, names in NAMES.items() for name in names}
    parts: list[str | None] | None = None
    for line, cells in read_cells(text, source.path, mark):
        if not any(cell.strip() for cell in cells):
            continue
        if parts is None:
            parts = [known.get(cell.strip().lower()) for cell in cells]
            if any(parts):
                continue
            parts = ["subject", "predicate", "object"] if len(cells) >= 3 else ["entity"]
        yield line, {part: cell.strip() for part, cell in zip(parts, cells, strict=False) if part}


def _reference(place: str, table: Iterable[Line]) -> Reference:
    facts: dict[Fact, None] = {}
    entities: dict[Term, None] = {}
    for number, row in table:
        if {"subject", "predicate", "object"} <= row.keys():
            subject, name = (_named(row[part], place, number) for part in ("subject", "predicate"))
            facts[subject, name, _meant(row["object"])] = None
        elif text := row.get("entity") or (row.get("subject") if len(row) == 1 else None):
            bare = text.strip("<>")
            entities[iri(bare) if is_iri(bare) else Term("text", text)] = None
        else:
            raise FormatError.at(
                place, number, "expected subject, predicate and object, or entity", f"found {dict(row)}"
            )
    if facts and entities:
        raise FormatError(f"{place}: expected facts or entities, found both")
    return Reference(place, tuple(facts), tuple(entities))


def _named(text: str, place: str, number: int) -> Term:
    bare = text.removeprefix("<").removesuffix(">")
    if not is_iri(bare):
        raise FormatError.at(place, number, "expected the IRI of a subject and of a property", f"found {text!r}")
    return iri(bare)


def _meant(text: str) -> Term:
    return iri(text[1:-1]) if text.startswith("<") and text.endswith(">") else Term("text", text)


def objects(graph: Graph, pairs: Iterable[Pair]) -> dict[Pair, list[Term]]:
    """Return the objects that a graph has for each subject and property, where it has any."""
    found: dict[Pair, list[Term]] = defaultdict(list)
    for piece in pieces(pairs):
        for subject, name, thing in graph.select(_OBJECTS.format(given=values(["s", "p"], piece))).rows:
            if subject is not None and name is not None and thing is not None:
                found[subject, name].append(thing)
    return dict(found)


def found_of(wanted: Sequence[Term], there: Sequence[Term]) -> list[bool]:
    """Tell for each wanted object whether it is among those that are there, by value.

    >>> year = Term("literal", "1889", "http://www.w3.org/2001/XMLSchema#integer")
    >>> found_of([Term("text", "1889"), Term("text", "1890")], [year])
    [True, False]
    """
    if not there or set(wanted) <= set(there):
        return [bool(there)] * len(wanted)
    asked, given = Matching().keys([(one,) for one in wanted], [(one,) for one in there])
    known = set(given)
    return [cells in known for cells in asked]


def entities_there(graph: Graph, entities: Sequence[Term], key: str | None) -> set[Term]:
    """Return the entities of a list of which the graph says anything; with a key, those whose text it holds.

    Raises
    ------
    InputError
        An entity that is no IRI, and no key that says where its text stands.
    """
    if key is not None:
        known = {row[0].value.strip() for row in graph.select(f"SELECT DISTINCT ?v {{ ?s <{key}> ?v }}").rows if row[0]}
        return {one for one in entities if one.value.strip() in known}
    odd = next((one for one in entities if one.kind != "iri"), None)
    if odd is not None:
        msg = f"reference: expected entities as IRIs, found {odd.value!r}"
        raise InputError(msg, hint="--key PROPERTY says which property holds such texts.")
    asked = [
        graph.select(_THERE.format(given=values(["e"], piece))).rows for piece in pieces((one,) for one in entities)
    ]
    return {row[0] for rows in asked for row in rows if row[0] is not None}
