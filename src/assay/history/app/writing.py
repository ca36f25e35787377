"""Writing, for who may: coming in by the link, a note to an evaluation, a new baseline."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assay.history.app.visits import Desk, Visit, go, whole
from assay.web import sessions

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

LONGEST = 2000
NOT_VALID = "This link is not valid. It holds until the server is started anew."


def annotate(visit: Visit) -> "Response":
    """Put a note to an evaluation; an empty one takes it away."""
    number = whole("id", visit.text("id"))
    visit.store.annotate(number, visit.text("note", LONGEST).replace("\r\n", "\n"))
    return go(f"/evaluation?id={number}")


def pin(visit: Visit) -> "Response":
    """Make an evaluation the baseline of its suite."""
    number = whole("id", visit.text("id"))
    visit.store.set_baseline(number)
    return go(f"/evaluation?id={number}")


def leave(visit: Visit) -> "Response":
    """End the session on this browser."""
    answer = go("/")
    sessions.end(answer, visit.request)
    return answer


def joining(desk: Desk) -> tuple[Any, Callable[["Request"], "Response"]]:
    """Return what answers the link (POST: begin a session) and what shows its page (GET)."""
    from starlette.exceptions import HTTPException

    def welcome(request: "Request") -> "Response":
        code = request.path_params["code"]
        if desk.pen is None or not desk.pen.is_code(code):
            raise HTTPException(403, NOT_VALID)
        return desk.pages.render("welcome.html", {"may_write": False, "csrf": "", "writable": desk.pen, "code": code})

    async def join(request: "Request") -> "Response":
        async with request.form(max_files=0, max_fields=4) as form:
            code = str(form.get("link", ""))
        if desk.pen is None or not desk.pen.is_code(code):
            raise HTTPException(403, NOT_VALID)
        answer = go("/")
        sessions.begin(answer, request, desk.pen.token)
        return answer

    return join, welcome
