"""Right answers as people write them in a suite."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from assay.core.answers import Answer, Row
from assay.core.terms import XSD, Term, iri, literal
from assay.formats.rag_items import ItemError, shown
from assay.formats.sparql_results import WRITTEN, answer_of, term_of

SHAPES = "true or false, a list of texts, numbers, rows or objects, or a SPARQL result"
IN_N_TRIPLES = re.compile(
    r"""<(?P<iri>[^<>"{}|^`\\\x00-\x20]+)> | _:(?P<blank>\S+)
      | (?P<quoted>"(?:[^"\\]|\\.)*")
        (?: @(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*) | \^\^<(?P<datatype>[^<>\s]+)> )?""",
    re.VERBOSE,
)


def gold_of(value: object, *, ordered: bool = False) -> Answer:
    """Return the right answer that a value stands for.

    Yes or no; a list with an entry for each row, where an entry is one value, a list with a value for each column (null
    where there is none), or an object from names of columns to values; or a SPARQL result as an endpoint writes it.
    A value is a number, true or false, a text in N-Triples (`<http://x/a>`, `"Bonn"@de`), an object with type and
    value, or any other text, which matches what is called so.

    Raises
    ------
    ItemError
        A value of no such shape.

    >>> [term.kind for row in gold_of(["Bonn", "<http://x/Bonn>", 4]).rows for term in row if term]
    ['text', 'iri', 'literal']
    """
    if isinstance(value, bool):
        return Answer("answered", boolean=value)
    if isinstance(value, Mapping) and ("boolean" in value or "results" in value):
        return replace(answer_of(value), ordered=ordered)
    if not isinstance(value, list):
        raise ItemError(f"as answers {SHAPES}", shown(value))
    columns = _columns(value)
    return Answer("answered", columns, tuple(_row(one, columns) for one in value), ordered=ordered)


def value_of(term: Term | None) -> object:
    """Return how a suite writes a term, so that `gold_of` reads the same one.

    >>> value_of(literal("Bonn", language="de"))
    '"Bonn"@de'
    """
    if term is None:
        return None
    written = term.value if term.kind == "text" else term.n3
    return written if _of_text(written) == term else {"type": WRITTEN[term.kind], "value": term.value}


def _columns(rows: list[object]) -> tuple[str, ...]:
    """Return the names of the columns: those that objects give, else answer, answer2 …"""
    objects = [row for row in rows if isinstance(row, Mapping) and not _is_term(row)]
    if objects and len(objects) < len(rows):
        raise ItemError("answers that are all objects or all values", "some of both")
    if objects:
        return tuple(dict.fromkeys(str(name) for row in objects for name in row))
    widths = {len(row) if isinstance(row, list) else 1 for row in rows}
    if len(widths) > 1 or 0 in widths:
        raise ItemError("answers with the same number of values, one or more", f"{sorted(widths)}")
    return tuple("answer" if number == 1 else f"answer{number}" for number in range(1, max(widths, default=1) + 1))


def _row(row: object, columns: tuple[str, ...]) -> Row:
    if isinstance(row, Mapping) and not _is_term(row):
        return tuple(_term(row.get(name)) for name in columns)
    return tuple(_term(one) for one in (row if isinstance(row, list) else [row]))


def _term(value: object) -> Term | None:
    if value is None or isinstance(value, Mapping):
        return None if value is None else term_of(value)
    if isinstance(value, bool):
        return literal(str(value).lower(), XSD + "boolean")
    if isinstance(value, int | float):
        return literal(repr(value), XSD + ("integer" if isinstance(value, int) else "double"))
    if not isinstance(value, str):
        raise ItemError("a text, a number, true, false or null as a value of an answer", shown(value))
    return _of_text(value)


def _of_text(text: str) -> Term:
    """Return the term that a text writes in N-Triples, else a text of unknown kind."""
    found = IN_N_TRIPLES.fullmatch(text)
    if found is None:
        return Term("text", text)
    if found["iri"] is not None:
        return iri(found["iri"])
    if found["blank"] is not None:
        return Term("blank", found["blank"])
    try:
        return literal(json.loads(found["quoted"]), found["datatype"] or "", found["language"] or "")
    except ValueError:
        return Term("text", text)


def _is_term(value: Mapping[object, object]) -> bool:
    return "type" in value and "value" in value and len(value) <= 4
