"""Scales by name, or written as grade=name,grade=name."""

import math
from collections.abc import Mapping
from types import MappingProxyType

from assay.core.judging import BINARY, CORRECT, SAME, TREC, Level, Material, Scale
from assay.errors import ParameterError, UnknownNameError

SCALES: Mapping[str, Scale] = MappingProxyType({"binary": BINARY, "trec": TREC, "correct": CORRECT, "same": SAME})
USUAL: Mapping[Material, Scale] = MappingProxyType({
    "document": TREC, "triple": CORRECT, "records": SAME, "fact": BINARY,
})  # fmt: skip
"""The scale of a material where none is asked for."""
MOST = 9


def scale_of(text: str) -> Scale:
    """Return the scale of that name, or the one written.

    >>> [level.name for level in scale_of("0=off topic,1=on topic").levels]
    ['off topic', 'on topic']

    Raises
    ------
    UnknownNameError, ParameterError
        No scale of that name; a grade that is no number or comes twice; fewer than two levels, or more than nine.
    """
    if "=" not in text:
        if text not in SCALES:
            raise UnknownNameError.of("scale", text, (*SCALES, "0=no,1=yes"))
        return SCALES[text]
    levels = sorted((_level(part) for part in text.split(",")), key=lambda level: level.grade)
    grades = {level.grade for level in levels}
    if len(grades) != len(levels) or not 2 <= len(levels) <= MOST:
        raise ParameterError(f"scale: expected 2 to {MOST} levels of different grades, found {text!r}")
    return Scale(tuple(levels))


def _level(part: str) -> Level:
    grade, _, name = part.partition("=")
    try:
        value = float(grade)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        msg = f"scale: expected grade=name, found {part.strip()!r}"
        raise ParameterError(msg, hint='such as "0=no,1=yes".')
    return Level(value, name.strip() or grade.strip())
