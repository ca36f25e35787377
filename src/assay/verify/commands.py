"""Results of other verbs: their command runs once more, and all that it writes is held against what is recorded."""

import json
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from assay._version import __version__
from assay.core.verification import FigureCheck, InputCheck, State, Verification
from assay.errors import AssayError
from assay.formats.source import file_digest
from assay.verify.document import Part, Recorded, read_result, source_of

Again = Callable[[list[str], Path, str], None]
"""Runs a recorded command in a folder and writes its JSON to a path, and nothing else.

It raises AssayError for a command that it does not know, or that fails.
"""

Place = tuple[str | int, ...]
FIGURES: Place = ("runs", 0, "measures")
BESIDE = ("assay", "command", "inputs")
"""What is no figure; it is compared on its own."""


def verify_command(part: Part, verb: str, again: Again) -> Verification:
    """Compute the result of a command again and say what differs.

    Inputs are looked for in the current folder or, where they do not lie there, in that of the result.

    Raises
    ------
    FormatError
        JSON that is no result of a command.
    """
    versions = part.get("assay", str).value, __version__
    inputs = [(one.get("role", str).value, source_of(one)) for one in part.get("inputs", list, []).items()]
    folder = _folder(part.file, [source for _, source in inputs])
    try:
        found = _computed(again, part.command(), folder)
    except AssayError as problem:
        checks = [_checked(role, source, _digest(folder, source.path)) for role, source in inputs]
        said = f"{verb} could not be computed: {problem.message}"
        return Verification(part.file, versions, tuple(checks), (), (said,))
    try:
        figures = tuple(_compared(part, found.value, _name(found.value, verb)))
    except RecursionError:
        raise part.wrong("", "a result", "values too deep in each other") from None
    return Verification(part.file, versions, tuple(_inputs(inputs, found)), figures)


def digested(inputs: Iterable[tuple[str, str]]) -> list[dict[str, str | None]]:
    """Return files, given as role and path, with the SHA-256 of their bytes; folders and pipes have none."""
    return [{"role": role, "path": path, "sha256": _digest(Path(), path)} for role, path in inputs]


def _digest(folder: Path, path: str | None) -> str | None:
    return file_digest(folder / (path or ""))


def _folder(result: str, inputs: list[Recorded]) -> Path:
    """Return where the inputs lie: here, or beside the result."""
    here, beside = Path(), Path(result).parent
    known = [source.path for source in inputs if source.sha256 is not None]
    is_here = all(_digest(here, path) is not None for path in known)
    return here if is_here or any(_digest(beside, path) is None for path in known) else beside


def _computed(again: Again, command: list[str], folder: Path) -> Part:
    with tempfile.TemporaryDirectory() as place:
        out = str(Path(place).resolve() / "result.json")
        again(command, folder, out)
        return read_result(out)


def _inputs(recorded: list[tuple[str, Recorded]], found: Part) -> Iterator[InputCheck]:
    """Yield each input that was read beside what is recorded of it."""
    known = {(role, source.path): source for role, source in recorded}
    for one in found.get("inputs", list, []).items():
        role, source = one.get("role", str).value, source_of(one)
        yield _checked(role, known.get((role, source.path), Recorded(source.path, None)), source.sha256)


def _checked(role: str, recorded: Recorded, digest: str | None) -> InputCheck:
    state: State = "unknown"
    if recorded.sha256 is not None:
        state = "missing" if digest is None else "same" if digest == recorded.sha256 else "changed"
    return InputCheck(role, recorded.path, recorded.sha256, digest, state)


def _name(found: Mapping[str, Any], verb: str) -> str:
    """Return what was judged: the run, the vectors, else the verb."""
    judged = (found.get("runs") or [found.get("vectors") or {}])[0]
    return str(judged.get("name", verb))


def _compared(recorded: Part, found: Mapping[str, Any], name: str) -> Iterator[FigureCheck]:
    """Yield a check for each figure and count, and for each other value that differs."""
    theirs, ours = dict(_values(recorded.value)), dict(_values(found))
    for place in dict.fromkeys([*ours, *theirs]):
        shown = _shown(place)
        held = theirs.get(place, ABSENT), ours.get(place, ABSENT)
        same = place in theirs and place in ours and _text(held[0]) == _text(held[1])
        one, other = (_number(recorded, shown, value) for value in held)
        if same and one is other is None and not isinstance(held[0], dict):
            continue  # a text is no figure, but one that differs is told
        queries = () if same or place[-1] != "per_query" else _differing(*held)
        yield FigureCheck(name, shown, one, other, same, queries, "" if same or queries else _difference(*held))


ABSENT = "nothing"


def _values(document: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    """Yield each value by its place; a figure, which has a mean, and the values of queries are one value each."""
    stack: list[tuple[Place, Any]] = []
    stack += [((key,), value) for key, value in [*document.items()][::-1] if key not in BESIDE]
    while stack:
        place, value = stack.pop()
        inner: list[tuple[str | int, Any]] = []
        if isinstance(value, dict) and "mean" not in value and place[-1] != "per_query":
            inner = list(value.items())
        elif isinstance(value, list):
            inner = list(enumerate(value))
        stack += [((*place, key), one) for key, one in inner[::-1]]
        if not inner:
            yield place, value


def _shown(place: Place) -> str:
    """Write a place; a figure of the run, the first of all, is shown by its measure alone."""
    parts = place[len(FIGURES) :] if place[: len(FIGURES)] == FIGURES and len(place) > len(FIGURES) else place
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _number(part: Part, shown: str, value: Any) -> float | None:
    value = value.get("mean") if isinstance(value, dict) else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not math.isfinite(value):
        raise part.wrong(shown, "a number or null", repr(value))
    return float(value)


def _differing(one: Any, other: Any) -> tuple[str, ...]:
    """Return the queries whose values differ."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return ()
    return tuple(sorted(query for query in {*one, *other} if one.get(query) != other.get(query)))


def _difference(one: Any, other: Any) -> str:
    """Say what differs, where that is not the number itself."""
    if isinstance(one, dict) and isinstance(other, dict):
        parts = [key for key in dict.fromkeys([*one, *other]) if one.get(key) != other.get(key)]
        return "" if parts == ["mean"] else f"differs in {', '.join(parts)}"
    if isinstance(one, float) and isinstance(other, float):
        return ""
    return " and ".join(f"{word} {_short(value)}" for word, value in (("recorded", one), ("found", other)))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
