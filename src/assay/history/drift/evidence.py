"""What other verbs know of items: which are in the index, which links are invalid, which vectors moved."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import InputError

Source = str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of items; None where nothing was given.

    `corpus` are the ids that are in the index now, `invalid` those that an invalid link names, `moved` maps an id
    whose vector moved to the share of neighbours that it kept. `notices` say what the files leave out.
    """

    corpus: frozenset[str] | None = None
    invalid: frozenset[str] | None = None
    moved: Mapping[str, float] | None = None
    notices: tuple[str, ...] = field(default=())

    @classmethod
    def read(
        cls, corpus: Source | None = None, invalid: Source | None = None, moved: Source | None = None
    ) -> "Evidence":
        """Read the files: ids, one a line; ids or the JSON of `graph validity`; the JSON of `neighbours drift`.

        Raises
        ------
        InputError
            A file that cannot be read, or is of another kind.
        """
        broken, notices = (None, ()) if invalid is None else _invalid(invalid)
        return cls(
            None if corpus is None else frozenset(_ids(corpus, _text(corpus))),
            broken,
            None if moved is None else _moved(moved),
            notices,
        )


def _text(path: Source) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: expected a file, found an error: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{os.fspath(path)}: expected text in UTF-8, found other bytes") from None


def _ids(path: Source, text: str) -> Iterator[str]:
    """Yield the ids of a text, one a line; of JSON Lines the `id`."""
    for line, row in enumerate(text.splitlines(), 1):
        if row.strip().startswith("{"):
            yield _id(path, line, row)
        elif row.strip():
            yield row.strip()


def _id(path: Source, line: int, row: str) -> str:
    try:
        document = json.loads(row)
        return str(document["id"] if "id" in document else document["_id"])
    except (ValueError, KeyError, TypeError, RecursionError):
        msg = f"{os.fspath(path)}, line {line}: expected an id, or JSON with an id, found {row[:60]!r}"
        raise InputError(msg) from None


def _invalid(path: Source) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return what invalid links name, and what the file leaves out."""
    text = _text(path)
    document = _json(text)
    if document is None:
        return frozenset(_ids(path, text)), ()
    if not isinstance(document.get("rules"), list) or "predicates" not in document:
        raise InputError(f"{os.fspath(path)}: expected ids or the JSON of assay graph validity, found other JSON")
    try:
        faults = [fault for rule in document["rules"] for fault in rule.get("faults") or ()]
        named = {_name(term) for fault in faults for term in (fault.get("subject"), fault.get("object")) if term}
        shown, wrong = len(faults), sum(int(rule.get("wrong") or 0) for rule in document["rules"])
    except (AttributeError, TypeError, ValueError):
        msg = f"{os.fspath(path)}: expected rules with the faults of links, found others"
        raise InputError(msg) from None
    missing = (f"{os.fspath(path)} names {shown:,} of {wrong:,} invalid links: assay graph validity --examples N",)
    return frozenset(named), missing if shown < wrong else ()


def _json(text: str) -> dict[str, Any] | None:
    """Return the object that a text is, or None where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _name(term: str) -> str:
    """Return a term of N-Triples as an id.

    >>> _name("<http://x.org/a>"), _name('"a"')
    ('http://x.org/a', 'a')
    """
    return term[1:-1] if term[:1] + term[-1:] in {"<>", '""'} else term


def _moved(path: Source) -> dict[str, float]:
    """Return the items that moved, with the share of their neighbours that they kept."""
    document = _json(_text(path))
    rows = None if document is None else document.get("moved")
    if not isinstance(rows, list):
        raise InputError(f"{os.fspath(path)}: expected the JSON of assay neighbours drift, found another file")
    try:
        return {str(row["name"]): float(row["overlap"]) for row in rows}
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{os.fspath(path)}: expected items with name and overlap, found others") from None
