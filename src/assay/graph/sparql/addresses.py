"""Addresses of services: what of them may be shown, and where a redirect may lead."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

from assay.errors import InputError

SECRET = re.compile(r"key|token|secret|pass|pwd|auth|sign|sig$|credential", re.IGNORECASE)
"""Names of parameters, or parts of them, whose values are not shown."""
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a service is.

    Parameters
    ----------
    url
        The address without name and password.
    headers
        The header that these make; never shown.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, url: str) -> Self:
        """Return the address that a person gives.

        Raises
        ------
        InputError
            No address of HTTP.

        >>> Address.of("https://me:secret@example.org/sparql").url
        'https://example.org/sparql'
        """
        parts = _split(url)
        if parts is None or parts.scheme not in PORTS or not parts.hostname:
            msg = f"endpoint: expected an address such as https://example.org/sparql, found {masked(url)!r}"
            raise InputError(msg)
        headers = {}
        if parts.username is not None:
            said = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            headers = {"Authorization": f"Basic {base64.b64encode(said.encode()).decode()}"}
        host = parts.netloc.rpartition("@")[2]
        return cls(urlunsplit((parts.scheme, host, parts.path or "/", parts.query, "")), headers)

    @property
    def shown(self) -> str:
        """The address without anything secret."""
        return masked(self.url)

    def joined(self, location: str) -> "Address":
        """Return where a redirect leads; it can name no password of its own."""
        try:
            onward = urljoin(self.url, location)
        except ValueError:
            onward = ""
        parts = _split(onward)
        return Address("" if parts is None else urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])))

    def within(self, other: "Address") -> bool:
        """Whether this is on the same host and port as another; https may follow http, never the other way round."""
        mine, theirs = _origin(self.url), _origin(other.url)
        return mine is not None and theirs is not None and (mine == theirs or _is_upgrade(theirs, mine))


def masked(url: str) -> str:
    """Return an address as it may be shown: without name and password, secret parameters as stars.

    >>> masked("http://me:secret@localhost:7878/query?apikey=1&graph=g")
    'http://localhost:7878/query?apikey=***&graph=g'
    """
    parts = _split(url)
    if parts is None:
        return re.sub(r"//[^/]*@", "//", url)
    query = "&".join(_masked_parameter(one) for one in parts.query.split("&")) if parts.query else ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=query))


def _masked_parameter(text: str) -> str:
    name, equals, _ = text.partition("=")
    return f"{name}=***" if equals and SECRET.search(unquote(name)) else text


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address; None of one that cannot be taken apart."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _origin(url: str) -> tuple[str, str, int | None] | None:
    parts = _split(url)
    if parts is None or parts.scheme not in PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, parts.port or PORTS[parts.scheme]


def _is_upgrade(before: tuple[str, str, int | None], after: tuple[str, str, int | None]) -> bool:
    return before[0] == "http" and after == ("https", before[1], 443) and before[2] == 80
