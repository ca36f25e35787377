"""Tables whose columns have names: CSV and TSV with a header, Parquet, Arrow files.

The names that the field's tools use are recognised: `query_id`, `qid`, `docno`, `corpus-id`, `relevance`, `sim`
and others. A run needs a score or a rank; gold without a grade counts each row as 1. A column `aspect`, `subtopic`,
`intent` or `stratum` of gold is the group of a judgment, `probability` its chance to be in the pool. Columns
`latency`, `tokens` and `price` of a run say what a query cost.
"""

import os
from typing import BinaryIO, ClassVar

import polars as pl

from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import InputError
from assay.formats.base import Blocks, Format, Kind
from assay.formats.delimited import DelimitedRows, Header, names_of, records
from assay.formats.headers import guess_kind, names_both
from assay.formats.source import Source
from assay.formats.words import csv_text, written


class Csv(Format):
    """Values parted by commas (or semicolons), with a line of names."""

    name = "csv"
    description = "CSV with a line of names: query, item, grade (gold) or score (run)"
    suffixes: ClassVar[tuple[str, ...]] = ("csv",)
    separators: ClassVar[tuple[str, ...]] = (",", ";")
    examples: ClassVar[dict[Kind, bytes]] = {
        "gold": b"query,item,grade\nq1,a,1\nq1,b,0\nq2,c,2\n",
        "run": b"query,item,score\nq1,a,2.5\nq1,b,1\nq2,c,0.1\n",
    }

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """A first line that names a query and an item."""
        del kind
        return self._separator(source) is not None

    def guess(self, source: Source) -> Kind | None:
        """Tell gold from a run by the names."""
        return guess_kind(names_of(source, self._separator(source) or self.separators[0]))

    def read_gold(self, source: Source) -> Gold:
        """Read judgments."""
        rows = self._rows(source, "gold")
        origin = self.origin(source, rows.lines)
        return Gold.from_rows(pl.concat(list(rows.blocks())), name=source.stem, origin=origin)

    def read_run(self, source: Source, name: str) -> Run:
        """Read a run; its rows stream."""
        rows = self._rows(source, "run")
        return Run(name, rows, self.origin(source, rows.lines), cost_source=rows.costs)

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write query, item, grade."""
        self._write(blocks, out, "grade")

    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write query, item, score, and rank where the input gave a position."""
        del name
        self._write(blocks, out, "score")

    def _write(self, blocks: Blocks, out: BinaryIO, number: str) -> None:
        first = True
        for block in blocks:
            position = [pl.col("position").alias("rank")] if "position" in block.columns else []
            table = block.select("query", "item", written(number), *position)
            out.write(csv_text(table, self.separators[0], header=first, quoted=True))
            first = False

    def _rows(self, source: Source, kind: Kind) -> DelimitedRows:
        separator = self._separator(source) or self.separators[0]
        return DelimitedRows(source, Header.of(source, separator, kind), kind)

    def _separator(self, source: Source) -> str | None:
        return next((mark for mark in self.separators if names_both(names_of(source, mark))), None)


class Tsv(Csv):
    """Values parted by tabs, with a line of names."""

    name = "tsv"
    description = "TSV with a line of names: query, item, grade (gold) or score (run)"
    suffixes: ClassVar[tuple[str, ...]] = ("tsv", "tab")
    separators: ClassVar[tuple[str, ...]] = ("\t",)
    examples: ClassVar[dict[Kind, bytes]] = {kind: text.replace(b",", b"\t") for kind, text in Csv.examples.items()}


def read_table(path: str | os.PathLike[str] | Source) -> pl.DataFrame:
    """Read a table with names as it is: CSV, TSV, Parquet or Arrow. All columns of a text file are text.

    Raises
    ------
    InputError
        A file that cannot be read, or one without names.
    """
    from assay.formats.binary import read_binary

    source = path if isinstance(path, Source) else Source.open(path)
    binary = read_binary(source)
    if binary is not None:
        return binary
    first = source.head.partition(b"\n")[0]
    separator = max("\t,;", key=lambda mark: first.count(mark.encode()))
    header = Header(names_of(source, separator), {}, separator, source.path)
    if len(set(header.names)) < len(header.names) or not all(header.names):
        msg = f"{source.path}: expected a first line with a name for each column, found {list(header.names)}"
        raise InputError(msg)
    rows = [row for _, row in records([source.read().partition(b"\n")[2]], header, 2)]
    return pl.DataFrame(rows, schema=dict.fromkeys(header.names, pl.String), orient="row")
