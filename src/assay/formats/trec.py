"""The formats of TREC: qrels of four columns, runs of six, parted by any white space.

`query iter item grade` and `query Q0 item rank score system`. The iteration, the rank and further columns of a
run are not read. Grades may be fractions. Judgments of three columns, `query item grade`, as Cranfield has them,
are accepted; the first line decides. Lines that begin with `#` are comments, as in trec_eval 10.
"""

import io
from dataclasses import replace
from typing import BinaryIO, ClassVar

import polars as pl

from assay.core.gold import Gold
from assay.core.origin import Origin
from assay.core.run import Run
from assay.errors import GoldError
from assay.formats.base import Blocks, Format, Kind
from assay.formats.blocks import TextRows
from assay.formats.layout import Layout
from assay.formats.numbering import Ranks
from assay.formats.source import Source
from assay.formats.words import check_words, csv_text, written

QRELS = Layout(("query", "iter", "item", "grade"), "grade")
CRANFIELD = Layout(("query", "item", "grade"), "grade")
BY_ASPECT = (
    "keep one judgment for each pair; or, if the second column is an aspect of the query, say --gold-format diversity."
)
RUN = Layout(("query", "Q0", "item", "rank", "score", "system"), "score", extra=True)


class Trec(Format):
    """Qrels and runs of TREC."""

    name = "trec"
    description = "TREC qrels (query iter item grade) and runs (query Q0 item rank score system)"
    suffixes: ClassVar[tuple[str, ...]] = ("qrels", "qrel", "run", "res", "trec", "txt")
    examples: ClassVar[dict[Kind, bytes]] = {
        "gold": b"q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n",
        "run": b"q1 Q0 a 1 2.5 bm25\nq1 Q0 b 2 1 bm25\nq2 Q0 c 1 0.1 bm25\n",
    }

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """Any text that no other format wants is held to be TREC's."""
        del source, kind
        return True

    def guess(self, source: Source) -> Kind | None:
        """Six columns and more are a run, four and three are gold."""
        return "run" if len(first_columns(source.head)) >= len(RUN.columns) else "gold"

    def read_gold(self, source: Source) -> Gold:
        """Read qrels."""
        layout = CRANFIELD if len(first_columns(source.head)) == len(CRANFIELD.columns) else QRELS
        try:
            return text_gold(source, layout, self.name)
        except GoldError as error:
            if layout is QRELS and _by_aspect(source):
                raise GoldError(error.message, hint=BY_ASPECT) from None
            raise

    def read_run(self, source: Source, name: str) -> Run:
        """Read a run; its rows stream."""
        rows = TextRows(source, RUN)
        return Run(name, rows, self.origin(source, rows.lines))

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write qrels; whole grades without a decimal point."""
        for block in blocks:
            check_words(block, self.name)
            table = block.select("query", pl.lit("0").alias("iter"), "item", written("grade"))
            out.write(csv_text(table, " "))

    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write a run; the system column holds `name`, its white space turned into `_`."""
        tag = "_".join(name.split()) or "run"
        for block in Ranks().number(blocks):
            check_words(block, self.name)
            table = block.select(
                "query", pl.lit("Q0").alias("Q0"), "item", "rank", written("score"), pl.lit(tag).alias("system")
            )
            out.write(csv_text(table, " "))


def _by_aspect(source: Source) -> bool:
    """Tell whether no item is judged twice for a query and the same second column."""
    rows = pl.concat(list(TextRows(source, replace(QRELS, kept=("iter",))).blocks()))
    return not rows.select("query", "iter", "item").is_duplicated().any()


def text_gold(source: Source, layout: Layout, name: str) -> Gold:
    """Read judgments of a text layout into memory."""
    rows = TextRows(source, layout)
    origin = Origin(source.path, name, source.digest, rows.lines)
    return Gold(pl.concat(list(rows.blocks())), name=source.stem, origin=origin)


def first_columns(head: bytes) -> list[bytes]:
    """Return the columns of the first line that holds a row; none if the head has none."""
    lines = (line.split() for line in io.BytesIO(head) if not line.startswith(b"#"))
    return next((columns for columns in lines if columns), [])
