"""The fast reader of text: blocks of whole lines, parsed three at a time, in order.

It returns what the reader of `lines.py` returns, or raises its error; a block that it cannot vouch for, it
hands over.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Self, TypeVar

import polars as pl

from assay.errors import InputError
from assay.formats.compression import seems_packed
from assay.formats.layout import Layout
from assay.formats.lines import find_lines, read_lines
from assay.formats.pipeline import BLOCK, block_within, in_order, pieces
from assay.formats.plain import clean, plain_line_ends, width
from assay.formats.source import Source

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Made]):
    """A block as far as it came: what was made of its rows, or the block itself where the fast way ends."""

    made: Made | None
    block: bytes
    rows: int
    lines: int


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
    """Rows of a text file, read anew each time they are asked for."""

    source: Source
    layout: Layout
    size: int = BLOCK

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield query, item and number, block by block; memory is that of three blocks.

        Raises
        ------
        FormatError
            At the first line that is not of the layout, after the blocks before it.
        InputError
            No row at all.
        """
        return self.ahead(lambda frame: frame)

    def ahead(self, work: Callable[[pl.DataFrame], Made]) -> Iterator[Made]:
        """Yield `work(rows)` for the rows of each block, in order; the work is done in the threads that parse."""
        before, empty = 0, True
        read = pieces(self.source, self.size)
        make = partial(_parse, layout=self.layout, work=work)
        for parsed in map(make, read) if self.whole else in_order(read, make):
            made, count = parsed.made, parsed.rows
            if made is None:
                rows = read_lines(parsed.block, self.layout, self.source.path, before + 1)
                made, count = work(rows), rows.height
            before += parsed.lines
            if count:
                empty = False
                yield made
        if empty:
            raise holds_nothing(self.source.path, gold=self.layout.number == "grade")

    @property
    def whole(self) -> bool:
        """Whether the file is one block, so that threads have nothing to do ahead."""
        try:
            return self.source.compression is None and self.source.file.stat().st_size <= self.size
        except OSError:  # gone since it was looked at, as opening it will say
            return False

    def within(self, memory: int) -> Self:
        """Return the same rows in blocks that take less memory while they are read."""
        return replace(self, size=block_within(memory, self.size))

    def lines(self, query: str, item: str) -> list[int]:
        """Return the lines, from 1, on which a pair stands."""
        return find_lines(pieces(self.source, self.size), self.layout, query, item)


def holds_nothing(place: str, *, gold: bool) -> InputError:
    """Make the error for a file without any row."""
    what = "judgments" if gold else "answers"
    return InputError(f"{place}: expected {what}, found a file that holds no {what}")


def _parse(block: bytes, layout: Layout, work: Callable[[pl.DataFrame], Made]) -> Parsed[Made]:
    columns, separator = width(block)
    lines = plain_line_ends(block, columns, separator) if layout.fits(columns) else None
    frame = _cleaned(block, layout) if lines is None else _csv(block, layout, columns, separator)
    ends = block.count(b"\n") if lines is None else lines
    if frame is None:
        return Parsed(None, block, 0, ends)
    return Parsed(work(frame), b"", frame.height, ends)


def _cleaned(block: bytes, layout: Layout) -> pl.DataFrame | None:
    text = clean(block)
    if not text:
        return pl.DataFrame(schema=layout.wanted)
    columns, separator = width(text)
    if layout.fits(columns) and plain_line_ends(text, columns, separator) is not None:
        return _csv(text, layout, columns, separator)
    return None


def _csv(block: bytes, layout: Layout, columns: int, separator: int) -> pl.DataFrame | None:
    """Parse a plain block; None if something in it is no number or no UTF-8."""
    if seems_packed(block):
        return None
    names = [*layout.columns, *(f"column {place}" for place in range(len(layout.columns), columns))]
    schema = dict.fromkeys(names, pl.String) | {layout.number: pl.Float64}
    rows = pl.scan_csv(block, separator=chr(separator), has_header=False, quote_char=None, schema=schema)
    try:
        frame = rows.select(*layout.wanted).collect()
    except pl.exceptions.PolarsError:
        return None
    return None if frame[layout.number].null_count() else frame
