"""What a SPARQL service sent, and what that means: an answer, an error, a time-out, or try again.

A service is asked by us but written by others: what it sends is held to a size, a shape and a length in messages.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from assay.core.answers import Answer
from assay.errors import FormatError
from assay.formats.documents import parsed
from assay.formats.rag_items import ItemError
from assay.formats.sparql_results import answer_of

MOST_CELLS = 20_000_000
"""Rows times columns of one answer."""
MOST_SHOWN = 160
"""Characters of what a service says that a message repeats."""
LATE = re.compile(r"\btime-?d?[ -]?out|\btimed? ?out|timeout", re.IGNORECASE)
BUSY = frozenset({429, 500, 502, 503})
NEVER_IN_TIME = frozenset({408, 504})


@dataclass(frozen=True, slots=True)
class Response:
    """What came back.

    Parameters
    ----------
    status
        Of HTTP; 0 where nothing came.
    kind
        The type of content that it claims to be.
    content
        The bytes, unpacked.
    retry_after
        When to come again, as HTTP says it.
    failure
        What went wrong on the way; empty where nothing did.
    passing
        Whether that may be better next time.
    late
        Whether the limit was over.
    """

    status: int = 0
    kind: str = ""
    content: bytes = b""
    retry_after: str = ""
    failure: str = ""
    passing: bool = False
    late: bool = False


def answer_in(response: Response, place: str, most_rows: int) -> Answer:
    """Return what a response says, as an answer with its status; never an exception.

    >>> answer_in(Response(200, "text/html", b"<html>Sorry"), "http://x/sparql", 10).message
    "http://x/sparql: expected SPARQL results in JSON, found HTML: '<html>Sorry'"
    """
    if response.late:
        return Answer("timeout", message=f"{place}: {response.failure}")
    if response.failure:
        return Answer("error", message=f"{place}: expected an answer, found {response.failure}")
    if not 200 <= response.status < 300:
        message = f"{place}: expected an answer, found status {_named(response.status)}{_said(response.content)}"
        return Answer("timeout" if _is_late(response) else "error", message=message)
    try:
        return _result(response.content, place, most_rows)
    except (FormatError, ItemError, UnicodeDecodeError, RecursionError, MemoryError) as error:
        why = f" ({error.message})" if isinstance(error, FormatError) and _looks_like(response) == "JSON" else ""
        wrong = f" ({error.found})" if isinstance(error, ItemError) else why
        found = f"{_looks_like(response)}{_said(response.content)}{_short(wrong)}"
        return Answer("error", message=f"{place}: expected SPARQL results in JSON, found {found}")


def is_worth_another(response: Response) -> bool:
    """Whether the same request may succeed later: no connection, a busy or a failing service; never a time-out."""
    if response.late or response.failure:
        return response.passing
    return response.status in BUSY and not _is_late(response)


def wait_of(response: Response, now: float) -> float | None:
    """Return for how many seconds a service asks to be left alone; None where it does not say.

    >>> wait_of(Response(503, retry_after="7"), now=0)
    7.0
    >>> wait_of(Response(503, retry_after="Thu, 01 Jan 1970 00:00:09 GMT"), now=4)
    5.0
    """
    from email.utils import parsedate_to_datetime

    said = response.retry_after.strip()
    if re.fullmatch(r"[0-9]{1,9}", said):
        return float(said)
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def _result(content: bytes, place: str, most_rows: int) -> Answer:
    document = parsed(content.decode("utf-8-sig"), place)
    results = document.get("results") if isinstance(document, Mapping) else None
    rows = results.get("bindings") if isinstance(results, Mapping) else None
    if not isinstance(rows, list):
        return answer_of(document)
    kept = rows[:most_rows]
    _check_size(document, kept)
    found = answer_of({**document, "results": {"bindings": kept}})
    return replace(found, truncated=len(kept) < len(rows))


def _check_size(document: Mapping[str, Any], rows: list[Any]) -> None:
    """Refuse results that are small as JSON and huge as a table."""
    head = document.get("head")
    said = head.get("vars") if isinstance(head, Mapping) else None
    names = {name for row in rows if isinstance(row, Mapping) for name in row}
    columns = max(len(names), len(said) if isinstance(said, list) else 0)
    if columns * len(rows) > MOST_CELLS:
        raise ItemError(f"at most {MOST_CELLS:,} values", f"{len(rows):,} rows of {columns:,} columns")


def _is_late(response: Response) -> bool:
    """Whether a status, or what is said with a failure of the server, means that the service gave up on time."""
    if response.status in NEVER_IN_TIME:
        return True
    return response.status in BUSY - {429} and LATE.search(response.content.decode("utf-8", "replace")) is not None


def _looks_like(response: Response) -> str:
    """Return what the content is, by its first bytes rather than by what it claims to be."""
    begins = response.content[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if not begins:
        return "nothing"
    if begins.startswith((b"<!doctype html", b"<html")):
        return "HTML"
    if begins.startswith(b"<"):
        return "XML"
    return "JSON" if begins.startswith((b"{", b"[")) else f"content of type {_short(response.kind) or 'unknown'}"


def _named(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _said(content: bytes) -> str:
    """Return the beginning of what a service says, on one line; the text of a page rather than its tags."""
    text = content[:4096].decode("utf-8", "replace")
    title = re.search(r"<title[^>]{0,80}>([^<]{1,400})", text, re.IGNORECASE)
    text = _short(" ".join((title[1] if title else text).split()))
    return f": {text!r}" if text else ""


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"
