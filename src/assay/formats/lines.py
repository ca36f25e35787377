"""Text line by line: the reader that the fast one must agree with, and the one that words the errors.

It runs only over a block that the fast reader will not vouch for: broken, or odd but right.
"""

import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from assay.errors import FormatError
from assay.formats.layout import Layout
from assay.formats.source import not_utf8

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
SHOWN = 80


def read_lines(block: bytes, layout: Layout, place: str, first: int) -> pl.DataFrame:
    """Return query, item and number of each line of a block whose first line has the number `first`.

    Columns are parted by the white space of C. A line that is blank or begins with `#` holds no row.

    Raises
    ------
    FormatError
        At the first line with the wrong number of columns, a control byte, a number that is none,
        an id that is no UTF-8.
    """
    texts = {name: layout.columns.index(name) for name in ("query", "item", *layout.kept)}
    rows: dict[str, list[Any]] = {name: [] for name in layout.wanted}
    for line, text in enumerate(block.split(b"\n"), first):
        if text.startswith(b"#"):
            continue
        columns = text.split()
        if columns:
            check_line(text, columns, layout, (place, line))
            for name, at in texts.items():
                rows[name].append(_decoded(columns[at], place, line))
            rows[layout.number].append(float(columns[layout.value]))
    return pl.DataFrame(rows, schema=layout.wanted)


def check_line(text: bytes, columns: list[bytes], layout: Layout, at: tuple[str, int]) -> None:
    """Raise the error of a line that is not of this layout."""
    if control := CONTROL.search(text):
        raise FormatError.at(*at, "expected text", f"found the control byte 0x{control.group().hex()}")
    if not layout.fits(len(columns)):
        found = f"found {len(columns)}: {shown(text)}"
        raise FormatError.at(*at, f"expected {layout}", found, hint=_hint(text, columns, layout))
    value = columns[layout.value]
    if not NUMBER.fullmatch(value):
        expected = f"expected a number as {layout.number} (column {layout.value + 1})"
        raise FormatError.at(*at, expected, f"found {shown(value)}", hint=_number_hint(value))


def find_lines(blocks: Iterator[bytes], layout: Layout, query: str, item: str) -> list[int]:
    """Return the lines, from 1, that hold a pair of query and item: a second look, for an error message."""
    wanted, found, before = (query.encode(), item.encode()), [], 0
    for block in blocks:
        line, start, at = before + 1, 0, block.find(wanted[1])
        while at >= 0:
            begin = block.rfind(b"\n", 0, at) + 1
            end = block.find(b"\n", at) + 1 or len(block)
            line, start = line + block.count(b"\n", start, begin), begin
            columns = block[begin:end].split()
            if layout.fits(len(columns)) and (columns[layout.query], columns[layout.item]) == wanted:
                found.append(line)
            at = block.find(wanted[1], end)
        before += block.count(b"\n")
    return found


def shown(text: bytes) -> str:
    """Return a line or a column as it is quoted in a message: decoded, stripped, not too long."""
    line = text.decode(errors="backslashreplace").strip()
    return repr(line if len(line) <= SHOWN else line[: SHOWN - 1] + "…")


def _decoded(column: bytes, place: str, line: int) -> str:
    try:
        return column.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(place, line, column[error.start : error.start + 1]) from None


def _hint(text: bytes, columns: list[bytes], layout: Layout) -> str | None:
    if layout.number == "grade" and len(columns) >= 6 and NUMBER.fullmatch(columns[4]):
        return "this looks like a run; are GOLD and RUN swapped?"
    if layout.number != "grade" and len(columns) in {3, 4} and NUMBER.fullmatch(columns[-1]):
        return "this looks like a gold standard; are GOLD and RUN swapped?"
    if layout.columns == ("query", "iter", "item", "grade") and len(columns) == 5 and NUMBER.fullmatch(columns[-1]):
        return "--gold-format prefs, prels or strata reads judgments of five columns."
    if text.lstrip()[:1] in {b"{", b"["}:
        return "this looks like JSON; --format jsonl or --format json reads it."
    if text.count(b",") >= 2 and len(columns) < 3:
        return "columns are parted by blanks or tabs here; a table with commas needs a line with their names."
    return None


def _number_hint(value: bytes) -> str | None:
    if re.fullmatch(rb"[+-]?\d+,\d+", value):
        return "numbers have a decimal point here, not a comma."
    return None
