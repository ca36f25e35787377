"""`SearchService`: whatever answers a question with ranked ids, by HTTP or as a function."""

import json
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self
from urllib.parse import quote

from assay.core.answers import Answer, Question
from assay.core.terms import Term, iri
from assay.errors import MissingExtraError, ParameterError
from assay.graph.sparql.addresses import Address

MOST_BYTES = 1 << 26
MOST_SAID = 200
"""Characters of an error that are shown."""
LISTS = ("", "results", "hits.hits", "hits", "items", "documents", "docs", "response.docs", "data", "matches")
"""Where services keep what they found; without names, these places are looked at in their order."""
IDS = ("iri", "uri", "id", "_id", "entity", "key")
SCORES = ("score", "_score", "similarity")
IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(//|[^\s/])\S*")


class ResponseError(Exception):
    """What came is no ranking."""


class SearchService:
    """A search service by HTTP (extra `graph`): JSON with ranked ids, the best first.

    Parameters
    ----------
    url
        Where it is. With `{question}` in it (and perhaps `{k}`) it is asked by GET, else by POST with a JSON object.
        What follows a `#` is never sent: it names the places of ids and, after a `;`, of scores in the response,
        such as `#hits.hits.*._id;hits.hits.*._score`.
    body
        The object to send, in which texts `{question}` and `{k}` are filled in; else query and k.
    k, limit_s
        How many results are asked for and kept, and how long it may take.
    headers
        Sent with each request.

    Raises
    ------
    InputError, ParameterError
        No address of HTTP; a limit that is not allowed.
    MissingExtraError
        httpx is not installed.

    >>> SearchService("https://example.org/search?q={question}#results.*.id").name
    'https://example.org/search?q={question}'
    """

    def __init__(
        self,
        url: str,
        *,
        body: Mapping[str, Any] | None = None,
        k: int = 100,
        limit_s: float = 60.0,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if k < 1 or not limit_s > 0:
            raise ParameterError(f"search service: expected limits above 0, found {k} results and {limit_s:g} s")
        address, _, places = url.partition("#")
        self._address = Address.of(address)
        self.name = self._address.shown
        self.ids, _, self.scores = places.partition(";")
        self._body = {"query": "{question}", "k": "{k}"} if body is None else dict(body)
        self._k, self._limit_s = k, limit_s
        own = {"User-Agent": "assay", "Accept": "application/json", "Accept-Encoding": "identity"}
        self._client = _httpx().Client(timeout=limit_s, headers=own | dict(self._address.headers) | dict(headers or {}))

    def __call__(self, question: Question) -> Answer:
        """Return the ids found, the best first; errors and time-outs are answers with that status."""
        begun = time.monotonic()
        try:
            found = ranking_in(self._received(question, begun), self.ids, self.scores, self._k)
        except (_httpx().TimeoutException, TimeoutError):
            found = Answer("timeout", message=f"no answer within {self._limit_s:g} s")
        except (_httpx().HTTPError, _httpx().InvalidURL) as error:
            found = Answer("error", message=f"{self.name}: expected an answer, found {type(error).__name__}: {error}")
        except ResponseError as error:
            found = Answer("error", message=f"{self.name}: expected ranked ids in JSON, found {error}")
        return replace(found, seconds=time.monotonic() - begun)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _received(self, question: Question, begun: float) -> Any:
        """Return the JSON of the response, of limited size and within the limit of time."""
        content = bytearray()
        with self._client.stream(**self._request(question)) as response:
            for chunk in response.iter_raw():
                content += chunk
                if time.monotonic() - begun > self._limit_s:
                    raise TimeoutError
                if len(content) > MOST_BYTES:
                    raise ResponseError(f"more than {MOST_BYTES:,} bytes")
        text = bytes(content).decode("utf-8", "replace")
        if not response.is_success:
            raise ResponseError(f"HTTP {response.status_code}: {_brief(text)}")
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise ResponseError(_brief(text) or "nothing") from None

    def _request(self, question: Question) -> dict[str, Any]:
        url = self._address.url
        if "{question}" not in url:
            return {"method": "POST", "url": url, "json": _filled(self._body, question.text, self._k)}
        filled = url.replace("{k}", str(self._k)).replace("{question}", quote(question.text, safe=""))
        return {"method": "GET", "url": filled}


def searched(function: Callable[[str], Any], *, k: int = 100) -> Callable[[Question], Answer]:
    """Return a function from the text of a question to ids as a search: ids, pairs of id and score, or {id: score}.

    What it raises is the error of that question.

    >>> search = searched(lambda text: {"http://x/a": 0.3, "http://x/b": 0.9})
    >>> [row[0].value for row in search(Question("1", "Who?")).rows]
    ['http://x/b', 'http://x/a']
    """

    def search(question: Question) -> Answer:
        begun = time.monotonic()
        try:
            pairs = list(_pairs(function(question.text)))
        except Exception as error:  # noqa: BLE001 - whatever a user's function raises
            return Answer("error", message=f"{type(error).__name__}: {error}", seconds=time.monotonic() - begun)
        return replace(_ranked(pairs, k), seconds=time.monotonic() - begun)

    return search


def ranking_in(document: Any, ids: str = "", scores: str = "", k: int = 100) -> Answer:
    """Return the ranking that a response holds.

    Places are keys parted by points; `*` stands for every element of a list. Without places the first list of
    results is looked for where services usually keep it.

    Raises
    ------
    ResponseError
        No ids there, or another number of scores.

    >>> ranking_in({"hits": [{"doc": {"id": "a"}}, {"doc": {"id": "b"}}]}, "hits.*.doc.id").rows[1][0].value
    'b'
    """
    if not ids:
        return _ranked(_usual(document), k)
    names = list(_at(document, ids))
    values: Sequence[Any] = list(_at(document, scores)) if scores else [None] * len(names)
    if len(values) != len(names):
        raise ResponseError(f"{len(names):,} ids and {len(values):,} scores")
    if not names and not _is_empty_list(document, ids):
        raise ResponseError(f"nothing at {ids!r}")
    return _ranked(list(zip(names, values, strict=True)), k)


def _usual(document: Any) -> list[tuple[Any, Any]]:
    for place in LISTS:
        listed = next(_at(document, place), None) if place else document
        if isinstance(listed, list):
            return [(_first(one, IDS), _first(one, SCORES)) if isinstance(one, dict) else (one, None) for one in listed]
    keys = ", ".join(map(str, list(document)[:8])) if isinstance(document, dict) else type(document).__name__
    raise ResponseError(f"no list of results ({keys}); name its place behind a #")


def _at(document: Any, place: str) -> Iterator[Any]:
    key, _, rest = place.partition(".")
    if key == "*" and isinstance(document, list):
        below = document
    elif isinstance(document, dict) and key in document:
        below = [document[key]]
    else:
        return
    for one in below:
        if rest:
            yield from _at(one, rest)
        else:
            yield one


def _is_empty_list(document: Any, place: str) -> bool:
    """Whether the list that the place begins with is there and has no elements."""
    before, star, _ = place.partition("*")
    found = next(_at(document, before.rstrip(".")), None) if before else document
    return bool(star) and found == []


def _first(record: Mapping[str, Any], keys: Iterable[str]) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _pairs(found: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(found, Mapping):
        yield from found.items()
        return
    if isinstance(found, str):
        raise TypeError("expected ids, found one text")
    for one in found:
        yield (one[0], one[1]) if isinstance(one, tuple | list) else (one, None)


def _ranked(pairs: Sequence[tuple[Any, Any]], k: int) -> Answer:
    """Return pairs of id and score as an answer: by score where all have one, else in their order; each id once."""
    for name, _ in pairs:
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise ResponseError(f"{json.dumps(name, default=str)[:MOST_SAID]} in place of an id")
    scored = bool(pairs) and all(_is_number(score) for _, score in pairs)
    if not scored and any(score is not None for _, score in pairs):
        raise ResponseError("scores that are no numbers, or not for all")
    order = sorted(pairs, key=lambda pair: -float(pair[1])) if scored else pairs
    best = dict(reversed([(str(name), score) for name, score in order]))
    kept = list(dict.fromkeys(str(name) for name, _ in order))[:k]
    rows = tuple((_term(name),) for name in kept)
    return Answer("answered", ("entity",), rows, ordered=True, scores=_scores(best, kept) if scored else None)


def _scores(best: Mapping[str, Any], kept: Iterable[str]) -> tuple[float, ...]:
    return tuple(float(best[name]) for name in kept)


def _is_number(score: Any) -> bool:
    return isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score)


def _term(name: str) -> Term:
    return iri(name) if IRI.fullmatch(name) else Term("text", name)


def _filled(value: Any, question: str, k: int) -> Any:
    if isinstance(value, Mapping):
        return {key: _filled(one, question, k) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, question, k) for one in value]
    if value == "{k}":
        return k
    return value.replace("{question}", question) if isinstance(value, str) else value


def _brief(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= MOST_SAID else f"{shown[:MOST_SAID]}…"


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise MissingExtraError.of("asking a service", "httpx", "graph") from None
    return httpx
