"""Coming in by a link, and going out. A link opens nothing by itself: previews and scans of mails follow links, too."""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.judging.app.visits import Desk, Visit, go
from assay.store.judging import JudgingStore
from assay.web import sessions

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


@dataclass(slots=True)
class Start:
    """The link that is printed when the server starts; who first uses it becomes the admin `name`.

    The link of an earlier start and the sessions begun with it stay as they are until then: a server that was stopped
    and started again lets everybody go on.
    """

    store: JudgingStore
    name: str
    code: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    _token: str | None = None

    def token(self, code: str) -> str | None:
        """Return the token of the admin for the code of the link, None for any other code."""
        if not hmac.compare_digest(code.encode(), self.code.encode()):
            return None
        if self._token is None or self.store.judge(self._token) is None:
            self._token = self.store.invite(self.name, "admin")
        return self._token

    def names(self, code: str) -> str | None:
        """Return whom the code lets in."""
        return self.name if hmac.compare_digest(code.encode(), self.code.encode()) else None


def joining(desk: Desk, start: Start | None) -> tuple[Any, Callable[["Request"], "Response"]]:
    """Return what answers a link (POST: begin a session) and what shows its page (GET)."""
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException

    def welcome(request: "Request") -> "Response":
        code = request.path_params["token"]
        judge = desk.store.judge(code)
        name = judge.name if judge else start.names(code) if start else None
        if name is None:
            raise HTTPException(403, "This link is not valid. It may have been replaced by a newer one.")
        return desk.pages.render("welcome.html", {"name": name, "project": desk.project, "link": code})

    def enter(request: "Request", code: str) -> "Response":
        token = code if desk.store.judge(code) else start.token(code) if start else None
        if token is None:
            raise HTTPException(403, "This link is not valid. It may have been replaced by a newer one.")
        answer = go("/")
        sessions.begin(answer, request, token)
        return answer

    async def join(request: "Request") -> "Response":
        async with request.form(max_files=0, max_fields=4) as form:
            code = str(form.get("link", "")).strip().rpartition("/")[2]
        return await run_in_threadpool(enter, request, code)

    return join, welcome


def leave(visit: Visit) -> "Response":
    """End the session on this browser; the link begins another."""
    answer = go("/")
    sessions.end(answer, visit.request)
    return answer
