"""`Document`: the JSON of an evaluation, as it was made elsewhere: every part is checked before it is used."""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.core.policy import CHOICES, Policy
from assay.core.profiles import PROFILES, Profile
from assay.errors import FormatError, InputError

LARGEST = 1 << 30
"""A result of more than a gigabyte is no result."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An input as the result names it."""

    path: str | None
    sha256: str | None
    format: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedFigure:
    """A figure as the result gives it."""

    name: str
    requested: str
    mean: float | None


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run of the result: where it came from, its figures and, where given, its values per query."""

    name: str
    source: Recorded
    figures: tuple[RecordedFigure, ...]
    per_query: Mapping[str, Mapping[str, float | None]] | None


@dataclass(frozen=True, slots=True)
class Document:
    """What is needed of a result to compute it again."""

    path: str
    version: str
    policy: Policy
    profile: Profile | None
    rel: float | None
    tie_range: bool
    aggregate: str
    weights: Recorded | None
    exclude: Recorded | None
    gold: Recorded
    runs: tuple[RecordedRun, ...]


def read_result(path: str | os.PathLike[str]) -> "Part":
    """Read the JSON of a result, as a part that is checked as it is used.

    Raises
    ------
    InputError
        No such file, or no JSON.
    """
    name = os.fspath(path)
    return Part(name, "", _load(name))


def read_document(path: str | os.PathLike[str]) -> Document:
    """Read the JSON that `assay evaluate -o json` made; the errors are those of `read_result` and `document_of`."""
    return document_of(read_result(path))


def document_of(part: "Part") -> Document:
    """Return the JSON that `assay evaluate -o json` made, checked.

    Raises
    ------
    FormatError
        JSON of another shape; the message names the part that is wrong.
    """
    options = part.get("options", dict, {})
    runs = part.get("runs", list)
    if not runs.value:
        raise part.wrong("runs", "at least one run", "none")
    profile = part.get("profile", (str, type(None))).value
    return Document(
        path=part.file,
        version=part.get("assay", str).value,
        policy=Policy().but(**part.get("policy", dict).texts()),
        profile=None if profile is None else PROFILES[profile],
        rel=options.number("rel"),
        tie_range=options.get("tie_range", bool, False).value,
        aggregate=options.get("aggregate", str, "macro").value,
        weights=_attached(options, "weights"),
        exclude=_attached(options, "exclude"),
        gold=source_of(part.get("gold", dict)),
        runs=tuple(_run(one) for one in runs.items()),
    )


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the document, which knows its place for messages."""

    file: str
    place: str
    value: Any

    def wrong(self, key: str, expected: str, found: str) -> FormatError:
        """Return the error of a part that is not as expected."""
        where = f"{self.place}.{key}".strip(".") if key else self.place or "the document"
        msg = f"{self.file}: {where}: expected {expected}, found {found}"
        return FormatError(
            msg, hint="verify reads the JSON (-o json) of evaluate, links evaluate and neighbours evaluate."
        )

    def get(self, key: str, kind: Any, default: Any = None) -> "Part":
        """Return the part under a key, of the kind that it must be."""
        if not isinstance(self.value, dict):
            raise self.wrong("", "an object", _kind(self.value))
        value = self.value.get(key, default)
        wanted = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
            words = " or ".join(_WORDS[one] for one in wanted)
            raise self.wrong(key, words, "nothing" if key not in self.value else _kind(value))
        return Part(self.file, f"{self.place}.{key}".strip("."), value)

    def number(self, key: str) -> float | None:
        """Return a number or null."""
        value = self.get(key, (int, float, type(None))).value
        if value is not None and not math.isfinite(value):
            raise self.wrong(key, "a number or null", repr(value))
        return None if value is None else value

    def items(self) -> list["Part"]:
        """Return the parts of a list."""
        return [Part(self.file, f"{self.place}[{i}]", value) for i, value in enumerate(self.value)]

    def command(self) -> list[str]:
        """Return the command line, a list of texts; none where nothing was recorded."""
        words = self.get("command", list, [])
        for i, word in enumerate(words.value):
            if not isinstance(word, str):
                raise words.wrong(f"[{i}]", "a text", _kind(word))
        return list(words.value)

    def texts(self) -> dict[str, str]:
        """Return an object of texts whose keys are fields of the policy."""
        for key in self.value:
            if key not in CHOICES:
                raise self.wrong(str(key), f"one of {', '.join(CHOICES)}", "another field")
        return {str(key): self.get(key, str).value for key in self.value}


_WORDS: Mapping[Any, str] = {
    dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number",
    type(None): "null",
}  # fmt: skip


def _kind(value: object) -> str:
    return _WORDS.get(type(value), type(value).__name__)


def _load(path: str) -> Any:
    file = Path(path)
    if not file.is_file():
        found = "a folder" if file.is_dir() else "no such file"
        msg = f"{path}: expected the JSON of an evaluation, found {found}"
        raise InputError(msg)
    if file.stat().st_size > LARGEST:
        msg = f"{path}: expected the JSON of an evaluation, found a file of more than {LARGEST >> 30} GiB"
        raise InputError(msg)
    try:
        return json.loads(file.read_bytes().decode("utf-8-sig"), parse_constant=_refuse, parse_int=float)
    except OSError as problem:
        msg = f"{path}: expected a file that can be read, found an error: {problem.strerror or problem}"
        raise InputError(msg) from None
    except json.JSONDecodeError as problem:
        raise FormatError.at(path, problem.lineno, "expected JSON", f"found an error: {problem.msg}") from None
    except (ValueError, RecursionError):
        msg = f"{path}: expected JSON in UTF-8, found something else"
        raise FormatError(msg) from None


def _refuse(name: str) -> Any:
    msg = f"{name} is no number"
    raise json.JSONDecodeError(msg, "", 0)


def source_of(part: Part) -> Recorded:
    """Return an input as a result names it."""
    return Recorded(*(part.get(key, (str, type(None))).value for key in ("path", "sha256", "format")))


def _attached(options: Part, key: str) -> Recorded | None:
    part = options.get(key, (dict, type(None)))
    return None if part.value is None else source_of(part)


def _run(part: Part) -> RecordedRun:
    measures = part.get("measures", dict)
    figures = []
    for name in measures.value:
        figure = measures.get(name, dict)
        requested = figure.get("requested", str, name).value
        figures.append(RecordedFigure(name, requested, figure.number("mean")))
    if not figures:
        raise part.wrong("measures", "at least one measure", "none")
    return RecordedRun(part.get("name", str).value, source_of(part), tuple(figures), _per_query(part))


def _per_query(part: Part) -> Mapping[str, Mapping[str, float | None]] | None:
    if "per_query" not in part.value:
        return None
    queries = part.get("per_query", dict)
    found: dict[str, dict[str, float | None]] = {}
    for query in queries.value:
        values = queries.get(query, dict)
        found[query] = {name: values.number(name) for name in values.value}
    return found
