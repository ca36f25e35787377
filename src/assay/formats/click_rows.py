"""Rows of a log of clicks as a file holds them: a table of text, JSON Lines, a frame; read anew each time."""

import io
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

import polars as pl

from assay.core.columns import is_number
from assay.core.frames import engine_error
from assay.errors import FormatError
from assay.formats.delimited import DelimitedRows, Header, records
from assay.formats.documents import parsed
from assay.formats.pipeline import in_order, pieces
from assay.formats.source import Source

BATCH = 1 << 19
"""Rows of a binary table that are in memory at a time."""
LINES = 1 << 23
"""Bytes of text that are read at a time."""


class Rows(Protocol):
    """Rows of one file, read anew each time: the columns of a log as the file has them."""

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield the columns, block by block."""

    def line(self, column: str, value: str) -> int | None:
        """Return the first line on which a column has this value, where there are lines."""


@dataclass(frozen=True, slots=True)
class FrameRows:
    """Rows of a Polars LazyFrame: a binary file, a dataset, a table in memory."""

    frame: pl.LazyFrame
    place: str

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield batches."""
        try:
            yield from self.frame.collect_batches(chunk_size=BATCH, maintain_order=True, lazy=True)
        except (pl.exceptions.PolarsError, OSError) as problem:
            raise engine_error(self.place, problem) from problem

    def line(self, column: str, value: str) -> int | None:
        """Return None: there are no lines."""
        del column, value
        return None


@dataclass(frozen=True, slots=True)
class TextRows:
    """Rows of a table of text with a line of names."""

    source: Source
    header: Header

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield parsed blocks."""
        return DelimitedRows(self.source, self.header, "run", LINES).frames()

    def line(self, column: str, value: str) -> int | None:
        """Return the first line on which a column has this value."""
        place = self.header.places[column]
        with closing(pieces(self.source, LINES)) as blocks:
            return next((line for line, row in records(blocks, self.header, 1) if _same(row[place], value)), None)


@dataclass(frozen=True, slots=True)
class LineRows:
    """Rows of JSON Lines: one object for each item shown; `names` says the key of each column."""

    source: Source
    names: Mapping[str, str]

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield parsed blocks, all columns as text."""
        numbered = self._numbered()
        yield from in_order(numbered, lambda block: self._parsed(*block))

    def _numbered(self) -> Generator[tuple[bytes, int]]:
        line = 1
        with closing(pieces(self.source, LINES)) as blocks:
            for block in blocks:
                yield block, line
                line += block.count(b"\n")

    def _parsed(self, block: bytes, first: int) -> pl.DataFrame:
        schema = dict.fromkeys(self.names.values(), pl.String)
        try:
            table = pl.read_ndjson(io.BytesIO(block), schema=schema)
        except (pl.exceptions.PolarsError, OSError):
            table = pl.DataFrame([self._object(text, line) for line, text in _filled(block, first)], schema=schema)
        return table.select(**{column: pl.col(name) for column, name in self.names.items()})

    def _object(self, text: bytes, line: int) -> dict[str, str | None]:
        value = parsed(text.decode(errors="replace"), self.source.path, line)
        if not isinstance(value, dict):
            raise FormatError.at(self.source.path, line, "expected an object", f"found {text[:80].decode()!r}")
        return {name: None if value.get(name) is None else str(value[name]) for name in self.names.values()}

    def line(self, column: str, value: str) -> int | None:
        """Return the first line whose object has this value."""
        for block, first in self._numbered():
            for line, text in _filled(block, first):
                if _same(self._object(text, line)[self.names[column]], value):
                    return line
        return None


def _same(text: str | None, value: str) -> bool:
    """Tell whether a cell is the value that was read of it: the same text or number."""
    if text is None or text == value or text.lower() == value:
        return text is not None
    return is_number(text) and is_number(value) and float(text) == float(value)


def _filled(block: bytes, first: int) -> Iterator[tuple[int, bytes]]:
    return ((line, text) for line, text in enumerate(block.split(b"\n"), first) if text.strip())
