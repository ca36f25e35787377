"""Serving pages: on this machine alone unless another address is asked for, until it is stopped."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.errors import InputError, MissingExtraError, ParameterError
from assay.web.security import is_local

if TYPE_CHECKING:
    from starlette.types import ASGIApp

BUSY = 200
"""Requests at once, beyond which the server says that it is busy."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, by which `sites` (host names) it is reached; with a certificate it speaks https."""

    host: str = "127.0.0.1"
    port: int = 8321
    certificate: str | None = None
    key: str | None = None
    sites: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The host names that it answers to, beside localhost and IP addresses; the one to print comes first."""
        return self.sites if is_local(self.host) else (*self.sites, *self._own)

    @property
    def _own(self) -> tuple[str, ...]:
        everywhere = self.host in {"0.0.0.0", "::"}  # noqa: S104 - compared
        return (socket.gethostname() if everywhere else self.host,)

    @property
    def is_private(self) -> bool:
        """Whether what is sent can be read by nobody on the way: it stays on this machine, or is encrypted."""
        return is_local(self.host) or self.certificate is not None


def serve(app: "ASGIApp", address: Address, ready: Callable[[str], None]) -> None:
    """Serve an application until Ctrl-C; `ready` is told its address once it can be reached.

    Raises
    ------
    InputError
        The address is taken or is none of this machine; no such certificate.
    MissingExtraError
        uvicorn is not installed.
    """
    try:
        import uvicorn
    except ImportError:
        raise MissingExtraError.of("serving pages", "uvicorn", "web") from None
    listening = _listening(address)
    port = listening.getsockname()[1]
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, limit_concurrency=BUSY, ws="none",
        ssl_certfile=address.certificate, ssl_keyfile=address.key, timeout_graceful_shutdown=5,
    )  # fmt: skip
    try:
        config.load()
    except OSError as error:
        listening.close()
        msg = f"{address.certificate}: expected a certificate and its key, found an error: {error}"
        raise InputError(msg) from None
    ready(_shown(address, port))
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


def _listening(address: Address) -> socket.socket:
    if not 0 <= address.port < 65_536:
        raise ParameterError(f"port: expected 0 to 65535, found {address.port}")
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address.host, address.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        msg = f"{address.host}, port {address.port}: expected an address to serve at, found an error: {error.strerror}"
        raise InputError(msg, hint="--port 0 takes any port that is free.") from None
    return listening


def _shown(address: Address, port: int) -> str:
    """Return the address as a browser takes it."""
    host = address.host if is_local(address.host) else address.names[0]
    return f"http{'s' if address.certificate else ''}://{f'[{host}]' if ':' in host else host}:{port}"
