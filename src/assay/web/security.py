"""What guards every answer of a server: its headers, the host names it answers to, where its forms come from."""

import hashlib
import hmac
from collections.abc import Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""The content security policy: nothing inline, nothing from elsewhere, no frame around a page."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Refuses requests under a foreign host name or from a foreign page, and sets the headers of every answer.

    A page elsewhere can give its own name to this address and so ask under that name (DNS rebinding): only an IP
    address, localhost and the `names` given are answered.
    """

    def __init__(self, app: "ASGIApp", names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = LOCAL | {name.lower() for name in names}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        from starlette.responses import PlainTextResponse

        answer = _Answer(send)
        refusal = self._refusal(scope)
        if refusal is not None:
            status, said = refusal
            await PlainTextResponse(said, status)(scope, receive, answer)
            return
        try:
            await self._app(scope, receive, answer)
        except Exception:
            if not answer.begun:  # else the answer to it is made outside, without these headers
                await PlainTextResponse("Something went wrong on the server.\n", 500)(scope, receive, answer)
            raise

    def _refusal(self, scope: "Scope") -> tuple[int, str] | None:
        from starlette.datastructures import Headers

        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._answers_for(host):
            return 421, "This server does not answer under that name. --site NAME lets it.\n"
        if scope["method"] in SAFE:
            return None
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc.lower() != host.lower()
        if foreign or headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return 403, "This request comes from another site.\n"
        return None

    def _answers_for(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._names or bool(ip_address(name))
        except ValueError:
            return False


class _Answer:
    """Sends an answer with the headers that it lacks, and knows whether it has begun."""

    def __init__(self, send: "Send") -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: "Message") -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            present = {name.lower() for name, _ in message["headers"]}
            missing = {"cache-control": "no-store", **HEADERS}.items()
            added = [(name.encode(), value.encode()) for name, value in missing if name.encode() not in present]
            message = {**message, "headers": [*message["headers"], *added]}
        await self._send(message)


def is_local(host: str) -> bool:
    """Tell whether only this machine reaches an address.

    >>> is_local("127.0.0.1"), is_local("localhost"), is_local("0.0.0.0")
    (True, True, False)
    """
    try:
        return host in LOCAL or ip_address(host).is_loopback
    except ValueError:
        return False


def form_key(token: str) -> str:
    """Return what each form of a session carries, which nobody without its token can make."""
    return hmac.new(token.encode(), b"a form of this session", hashlib.sha256).hexdigest()


def is_form_key(found: str, token: str) -> bool:
    """Tell whether a form is one of this session."""
    return hmac.compare_digest(found.encode(), form_key(token).encode())
