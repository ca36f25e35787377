"""How deep RDF is nested, counted before it is parsed: a parser that follows each level may end its process."""

import re
import sys
from collections.abc import Iterable

from assay.errors import FormatError

MOST_DEPTH = 500
HOLDS = sys.version_info[:3] >= (3, 11, 5)
"""Older Pythons match possessive groups wrongly (CPython issue 106052). Plain ones find the same, in more memory."""
LEAVES = 2
"""So many levels may be missed; more than 500 are not."""
LONGEST = 1 << 24
"""Bytes of the longest word that the parser takes."""
MOST_OPEN = 20
"""After so many words without an end, nothing is well formed."""


def _pattern(passed: str, opens: str, closes: str) -> re.Pattern[bytes]:
    """Return what is passed over, then what opens a level or closes one, or a byte where a word has no end yet.

    Levels that hold at most one more level are passed over at once, as most are such.
    """
    whole = passed
    for _ in range(LEAVES):
        whole = rf"{passed}|(?:{opens})(?:{whole})*+(?:{closes})"
    text = rf"(?:{whole})*+(?:(?P<opens>{opens})|(?P<closes>{closes})|(?P<rest>.))?"
    return re.compile((text if HOLDS else text.replace(")*+", ")*")).encode(), re.VERBOSE | re.DOTALL)


TURTLE = _pattern(
    r"""[^\]\[(){}<>"'\#\\]++
      | <(?![<=-])[^>]*+>                                               # an IRI
      | "(?!"")[^"\\]*+(?:\\.[^"\\]*+)*+"(?=.) | "{3}(?:[^"\\]++|\\.|"(?!""))*+"{3}
      | '(?!'')[^'\\]*+(?:\\.[^'\\]*+)*+'(?=.) | '{3}(?:[^'\\]++|\\.|'(?!''))*+'{3}
      | \#[^\n\r]*+[\n\r] | \\. | <[=-] | >(?=[^>])
    """,
    r"[\[({]|<<",
    r"[\])}]|>>",
)
JSON = _pattern(r"""[^\]\[{}"]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"[^\]\[{}"]*+""", r"[\[{]", r"[\]}]")
ELEMENT = r"""<[^<>"'/!?][^<>"']*+(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*+"""
XML = _pattern(
    rf"""[^<]++ | {ELEMENT}(?:(?<=/)>|>[^<]*+</[^>]*+>)                 # without others within it
      | (?> <!--.*?--> | <\?.*?\?> | <!\[CDATA\[.*?\]\]> )
      | <![A-Z]+(?:[^<>"'\[]++|"[^"]*+"|'[^']*+')*+[>\[]                # a declaration
    """,
    rf"{ELEMENT}(?<!/)>",
    r"</[^>]*+>",
)


def require_shallow(chunks: Iterable[bytes], form: str, place: str) -> None:
    """Raise FormatError where RDF has more than 500 levels: of brackets, or of elements in RDF/XML.

    `form` is one of pyoxigraph's names, such as TURTLE or JSON_LD. Text that is not well formed may count as anything,
    as no parser goes beyond it.

    >>> require_shallow([b'<a> <p> [ <p> "[[[" ] . # [['], "TURTLE", "few.ttl")
    >>> require_shallow([b"<a> <p> " + b"[ <p> " * 501], "TURTLE", "deep.ttl")
    Traceback (most recent call last):
    assay.errors.FormatError: deep.ttl, line 1: expected at most 500 levels within each other, found more
    """
    pattern = {"JSON_LD": JSON, "RDF_XML": XML}.get(form, TURTLE)
    rest, depth, line = b"", 0, 1
    for chunk in chunks:
        text = rest + chunk
        depth, end = _followed(pattern, text, depth, place, line)
        rest, line = text[end:], line + text.count(b"\n", 0, end)
        if len(rest) > LONGEST + (1 << 20):
            raise FormatError(f"{place}: expected {_shown(form)}, found a literal or a name of more than 16 MiB")
    for _ in range(MOST_OPEN):
        if not rest:
            return
        depth, end = _followed(pattern, rest + b"\n", depth, place, line)
        rest, line = rest[end + 1 :], line + rest.count(b"\n", 0, end + 1)
    raise FormatError(f"{place}: expected {_shown(form)}, found texts and names without an end")


def _shown(form: str) -> str:
    return form.replace("_", "-")


def _followed(pattern: re.Pattern[bytes], text: bytes, depth: int, place: str, line: int) -> tuple[int, int]:
    """Return the depth after a text, and where the first word begins that is not at its end."""
    for found in pattern.finditer(text):
        kind = found.lastgroup
        if kind == "rest":
            return depth, found.start("rest")
        if kind == "opens":
            depth += 1
            if depth > MOST_DEPTH:
                at = line + text.count(b"\n", 0, found.start("opens"))
                expected = f"expected at most {MOST_DEPTH} levels within each other"
                raise FormatError.at(place, at, expected, "found more")
        elif kind == "closes":
            depth = max(depth - 1, 0)
    return depth, len(text)
