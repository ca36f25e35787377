"""Tables in binary files: Parquet, and Arrow files, which Feather 2 is.

Runs are read slice by slice, so that memory does not grow with the file.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, ClassVar, Self

import polars as pl

from assay.core.columns import DETAILED_COLUMNS, RUN_COLUMNS, recognise
from assay.core.costs import cost_columns, cost_table
from assay.core.gold import SCHEMA, Gold
from assay.core.run import Run, run_table
from assay.errors import FormatError
from assay.formats.base import Blocks, Format, Kind
from assay.formats.blocks import holds_nothing
from assay.formats.headers import guess_kind
from assay.formats.pipeline import Made, block_within, in_order
from assay.formats.source import Source

LARGE = 1 << 26
"""From so many bytes on a file is mapped instead of read whole."""
SLICE = 1 << 20
ROW = 24
"""Bytes that a row is held to have: blocks of text and slices of so many rows then take about the same memory."""
GOLD = pl.DataFrame({"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "grade": [1.0, 0.0, 2.0]})
RUN = pl.DataFrame({"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [2.5, 1.0, 0.1]})


def packed(write: Callable[[BinaryIO], object]) -> bytes:
    """Return what a function writes into a file."""
    file = io.BytesIO()
    write(file)
    return file.getvalue()


class Parquet(Format):
    """A Parquet file."""

    name = "parquet"
    description = "Parquet with columns query, item, grade (gold) or score (run)"
    suffixes: ClassVar[tuple[str, ...]] = ("parquet", "pq")
    magic: ClassVar[bytes] = b"PAR1"

    def example(self, kind: Kind) -> bytes:
        """Make a small file; it cannot stand here as text."""
        return self._packed(GOLD if kind == "gold" else RUN)

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """The first bytes say it."""
        del kind
        return source.head.startswith(self.magic)

    def guess(self, source: Source) -> Kind | None:
        """Tell gold from a run by the names."""
        with self._guarded(source):
            return guess_kind(self._scan(source).collect_schema().names())

    def read_gold(self, source: Source) -> Gold:
        """Read judgments; a table without grades counts each row 1."""
        with self._guarded(source):
            table = self._scan(source)
            found = recognise(table.collect_schema().names(), DETAILED_COLUMNS, source.path)
            columns = {"grade": pl.lit(1.0), **{column: pl.col(name) for column, name in found.items()}}
            kinds = {**dict.fromkeys(found, pl.String), "probability": pl.Float64, **SCHEMA}
            rows = table.select(columns[name].cast(kinds[name]).alias(name) for name in columns).collect()
        if not rows.height:
            raise holds_nothing(source.path, gold=True)
        return Gold.from_rows(rows, name=source.stem, origin=self.origin(source))

    def read_run(self, source: Source, name: str) -> Run:
        """Read a run; its rows stream."""
        return Run(name, SlicedRows(source, self), self.origin(source), cost_source=partial(self.costs, source))

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write query, item, grade."""
        out.write(self._packed(pl.concat(blocks)))

    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write query, item, score, and rank where the input gave a position."""
        del name
        out.write(self._packed(pl.concat(blocks).rename({"position": "rank"}, strict=False)))

    def read(self, source: Source) -> pl.DataFrame:
        """Return all columns as they are."""
        with self._guarded(source):
            return self._scan(source).collect()

    def slices(self, source: Source, size: int = SLICE) -> Iterator[pl.DataFrame]:
        """Yield the rows with the columns of a run."""
        with self._guarded(source):
            table = self._scan(source)
            names = table.collect_schema().names()
            found = recognise(names, RUN_COLUMNS, source.path)
            height = table.select(pl.len()).collect().item()
            for start in range(0, height, size):
                wide = table.select(list(dict.fromkeys(found.values()))).slice(start, size).collect()
                yield run_table(wide, source.path)
                source.tell(source.file.stat().st_size * min(start + size, height) // height)
        if not height:
            raise holds_nothing(source.path, gold=False)

    def costs(self, source: Source) -> pl.DataFrame | None:
        """Return what each query cost; None where no column says it."""
        with self._guarded(source):
            table = self._scan(source)
            names = table.collect_schema().names()
            query = recognise(names, RUN_COLUMNS, source.path)["query"]
            costs = list(cost_columns(names).values())
            if not costs:
                return None
            rows = table.select(pl.col(query).alias("query"), *costs).unique(maintain_order=True).collect()
        return cost_table(rows, source.path)

    @contextmanager
    def _guarded(self, source: Source) -> Iterator[None]:
        """Turn what Polars says about a damaged file, or about columns of wrong types, into our error."""
        try:
            yield
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            said = str(error).partition("\n")[0]
            msg = f"{source.path}: expected a table in {self.name}, found an error: {said}"
            raise FormatError(msg, hint="write the file again; ids are text, grades and scores numbers.") from None

    def _scan(self, source: Source) -> pl.LazyFrame:
        return pl.scan_parquet(opened(source))

    @staticmethod
    def _packed(table: pl.DataFrame) -> bytes:
        return packed(table.write_parquet)


class Arrow(Parquet):
    """An Arrow file, as Feather 2 and others write it."""

    name = "arrow"
    description = "Arrow or Feather with columns query, item, grade (gold) or score (run)"
    suffixes: ClassVar[tuple[str, ...]] = ("arrow", "feather", "ipc")
    aliases: ClassVar[tuple[str, ...]] = ("feather", "ipc")
    magic = b"ARROW1"

    def _scan(self, source: Source) -> pl.LazyFrame:
        return pl.scan_ipc(opened(source))

    @staticmethod
    def _packed(table: pl.DataFrame) -> bytes:
        return packed(table.write_ipc)


@dataclass(frozen=True, slots=True, eq=False)
class SlicedRows:
    """Rows of a binary table, read anew each time they are asked for."""

    source: Source
    format: Parquet
    size: int = SLICE

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield query, item, score (and position), slice by slice."""
        return self.format.slices(self.source, self.size)

    def within(self, memory: int) -> Self:
        """Return the same rows in slices that take less memory while they are read."""
        return replace(self, size=block_within(memory, self.size * ROW) // ROW)

    def ahead(self, work: Callable[[pl.DataFrame], Made]) -> Iterator[Made]:
        """Yield `work(slice)` in order; slices are read ahead, and worked on in threads."""
        return in_order((rows for rows in self.blocks()), work)


def opened(source: Source) -> Path | io.BytesIO:
    """Return what Polars opens: the file itself if it is large, else its bytes.

    Polars maps a file into memory, and a mapped file that somebody cuts short while it is read ends the process.
    """
    large = source.compression is None and source.file.stat().st_size > LARGE
    return source.file if large else io.BytesIO(replace(source, progress=None).read())


def read_binary(source: Source) -> pl.DataFrame | None:
    """Return all columns of a binary table; None if the source is none."""
    for known in (Parquet(), Arrow()):
        if known.sniff(source, None):
            return known.read(source)
    return None
