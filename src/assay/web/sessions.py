"""Who is asking: a token in a cookie that no script reads and that no other site sends."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

DAYS_30 = 30 * 24 * 3600


def token_of(request: "Request") -> str | None:
    """Return the token of the session, if there is one."""
    return request.cookies.get(_name(request))


def begin(response: "Response", request: "Request", token: str) -> None:
    """Begin a session: the browser keeps the token and sends it to this server alone."""
    response.set_cookie(
        _name(request), token, max_age=DAYS_30, path="/", httponly=True, samesite="strict",
        secure=request.url.scheme == "https",
    )  # fmt: skip


def end(response: "Response", request: "Request") -> None:
    """End a session on this browser."""
    response.delete_cookie(_name(request), path="/", httponly=True, samesite="strict")


def _name(request: "Request") -> str:
    """Return the name of the cookie; cookies know no ports, and two projects may be served by one machine."""
    server = request.scope.get("server")
    return f"assay-{server[1] if server else 0}"
