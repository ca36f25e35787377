"""Texts in the form of the SMART system: .I and an id, then fields named by one letter (.T .A .B .W)."""

import re
from collections.abc import Iterator

from assay.errors import FormatError

NAMES = {"T": "title", "W": "text", "A": "author", "B": "source", "K": "keywords", "N": "note", "X": "links"}
BEGIN = re.compile(r"\.I\s+(\S+)\s*")
FIELD = re.compile(r"\.([A-Z])\s*")


def smart(text: str, place: str) -> Iterator[tuple[int, dict[str, str]]]:
    r"""Yield the line and the fields of each text; their ids are as they stand there.

    Raises
    ------
    FormatError
        A text without an id.

    >>> list(smart(".I 1\n.T\nGold\n.W\nabout gold\n", "docs"))
    [(1, {'id': '1', 'title': 'Gold', 'text': 'about gold'})]
    """
    begun, field = 0, None
    said: dict[str, list[str]] = {}
    for line, row in enumerate(text.split("\n"), 1):
        if row.startswith(".I"):
            if begun:
                yield begun, _joined(said)
            found = BEGIN.fullmatch(row)
            if found is None:
                raise FormatError.at(place, line, "expected .I and an id", f"found {row[:40]!r}")
            begun, said, field = line, {"id": [found[1]]}, None
        elif mark := FIELD.fullmatch(row):
            field = NAMES.get(mark[1], mark[1].lower())
        elif begun and field:
            said.setdefault(field, []).append(row.rstrip("\r"))
    if begun:
        yield begun, _joined(said)


def _joined(said: dict[str, list[str]]) -> dict[str, str]:
    return {name: "\n".join(rows).strip("\n") for name, rows in said.items()} | ({} if "text" in said else {"text": ""})
