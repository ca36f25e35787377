"""Labels of named items: a type, a class or a cluster for each, from a file or from memory."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import InputError
from assay.tasks.neighbours.vectors import Vectors

Labels = Sequence[str | None]


def as_labels(given: Any, vectors: Vectors) -> list[str | None]:
    """Return the label of each row, None where it has none.

    `given` is `{name: label}`, a list with a label for each row, or a file: one label per line for each row, or
    two columns, name and label, parted by tabs or commas, with or without a line of heads.

    Raises
    ------
    InputError
        A name with two labels, another number of lines than of rows, no name of the vectors.

    >>> as_labels({"a": "city", "c": "person"}, Vectors.of([[1.0], [2.0]], ["a", "b"]))
    ['city', None]
    """
    if isinstance(given, str | os.PathLike):
        return _read(given, vectors)
    if isinstance(given, Mapping):
        return _by_name({str(name): str(label) for name, label in given.items()}, vectors, "labels")
    found = [None if label is None else str(label) for label in given]
    return _for_each_row(found, vectors, "labels")


def _read(path: str | os.PathLike[str], vectors: Vectors) -> list[str | None]:
    from assay.formats.source import Source

    source = Source.open(path)
    lines = [line.rstrip("\r") for line in source.text().split("\n")]
    lines = lines[:-1] if lines and not lines[-1] else lines
    mark = next((one for one in ("\t", ",") if lines and all(line.count(one) == 1 for line in lines if line)), None)
    if mark is None:
        return _for_each_row([line.strip() or None for line in lines], vectors, source.path)
    rows = [line.split(mark) for line in lines if line]
    if rows and rows[0][0].strip() not in vectors.place and _is_head(rows[0]):
        rows = rows[1:]
    labels: dict[str, str] = {}
    for name, label in ((one.strip().strip('"'), other.strip().strip('"')) for one, other in rows):
        if label and labels.setdefault(name, label) != label:
            msg = f"{source.path}: expected one label for each name, found {labels[name]!r} and {label!r} for {name!r}"
            raise InputError(msg)
    return _by_name(labels, vectors, source.path)


def _is_head(cells: Sequence[str]) -> bool:
    known = {"name", "entity", "item", "id", "node", "word", "label", "type", "class", "cluster", "category"}
    return any(cell.strip().strip('"').lower() in known for cell in cells)


def _by_name(labels: Mapping[str, str], vectors: Vectors, place: str) -> list[str | None]:
    found = [labels.get(name) for name in vectors.names.to_list()]
    if not any(label is not None for label in found):
        some = next(iter(labels), None)
        msg = f"{place}: expected names of the vectors such as {vectors.names[0]!r}, found " + (
            "none" if some is None else f"others, such as {some!r}"
        )
        raise InputError(msg, hint="--names gives the names of the rows of a matrix.")
    return found


def _for_each_row(labels: list[str | None], vectors: Vectors, place: str) -> list[str | None]:
    if len(labels) != len(vectors):
        msg = f"{place}: expected a label for each of {len(vectors):,} rows, found {len(labels):,}"
        raise InputError(msg, hint="two columns, name and label, need not name all.")
    return labels
