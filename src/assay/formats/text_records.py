"""Texts with their ids, from files of any known form: rows of named cells, each with the line where it begins."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from assay.core.columns import ITEM, QUERY
from assay.errors import FormatError, InputError
from assay.formats.binary import read_binary
from assay.formats.delimited import names_of
from assay.formats.documents import parsed
from assay.formats.markup import marked_up
from assay.formats.smart import smart
from assay.formats.source import BOM, Source, not_utf8
from assay.formats.table import read_table

Record = tuple[int, dict[str, str]]
IDS = ("_id", "number", "num", *QUERY, *ITEM)
"""What the column of an id may be called."""


def identified(source: Source, ids: Sequence[str], seen: dict[str, str]) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yield line, id and cells of each row; the first of the names `ids` that a row has is its id.

    `seen` says where each id stood, and is added to.

    Raises
    ------
    InputError, FormatError
        As `text_records`; a row without an id, an id twice, no row.
    """
    empty = True
    for line, cells in text_records(source):
        empty = False
        name = next((name for name in ids if cells.get(name, "").strip()), None)
        if name is None:
            found = f"found {', '.join(cells)[:80] or 'nothing'}"
            raise FormatError.at(source.path, line, f"expected an id ({', '.join(ids[:4])} …)", found)
        found = cells.pop(name).strip()
        if found in seen:
            raise FormatError.at(
                source.path, line, "expected each id once", f"found {found[:40]!r}, as in {seen[found]}"
            )
        seen[found] = f"{source.path}, line {line}"
        yield line, found, cells
    if empty:
        raise InputError(f"{source.path}: expected texts, found none")


def text_records(source: Source) -> Iterator[Record]:
    """Yield the line and the cells of each row, by names in lower case.

    Parquet, Arrow, JSON Lines, a JSON document, documents and topics of TREC, topics in XML, SMART, CSV and TSV with a
    line of names, or two columns without (id, text), parted by a tab.

    Raises
    ------
    InputError, FormatError
        Content that is none of these, or breaks its form; names the line.
    """
    table = read_binary(source)
    if table is not None:
        return _of_table(table)
    head = source.head.lstrip()
    if head.startswith((b"{", b"[")):
        return _of_json(source)
    if head.startswith(b"<"):
        return marked_up(_text(source), source.path)
    if head.startswith(b".I"):
        return smart(_text(source), source.path)
    return _of_columns(source)


def _text(source: Source) -> str:
    return source.text().replace("\r\n", "\n")


def _of_table(table: pl.DataFrame) -> Iterator[Record]:
    for row, cells in enumerate(table.iter_rows(named=True), 1):
        yield row, _cells(cells)


def _of_json(source: Source) -> Iterator[Record]:
    first = source.head.lstrip().partition(b"\n")[0].strip()
    if first.startswith(b"{") and (first.endswith(b"}") or len(source.head) == len(first)):
        for line, text in _lines(source):
            if text.strip():
                yield line, _object(_value(text, source.path, line), source.path, line)
        return
    document = parsed(source.text(), source.path)
    for row, value in enumerate(_rows(document), 1):
        yield row, _object(value, source.path, row)


def _rows(document: Any) -> list[Any]:
    """Return the rows of a document: a list of them, one of them, or texts or objects by their ids."""
    if isinstance(document, list):
        return document
    if not isinstance(document, Mapping) or {str(name).lower() for name in document} & {"_id", "id"}:
        return [document]
    return [{**(said if isinstance(said, Mapping) else {"text": said}), "_id": name} for name, said in document.items()]


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    line, begun = 0, [b""]
    for chunk in source.chunks(1 << 20):
        if b"\n" not in chunk:
            begun.append(chunk)
            continue
        *whole, rest = b"".join([*begun, chunk]).split(b"\n")
        begun = [rest]
        for line, text in enumerate(whole, line + 1):  # noqa: B020 - goes on counting
            yield line, _decoded(text, source.path, line)
    if rest := b"".join(begun):
        yield line + 1, _decoded(rest, source.path, line + 1)


def _decoded(text: bytes, place: str, line: int) -> str:
    try:
        return (text.removeprefix(BOM) if line == 1 else text).decode()
    except UnicodeDecodeError as error:
        raise not_utf8(place, line, text[error.start : error.start + 1]) from None


def _value(text: str, place: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return parsed(text, place, line)


def _object(value: Any, place: str, line: int) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise FormatError.at(place, line, "expected an object", f"found {str(value)[:40]!r}")
    return _cells(value)


def _cells(cells: Mapping[str, Any]) -> dict[str, str]:
    """Return what the cells say as text; of lists each item that is text, of objects nothing."""
    said = {str(name).strip().lower(): _said(value) for name, value in cells.items()}
    return {name: text for name, text in said.items() if text is not None}


def _said(value: Any) -> str | None:
    if isinstance(value, str):
        return value.encode(errors="replace").decode() if not value.isascii() else value
    if isinstance(value, list):
        return "\n".join(text for text in value if isinstance(text, str))
    return None if value is None or isinstance(value, Mapping) else str(value)


def _of_columns(source: Source) -> Iterator[Record]:
    first = source.head.partition(b"\n")[0]
    separator = max("\t,;", key=lambda mark: first.count(mark.encode()))
    names = [name.lower() for name in names_of(source, separator)]
    if len(names) > 1 and set(names) & set(IDS):
        yield from ((line + 1, cells) for line, cells in _of_table(read_table(source)))
        return
    for line, row in _lines(source):
        cells = row.rstrip("\r").split("\t")
        if len(cells) == 2:
            yield line, {"id": cells[0].strip(), "text": cells[1]}
        elif row.strip():
            hint = "a table with other columns needs a line with their names: id, title, text."
            expected = "expected an id and a text with a tab between"
            raise FormatError.at(source.path, line, expected, f"found {len(cells)} columns: {row[:40]!r}", hint=hint)
