"""A TOML file whose tables know the line of each key, so that an error can say where it is."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from assay.errors import FormatError, InputError, UnknownNameError

BARE = re.compile(r"[\w-]+", re.ASCII)
WHERE = re.compile(r" \(at line (\d+), column \d+\)$")
Lines = Mapping[tuple[str, ...], int]
"""The line of each table and key, by the names that lead to it."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a file: its keys, and the way to it."""

    place: str
    way: tuple[str, ...]
    values: Mapping[str, Any]
    lines: Lines = field(repr=False)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    @property
    def title(self) -> str:
        """The table as it is written in the file."""
        return f"[{'.'.join(name if BARE.fullmatch(name) else repr(name) for name in self.way)}]"

    @property
    def line(self) -> int | None:
        """The line of its head."""
        return self.lines.get(self.way)

    def line_of(self, key: str) -> int | None:
        """Return the line of a key; that of the table, where it is written in a way of its own."""
        return self.lines.get((*self.way, key), self.line)

    def table(self, key: str) -> "Table":
        """Return a table below this one, empty where there is none."""
        found = self.values.get(key, {})
        if not isinstance(found, dict):
            self.refuse(key, "expected a table")
        return Table(self.place, (*self.way, key), found, self.lines)

    def require_known(self, known: Iterable[str]) -> None:
        """Raise UnknownNameError for a key that means nothing, with the nearest that does."""
        names = list(known)
        for key in self.values:
            if key not in names:
                kind = f"key of {self.title}" if self.way else "table"
                error = UnknownNameError.of(kind, key, names)
                raise UnknownNameError(f"{self._where(key)}: {error.message}", hint=error.hint)

    def refuse(self, key: str, expected: str, *, hint: str | None = None) -> NoReturn:
        """Raise FormatError for a value that means nothing."""
        found = self.values.get(key)
        said = "nothing" if found is None else repr(found)
        raise FormatError.at(self.place, self.line_of(key), f"{expected} for {key}", f"found {said}", hint=hint)

    def text(self, key: str) -> str | None:
        """Return a text, None where the key is not there."""
        found = self.values.get(key)
        if found is not None and (not isinstance(found, str) or not found.strip()):
            self.refuse(key, "expected a text")
        return found

    def flag(self, key: str) -> bool:
        """Return true or false; false where the key is not there."""
        found = self.values.get(key, False)
        if not isinstance(found, bool):
            self.refuse(key, "expected true or false")
        return found

    def choice(self, key: str, known: tuple[str, ...], usual: str) -> str:
        """Return one of the known words."""
        found = self.values.get(key, usual)
        if found not in known:
            self.refuse(key, f"expected {', '.join(known[:-1])} or {known[-1]}")
        return str(found)

    def whole(self, key: str, usual: int, *, lowest: int) -> int:
        """Return a whole number."""
        found = self.values.get(key, usual)
        if not isinstance(found, int) or isinstance(found, bool) or found < lowest:
            self.refuse(key, f"expected a whole number of at least {lowest}")
        return found

    def number(self, key: str, usual: float | None, *, low: float, high: float) -> float | None:
        """Return a number from low to high; as usual where the key is not there."""
        found = self.values.get(key, usual)
        if found is not None and not is_between(found, low, high):
            self.refuse(key, f"expected {range_of(low, high)}")
        return None if found is None else float(found)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, or a single one."""
        found = self.values.get(key, [])
        several = [found] if isinstance(found, str) else found
        if not isinstance(several, list) or not all(isinstance(one, str) for one in several):
            self.refuse(key, "expected texts")
        return tuple(several)

    def _where(self, key: str) -> str:
        line = self.line_of(key)
        return self.place if line is None else f"{self.place}, line {line}"


def read_toml(path: str) -> Table:
    """Return the tables of a file.

    Raises
    ------
    InputError
        No such file, or content that is no TOML; the message names the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        hint = 'two lines are enough to begin with: [gate] and below it measures = "nDCG@10 RR".'
        raise InputError(f"{path}: expected a file of settings, found none", hint=hint) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected TOML in UTF-8, found other bytes") from None
    except OSError as error:
        raise InputError(f"{path}: expected a file of settings, found an error: {error.strerror}") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = WHERE.search(str(error))
        line = int(where[1]) if where else None
        raise FormatError.at(path, line, "expected TOML", f"found {WHERE.sub('', str(error))!r}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, lists in lists without end
        raise InputError(f"{path}: expected TOML, found {error}") from None
    return Table(path, (), values, lines_of(text))


def lines_of(text: str) -> dict[tuple[str, ...], int]:
    r"""Return the line of each table and key that stands at the beginning of a line.

    >>> lines_of('[gate]\nalpha = 0.1\n[gate.slices."long tail"]\nmin = 0.2')
    {('gate',): 1, ('gate', 'alpha'): 2, ('gate', 'slices', 'long tail'): 3, ('gate', 'slices', 'long tail', 'min'): 4}
    """
    found: dict[tuple[str, ...], int] = {}
    above: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        key, equals, _ = line.partition("=")
        if line.lstrip().startswith("["):
            above = _way(line) or above
            found.setdefault(above, number)
        elif equals and (way := _way(f"{key} = 0")):
            found.setdefault((*above, *way), number)
    return found


def is_between(found: object, low: float, high: float) -> bool:
    """Tell whether this is a finite number from low to high."""
    if not isinstance(found, int | float) or isinstance(found, bool):
        return False
    try:
        return isfinite(found) and low <= found <= high
    except OverflowError:  # a whole number beyond all that are held
        return False


def range_of(low: float, high: float) -> str:
    """Say which numbers are meant.

    >>> range_of(0, 1), range_of(0, float("inf")), range_of(-float("inf"), float("inf"))
    ('a number from 0 to 1', 'a number of at least 0', 'a number')
    """
    if low == -float("inf"):
        return "a number" if high == float("inf") else f"a number of at most {high:g}"
    return f"a number of at least {low:g}" if high == float("inf") else f"a number from {low:g} to {high:g}"


def _way(line: str) -> tuple[str, ...]:
    """Return the names that a head or a key is made of; none where it is neither."""
    try:
        found: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    way = []
    while isinstance(found, dict) and found:
        name, found = next(iter(found.items()))
        way.append(name)
    return tuple(way)
