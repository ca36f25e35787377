"""The runs of MS MARCO: three columns, `query item rank`, without scores.

The score of a row is minus its rank, and its rank is its position. MS MARCO's judgments have the four columns
of TREC, parted by tabs; `trec` reads them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO, ClassVar, Self

import polars as pl

from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import FormatError
from assay.formats.base import Blocks, Format, Kind
from assay.formats.blocks import TextRows
from assay.formats.layout import Layout
from assay.formats.numbering import LARGEST_RANK, Ranks
from assay.formats.source import Source
from assay.formats.trec import QRELS, first_columns, text_gold
from assay.formats.words import check_words, csv_text, written

RUN = Layout(("query", "item", "rank"), "rank")


class Msmarco(Format):
    """Runs and judgments of MS MARCO."""

    name = "msmarco"
    description = "MS MARCO runs (query item rank), judgments as in TREC with tabs"
    aliases = ("ms-marco",)
    examples: ClassVar[dict[Kind, bytes]] = {
        "gold": b"q1\t0\ta\t1\nq1\t0\tb\t0\nq2\t0\tc\t2\n",
        "run": b"q1\ta\t1\nq1\tb\t2\nq2\tc\t1\n",
    }

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """Three columns of which the last is a rank: no query has the same number twice."""
        ranks = _ranks(source.head) if len(first_columns(source.head)) == len(RUN.columns) else {}
        if kind == "run":
            return bool(ranks) and all(len(set(given)) == len(given) for given in ranks.values())
        counted = all(given == list(range(1, len(given) + 1)) for given in ranks.values())
        return kind is None and counted and any(len(given) > 1 for given in ranks.values())

    def guess(self, source: Source) -> Kind | None:
        """Three columns are a run, four are gold."""
        return "run" if len(first_columns(source.head)) == len(RUN.columns) else "gold"

    def read_gold(self, source: Source) -> Gold:
        """Read judgments of four columns."""
        return text_gold(source, QRELS, self.name)

    def read_run(self, source: Source, name: str) -> Run:
        """Read a run; its rows stream."""
        rows = TextRows(source, RUN)
        return Run(name, RankedRows(rows), self.origin(source, rows.lines))

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write judgments of four columns, parted by tabs."""
        for block in blocks:
            check_words(block, self.name)
            table = block.select("query", pl.lit("0").alias("iter"), "item", written("grade"))
            out.write(csv_text(table, "\t"))

    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write ranks; scores are lost."""
        del name
        for block in Ranks().number(blocks):
            check_words(block, self.name)
            out.write(csv_text(block.select("query", "item", "rank"), "\t"))


@dataclass(frozen=True, slots=True, eq=False)
class RankedRows:
    """Rows that have a rank and no score."""

    rows: TextRows

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield query, item, score (minus the rank) and position (the rank)."""
        rank = pl.col("rank")
        for block in self.rows.blocks():
            wrong = block.filter(((rank.abs() <= LARGEST_RANK) & (rank == rank.floor())).not_())
            if wrong.height:
                raise self._not_whole(*wrong.row(0))
            yield block.select("query", "item", score=-rank, position=rank.cast(pl.Int64))

    def within(self, memory: int) -> Self:
        """Return the same rows in blocks that take less memory while they are read."""
        return replace(self, rows=self.rows.within(memory))

    def _not_whole(self, query: str, item: str, rank: float) -> FormatError:
        line = self.rows.lines(query, item)[0]
        return FormatError.at(self.rows.source.path, line, "expected a whole number as rank", f"found {rank:g}")


def _ranks(head: bytes) -> dict[bytes, list[int]]:
    """Return the numbers in the third column of the head for each query; nothing if one is no whole number."""
    ranks: dict[bytes, list[int]] = {}
    lines = head.split(b"\n")[: -1 if b"\n" in head else None]
    for columns in (line.split() for line in lines if not line.startswith(b"#")):
        if columns:
            if len(columns) != len(RUN.columns) or not columns[2].isdigit() or int(columns[2][:18]) < 1:
                return {}
            ranks.setdefault(columns[0], []).append(int(columns[2][:18]))
    return ranks
