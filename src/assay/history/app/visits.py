"""One request to the dashboard: what it asks for, whether it may write, and pages to answer with."""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.core.history import Recorded
from assay.errors import AssayError, ParameterError
from assay.store.evaluations import HistoryStore
from assay.web.pages import Pages
from assay.web.refusals import refusal, title
from assay.web.security import form_key, is_form_key
from assay.web.sessions import token_of

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from assay.history.app.explaining import Known

LARGEST = 1 << 62
MOST_FIELDS = 10


@dataclass(frozen=True, slots=True)
class Pen:
    """Who may write: whoever opens the link with this code while the server runs."""

    code: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    def is_code(self, found: str) -> bool:
        """Tell whether the code of a link is this one."""
        return hmac.compare_digest(found.encode(), self.code.encode())

    def is_token(self, found: str | None) -> bool:
        """Tell whether a session was begun by the link."""
        return found is not None and hmac.compare_digest(found.encode(), self.token.encode())


@dataclass(frozen=True)
class Desk:
    """What all requests share: the store, the pages, who may write (None: nobody), the gold (None: not given).

    `verdicts` is what was computed before.
    """

    store: HistoryStore
    pages: Pages
    pen: Pen | None = None
    gold: "Known | None" = None
    verdicts: dict[tuple[int, int], Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Visit:
    """A request; `form` is what was sent, after its key was found to be one of this session."""

    desk: Desk
    request: "Request"
    form: "FormData"

    @property
    def store(self) -> HistoryStore:
        """The store of the desk."""
        return self.desk.store

    @property
    def may_write(self) -> bool:
        """Whether this session was begun by the link of a server that lets write."""
        return self.desk.pen is not None and self.desk.pen.is_token(token_of(self.request))

    def asked(self, name: str, usual: str = "") -> str:
        """Return a part of the address."""
        return self.request.query_params.get(name, usual)

    def text(self, name: str, most: int = 4000) -> str:
        """Return a field of the form, "" where it is missing; a file is no text."""
        found = self.form.get(name, "")
        return found.strip()[:most] if isinstance(found, str) else ""

    def evaluation(self, name: str = "id") -> Recorded:
        """Return the whole evaluation that the address names."""
        return self.store.get(whole(name, self.asked(name)))

    def page(self, template: str, status: int = 200, **values: Any) -> "Response":
        """Return a page that knows who looks at it."""
        token = token_of(self.request)
        known = {"may_write": self.may_write, "csrf": form_key(token) if token else "", "writable": self.desk.pen}
        return self.desk.pages.render(template, known | values, status)


def whole(name: str, text: str) -> int:
    """Return the number of an evaluation, or another that an address holds."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(LARGEST)) or int(text) > LARGEST:
        raise ParameterError(f"{name}: expected a whole number, found {text[:40]!r}")
    return int(text)


def go(where: str) -> "Response":
    """Send the browser to another page, which it asks for anew."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(where, 303)


def reads(desk: Desk, answer: Callable[[Visit], "Response"]) -> Any:
    """Return what Starlette calls for a page; it runs in a thread, as the store waits for its disk."""
    from starlette.datastructures import FormData

    def asked(request: "Request") -> "Response":
        return answer(Visit(desk, request, FormData()))

    return asked


def writes(desk: Desk, answer: Callable[[Visit], "Response"]) -> Any:
    """Return what Starlette calls for a form: of a session that may write, with its key."""
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException

    async def asked(request: "Request") -> "Response":
        token = token_of(request)
        if desk.pen is None or not desk.pen.is_token(token):  # before strangers are read
            raise HTTPException(403, "These pages are read-only. Who started the server with --write has a link.")
        async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
            if not is_form_key(str(form.get("csrf", "")), str(token)):
                raise HTTPException(403, "This form is not of your session. Load the page again.")
            return await run_in_threadpool(answer, Visit(desk, request, form))

    return asked


def said(error: Exception, desk: Desk) -> "Response":
    """Answer a mistake with a page that says what was expected."""
    found = refusal(error)
    unknown = isinstance(error, AssayError) and "expected one of the store" in found.detail
    status = 404 if unknown else found.status
    shown: dict[str, Any] = {"status": status, "title": title(status), "detail": found.detail, "hint": found.hint}
    answer = desk.pages.render("refused.html", {"may_write": False, "csrf": "", "writable": None} | shown, status)
    answer.headers.update(found.headers)
    return answer
