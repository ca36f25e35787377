"""What a page says of a mistake, and what it keeps to itself."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

LONGEST = 1000
"""Characters of a message on a page: what it repeats of a request may be long."""
NOWHERE = "Nothing stands at this address."
TITLES = {404: "No such page", 503: "Not at the moment"}
SILENT = "The database does not answer. Why is said where the server was started."


@dataclass(frozen=True, slots=True)
class Refusal:
    """The status of an answer, its message, a hint or "", and headers that belong to it."""

    status: int
    detail: str
    hint: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def title(status: int) -> str:
    """Return the heading of a page that refuses.

    >>> title(404), title(400)
    ('No such page', 'That is not possible')
    """
    return TITLES.get(status, "That is not possible")


def refusal(error: Exception) -> Refusal:
    """Return what is said of an error of Assay or of Starlette.

    Of a database that does not answer no page says where it stands and as whom it is asked; the log of the server does.

    >>> from assay.errors import ParameterError
    >>> refusal(ParameterError("id: expected a whole number, found 'x'"))
    Refusal(status=400, detail="id: expected a whole number, found 'x'", hint='', headers={})
    """
    if type(error.__cause__).__module__.startswith("sqlalchemy"):
        logging.getLogger("uvicorn.error").error("%s", error)
        return Refusal(503, SILENT)
    detail = getattr(error, "detail", "") or getattr(error, "message", "")
    detail = NOWHERE if detail == "Not Found" else detail  # as Starlette has it
    hint = getattr(error, "hint", None) or ""
    headers = getattr(error, "headers", None) or {}
    return Refusal(getattr(error, "status_code", 400), str(detail)[:LONGEST], hint[:LONGEST], headers)
