"""A suite of questions in JSON, or in JSON Lines: its objects, with what messages call them."""

from collections.abc import Iterator, Mapping
from typing import Any

from assay.errors import FormatError
from assay.formats.documents import parsed
from assay.formats.rag_items import shown
from assay.formats.source import Source

Items = list[tuple[str, Any]]
"""Objects as they stand, each with its place in the file: "line 3", "question 2"."""


def items_of_json(source: Source) -> Items:
    """Return the questions of a file: an object in each line, a list, or an object that holds them as `questions`.

    Raises
    ------
    FormatError
        Text that is no JSON, or JSON without a list of questions.
    """
    text = source.text()
    if _in_lines(text):
        return list(json_lines(text, source.path))
    return items_of_document(parsed(text, source.path), source.path)


def json_lines(text: str, place: str, first: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield the value of each line that holds one, with "line N"; errors as above."""
    for number, line in enumerate(text.split("\n"), first):
        if line.strip():
            yield f"line {number}", parsed(line, place, number)


def items_of_document(document: object, place: str) -> Items:
    """Return the questions that a document holds, numbered from 1; errors as above."""
    held = document.get("questions") if isinstance(document, Mapping) else document
    if not isinstance(held, list):
        msg = f"{place}: expected a list of questions, or an object with questions, found {shown(document)}"
        raise FormatError(msg)
    return [(f"question {number}", one) for number, one in enumerate(held, 1)]


def _in_lines(text: str) -> bool:
    """Whether the first line is an object of its own, and not the beginning of one."""
    first = next((line for line in text.split("\n") if line.strip()), "").strip()
    if not (first.startswith("{") and first.endswith("}")):
        return False
    return not first.startswith('{"questions"') and not first.startswith('{ "questions"')
