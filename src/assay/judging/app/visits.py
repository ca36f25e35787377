"""One request of somebody who is known: who it is, what it sends, and pages to answer with."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core.judging import Judge, Project, Role
from assay.errors import AssayError
from assay.store.judging import JudgingStore
from assay.web.pages import Pages
from assay.web.refusals import refusal, title
from assay.web.security import form_key, is_form_key
from assay.web.sessions import token_of

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

MOST_FIELDS = 1000
MOST_OF_FIELD = 1 << 20


@dataclass(frozen=True)
class Desk:
    """What all requests share: the store, its project, and the pages."""

    store: JudgingStore
    pages: Pages

    @property
    def project(self) -> Project:
        """The project, with the guideline of now."""
        found = self.store.project
        if found is None:
            raise AssayError("judging: expected a project in the database, found none")
        return found


@dataclass(frozen=True)
class Visit:
    """A request of a judge; `form` is what was sent, after its key was found to be one of this session."""

    desk: Desk
    request: "Request"
    judge: Judge
    token: str
    form: "FormData"

    @property
    def store(self) -> JudgingStore:
        """The store of the desk."""
        return self.desk.store

    def text(self, name: str, most: int = 4000) -> str:
        """Return a field of the form, "" where it is missing; a file is no text."""
        found = self.form.get(name, "")
        return found.strip()[:most] if isinstance(found, str) else ""

    def page(self, template: str, status: int = 200, **values: Any) -> "Response":
        """Return a page that knows who looks at it."""
        known = {
            "judge": self.judge, "csrf": form_key(self.token), "path": self.request.url.path, "new_key": new_key,
            "project": values.pop("project", None) or self.desk.project,
        }  # fmt: skip
        return self.desk.pages.render(template, known | values, status)


def new_key() -> str:
    """Return the key of one decision, by which it is recorded once."""
    return secrets.token_hex(10)


def go(where: str) -> "Response":
    """Send the browser to another page, which it asks for anew."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(where, 303)


def _required(desk: Desk, role: Role, request: "Request") -> tuple[Judge, str]:
    """Return who asks and their token; strangers, and judges where an admin is wanted, are refused."""
    from starlette.exceptions import HTTPException

    token = token_of(request)
    judge = desk.store.judge(token) if token else None
    if judge is None or token is None:
        raise HTTPException(401)
    if role == "admin" and judge.role != "admin":
        raise HTTPException(403, "Only an admin of the project sees this page.")
    return judge, token


def endpoint(desk: Desk, answer: Callable[[Visit], "Response"], role: Role = "judge") -> Any:
    """Return what Starlette calls: it reads the form, and answers in a thread, as the store waits for its disk."""
    from starlette.concurrency import run_in_threadpool
    from starlette.datastructures import FormData
    from starlette.exceptions import HTTPException

    def known(request: "Request", judge: Judge, token: str, form: "FormData") -> "Response":
        if request.method == "POST" and not is_form_key(str(form.get("csrf", "")), token):
            raise HTTPException(403, "This form is not of your session. Load the page again.")
        return answer(Visit(desk, request, judge, token, form))

    async def asked(request: "Request") -> "Response":
        judge, token = await run_in_threadpool(_required, desk, role, request)  # before strangers are read
        if request.method != "POST":
            return await run_in_threadpool(known, request, judge, token, FormData())
        limits = {"max_files": 1, "max_fields": MOST_FIELDS, "max_part_size": MOST_OF_FIELD}
        async with request.form(**limits) as form:
            return await run_in_threadpool(known, request, judge, token, form)

    return asked


def said(error: Exception, request: "Request", desk: Desk) -> "Response":
    """Answer a mistake with a page that says what was expected."""
    found, token = refusal(error), token_of(request)
    known = bool(token) and found.status != 401
    about = {"title": title(found.status), "detail": found.detail}
    shown: Mapping[str, Any] = {"status": found.status, "known": known} | about
    answer = desk.pages.render("refused.html", shown, found.status)
    answer.headers.update(found.headers)
    return answer
