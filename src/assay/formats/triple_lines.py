"""Lines of triples: a table parted by tabs, commas or blanks, and OpenKE's numbers; fast, else line by line."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice

import polars as pl

from assay.errors import FormatError
from assay.formats.compression import seems_packed
from assay.formats.delimited import Header, records
from assay.formats.lines import shown
from assay.formats.source import HEAD, Source, not_utf8

TRIPLE = ("head", "relation", "tail", "time")
NAMES = {
    "head": ("head", "subject", "h", "s", "source", "src", "head_id", "subj", "from"),
    "relation": ("relation", "predicate", "r", "p", "rel", "property", "relation_id", "pred", "edge"),
    "tail": ("tail", "object", "t", "o", "target", "dst", "tail_id", "obj", "to"),
    "time": ("time", "timestamp", "date", "year"),
}
"""What a column of triples may be called; case does not matter."""
ENDS = {"nt": "ntriples", "ttl": "turtle"}
BLANKS = re.compile("[ \t]+")
OPENKE = ("head", "tail", "relation")
"""The order of the columns in OpenKE's files."""
LONGEST = 18
"""Digits of a number that surely fits."""


def triple_columns(names: Sequence[str]) -> dict[str, int] | None:
    """Return where head, relation, tail and time stand among names; None if they are no names of these columns.

    >>> triple_columns(["Subject", "Object", "Predicate", "source_file"])
    {'head': 0, 'relation': 2, 'tail': 1}
    """
    lowered = [name.strip().lower() for name in names]
    found = {
        column: next((lowered.index(name) for name in known if name in lowered), -1) for column, known in NAMES.items()
    }
    places = {column: place for column, place in found.items() if place >= 0}
    return places if len(places.keys() & set(TRIPLE[:3])) == 3 else None


def read_text(source: Source, separator: str | None) -> tuple[pl.DataFrame, pl.Series]:
    """Read names of triples and their lines; `separator` None parts columns at blanks.

    The first line may name the columns. Without names they are head, relation, tail and, if there are four, time.

    Raises
    ------
    FormatError
        At the first line with another number of columns, an empty cell, or bytes that are no UTF-8.
    """
    content = source.read()
    names, named = _names(content, separator, source.path)
    mark = separator or " "
    frame = _fast(content, mark, names, int(named))
    if frame is None:
        rows = list(islice(_rows(content, separator, names, source.path), int(named), None))
        columns = dict(zip(names, zip(*(cells for _, cells in rows), strict=True), strict=True)) if rows else {}
        frame = pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))
        lines = pl.Series([line for line, _ in rows], dtype=pl.Int64)
    else:
        lines = pl.int_range(1 + named, 1 + named + frame.height, eager=True)
    return frame.select(name for name in TRIPLE if name in names), lines


def read_openke(source: Source) -> tuple[pl.DataFrame, pl.Series]:
    """Read OpenKE's numbers: a first line with the count, then head, tail, relation.

    Raises
    ------
    FormatError
        A first line that is no count, a line that is not three whole numbers, another count than announced.
    """
    content = source.read()
    first = content.partition(b"\n")[0].strip()
    if not first.isdigit() or len(first) > LONGEST:
        msg = "expected the number of triples on a line of its own"
        hint = "OpenKE's files begin with a count; is this --format tsv or blanks?"
        raise FormatError.at(source.path, 1, msg, f"found {shown(first)}", hint=hint)
    frame = _fast(content, "\t" if b"\t" in content[:1000] else " ", OPENKE, 1, pl.Int64)
    if frame is None or any((frame[name] < 0).any() for name in OPENKE):
        below = _plain_rows(content.partition(b"\n")[2], None, OPENKE, source.path, 2)
        rows = [(line, _numbers(cells, source.path, line)) for line, cells in below]
        frame = pl.DataFrame([cells for _, cells in rows], schema=dict.fromkeys(OPENKE, pl.Int64), orient="row")
        lines = pl.Series([line for line, _ in rows], dtype=pl.Int64)
    else:
        lines = pl.int_range(2, 2 + frame.height, eager=True)
    if frame.height != int(first):
        msg = f"expected {int(first):,} triples, as this line says"
        hint = "the file was cut short or put together; correct the first line or the file."
        raise FormatError.at(source.path, 1, msg, f"found {frame.height:,}", hint=hint)
    return frame.select(TRIPLE[:3]), lines


def _names(content: bytes, separator: str | None, place: str) -> tuple[tuple[str, ...], bool]:
    """Return the names of the columns, and whether the first line gives them.

    Columns that are no part of a triple are called by their place.
    """
    line, cells = _first(content, separator)
    found = triple_columns(cells)
    if found is not None:
        known = {place: column for column, place in found.items()}
        return tuple(known.get(at, f"column {at + 1}") for at in range(len(cells))), True
    if len(cells) not in {3, 4}:
        expected = "expected 3 columns (head relation tail) or 4 (and time)"
        text = shown((separator or " ").join(cells).encode())
        raise FormatError.at(place, line, expected, f"found {len(cells)}: {text}", hint=_hint(cells))
    return TRIPLE[: len(cells)], False


def _first(content: bytes, separator: str | None) -> tuple[int, list[str]]:
    """Return the number and the cells of the first row."""
    if separator == ",":
        reader = csv.reader(io.StringIO(content[:HEAD].decode(errors="replace"), newline=""))
        return next(((reader.line_num, cells) for cells in reader if cells), (1, []))
    line, text = next(
        ((at, text) for at, text in enumerate(content.split(b"\n"), 1) if not _is_blank(text, separator)), (1, b"")
    )
    return line, _split(text.decode(errors="replace").removesuffix("\r"), separator)


def _is_blank(line: bytes, separator: str | None) -> bool:
    return not line.strip() and not (separator and separator.encode() in line)


def _split(text: str, separator: str | None) -> list[str]:
    return text.split(separator) if separator else BLANKS.split(text.strip(" \t"))


def _fast(
    content: bytes, separator: str, names: Sequence[str], skipped: int, kind: type[pl.DataType] = pl.String
) -> pl.DataFrame | None:
    """Parse a file whose every line is a row; None if it is not so plain that each line is vouched for."""
    odd = b"\0" in content or content.count(b"\r") != content.count(b"\r\n") or b"\n\n" in content
    odd = odd or seems_packed(content)
    other = {",": b'"', " ": b"\t"}.get(separator)
    if odd or b"\n\r\n" in content or content[:1] in {b"\n", b"\r"} or (other and other in content):
        return None
    schema = dict.fromkeys(names, kind)
    try:
        frame = pl.read_csv(
            content, separator=separator, has_header=False, skip_rows=skipped, quote_char=None, schema=schema
        )
    except pl.exceptions.PolarsError:
        return None
    lines = content.count(b"\n") + (not content.endswith(b"\n")) - skipped
    whole = frame.height == lines and not sum(frame.null_count().row(0))
    return frame if whole else None


def _rows(
    content: bytes, separator: str | None, names: Sequence[str], place: str
) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the cells of each line that is not blank, exactly; raise at the first that is no row."""
    if separator == ",":
        rows: Iterator[tuple[int, Sequence[str]]] = records([content], Header(tuple(names), {}, ",", place), 1)
    else:
        rows = _plain_rows(content, separator, names, place)
    for line, cells in rows:
        empty = next((name for name, cell in zip(names, cells, strict=True) if not cell and name in TRIPLE), None)
        if empty is not None:
            text = shown((separator or " ").join(cells).encode())
            raise FormatError.at(place, line, f"expected a {empty}", f"found nothing in its column: {text}")
        yield line, cells


def _plain_rows(
    content: bytes, separator: str | None, names: Sequence[str], place: str, first: int = 1
) -> Iterator[tuple[int, Sequence[str]]]:
    for line, raw in enumerate(content.split(b"\n"), first):
        if _is_blank(raw, separator):
            continue
        try:
            text = raw.decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            raise not_utf8(place, line, raw[error.start : error.start + 1]) from None
        cells = _split(text, separator)
        if len(cells) != len(names):
            expected = f"expected {len(names)} columns ({' '.join(names)})"
            raise FormatError.at(place, line, expected, f"found {len(cells)}: {shown(raw)}", hint=_hint(cells))
        yield line, cells


def _numbers(cells: Sequence[str], place: str, line: int) -> list[int]:
    wrong = next((cell for cell in cells if not cell.isascii() or not cell.isdigit() or len(cell) > LONGEST), None)
    if wrong is not None:
        expected = "expected whole numbers (head tail relation)"
        hint = "names of entities are not read in OpenKE's format; --format tsv reads them."
        raise FormatError.at(place, line, expected, f"found {wrong!r}", hint=hint)
    return [int(cell) for cell in cells]


def _hint(cells: Sequence[str]) -> str | None:
    if len(cells) == 1:
        return "columns are parted by tabs, commas or blanks; --format tsv, csv or blanks says by which."
    if len(cells) > 4:
        return "a first line that names the columns (head relation tail) says which of them to read."
    return None
