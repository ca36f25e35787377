"""What is known to have no value: marks in the graph, statements of OWL, lists beside it."""

import os
from collections.abc import Iterable, Iterator, Sequence

from assay.core.terms import Term, iri
from assay.errors import FormatError
from assay.formats.source import Source
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import is_iri, pieces, unlike, values

Marks = Iterable[tuple[str, str]]
"""Pairs of an entity and a property, as IRIs."""

OWL = "http://www.w3.org/2002/07/owl#"
_STATED = f"""{{ ?r <{OWL}complementOf> ?w . ?w <{OWL}onProperty> ?p ; <{OWL}someValuesFrom> <{OWL}Thing> . ?s a ?r }}
    UNION {{ ?r <{OWL}maxCardinality> ?most ; <{OWL}onProperty> ?p . ?s a ?r FILTER(?most = 0) }}"""
"""An entity in the complement of those with a value (so Wikidata has it), or that may have none at most."""
_MARKED = "SELECT DISTINCT ?s ?p ?c ?has {{ {which} ?s a ?c . BIND(EXISTS {{ ?s ?p ?o {test} }} AS ?has) }}"


def void_terms(graph: Graph, texts: Sequence[str]) -> list[Term]:
    """Return the terms of a graph that are one of these texts, whatever their language or type: no values."""
    if not texts:
        return []
    listed = ", ".join(Term("literal", text).n3 for text in texts)
    found = graph.select(f"SELECT DISTINCT ?o {{ ?s ?p ?o FILTER(STR(?o) IN ({listed})) }}")
    return sorted(row[0] for row in found.rows if row[0] is not None and row[0].kind != "blank")


def marked(
    graph: Graph, voids: Sequence[Term], no_value: Sequence[str], marks: Marks
) -> tuple[set[tuple[str, str, str]], int]:
    """Return entity, property and stated class of what has no value; and how many marks a value contradicts.

    Parameters
    ----------
    graph
        What to ask.
    voids
        Terms that are no values.
    no_value
        Which of their texts say that there is none: an empty string says nothing.
    marks
        Pairs of an entity and a property.
    """
    none: set[tuple[str, str, str]] = set()
    against: set[tuple[str, str]] = set()
    for which in _marks(voids, no_value, marks):
        for entity, name, kind, has in graph.select(_MARKED.format(which=which, test=unlike("o", voids))).rows:
            if entity is None or name is None or kind is None or has is None:
                continue
            if has.value in {"true", "1"}:
                against.add((entity.value, name.value))
            else:
                none.add((entity.value, name.value, kind.value))
    return none, len(against)


def _marks(voids: Sequence[Term], no_value: Sequence[str], marks: Marks) -> Iterator[str]:
    """Yield patterns that bind the entity (?s) and the property (?p) of each mark."""
    yield _STATED
    said = [(term,) for term in voids if term.value in no_value]
    if said:
        yield f"{values(['mark'], said)} ?s ?p ?mark ."
    for piece in pieces((iri(entity), iri(name)) for entity, name in marks):
        yield values(["s", "p"], piece)


def read_marks(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """Read a list of what has no value: two IRIs a line, parted by a comma, a tab or blanks; a heading is allowed.

    Raises
    ------
    InputError, FormatError
        No such file, a line that is no pair of IRIs (with its line).
    """
    source = Source.open(path)
    found: list[tuple[str, str]] = []
    for number, line in enumerate(source.text().splitlines(), 1):
        cells = [cell.strip('"<>') for cell in line.replace(",", " ").split()]
        if not cells or cells[0].startswith("#") or (not found and not is_iri(cells[0]) and len(cells) == 2):
            continue
        if len(cells) != 2 or not all(map(is_iri, cells)):
            raise FormatError.at(source.path, number, "expected two IRIs (subject, property)", f"found {line!r}")
        found.append((cells[0], cells[1]))
    return found
