"""`Webhook`: JSON sent to an address that may be busy, slow or gone. The address is a secret, and is never shown."""

import base64
import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Self
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from assay.errors import InputError, ParameterError

ATTEMPTS = 5
FIRST_S, LONGEST_S = 1.0, 60.0
"""How long to wait before the second attempt, twice as long before each other; and how long at most."""
ANSWER_S = 10.0
BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers after which it is worth to try again."""


class _Stay(HTTPRedirectHandler):
    """What is sent goes to the address that was given, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that takes JSON by POST."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    shown: str
    wait: Callable[[float], object] = field(default=time.sleep, repr=False)

    @classmethod
    def of(cls, url: str, *, wait: Callable[[float], object] = time.sleep) -> Self:
        """Read an address; user and password in it are sent as such.

        Raises
        ------
        ParameterError
            It is none of http or https.
        """
        try:
            found = urlsplit(url)
            host, port = found.hostname, found.port
        except ValueError:
            raise ParameterError("webhook: expected an address, found none that can be read") from None
        if found.scheme not in {"http", "https"} or not host or not url.isprintable() or " " in url:
            raise ParameterError("webhook: expected http://… or https://…, found another address")
        place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
        bare = SplitResult(found.scheme, place, found.path or "/", found.query, "").geturl()
        return cls(bare, _headers(found), f"{found.scheme}://{place}/…", wait)

    def send(self, told: Mapping[str, Any]) -> None:
        """Send JSON, up to five times: after 1, 2, 4 and 8 s, or when `Retry-After` says, at most 60 s later.

        Raises
        ------
        InputError
            Nobody took it; the message names the host alone.
        """
        content = json.dumps(told, allow_nan=False).encode()
        said = ""
        for attempt in range(ATTEMPTS):
            said, after = self._attempt(content)
            if not said:
                return
            pause = FIRST_S * 2**attempt if after is None else after
            if pause > LONGEST_S or pause < 0 or attempt == ATTEMPTS - 1:
                break
            self.wait(pause)
        raise InputError(f"{self.shown}: expected the webhook to take an alert, found {said}")

    def _attempt(self, content: bytes) -> tuple[str, float | None]:
        """Return what went wrong, "" for nothing, and after how many seconds to try again; below 0: never."""
        request = Request(self.url, content, dict(self.headers), method="POST")  # noqa: S310 - its scheme was checked
        try:
            with build_opener(_Stay).open(request, timeout=ANSWER_S):
                return "", None
        except HTTPError as error:
            with error:
                after = _after(error.headers.get("Retry-After")) if error.code in BUSY else -1.0
            return f"the answer {error.code}", after
        except TimeoutError:
            return f"no answer within {ANSWER_S:.0f} s", None
        except (URLError, OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            return f"no answer ({getattr(reason, 'strerror', None) or type(reason).__name__})", None


def _headers(found: SplitResult) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "User-Agent": "assay"}
    if found.username is None:
        return headers
    who = f"{unquote(found.username)}:{unquote(found.password or '')}"
    return headers | {"Authorization": f"Basic {base64.b64encode(who.encode()).decode()}"}


def _after(said: str | None) -> float | None:
    """Return the seconds that a server asks to wait: a number of them, or a date."""
    if said is None:
        return None
    if said.strip().isdecimal():
        return float(said.strip()[:9])
    try:
        return max((parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
