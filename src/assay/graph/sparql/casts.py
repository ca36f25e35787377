"""Casts that SPARQL does not have but questions use: `xsd:int(?x)` and those to the other derived whole numbers."""

import re
from collections.abc import Callable
from typing import Any

from assay.core.terms import XSD

LONG, INT, SHORT, BYTE = 1 << 63, 1 << 31, 1 << 15, 1 << 7
RANGES: dict[str, tuple[int | None, int | None]] = {
    "long": (-LONG, LONG - 1),
    "int": (-INT, INT - 1),
    "short": (-SHORT, SHORT - 1),
    "byte": (-BYTE, BYTE - 1),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "unsignedLong": (0, 2 * LONG - 1),
    "unsignedInt": (0, 2 * INT - 1),
    "unsignedShort": (0, 2 * SHORT - 1),
    "unsignedByte": (0, 2 * BYTE - 1),
}
"""Each type of XSD that is derived from integer, and the numbers that it holds."""
STRINGS = frozenset({XSD + "string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"})


def casts() -> dict[Any, Callable[..., Any]]:
    """Return the casts as functions of pyoxigraph, by their names."""
    import pyoxigraph

    def cast(name: str) -> Callable[..., Any]:
        datatype = pyoxigraph.NamedNode(XSD + name)

        def to_whole(value: Any) -> Any:
            if not isinstance(value, pyoxigraph.Literal):
                return None
            number = whole_of(value.value, value.datatype.value, name)
            return None if number is None else pyoxigraph.Literal(str(number), datatype=datatype)

        return to_whole

    return {pyoxigraph.NamedNode(XSD + name): cast(name) for name in RANGES}


def whole_of(text: str, datatype: str, name: str) -> int | None:
    """Return the whole number that a literal is cast to as XPath does it; None where the cast is an error.

    A string has to be written as a whole number; of any other number the part before the point is taken.

    >>> whole_of("0.9", XSD + "decimal", "int"), whole_of("12", XSD + "string", "int")
    (0, 12)
    >>> whole_of("1.2", XSD + "string", "int") is None
    True
    >>> whole_of("300", XSD + "integer", "byte") is None
    True
    """
    if datatype == XSD + "boolean":
        number = {"true": 1, "1": 1, "false": 0, "0": 0}.get(text)
    elif datatype in STRINGS:
        number = int(text) if re.fullmatch(r"\s*[+-]?[0-9]{1,400}\s*", text) else None
    else:
        number = _truncated(text)
    low, high = RANGES[name]
    inside = number is not None and (low is None or low <= number) and (high is None or number <= high)
    return number if inside else None


def _truncated(text: str) -> int | None:
    """Return the part of a number before its point, exact however long it is."""
    from decimal import Decimal, InvalidOperation

    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return int(number) if number.is_finite() and abs(number.adjusted()) < 400 else None
