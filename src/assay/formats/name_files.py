"""Files that number names: JSON, OpenKE's entity2id, two columns of name and number, or one name per line."""

import json
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from assay.errors import FormatError, InputError
from assay.formats.source import Source

LONGEST = 18
"""Digits of the largest number that a name may have."""


def read_names(path: str | os.PathLike[str]) -> list[str]:
    """Return names in the order of their numbers, from 0.

    The file is one of: JSON, `{name: number}` or a list; two columns parted by tabs or blanks, a name and its
    number in either order, with or without a first line that counts them (OpenKE's entity2id) or names the columns;
    one name per line, whose line is its number.

    Raises
    ------
    InputError
        A file that cannot be read, a name or a number twice, numbers that are not 0, 1, 2 …
    """
    source = Source.open(path)
    text = source.text()
    if text.lstrip()[:1] in {"{", "["} and (source.suffixes[-1:] == ["json"] or _is_json(text)):
        return _of_json(text, source.path)
    rows = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    counted = rows[0].strip() if rows and _is_number(rows[0].strip()) else None
    pairs = _pairs(rows[1:] if counted else rows)
    if pairs is None:
        return _checked(rows, source.path)
    if counted and int(counted) != len(pairs):
        expected, found = f"expected {int(counted):,} names, as this line says", f"found {len(pairs):,}"
        raise FormatError.at(source.path, 1, expected, found)
    return _of_pairs(pairs, source.path, counted=counted is not None)


def placed(names: Sequence[str], numbers: Sequence[str], place: str) -> list[str]:
    """Return names in the order of their numbers.

    Raises
    ------
    InputError
        Numbers that are not 0, 1, 2 …, each once, or a name twice.
    """
    if not _is_numbering(numbers):
        twice = next((cell for cell, often in Counter(numbers).items() if often > 1), None)
        absent = next((str(number) for number in range(len(numbers)) if str(number) not in set(numbers)), None)
        found = f"found {twice} twice" if twice is not None else f"found no {absent}"
        msg = f"{place}: expected the numbers 0 to {len(numbers) - 1}, each once, {found}"
        raise InputError(msg, hint="the number of a name is its row in the matrix of embeddings.")
    ordered = [""] * len(names)
    for name, number in zip(names, numbers, strict=True):
        ordered[int(number)] = name
    return _checked(ordered, place)


def _of_pairs(pairs: Sequence[tuple[str, str]], place: str, *, counted: bool) -> list[str]:
    """Return the names of two columns; the one that holds 0, 1, 2 …, each once, is the numbers."""
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    numbers = [_is_numbering(side) for side in sides]
    if all(numbers) and not counted and sides[0] != sides[1]:
        msg = f"{place}: expected names and their numbers, found two columns that could both be the numbers"
        raise InputError(msg, hint="a first line that counts the names (OpenKE's entity2id) means: name, then number.")
    digits = all(map(_is_number, sides[0])) and not all(map(_is_number, sides[1]))
    left = (numbers[0] and not numbers[1]) or digits
    return placed(sides[1], sides[0], place) if left else placed(sides[0], sides[1], place)


def _pairs(rows: Sequence[str]) -> list[tuple[str, str]] | None:
    """Return the two columns without their names; None if this is one name per line.

    Columns are parted by tabs; by blanks only if the numbers are right, for a name may hold blanks and end in digits.
    """
    for mark in ("\t", None):
        cells = [line.strip().split(mark) for line in rows]
        if not cells or any(len(pair) != 2 for pair in cells):
            continue
        pairs = [(pair[0].strip(), pair[1].strip()) for pair in cells]
        if not any(map(_is_number, pairs[0])) and any(map(_is_number, pairs[-1])):
            pairs = pairs[1:]
        sides = [[pair[side] for pair in pairs] for side in (0, 1)]
        if any(map(_is_numbering, sides)) or (mark and any(all(map(_is_number, side)) for side in sides)):
            return pairs
    return None


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) <= LONGEST


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _of_json(text: str, place: str) -> list[str]:
    try:
        found: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError.at(place, error.lineno, "expected JSON", f"found an error: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{place}: expected JSON, found an error: {error}") from None
    if isinstance(found, list) and all(isinstance(name, str) for name in found):
        return _checked(found, place)
    if isinstance(found, dict) and all(type(number) is int for number in found.values()):
        return placed(list(found), [str(number) for number in found.values()], place)
    msg = f"{place}: expected an object of names and their numbers, or a list of names, found something else"
    raise InputError(msg, hint='such as {"Paris": 0, "France": 1}.')


def _is_numbering(cells: Sequence[str]) -> bool:
    return all(map(_is_number, cells)) and {int(cell) for cell in cells} == set(range(len(cells)))


def _checked(names: Sequence[str], place: str) -> list[str]:
    twice = next((name for name, often in Counter(names).items() if often > 1), None)
    if twice is not None:
        msg = f"{place}: expected each name once, found {twice!r} twice"
        raise InputError(msg)
    return list(names)
