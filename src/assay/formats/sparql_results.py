"""Answers as SPARQL 1.1 writes them in JSON: read from a document, and written as one (files: `answer_files`).

Format: https://www.w3.org/TR/sparql11-results-json/. Beside its kinds of terms, `text` is read and written: what people
give as a right answer without saying whether it is a name or a value.
"""

from collections.abc import Mapping
from typing import Any

from assay.core.answers import Answer, Row
from assay.core.terms import Kind, Term, literal
from assay.errors import FormatError
from assay.formats.documents import parsed
from assay.formats.rag_items import ItemError, shown

KINDS: Mapping[str, Kind] = {"uri": "iri", "iri": "iri", "bnode": "blank", "text": "text"}
LITERALS = frozenset({"literal", "typed-literal"})
WRITTEN = {"iri": "uri", "blank": "bnode", "literal": "literal", "text": "text"}


def read_results(text: str, place: str) -> Answer:
    """Return the answer that a document in JSON holds; `place` is what messages call it.

    Raises
    ------
    FormatError
        No JSON, or JSON that is no SPARQL result.

    >>> read_results('{"head": {}, "boolean": true}', "http://x/sparql").boolean
    True
    """
    try:
        return answer_of(parsed(text, place))
    except ItemError as error:
        msg = f"{place}: expected {error.expected}, found {error.found}"
        raise FormatError(msg) from None


def answer_of(document: object) -> Answer:
    """Return the answer of a document that is read already.

    Columns that `head` does not name are kept, after those that it does.

    Raises
    ------
    ItemError
        A value that is no SPARQL result; its reader adds the place.

    >>> bound = {"x": {"type": "uri", "value": "http://x/a"}}
    >>> answer_of({"head": {"vars": ["x", "y"]}, "results": {"bindings": [bound]}}).rows
    ((Term(kind='iri', value='http://x/a', datatype='', language=''), None),)
    """
    if not isinstance(document, Mapping):
        raise ItemError("a SPARQL result, an object", shown(document))
    if "boolean" in document:
        if not isinstance(document["boolean"], bool):
            raise ItemError("true or false as boolean", shown(document["boolean"]))
        return Answer("answered", boolean=document["boolean"])
    results = document.get("results")
    if not isinstance(results, Mapping) or not isinstance(results.get("bindings"), list):
        raise ItemError("a SPARQL result, an object with boolean or results.bindings", shown(document))
    return answer_of_rows(results["bindings"], _variables(document.get("head")))


def answer_of_rows(rows: list[Any], columns: tuple[str, ...] = ()) -> Answer:
    """Return the answer of rows, each an object from names of columns to terms; errors as above."""
    wrong = next((row for row in rows if not isinstance(row, dict)), None)
    if wrong is not None:
        raise ItemError("an object from variables to terms as each binding", shown(wrong))
    names = tuple(dict.fromkeys((*columns, *(str(name) for row in rows for name in row))))
    return Answer("answered", names, tuple(_row(row, names) for row in rows))


def term_of(value: object) -> Term:
    """Return a term; a triple within a term becomes one blank node whose name is its text.

    Raises
    ------
    ItemError
        A value that is no term.

    >>> term_of({"type": "literal", "value": "Bonn", "xml:lang": "DE"}).language
    'de'
    """
    if not isinstance(value, dict):
        raise ItemError("a term, an object with type and value", shown(value))
    kind, held = value.get("type"), value.get("value")
    if isinstance(kind, str) and isinstance(held, str):
        if kind in LITERALS:
            tag = value.get("xml:lang") or value.get("lang") or ""
            return literal(held, str(value.get("datatype") or ""), str(tag))
        if kind in KINDS:
            return Term(KINDS[kind], held)
    if kind == "triple" and isinstance(held, Mapping):
        inner = " ".join(term_of(held.get(part)).n3 for part in ("subject", "predicate", "object"))
        return Term("blank", f"<< {inner} >>")
    raise ItemError("a term with type uri, literal or bnode, and text as value", shown(value))


def document_of(answer: Answer) -> dict[str, Any]:
    """Return an answer as SPARQL writes it: `head` with `boolean` or `results`.

    >>> document_of(Answer("answered", boolean=False))
    {'head': {}, 'boolean': False}
    """
    if answer.boolean is not None:
        return {"head": {}, "boolean": answer.boolean}
    bindings = [
        {name: _written(term) for name, term in zip(answer.columns, row, strict=True) if term is not None}
        for row in answer.rows
    ]
    return {"head": {"vars": list(answer.columns)}, "results": {"bindings": bindings}}


def _variables(head: object) -> tuple[str, ...]:
    if head is None or (isinstance(head, Mapping) and head.get("vars") is None):
        return ()
    names = head.get("vars") if isinstance(head, Mapping) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ItemError("names of variables as head.vars", shown(head))
    return tuple(names)


def _row(row: Mapping[str, Any], names: tuple[str, ...]) -> Row:
    return tuple(term_of(row[name]) if name in row else None for name in names)


def _written(term: Term) -> dict[str, str]:
    written = {"type": WRITTEN[term.kind], "value": term.value}
    if term.language:
        return {**written, "xml:lang": term.language}
    return {**written, "datatype": term.datatype} if term.datatype else written
