"""`Endpoint`: a SPARQL service by HTTP (extra `graph`). What it sends is not trusted: neither size nor shape."""

import asyncio
import random
import threading
import time
import weakref
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Self, TypeVar

from assay.core.answers import Answer
from assay.errors import MissingExtraError, ParameterError
from assay.graph.sparql.addresses import Address
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.responses import Response, answer_in, is_worth_another, wait_of

MOST_BYTES = 1 << 28
MOST_ROWS = 1_000_000
MOST_SAID = 1 << 16
"""Bytes of an error that are read."""
MOST_WAIT_S = 60.0
"""A service that asks to be left alone for longer is not asked again."""
FIRST_WAIT_S = 0.5
CONNECT_S = 10.0
HOPS = 5
"""So many redirects, within the same host, are followed."""
PACKINGS = frozenset({"", "identity", "gzip", "deflate"})
"""How a body may be packed: others, and several at once, may hold far more than they look."""
ACCEPT = "application/sparql-results+json, application/json;q=0.5"

Result = TypeVar("Result")


class Endpoint:
    """A SPARQL 1.1 service, asked by POST; any number of threads may ask.

    Parameters
    ----------
    url
        Where it is; a name and password in it are sent as HTTP does, and shown nowhere.
    limit_s
        Seconds that one query may take, from the request to the last byte.
    retries
        How often a query is tried again where the service is busy or fails (429, 5xx, no connection), with growing,
        jittered waits, or those that it asks for. A time-out is never tried again.
    concurrency
        How many queries are under way at once.
    most_bytes, most_rows
        A larger answer is an error; rows beyond the limit are left out, and the answer says so.
    headers
        Sent with each request, such as Authorization.
    seed
        Where the chance in the waits starts.

    Raises
    ------
    InputError, ParameterError
        A URL that is none of HTTP; a limit that is not allowed.
    MissingExtraError
        httpx is not installed.

    >>> Endpoint("https://me:secret@example.org/sparql?key=1").name
    'https://example.org/sparql?key=***'
    """

    def __init__(
        self,
        url: str,
        *,
        limit_s: float = 60.0,
        retries: int = 3,
        concurrency: int = 4,
        most_bytes: int = MOST_BYTES,
        most_rows: int = MOST_ROWS,
        headers: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None:
        if not limit_s > 0 or retries < 0 or min(concurrency, most_bytes, most_rows) < 1:
            msg = f"endpoint: expected limits above 0, found {limit_s} s, {retries} retries, {concurrency} at once"
            raise ParameterError(msg)
        self._address = Address.of(url)
        self.name = self._address.shown
        self._limit_s, self._retries, self._most_bytes, self._most_rows = limit_s, retries, most_bytes, most_rows
        own = {"User-Agent": "assay", "Accept-Encoding": "gzip, deflate"}
        self._headers = {**own, **self._address.headers, **(headers or {}), "Accept": ACCEPT}
        self._free = threading.BoundedSemaphore(concurrency)
        self._chance = random.Random(seed)  # noqa: S311 - waits, no secrets
        self._rest_until = 0.0
        self._is_down = False  # then one attempt a query is enough, until one succeeds
        self._client = _httpx().AsyncClient(timeout=_httpx().Timeout(None, connect=min(CONNECT_S, limit_s)))
        self._closed = threading.Event()
        self._loop = _Loop()

    def ask(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK; an error or a time-out is an answer with that status."""
        with self._free:
            response, seconds = self._timed(query)
            for attempt in range(0 if self._is_down else self._retries):
                if not self._waits(response, attempt):
                    break
                response, seconds = self._timed(query)
            self._is_down = response.passing
            return replace(answer_in(response, self.name, self._most_rows), seconds=seconds)

    def select(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK.

        Raises
        ------
        QueryError
            The service did not answer.
        """
        found = self.ask(query)
        if not found.answered:
            raise QueryError(found.message)
        return found

    def close(self) -> None:
        """Close the connections."""
        self._closed.set()
        self._loop.close(self._client.aclose)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _timed(self, query: str) -> tuple[Response, float]:
        """Return what comes of one request, and how many seconds it took."""
        self._closed.wait(max(0.0, self._rest_until - time.monotonic()))
        begun = time.monotonic()
        closed = self._closed.is_set()
        response = Response(failure="it closed") if closed else self._loop.run(self._sent(query))
        return response, time.monotonic() - begun

    def _waits(self, response: Response, attempt: int) -> bool:
        """Wait until the next attempt, and say whether there should be one; what a service asks for holds for all."""
        if not is_worth_another(response):
            return False
        asked = wait_of(response, time.time())
        if asked is None:
            self._closed.wait(FIRST_WAIT_S * 2**attempt * (0.5 + self._chance.random()))
            return True
        self._rest_until = max(self._rest_until, time.monotonic() + min(asked, MOST_WAIT_S))
        return asked <= MOST_WAIT_S

    async def _sent(self, query: str) -> Response:
        httpx = _httpx()
        try:
            async with asyncio.timeout(self._limit_s):
                return await self._exchanged(query)
        except TimeoutError:
            return Response(failure=f"no answer within {self._limit_s:g} s", late=True)
        except httpx.TransportError as error:
            return Response(failure=f"no connection: {_why(error)}", passing=True)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError) as error:
            return Response(failure=f"what is no HTTP: {_why(error)}")

    async def _exchanged(self, query: str) -> Response:
        """Send the query, wherever within the same host it is sent on to."""
        place, method = self._address, "POST"
        for _ in range(HOPS):
            body = {"query": query} if method == "POST" else None
            async with self._client.stream(method, place.url, data=body, headers=self._headers) as response:
                if not response.has_redirect_location:
                    return await self._received(response)
                onward = place.joined(response.headers["location"])
                method = "GET" if response.status_code == 303 else method
            if not onward.within(place):
                return Response(failure=f"a redirect to another host, {onward.shown}, which is not followed")
            place = onward
        return Response(failure=f"more than {HOPS} redirects")

    async def _received(self, response: Any) -> Response:
        head = response.headers
        packed = head.get("content-encoding", "").strip().lower()
        if packed not in PACKINGS:
            return Response(failure=f"content packed as {packed[:40]!r}, which nobody asked for")
        most = self._most_bytes if response.is_success else MOST_SAID
        content = bytearray()
        async for chunk in response.aiter_bytes():
            content += chunk
            if len(content) > most:
                break
        if response.is_success and len(content) > most:
            return Response(failure=f"more than {most:,} bytes")
        kind, again = head.get("content-type", ""), head.get("retry-after", "")
        return Response(response.status_code, kind, bytes(content[:most]), again)


class _Loop:
    """Where requests run: only there can each be held to its limit as a whole, not read by read."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        self._stop = weakref.finalize(self, _stop, self._loop, thread)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return what the work returns."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """End what is under way, do one last thing, and stop."""
        if self._stop.alive:
            self.run(_ended(last))
            self._stop()


async def _ended(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    thread.join(timeout=5)
    loop.close()


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise MissingExtraError.of("asking an endpoint", "httpx", "graph") from None
    return httpx


def _why(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
